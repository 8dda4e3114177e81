import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { showingStore } from '../../session/page/showing.ts'
import { timelineStore } from '../../session/page/timelineStore.ts'
import { runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import './timeline.css'
import './timelineCards.css'

// They come with the first run.
const FaultBand = lazyPart(async () => (await import('../../draw/faults/FaultBand.tsx')).FaultBand)
const RunTimeline = lazyPart(async () => (await import('./RunTimeline.tsx')).RunTimeline)

/** Queues, seats and workers over time, with the playhead; below it the faults. */
export function TimelinePanel() {
  const session = useSession()
  const empty = useStore(runStore(session), ({ run }) => run === null)
  const note = (
    <div className="timeline-frame">
      <div className="timeline">
        <div className="empty">
          <p>{t('More work is waiting than there are workers. Who should work where, now?')}</p>
          <p>{t('Point at any time to read why each worker went where it went.')}</p>
        </div>
      </div>
    </div>
  )
  return (
    <div className="timeline-desk" data-control="timeline">
      {empty ? (
        note
      ) : (
        <Suspense fallback={note}>
          <RunTimeline />
        </Suspense>
      )}
      <FaultBar />
    </div>
  )
}

/** The faults of the scenario below the axis. */
function FaultBar() {
  const session = useSession()
  const any = useStore(
    scenarioStore(session),
    ({ draft: { workerEvents, later, stages } }) =>
      workerEvents.length + later.length > 0 || stages.some(({ changes }) => changes.length > 0),
  )
  const asked = useStore(timelineStore(session), (state) => state.asked !== null)
  // The front page covers it.
  const below = useStore(showingStore(session), (state) => state.front)
  return (
    <div className="fault-bar" data-control="sabotage editing">
      <Suspense>{((any && !below) || asked) && <FaultBand />}</Suspense>
    </div>
  )
}
