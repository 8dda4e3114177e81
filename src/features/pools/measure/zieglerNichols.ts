import type { Micros } from '../../../scenario/model/scenario.ts'

/** The gains of a PID controller, as a scenario has them: output = kp e + sum of ki e dt + kd (change of e) / dt, dt in seconds. */
export interface Gains {
  readonly kp: number
  readonly ki: number
  readonly kd: number
}

/** The least proportional gain at which the loop oscillates steadily, and the period with which it does. */
export interface Ultimate {
  readonly gain: number
  readonly period: Micros
}

/**
 * Returns the classic settings (Ziegler and Nichols 1942) from the ultimate gain Ku and period Tu: P 0.5 Ku; PI 0.45 Ku with Ti
 * = Tu / 1.2; PID 0.6 Ku with Ti = Tu / 2 and Td = Tu / 8. Their output is K (e + (integral of e) / Ti + Td de/dt), so ki = K /
 * Ti and kd = K Td, in seconds.
 */
export function zieglerNichols({ gain, period }: Ultimate): { readonly P: Gains; readonly PI: Gains; readonly PID: Gains } {
  const tu = period / 1e6
  const of = (k: number, ti: number, td: number): Gains => ({ kp: k, ki: k / ti, kd: k * td })
  return { P: of(0.5 * gain, Infinity, 0), PI: of(0.45 * gain, tu / 1.2, 0), PID: of(0.6 * gain, tu / 2, tu / 8) }
}
