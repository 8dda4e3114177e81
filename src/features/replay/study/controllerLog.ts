import type { Micros } from '../../../scenario/model/scenario.ts'
import type { Pools } from '../../../scheduler/resize.ts'

/** What the controllers of a run made of what they saw, tick by tick. */
export interface ControllerLog {
  readonly times: Micros[]
  /** By stage, then by tick: the output of a PID controller, or the workers that a predictive one wants. */
  readonly outputs: readonly number[][]
  /** The same: by what an adaptive controller multiplies its gains, or a predictive one its profile. */
  readonly factors: readonly number[][]
}

export function createControllerLog(stages: number): ControllerLog {
  return { times: [], outputs: Array.from({ length: stages }, () => []), factors: Array.from({ length: stages }, () => []) }
}

/** Notes down what the controllers remember, if they have had a tick since the last note. */
export function noteTick({ times, outputs, factors }: ControllerLog, { ticked, memory }: Pools): void {
  if (ticked < 0 || ticked === times[times.length - 1]) return
  times.push(ticked)
  for (let stage = 0; stage < memory.length; stage++) {
    outputs[stage].push(memory[stage].output)
    factors[stage].push(memory[stage].factor)
  }
}
