import type { Journey } from '../measures/journey.ts'
import { createJourney, extendJourney } from '../measures/journey.ts'
import { nextSpan } from '../measures/lanes.ts'
import { createQueuePlace, extendQueuePlace, type QueuePlace } from '../measures/queuePlace.ts'
import { valueAt } from '../measures/steps.ts'
import { type Whereabouts, whereaboutsAt } from '../measures/whereabouts.ts'
import type { Micros } from '../scenario/scenario.ts'
import { endOf } from '../trace/trace.ts'
import { goTo, seek } from './keys.ts'
import { playback } from './playback.ts'
import { type Run, runStore } from './runStore.ts'
import { type Focus, focusOn, shown, timelineStore } from './timelineStore.ts'

let followed: { readonly run: Run; readonly journey: Journey } | null = null
/** By the row that put the followed job into a queue, how many stood before it there. */
const queued = new Map<number, QueuePlace>()

/** The way of the job that is followed, as far as the run has come. A new object whenever there is more of it. */
export function journeyIn(run: Run, job: number): Journey {
  if (followed?.run !== run || followed.journey.job !== job) {
    followed = { run, journey: createJourney(job) }
    queued.clear()
  }
  if (followed.journey.rows < run.trace.length && followed.journey.leftAt < 0) {
    const journey = { ...followed.journey, legs: followed.journey.legs.map((leg) => ({ ...leg })) }
    extendJourney(journey, run.trace)
    followed = { run, journey }
  }
  return followed.journey
}

/** Where the job that is followed is at an instant, and how many stand before it if it waits; null where there is none. */
export function followedAt(run: Run, t: Micros): { readonly place: Whereabouts; readonly ahead: number } | null {
  const { focus } = timelineStore.getState()
  const place = focus?.kind === 'job' ? whereaboutsAt(journeyIn(run, focus.job), t) : null
  if (focus?.kind !== 'job' || place === null) return null
  if (place.at !== 'queue') return { place, ahead: 0 }
  const { row } = place.leg
  const queue = queued.get(row) ?? createQueuePlace(run.trace, focus.job, place.leg)
  queued.set(row, queue)
  extendQueuePlace(queue, run.trace)
  return { place, ahead: valueAt(queue.ahead, t) }
}

/** Lets something stand out and goes there: to a job's way through the pipeline, or to the next service of a stage or worker after the playhead. */
export function follow(focus: Focus): void {
  const { run } = runStore.getState()
  if (run === null) return
  focusOn(focus)
  if (focus.kind === 'job') {
    const { arrivedAt, leftAt, legs } = journeyIn(run, focus.job)
    if (arrivedAt < 0) return
    seek(legs.find(({ startedAt }) => startedAt >= 0)?.startedAt ?? arrivedAt)
    const until = leftAt < 0 ? endOf(run.trace) : leftAt
    // With room beside it for the list of its ways.
    shown.timeline?.show([arrivedAt, until + (until - arrivedAt) * 0.55])
    return
  }
  const { lanes } = run.chart
  const workers = focus.kind === 'worker' ? [focus.worker] : lanes.lanes.map((_, worker) => worker)
  const stage = focus.kind === 'stage' ? focus.stage : -1
  const soonest = (after: number) => workers.reduce((best, worker) => Math.min(best, nextSpan(lanes, worker, stage, after)), Infinity)
  // From the end on it begins again.
  const later = soonest(playback.time)
  const time = later < Infinity ? later : soonest(-1)
  if (time === Infinity) return
  goTo(time)
}
