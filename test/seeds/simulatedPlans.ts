import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { draw, type Plan } from './plans.ts'
import { slower, withTroubles } from './threadPlans.ts'

/** The scenario of a plan as the simulation plays it: with services and arrivals that are drawn, fewer cores than workers, and troubles. */
export function drawForSimulation(plan: Plan): Scenario {
  const { scenario } = draw(plan)
  const chance = createChance(plan.seed ^ 0x3a9f)
  const parsed = parse({
    ...scenario,
    source: sourceOf(scenario, chance),
    stages: scenario.stages.map((stage) => ({ ...stage, service: serviceOf(chance), work: chance.pick(['burn', 'burn', 'wait']) })),
    cores: chance.pick([scenario.workers, scenario.workers, 1, 2]),
    // A worker that hangs is given up after two seconds or more.
    ...slower(scenario, 40_000),
    later: scenario.later.map((turn) => ({ ...turn, ...slower(turn, 40_000) })),
    workerEvents: withTroubles(scenario, Math.min(plan.faults, chance.pick([0, 0, 1, 3])), chance, 6000),
  })
  if ('problems' in parsed) throw new Error(`seed ${plan.seed} draws no scenario for the simulation: ${JSON.stringify(parsed.problems)}`)
  return parsed.scenario
}

function serviceOf(chance: Chance) {
  const mean = chance.pick([1, 40, 300, 5000])
  return chance.pick([
    { kind: 'constant', mean },
    { kind: 'uniform', min: mean, max: 3 * mean },
    { kind: 'exponential', mean },
    { kind: 'erlang', mean, k: chance.between(1, 4) },
    { kind: 'pareto', mean, alpha: 3 },
    { kind: 'bimodal', fast: mean, slow: 20 * mean, pSlow: 0.2 },
    { kind: 'empirical', values: [mean, 2 * mean, 7 * mean] },
  ])
}

function sourceOf({ source }: Scenario, chance: Chance) {
  const jobs = countJobs(source)
  if (source.kind !== 'times' || jobs === 0) return source
  const rate = chance.pick([50, 2000, 100_000])
  return chance.pick([
    source,
    { kind: 'poisson', rate, jobs },
    { kind: 'regular', rate, jobs },
    { kind: 'bursts', rate, burstRate: 10 * rate, on: 2000, off: 5000, jobs },
  ])
}
