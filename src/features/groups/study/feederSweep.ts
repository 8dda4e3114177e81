import { metricsOf } from '../../../measures/figures/metrics.ts'
import { playTrial, type TrialOptions } from '../../../runs/play/play.ts'
import { setFeeders } from '../../../scenario/edit/edits.ts'
import type { Scenario, WhenTaken } from '../../../scenario/model/scenario.ts'
import {
  type FeederGaps,
  type FeederPoint,
  type FeederRun,
  feederGaps,
  groupSwitchLoss,
  sensibleFeeders,
} from '../measure/feederGaps.ts'

export type FeederTask = { readonly feeders: number; readonly whenTaken: WhenTaken }

/** The result of a task; the gaps come with the `wait` task. */
export type FeederAnswer = FeederTask & { readonly gaps: FeederGaps | null; readonly run: FeederRun }

export function emptyPoints(scenario: Scenario): readonly FeederPoint[] {
  return sensibleFeeders(scenario.source).map((feeders) => ({ feeders, gaps: null, wait: null, skip: null }))
}

/** Returns all runs in an order that shows the whole plot early: every fourth number of feeders, then every second, then all. */
export function feederTasks(scenario: Scenario): readonly FeederTask[] {
  const kinds: readonly WhenTaken[] = hasResource(scenario) ? ['wait', 'skip'] : ['wait']
  const rank = (k: number) => (k % 4 === 0 ? 0 : k % 2 === 0 ? 1 : 2)
  return sensibleFeeders(scenario.source)
    .map((feeders, k) => ({ feeders, k }))
    .sort((a, b) => rank(a.k) - rank(b.k))
    .flatMap(({ feeders }) => kinds.map((whenTaken) => ({ feeders, whenTaken })))
}

export function withAnswer(
  points: readonly FeederPoint[],
  { feeders, whenTaken, gaps, run }: FeederAnswer,
): readonly FeederPoint[] {
  return points.map((point) =>
    point.feeders === feeders ? { ...point, gaps: gaps ?? point.gaps, [whenTaken]: run } : point,
  )
}

export const hasResource = ({ stages }: Scenario): boolean => stages.some(({ resource }) => resource !== null)

/** Returns the scenario with this number of feeders, in which the workers at every stage with a resource wait, or skip. */
export function withFeederTask(scenario: Scenario, { feeders, whenTaken }: FeederTask): Scenario {
  const spread = setFeeders(scenario, feeders)
  return {
    ...spread,
    stages: spread.stages.map((stage) => (stage.resource === null ? stage : { ...stage, whenTaken })),
  }
}

/** Plays one task in the simulation, with the random seed of the scenario. */
export async function playFeeders(
  scenario: Scenario,
  task: FeederTask,
  options: TrialOptions = {},
): Promise<FeederAnswer> {
  const asked = withFeederTask(scenario, task)
  const gaps = task.whenTaken === 'wait' ? feederGaps(scenario, task.feeders) : null
  const trace = await playTrial(asked, options)
  const { makespan, contendedTime } = metricsOf(trace)
  return { ...task, gaps, run: { makespan, contendedTime, switchLoss: groupSwitchLoss(trace) } }
}
