import { isolated } from '../../../language/isolated.ts'
import { say } from '../../../language/say.ts'
import { type Sabotage, slownessOf, type TurnAt } from '../../../scenario/edit/faults.ts'
import { type Micros, type Problem, type Scenario, type TurnKey, turnKeys, type WorkerEvent } from '../../../scenario/model/scenario.ts'
import { listed } from '../../../scenario/model/words.ts'
import { policies } from '../../../scheduler/policies.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import { typedNumber } from '../../base/forms/typedNumber.ts'

/** What may befall a worker. */
export const deeds = (): Readonly<Record<WorkerEvent['kind'], string>> => ({
  join: say('A worker joins'),
  leave: say('A worker leaves'),
  crash: say('A worker crashes'),
  hang: say('A worker hangs'),
})

/** What befalls a worker of whom one knows the number. */
function deedOf(kind: WorkerEvent['kind'], worker: number): string {
  if (kind === 'join') return say('Worker {worker} joins', { worker })
  if (kind === 'leave') return say('Worker {worker} leaves', { worker })
  return kind === 'crash' ? say('Worker {worker} crashes', { worker }) : say('Worker {worker} hangs', { worker })
}

/** What befalls whom: `Worker 8 crashes`, `Enrich 5 times slower`. Workers are numbered as on the screen: from 1. */
export function wordsOf(scenario: Scenario, sabotage: Sabotage): string {
  if (sabotage.kind === 'turn') return turnWords(sabotage.says)
  if (sabotage.kind !== 'change') return deedOf(sabotage.kind, sabotage.worker + 1)
  const name = scenario.stages.find(({ id }) => id === sabotage.stage)?.name ?? sabotage.stage
  return `${isolated(name)} ${paceOf(slownessOf(scenario, sabotage))}`
}

/** `5 times slower`, `2.5 times quicker`; of the same mean it is another distribution. */
export function paceOf(slowness: number): string {
  if (slowness > 0.995 && slowness < 1.005) return say('otherwise spread')
  return slowness > 1 ? say('{slowness} times slower', { slowness: figures(slowness) }) : say('{slowness} times quicker', { slowness: figures(1 / slowness) })
}

/** The rule that takes over, or what else changes. */
function turnWords(says: TurnAt['says']): string {
  if (says.policy !== undefined) return policies[says.policy.kind].name()
  return say('Other {things}', { things: listed(turnKeys.filter((key) => says[key] !== undefined).map((key) => things()[key])) })
}

const things = (): Readonly<Record<TurnKey, string>> => ({
  policy: say('rule'),
  estimator: say('estimates'),
  batch: say('batches'),
  switchCost: say('cost of a change of stage'),
  groupSwitchCost: say('cost of a change of group'),
  cores: say('cores'),
})

/** When: `at 1.200 s`, `from 1.200 s on`, or for what depends on a job, `from job 300 on, at 0.833 s`. */
export function whenOf(sabotage: Sabotage, time: Micros): string {
  if (sabotage.kind === 'turn') return say('from {time} on', { time: clock(time) })
  return sabotage.kind === 'change'
    ? say('from job {from} on, at {time}', { from: count(sabotage.from), time: clock(time) })
    : say('at {time}', { time: clock(time) })
}

export function figures(factor: number): string {
  return typedNumber(Number(factor.toPrecision(3)))
}

/** The scenario numbers workers from 0, the screen from 1. */
export function countedFromOne(message: string): string {
  return message.replace(/\d+/g, (number) => String(Number(number) + 1))
}

/** Problems with what befalls workers, in the words of the screen. */
export function asOnScreen(problem: Problem): Problem {
  return /^workerEvents\[\d+\]\.worker$/.test(problem.path) ? { ...problem, message: countedFromOne(problem.message) } : problem
}
