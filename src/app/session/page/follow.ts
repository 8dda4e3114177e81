import {
  createJourney,
  createQueuePlace,
  extendJourney,
  extendQueuePlace,
  type Journey,
  type Leg,
  type QueuePlace,
  type Whereabouts,
  whereaboutsAt,
} from '../../../measures/jobs/journey.ts'
import { nextSpan } from '../../../measures/series/lanes.ts'
import { valueAt } from '../../../measures/series/steps.ts'
import { MAX_STAGES } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { playback } from '../run/playback.ts'
import { type Run, runStore } from '../run/runStore.ts'
import { part, type Session } from '../session.ts'
import { goTo, seek } from './playhead.ts'
import { type Focus, focusOn, shownTimeline, timelineStore } from './timelineStore.ts'

/** Where a part of the followed job is, and how many jobs stand before it there. */
export type Followed = { readonly place: Whereabouts; readonly ahead: number }

/** `queues`: how many jobs stood before it in each queue, by the row that put it there and the stage. */
type FollowedJob = { readonly run: Run; journey: Journey; readonly queues: Map<number, QueuePlace> }

const following = part((): { job: FollowedJob | null } => ({ job: null }))

function followJob(session: Session, run: Run, number: number): FollowedJob {
  const state = following(session)
  if (state.job?.run !== run || state.job.journey.job !== number)
    state.job = { run, journey: createJourney(number), queues: new Map() }
  const { job } = state
  if (job.journey.rows < run.trace.length && job.journey.leftAt < 0) {
    job.journey = { ...job.journey, legs: job.journey.legs.map((leg) => ({ ...leg })) }
    extendJourney(job.journey, run.trace)
  }
  return job
}

/** Returns the way of a job up to the end of the record: a new object whenever the way has grown. */
export const journeyIn = (session: Session, run: Run, job: number): Journey => followJob(session, run, job).journey

export function followedAt(session: Session, run: Run, t: Micros): Followed[] {
  const { focus } = timelineStore(session).getState()
  if (focus?.kind !== 'job') return []
  const job = followJob(session, run, focus.job)
  return whereaboutsAt(job.journey, t).map((place) => ({
    place,
    ahead: place.at === 'queue' ? jobsBefore(job, place.leg, t) : 0,
  }))
}

function jobsBefore({ run: { trace }, journey, queues }: FollowedJob, leg: Leg, t: Micros): number {
  // One row may put parts of a copied job into several queues.
  const key = leg.row * MAX_STAGES + leg.stage
  const queue = queues.get(key) ?? createQueuePlace(trace, journey.job, leg)
  queues.set(key, queue)
  extendQueuePlace(queue)
  return valueAt(queue.ahead, t)
}

/** Highlights a job, stage or worker and goes there: to the way of the job, or to the next service of the stage or worker. */
export function followFocus(session: Session, focus: Focus): void {
  const { run } = runStore(session).getState()
  if (run === null) return
  focusOn(session, focus)
  if (focus.kind === 'job') {
    const { arrivedAt, leftAt, legs } = journeyIn(session, run, focus.job)
    if (arrivedAt < 0) return
    seek(session, legs.find(({ startedAt }) => startedAt >= 0)?.startedAt ?? arrivedAt)
    const until = leftAt < 0 ? endOf(run.trace) : leftAt
    // This leaves room beside it for the list of its steps.
    shownTimeline(session).timeline?.show([arrivedAt, until + (until - arrivedAt) * 0.55])
    return
  }
  const { lanes } = run.chart
  const workers = focus.kind === 'worker' ? [focus.worker] : lanes.lanes.map((_, worker) => worker)
  const stage = focus.kind === 'stage' ? focus.stage : -1
  const soonest = (after: number) =>
    workers.reduce((best, worker) => Math.min(best, nextSpan(lanes, worker, stage, after)), Infinity)
  // After the last service it starts over.
  const later = soonest(playback(session).time)
  const time = later < Infinity ? later : soonest(-1)
  if (time === Infinity) return
  goTo(session, time)
}
