import { Suspense, useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { RecordViewName } from '../../../scenario/link/opening.ts'
import { Tabs } from '../../base/controls/Tabs.tsx'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { useSize } from '../../base/page/useSize.ts'
import { openRecord, panelStore } from '../../session/run/panelStore.ts'
import { useSession } from '../../session/useSession.ts'
import { TimelinePanel } from '../../watch/timeline/TimelinePanel.tsx'
import './recordViews.css'

// The first screen does without these: they are fetched when they are wanted.
const ComparePanel = lazyPart(async () => (await import('../../../features/compare/page/ComparePanel.tsx')).ComparePanel)
const FinderPart = lazyPart(async () => (await import('../../../features/finder/page/FinderPart.tsx')).FinderPart)
const RealityPanel = lazyPart(async () => (await import('../../../features/reality/page/RealityPanel.tsx')).RealityPanel)
const SweepPanel = lazyPart(async () => (await import('../../../features/compare/page/SweepPanel.tsx')).SweepPanel)

const views: readonly RecordViewName[] = ['timeline', 'compare', 'sweep', 'reality']
const names = (): Readonly<Record<RecordViewName, string>> => ({
  timeline: t('Timeline'),
  compare: t('Compare'),
  sweep: t('What if'),
  reality: t('Real vs simulated'),
})

/** Below the scrubber: the timeline, the comparison, the sweep, or a real run over its simulation. */
export function RecordViews() {
  const session = useSession()
  const view = useStore(panelStore(session), (state) => state.record)
  const tabs = useRef<HTMLDivElement>(null)
  const width = useSize(tabs)?.width
  // The tabs end the line above them, which leaves them the width that they have in this language.
  useLayoutEffect(() => tabs.current?.closest<HTMLElement>('.record')?.style.setProperty('--tabs', `${width ?? 0}px`), [width])
  return (
    <div className="record-views">
      <Tabs
        ref={tabs}
        control="views"
        label={t('Record')}
        tabs={views.map((id) => ({ id, name: names()[id] }))}
        chosen={view}
        choose={(id) => openRecord(session, id)}
      />
      <div className="record-view" role="tabpanel" id={`panel-${view}`} aria-labelledby={`tab-${view}`}>
        {view === 'timeline' ? (
          <TimelinePanel />
        ) : (
          <Suspense>
            {view === 'compare' && <ComparePanel below={<FinderPart />} />}
            {view === 'sweep' && <SweepPanel />}
            {view === 'reality' && <RealityPanel />}
          </Suspense>
        )}
      </div>
    </div>
  )
}
