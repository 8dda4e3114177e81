import { Suspense, useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Tabs } from '../../base/controls/Tabs.tsx'
import { useSize } from '../../base/page/useSize.ts'
import { useTabs } from '../../session/features/features.tsx'
import { openRecord, panelStore } from '../../session/page/showing.ts'
import { useSession } from '../../session/useSession.ts'
import { TimelinePanel } from '../../watch/timeline/TimelinePanel.tsx'
import './recordViews.css'

/** Below the scrubber: the timeline, or the view of a feature. */
export function RecordViews() {
  const session = useSession()
  const added = useTabs('record')
  const tabsShown = [{ id: 'timeline', name: t('Timeline') }, ...added.map(({ key, name }) => ({ id: key, name: name() }))]
  const chosen = useStore(panelStore(session), (state) => state.record)
  const view = tabsShown.some(({ id }) => id === chosen) ? chosen : 'timeline'
  const tabs = useRef<HTMLDivElement>(null)
  const width = useSize(tabs)?.width
  // The tabs end the line above them, which leaves them the width that they have in this language.
  useLayoutEffect(() => tabs.current?.closest<HTMLElement>('.record')?.style.setProperty('--tabs', `${width ?? 0}px`), [width])
  return (
    <div className="record-views">
      <Tabs ref={tabs} control="views" label={t('Record')} tabs={tabsShown} chosen={view} choose={(id) => openRecord(session, id)} />
      <div className="record-view" role="tabpanel" id={`panel-${view}`} aria-labelledby={`tab-${view}`}>
        {view === 'timeline' ? <TimelinePanel /> : <Suspense>{added.map(({ key, Component }) => key === view && <Component key={key} />)}</Suspense>}
      </div>
    </div>
  )
}
