import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Tabs } from '../../base/controls/Tabs.tsx'
import { useTabs } from '../../session/features/features.tsx'
import { openRecord, panelStore } from '../../session/page/showing.ts'
import { useSession } from '../../session/useSession.ts'
import { TimelinePanel } from '../../watch/timeline/TimelinePanel.tsx'
import './recordViews.css'

/** Returns the views of features below the scrubber, and the key of the one that is shown. */
function useViews() {
  const added = useTabs('record')
  const chosen = useStore(panelStore(useSession()), ({ record }) => record)
  return { added, view: added.some(({ key }) => key === chosen) ? chosen : 'timeline' }
}

/** The tabs of what stands below the scrubber, in the row of the transport. */
export function RecordTabs() {
  const session = useSession()
  const { added, view } = useViews()
  const tabs = [{ id: 'timeline', name: t('Timeline') }, ...added.map(({ key, name }) => ({ id: key, name: name() }))]
  return <Tabs control="views" label={t('Record')} tabs={tabs} chosen={view} choose={(id) => openRecord(session, id)} />
}

/** Below the scrubber: the timeline, or the view of a feature. `bare`: without tabs. */
export function RecordViews({ bare }: { readonly bare: boolean }) {
  const { added, view } = useViews()
  return (
    <div className="record-view" {...(!bare && { role: 'tabpanel', id: `panel-${view}`, 'aria-labelledby': `tab-${view}` })}>
      {view === 'timeline' ? <TimelinePanel /> : <Suspense>{added.map(({ key, Component }) => key === view && <Component key={key} />)}</Suspense>}
    </div>
  )
}
