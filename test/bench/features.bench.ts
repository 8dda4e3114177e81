import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { record } from '../../src/runs/play/play.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { playPlainLoop } from './plainLoop.ts'
import { lineOf } from './scenarios.ts'

const services = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }) as const)
const stages = services.map((service, i) => ({ id: 'abc'[i], service }))

/**
 * Scenarios with a special feature each, which the general core plays: 900 random arrivals a second, eight workers under least total time. Services
 * are compared with those of the plain loop on a line. Runs alternate, and the least processor time of each counts.
 */
export default async function features({ quick = false }: { readonly quick?: boolean } = {}) {
  const jobs = quick ? 5_000 : 100_000
  const rounds = quick ? 1 : 7
  const line = lineOf({ jobs, seed: 7, workers: 8, services, rate: 900 })
  const scenarios = Object.entries(featuresOf(jobs)).map(([name, input]) => ({
    name,
    scenario: scenarioWith({ ...base(jobs), ...input }),
    best: Infinity,
  }))
  let loop = Infinity
  for (let round = 0; round < rounds; round++) {
    loop = Math.min(loop, await seconds(async () => void playPlainLoop(line)))
    for (const each of scenarios)
      each.best = Math.min(each.best, await seconds(() => record(createSimulation(), 'simulation', each.scenario, 0)))
  }
  const perService = loop / (jobs * services.length)
  return scenarios.map(({ name, scenario, best }) => ({
    name,
    figures: {
      jobs,
      'processor s': best,
      'a service, to the plain loop': best / (jobs * scenario.stages.length) / perService,
    },
  }))
}

const base = (jobs: number) => ({
  version: 1,
  seed: 7,
  workers: 8,
  batch: { size: 1 },
  policy: { kind: 'leastScore' },
  source: { kind: 'poisson', rate: 900, jobs },
  stages,
})

function featuresOf(jobs: number): Readonly<Record<string, object>> {
  return {
    'a graph that copies and joins': {
      stages: ['a', 'b', 'c', 'd'].map((id, i) => ({
        id,
        service: services[i === 0 ? 0 : 2],
        ...(id === 'd' ? { join: 'all' } : {}),
      })),
      links: ['source a', 'a b', 'a c', 'b d', 'c d', 'd sink'].map((link) => link.split(' ')),
    },
    'an order buffer': { order: { kind: 'buffer', slots: 64 } },
    'adaptive batches, two in hand': { batch: { adaptive: true, inHand: 2 } },
    shards: { order: { kind: 'shard' } },
    'groups that exclude each other': {
      stages: stages.map((stage) => ({ ...stage, resource: 'group' })),
      source: {
        kind: 'groups',
        groups: Array.from({ length: 100 }, () => jobs / 100),
        order: 'spread',
        feeders: 20,
        window: 1,
      },
    },
  }
}

/** Returns the seconds of processor time. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
