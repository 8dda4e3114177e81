import { firstWhole } from '../scenario/model/halving.ts'
import type { ElasticPolicy, GainPolicy, KnownPolicy, Micros, PerSecond } from '../scenario/model/scenario.ts'

export interface Sample {
  readonly time: Micros
  /** Time since the last tick; at the first tick the policy's `every`. */
  readonly elapsed: Micros
  readonly waiting: number
  /** Jobs that have arrived at the stage since the last tick. */
  readonly came: number
  readonly size: number
  /** How long the longest idle worker of the pool has been idle; -1 if none is. */
  readonly idle: Micros
  /** The estimated mean service time; 0 while it is not known. */
  readonly service: number
}

export interface Memory extends Prediction {
  readonly error: number
  /** The integral part of the output (not of the error), which `clamp` bounds. */
  readonly integral: number
  /** Of a PID controller; of a predictive one the workers it wants. */
  readonly output: number
  /** The factor of the gains of an adaptive controller, or of the profile of a predictive one. */
  readonly factor: number
  /** What a controller that looks back wished, oldest first. */
  readonly wishes?: readonly (readonly [at: Micros, workers: number])[]
  /** How large the pool was at the last ticks. */
  readonly sizes?: readonly (readonly [at: Micros, workers: number])[]
  /** When a controller that plans at intervals last planned, and for how many workers. */
  readonly since?: Micros
  readonly target?: number
  /** The jobs that have come, and what was observed; only from place `oldest` on it still counts. */
  readonly came?: number
  readonly history?: Observation[]
  readonly oldest?: number
}

/** Jobs that had come and that had been taken. */
export type Observation = readonly [at: Micros, came: number, taken: number]

/** Before the first tick. The last error counts as 0. */
export const initialMemory: Memory = { error: 0, integral: 0, output: 0, factor: 1, seen: 0, expected: 0 }

/** A controller that looks at its own stage alone. */
type PlainController = Exclude<ElasticPolicy, KnownPolicy>

/** Returns the memory of a controller after this tick. `profile` is that of a predictive policy. */
export function nextMemory(
  policy: PlainController,
  before: Memory,
  sample: Sample,
  profile: Profile | null = null,
): Memory {
  if (policy.kind === 'predictive') {
    if (profile === null) return before
    const { seen, expected, ratio, wanted } = predict(policy, profile, before, sample)
    return { ...before, seen, expected, factor: ratio, output: wanted }
  }
  if (policy.kind === 'threshold' || policy.kind === 'aimd') return before
  return { ...before, ...pidMemory(policy, before, sample) }
}

/** Returns the factor of the gains of an adaptive controller: the service time divided by the one at which they were tuned. */
function gainFactor(policy: GainPolicy, service: number): number {
  return policy.kind === 'pid' || service === 0 ? 1 : service / policy.tunedAt
}

function pidMemory(policy: GainPolicy, before: Memory, { elapsed, waiting, service }: Sample) {
  const { kp, ki, kd, setpoint, clamp } = policy
  const factor = gainFactor(policy, service)
  const seconds = elapsed / 1e6
  const error = setpoint - waiting
  const wound = before.integral + factor * ki * error * seconds
  const integral = clamp === null ? wound : Math.min(clamp, Math.max(-clamp, wound))
  return {
    error,
    integral,
    factor,
    output: factor * kp * error + integral + (factor * kd * (error - before.error)) / seconds,
  }
}

/** Returns how many workers the controller asks for; below 0 how many should go. A negative output of PID asks for a worker, since the queue is too long. */
export function poolChange(policy: PlainController, { output }: Memory, { waiting, idle, size }: Sample): number {
  switch (policy.kind) {
    case 'pid':
    case 'adaptive':
      return output <= policy.up ? 1 : output >= policy.down ? -1 : 0
    case 'threshold':
      return waiting > policy.high ? 1 : idle >= policy.idle ? -1 : 0
    case 'aimd':
      return waiting > policy.high
        ? policy.increase
        : idle >= policy.idle
          ? Math.floor(size * policy.decrease) - size
          : 0
    case 'predictive':
      return output - size
  }
}

/** Whether only idle workers are dismissed. Otherwise a busy one may be, which finishes its batch first. */
export function sparesBusy({ kind }: ElasticPolicy): boolean {
  return !['pid', 'adaptive', 'aimd', 'hpa', 'xenna', 'flinkAutoscaler'].includes(kind)
}

type PredictivePolicy = Extract<ElasticPolicy, { kind: 'predictive' }>

/** What a predictive controller remembers: jobs seen and jobs of the profile in a period, both smoothed. */
export type Prediction = { readonly seen: number; readonly expected: number }

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

/** Returns how many jobs the profile has between two times; a fraction is possible. */
export function profileJobs(profile: Profile, from: Micros, to: Micros): number {
  return jobsUntil(profile, to) - jobsUntil(profile, from)
}

/** Returns the integral of the rate from the first corner to `time`; below 0 before that corner. */
function jobsUntil({ points, jobs }: Profile, time: Micros): number {
  // One beyond the last corner at or before the time.
  const low = firstWhole(0, points.length, (k) => points[k][0] > time)
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
 * Returns the smoothed counts after this tick, their `ratio` (today over yesterday) and the workers wanted: (ratio x profile of the lead + waiting)
 * x service / (lead x utilisation), rounded up, and at least one where jobs wait. It is the forecast of Winters (1960) with a known season and no
 * trend, smoothed exponentially (Brown 1956).
 */
export function predict(
  { lead, utilisation, alpha }: Pick<PredictivePolicy, 'lead' | 'utilisation' | 'alpha'>,
  profile: Profile,
  before: Prediction,
  { time, elapsed, waiting, came, service }: Pick<Sample, 'time' | 'elapsed' | 'waiting' | 'came' | 'service'>,
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
