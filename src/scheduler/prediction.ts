import type { ElasticPolicy, Micros, PerSecond } from '../scenario/model/scenario.ts'

type PredictivePolicy = Extract<ElasticPolicy, { kind: 'predictive' }>

/** What a predictive controller remembers: jobs seen and jobs of the profile in a period, both smoothed. */
export interface Prediction {
  readonly seen: number
  readonly expected: number
}

/** The arrivals of the day before: straight lines from corner to corner. Before the first and after the last the rate stays. */
export interface Profile {
  readonly points: readonly (readonly [time: Micros, rate: PerSecond])[]
  /** By corner: the jobs from the first corner to it. */
  readonly jobs: Float64Array
}

export function createProfile({ profile: points }: PredictivePolicy): Profile {
  const jobs = new Float64Array(points.length)
  for (let i = 1; i < points.length; i++) {
    const [time, rate] = points[i]
    const [before, rateBefore] = points[i - 1]
    jobs[i] = jobs[i - 1] + ((time - before) * (rate + rateBefore)) / 2e6
  }
  return { points, jobs }
}

/** Returns how many jobs the profile has between two times; none of it need be whole. */
export function profileJobs(profile: Profile, from: Micros, to: Micros): number {
  return jobsUntil(profile, to) - jobsUntil(profile, from)
}

/** Returns the integral of the rate from the first corner to `time`; below 0 before that corner. */
function jobsUntil({ points, jobs }: Profile, time: Micros): number {
  let low = 0
  let high = points.length
  // The last corner at or before the time.
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[middle][0] <= time) low = middle + 1
    else high = middle
  }
  const i = Math.max(0, low - 1)
  const [start, rate] = points[i]
  const since = time - start
  if (low === 0 || low === points.length) return jobs[i] + (since * rate) / 1e6
  const [end, endRate] = points[i + 1]
  const now = rate + ((endRate - rate) * since) / (end - start)
  return jobs[i] + (since * (rate + now)) / 2e6
}

/** Sums of the profile are not exact. A rounding error asks for no worker. */
const ROUNDING = 1e-9

/**
 * Returns the smoothed counts after this tick and the workers wanted:
 *
 *   seen     = alpha came + (1 - alpha) seen                jobs of a period, smoothed exponentially (Brown 1956)
 *   expected = alpha profile + (1 - alpha) expected         the same of the profile, at first as the profile says
 *   ratio    = seen / expected                              today over yesterday
 *   wanted   = (ratio x profile of the lead + waiting) x service / (lead x utilisation), rounded up
 *
 * The ratio times the profile is the forecast of Winters (1960) with a known season and no trend. One worker is wanted wherever
 * jobs wait; while no service time is known, only that one.
 */
export function predict(
  { lead, utilisation, alpha }: Pick<PredictivePolicy, 'lead' | 'utilisation' | 'alpha'>,
  profile: Profile,
  before: Prediction,
  {
    time,
    elapsed,
    waiting,
    came,
    service,
  }: { readonly time: Micros; readonly elapsed: Micros; readonly waiting: number; readonly came: number; readonly service: number },
): Prediction & { readonly ratio: number; readonly wanted: number } {
  const now = profileJobs(profile, time - elapsed, time)
  const start = before.expected > 0 ? before : { seen: now, expected: now }
  const seen = start.seen + alpha * (came - start.seen)
  const expected = start.expected + alpha * (now - start.expected)
  const ratio = expected > 0 ? seen / expected : 1
  const jobs = ratio * profileJobs(profile, time, time + lead) + waiting
  const workers = Math.ceil((jobs * service) / (lead * utilisation) - ROUNDING)
  return { seen, expected, ratio, wanted: Math.max(workers, waiting > 0 ? 1 : 0) }
}
