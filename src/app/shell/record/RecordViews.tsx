import { Suspense, useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Tabs } from '../../base/controls/Tabs.tsx'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { useSize } from '../../base/page/useSize.ts'
import { FeaturePanels, useTabs } from '../../session/features/features.tsx'
import { openRecord, panelStore } from '../../session/run/panelStore.ts'
import { useSession } from '../../session/useSession.ts'
import { TimelinePanel } from '../../watch/timeline/TimelinePanel.tsx'
import './recordViews.css'

// The first screen does without these: they are fetched when they are wanted.
const ComparePanel = lazyPart(async () => (await import('../../../features/compare/page/ComparePanel.tsx')).ComparePanel)
const SweepPanel = lazyPart(async () => (await import('../../../features/compare/page/SweepPanel.tsx')).SweepPanel)

/** The views of every page; those of features follow. */
const names = () => ({ timeline: t('Timeline'), compare: t('Compare'), sweep: t('What if') })

/** Below the scrubber: the timeline, the comparison, the sweep, or the view of a feature. */
export function RecordViews() {
  const session = useSession()
  const added = useTabs('record')
  const tabsShown = [...Object.entries(names()).map(([id, name]) => ({ id, name })), ...added.map(({ key, name }) => ({ id: key, name: name() }))]
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
        {view === 'timeline' ? (
          <TimelinePanel />
        ) : (
          <Suspense>
            {view === 'compare' && <ComparePanel below={<FeaturePanels place="compare" of={{}} />} />}
            {view === 'sweep' && <SweepPanel />}
            {added.map(({ key, Component }) => key === view && <Component key={key} />)}
          </Suspense>
        )}
      </div>
    </div>
  )
}
