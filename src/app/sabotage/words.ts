import { type Sabotage, slownessOf } from '../../scenario/sabotage.ts'
import type { Micros, Problem, Scenario, WorkerEvent } from '../../scenario/scenario.ts'
import { clock, count } from '../../views/format.ts'

/** What may befall a worker. */
export const deeds: Readonly<Record<WorkerEvent['kind'], string>> = { join: 'joins', leave: 'leaves', crash: 'crashes', hang: 'hangs' }

/** What befalls whom: `Worker 8 crashes`, `Enrich 5 times slower`. Workers are numbered as on the screen: from 1. */
export function wordsOf(scenario: Scenario, sabotage: Sabotage): string {
  if (sabotage.kind !== 'change') return `Worker ${sabotage.worker + 1} ${deeds[sabotage.kind]}`
  const name = scenario.stages.find(({ id }) => id === sabotage.stage)?.name ?? sabotage.stage
  return `${name} ${paceOf(slownessOf(scenario, sabotage))}`
}

/** `5 times slower`, `2.5 times quicker`; of the same mean it is another distribution. */
export function paceOf(slowness: number): string {
  if (slowness > 0.995 && slowness < 1.005) return 'otherwise spread'
  return slowness > 1 ? `${figures(slowness)} times slower` : `${figures(1 / slowness)} times quicker`
}

/** When: `at 1.200 s`, or for what depends on a job, `from job 300 on, at 0.833 s`. */
export function whenOf(sabotage: Sabotage, time: Micros): string {
  return sabotage.kind === 'change' ? `from job ${count(sabotage.from)} on, at ${clock(time)}` : `at ${clock(time)}`
}

export function figures(factor: number): string {
  return String(Number(factor.toPrecision(3)))
}

/** The scenario numbers workers from 0, the screen from 1. */
export function countedFromOne(message: string): string {
  return / take part/.test(message) ? message : message.replace(/\d+/g, (number) => String(Number(number) + 1))
}

/** Problems with what befalls workers, in the words of the screen. */
export function asOnScreen(problem: Problem): Problem {
  return /^workerEvents\[\d+\]\.worker$/.test(problem.path) ? { ...problem, message: countedFromOne(problem.message) } : problem
}
