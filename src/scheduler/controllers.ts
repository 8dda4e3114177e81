import type { ElasticPolicy, GainPolicy, Micros } from '../scenario/model/scenario.ts'
import { type Prediction, type Profile, predict } from './prediction.ts'

/** What a controller sees of its stage at a tick. */
export interface Sample {
  readonly time: Micros
  /** Time since the last tick; at the first tick the policy's `every`. */
  readonly elapsed: Micros
  /** Jobs in the stage's queue. */
  readonly waiting: number
  /** Jobs that have come to the stage since the last tick. */
  readonly came: number
  /** Workers of the pool that are not leaving. */
  readonly size: number
  /** How long the longest idle worker of the pool has been idle; -1 if none is. */
  readonly idle: Micros
  /** The estimated mean service time; 0 while it is not known. */
  readonly service: number
}

/** What a controller remembers from tick to tick. */
export interface Memory extends Prediction {
  readonly error: number
  /** The integral part of the output (not of the error), which `clamp` bounds. */
  readonly integral: number
  /** Of a PID controller; of a predictive one the workers it wants. */
  readonly output: number
  /** By what an adaptive controller multiplies its gains, and a predictive one its profile. */
  readonly factor: number
}

/** Before the first tick. The last error counts as 0. */
export const initialMemory: Memory = { error: 0, integral: 0, output: 0, factor: 1, seen: 0, expected: 0 }

/** Returns the memory of a controller after this tick. `profile` is that of a predictive policy. */
export function nextMemory(policy: ElasticPolicy, before: Memory, sample: Sample, profile: Profile | null = null): Memory {
  if (policy.kind === 'predictive') {
    if (profile === null) return before
    const { seen, expected, ratio, wanted } = predict(policy, profile, before, sample)
    return { ...before, seen, expected, factor: ratio, output: wanted }
  }
  if (policy.kind === 'threshold' || policy.kind === 'aimd') return before
  return { ...before, ...pidMemory(policy, before, sample) }
}

/** Returns by what an adaptive controller multiplies its gains: the service time over the one they are tuned at. */
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
  return { error, integral, factor, output: factor * kp * error + integral + (factor * kd * (error - before.error)) / seconds }
}

/** Returns how many workers the controller asks for; below 0 how many should go. A negative output of PID asks for a worker, since the queue is too long. */
export function poolChange(policy: ElasticPolicy, { output }: Memory, { waiting, idle, size }: Sample): number {
  switch (policy.kind) {
    case 'pid':
    case 'adaptive':
      return output <= policy.up ? 1 : output >= policy.down ? -1 : 0
    case 'threshold':
      return waiting > policy.high ? 1 : idle >= policy.idle ? -1 : 0
    case 'aimd':
      return waiting > policy.high ? policy.increase : idle >= policy.idle ? Math.floor(size * policy.decrease) - size : 0
    case 'predictive':
      return output - size
  }
}

/** Whether only idle workers are dismissed. Otherwise a busy one may be, which finishes its batch first. */
export function sparesBusy({ kind }: ElasticPolicy): boolean {
  return kind === 'threshold' || kind === 'predictive'
}
