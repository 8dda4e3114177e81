import { t } from '../../../language/translate.ts'
import { type Metrics, metricsOf } from '../../../measures/figures/metrics.ts'
import { playTrial } from '../../../runs/play/play.ts'
import { withMoves } from '../../../runs/study/compare.ts'
import { isLinear, stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { createArrivals } from '../../../workload/arrivals.ts'
import { createServices } from '../../../workload/service.ts'
import { bestSchedule, type Chains, type OptimumGoal, type PlannedStart } from './optimum.ts'

/** The limits of the scenario, and of the search. */
export const MAX_OPTIMUM = { jobs: 12, stages: 4, workers: 4 }
const MAX_STEPS = 400_000

/** The best possible value of one figure. */
export interface Best {
  /** In microseconds; null if the search was cut off. */
  readonly time: Micros | null
  /** The scenario with the seats of such a schedule, if the queues can follow it; null if it takes jobs out of turn. */
  readonly scenario: Scenario | null
}

/** The least makespan and the least mean flow time, usually of two different schedules. */
export type BestPossible = { readonly makespan: Best; readonly meanFlowTime: Best }

/** Returns the reason why the best of a scenario is not searched; null if it is. */
export function whyNoBest({
  source,
  stages,
  workers,
  cores,
  workerEvents,
  batch,
  order,
  later,
  switchCost,
  links,
}: Scenario): string | null {
  const { jobs, stages: mostStages, workers: mostWorkers } = MAX_OPTIMUM
  if (countJobs(source) > jobs || stages.length > mostStages || workers > mostWorkers)
    return t('it has more than {jobs} jobs, {stages} stages or {workers} workers', {
      jobs,
      stages: mostStages,
      workers: mostWorkers,
    })
  const isPlain =
    workerEvents.length === 0 &&
    later.length === 0 &&
    batch.size === 1 &&
    batch.inHand === 1 &&
    source.kind !== 'groups' &&
    source.kind !== 'image' &&
    source.kind !== 'lines' &&
    source.retry === undefined &&
    order.kind === 'none' &&
    switchCost === 0 &&
    isLinear({ links }) &&
    stages.every(({ fails, startUp, capacity }) => fails === null && startUp === null && capacity === null) &&
    (cores >= workers || stages.every(({ work }) => work === 'wait'))
  return isPlain ? null : t('it is more than a line of queues with workers that change stage freely')
}

/** Returns the best that is possible with all service times and arrivals known, by choosing the job too; see `whyNoBest` for what can be asked. */
export async function bestPossible(scenario: Scenario): Promise<BestPossible> {
  const chains = chainsOf(scenario)
  return { makespan: await bestOf(scenario, chains, 'makespan'), meanFlowTime: await bestOf(scenario, chains, 'flow') }
}

function chainsOf(scenario: Scenario): Chains {
  const source = createArrivals(scenario)
  const arrivals: number[] = []
  for (let time = source.next(); time >= 0; time = source.next()) arrivals.push(time)
  const { at } = createServices(scenario)
  const line = stageNumbers(scenario)
  return {
    workers: scenario.workers,
    arrivals,
    services: arrivals.map((_, job) => line.map((stage) => at(stage, job))),
  }
}

async function bestOf(scenario: Scenario, chains: Chains, goal: OptimumGoal): Promise<Best> {
  const { cost, proven } = bestSchedule(chains, goal, MAX_STEPS)
  if (!proven) return { time: null, scenario: null }
  const arrived = chains.arrivals.reduce((sum, time) => sum + time, 0)
  const figure = (metrics: Metrics) => (goal === 'makespan' ? metrics.makespan : metrics.meanFlowTime)
  const jobs = chains.arrivals.length
  const time = goal === 'makespan' ? cost : jobs === 0 ? 0 : (cost - arrived) / jobs
  // Of the best schedules, one in which the queues keep their order.
  const { starts, cost: kept } = bestSchedule({ ...chains, inOrder: true }, goal, MAX_STEPS, cost + 1)
  if (kept !== cost) return { time, scenario: null }
  const played = withMoves(scenario, seatsOf(chains, stageNumbers(scenario), starts))
  return { time, scenario: figure(metricsOf(await playTrial(played, {}))) === time ? played : null }
}

/** Returns the seats of each decision of a schedule: one wherever a worker is free and a job waits. Idle workers have none. */
function seatsOf(
  { workers, arrivals, services }: Chains,
  line: readonly number[],
  starts: readonly PlannedStart[],
): number[][] {
  const ends = starts.map(({ time, job, place }) => time + services[job][place])
  const instants = [...new Set([...arrivals, ...ends])].sort((a, b) => a - b)
  return instants.flatMap((now) => {
    const busy = starts.filter(({ time }, k) => time < now && ends[k] > now)
    const present = arrivals.filter((time) => time <= now).length
    const left = starts.filter(({ place }, k) => place === line.length - 1 && ends[k] <= now).length
    if (busy.length === workers || present === left + busy.length) return []
    const seats = line.map(() => 0)
    for (const { place } of [...busy, ...starts.filter(({ time }) => time === now)]) seats[line[place]]++
    return [seats]
  })
}
