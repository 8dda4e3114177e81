import type { Micros, PidPolicy, ThresholdPolicy } from '../scenario/model/scenario.ts'

/** What a controller sees of its stage at a tick. */
export interface Sample {
  /** Time since the last tick; at the first tick the policy's `every`. */
  readonly elapsed: Micros
  /** Jobs in the stage's queue. */
  readonly waiting: number
  /** How long the longest idle worker of the pool has been idle; -1 if none is. */
  readonly idle: Micros
}

/** What a controller remembers from tick to tick. */
export interface Memory {
  readonly error: number
  /** The integral part of the output (not of the error), which `clamp` bounds. */
  readonly integral: number
  readonly output: number
}

export type Elastic = PidPolicy | ThresholdPolicy

/** How many workers the pool gains (1) or loses (-1). */
export type PoolChange = -1 | 0 | 1

/** Before the first tick. The last error counts as 0. */
export const initialMemory: Memory = { error: 0, integral: 0, output: 0 }

/** Returns the memory of a controller after this tick. */
export function nextMemory(policy: Elastic, before: Memory, { elapsed, waiting }: Sample): Memory {
  if (policy.kind === 'threshold') return before
  const { kp, ki, kd, setpoint, clamp } = policy
  const seconds = elapsed / 1e6
  const error = setpoint - waiting
  const wound = before.integral + ki * error * seconds
  const integral = clamp === null ? wound : Math.min(clamp, Math.max(-clamp, wound))
  return { error, integral, output: kp * error + integral + (kd * (error - before.error)) / seconds }
}

/** Returns the change the controller asks for. A negative output asks for a worker, since the queue is too long. */
export function poolChange(policy: Elastic, { output }: Memory, { waiting, idle }: Sample): PoolChange {
  if (policy.kind === 'pid') return output <= policy.up ? 1 : output >= policy.down ? -1 : 0
  return waiting > policy.high ? 1 : idle >= policy.idle ? -1 : 0
}
