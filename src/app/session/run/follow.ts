import type { Journey, Leg } from '../../../measures/jobs/journey.ts'
import { createJourney, extendJourney } from '../../../measures/jobs/journey.ts'
import { createQueuePlace, extendQueuePlace, type QueuePlace } from '../../../measures/jobs/queuePlace.ts'
import { type Whereabouts, whereaboutsAt } from '../../../measures/jobs/whereabouts.ts'
import { nextSpan } from '../../../measures/series/lanes.ts'
import { valueAt } from '../../../measures/series/steps.ts'
import { MAX_STAGES } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { part, type Session } from '../session.ts'
import { playback } from './playback.ts'
import { goTo, seek } from './playhead.ts'
import { type Run, runStore } from './runStore.ts'
import { type Focus, focusOn, shownTimeline, timelineStore } from './timelineStore.ts'

export interface Followed {
  readonly place: Whereabouts
  readonly ahead: number
}

let followed: { readonly run: Run; readonly journey: Journey } | null = null
/** By the row that put the followed job into a queue, and its stage, how many stood before it there. */
const queued = part(() => new Map<number, QueuePlace>())

/** The way of the job that is followed, as far as the run has come. A new object whenever there is more of it. */
export function journeyIn(session: Session, run: Run, job: number): Journey {
  if (followed?.run !== run || followed.journey.job !== job) {
    followed = { run, journey: createJourney(job) }
    queued(session).clear()
  }
  if (followed.journey.rows < run.trace.length && followed.journey.leftAt < 0) {
    const journey = { ...followed.journey, legs: followed.journey.legs.map((leg) => ({ ...leg })) }
    extendJourney(journey, run.trace)
    followed = { run, journey }
  }
  return followed.journey
}

/** Where the job that is followed is at an instant, in so many parts, and how many stand before it where it waits. */
export function followedAt(session: Session, run: Run, t: Micros): Followed[] {
  const { focus } = timelineStore(session).getState()
  if (focus?.kind !== 'job') return []
  const { job } = focus
  return whereaboutsAt(journeyIn(session, run, job), t).map((place) => ({ place, ahead: place.at === 'queue' ? aheadOf(session, run, job, place.leg, t) : 0 }))
}

function aheadOf(session: Session, { trace }: Run, job: number, leg: Leg, t: Micros): number {
  // Of a job that is copied one row puts parts into several queues.
  const key = leg.row * MAX_STAGES + leg.stage
  const queue = queued(session).get(key) ?? createQueuePlace(trace, job, leg)
  queued(session).set(key, queue)
  extendQueuePlace(queue, trace)
  return valueAt(queue.ahead, t)
}

/** Lets something stand out and goes there: to a job's way through the pipeline, or to the next service of a stage or worker after the playhead. */
export function followFocus(session: Session, focus: Focus): void {
  const { run } = runStore(session).getState()
  if (run === null) return
  focusOn(session, focus)
  if (focus.kind === 'job') {
    const { arrivedAt, leftAt, legs } = journeyIn(session, run, focus.job)
    if (arrivedAt < 0) return
    seek(session, legs.find(({ startedAt }) => startedAt >= 0)?.startedAt ?? arrivedAt)
    const until = leftAt < 0 ? endOf(run.trace) : leftAt
    // With room beside it for the list of its ways.
    shownTimeline(session).timeline?.show([arrivedAt, until + (until - arrivedAt) * 0.55])
    return
  }
  const { lanes } = run.chart
  const workers = focus.kind === 'worker' ? [focus.worker] : lanes.lanes.map((_, worker) => worker)
  const stage = focus.kind === 'stage' ? focus.stage : -1
  const soonest = (after: number) => workers.reduce((best, worker) => Math.min(best, nextSpan(lanes, worker, stage, after)), Infinity)
  // From the end on it begins again.
  const later = soonest(playback(session).time)
  const time = later < Infinity ? later : soonest(-1)
  if (time === Infinity) return
  goTo(session, time)
}
