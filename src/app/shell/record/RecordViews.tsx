import { type ReactNode, Suspense, useLayoutEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { RecordViewName } from '../../../scenario/link/opening.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { useSize } from '../../base/page/useSize.ts'
import { openRecord, panelStore } from '../../session/run/panelStore.ts'
import { useSession } from '../../session/useSession.ts'
import './recordViews.css'

// The first screen does without these: they are fetched when they are wanted.
const ComparePanel = lazyPart(async () => (await import('../../compare/policies/ComparePanel.tsx')).ComparePanel)
const RealityPanel = lazyPart(async () => (await import('../../compare/reality/RealityPanel.tsx')).RealityPanel)
const SweepPanel = lazyPart(async () => (await import('../../compare/sweep/SweepPanel.tsx')).SweepPanel)

const views: readonly RecordViewName[] = ['timeline', 'compare', 'sweep', 'reality']
const names = (): Readonly<Record<RecordViewName, string>> => ({
  timeline: t('Timeline'),
  compare: t('Compare'),
  sweep: t('Sweep'),
  reality: t('Reality'),
})

/** Below the scrubber: the timeline, the comparison, the sweep, or a real run over its simulation. */
export function RecordViews({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const view = useStore(panelStore(session), (state) => state.record)
  const tabs = useRef<HTMLDivElement>(null)
  const width = useSize(tabs)?.width
  // The tabs end the line above them, which leaves them the width that they have in this language.
  useLayoutEffect(() => tabs.current?.closest<HTMLElement>('.record')?.style.setProperty('--tabs', `${width ?? 0}px`), [width])
  return (
    <div className="record-views">
      <div ref={tabs} className="tabs" data-control="views" role="tablist" aria-label={t('Record')}>
        {views.map((id, k) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={view === id}
            aria-controls={view === id ? `panel-${id}` : undefined}
            tabIndex={view === id ? 0 : -1}
            onClick={() => openRecord(session, id)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
              const other = views[(k + (event.key === 'ArrowRight' ? 1 : -1) + views.length) % views.length]
              openRecord(session, other)
              document.getElementById(`tab-${other}`)?.focus()
            }}
          >
            {names()[id]}
          </button>
        ))}
      </div>
      <div className="record-view" role="tabpanel" id={`panel-${view}`} aria-labelledby={`tab-${view}`}>
        {view === 'timeline' ? (
          children
        ) : (
          <Suspense>
            {view === 'compare' && <ComparePanel />}
            {view === 'sweep' && <SweepPanel />}
            {view === 'reality' && <RealityPanel />}
          </Suspense>
        )}
      </div>
    </div>
  )
}
