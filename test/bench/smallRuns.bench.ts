import { playSimulation, summarise } from '../../src/runs/play/play.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { playPlainLoop } from './plainLoop.ts'
import { lineOf } from './scenarios.ts'
import type { BenchRow } from './tools.ts'

/** How many scenarios of a kind alternate, each with its own seed. */
const SEEDS = 50

const services = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }) as const)
const stages = services.map((service, s) => ({ id: 'abc'[s], service }))
const asked = { version: 1, stages, workers: 8, policy: { kind: 'leastScore' } }
const links = ['source a', 'a b', 'a c', 'b d', 'c d', 'd sink'].map((link) => link.split(' '))

/** Scenarios with a feature that the plain core lacks. */
const features: Readonly<Record<string, object>> = {
  'a graph': { stages: [...stages, { id: 'd', service: services[0], join: 'all' }], links },
  'in order': { order: { kind: 'buffer', slots: 64 } },
  batches: { batch: { size: 5 } },
}

/**
 * Small runs, as studies play thousands of them: 200 and 1,000 jobs through three stages with eight workers, each with its summary.
 * Runs per second of processor time, the best of several rounds in which all kinds alternate. The loop only keeps spans.
 */
export default async function smallRuns({ quick = false }: { readonly quick?: boolean } = {}): Promise<BenchRow[]> {
  const sizes = [
    { jobs: 200, plain: 4000, any: 1250 },
    { jobs: 1000, plain: 1200, any: 300 },
  ]
  const rows: BenchRow[] = []
  for (const { jobs, plain, any } of sizes) {
    const seeded = (make: (seed: number) => Scenario) => Array.from({ length: SEEDS }, (_, seed) => make(seed))
    const lines = seeded((seed) => lineOf({ jobs, seed, workers: 8, services, rate: 900 }))
    const kinds = [
      { name: 'a plain loop', target: null, scenarios: lines, play: playPlainLoop },
      { name: 'plain', target: plain, scenarios: lines, play: playWithSummary },
      ...Object.entries(features).map(([name, feature]) => {
        return {
          name,
          target: any,
          scenarios: seeded((seed) => withFeature(jobs, seed, feature)),
          play: playWithSummary,
        }
      }),
    ]
    const least = kinds.map(() => Infinity)
    for (let round = 0; round < (quick ? 1 : 9); round++) {
      for (const [k, { scenarios, play }] of kinds.entries()) {
        least[k] = Math.min(least[k], await secondsOf(scenarios, play, quick ? 1 : Math.ceil(40_000 / jobs / SEEDS)))
      }
    }
    kinds.forEach(({ name, target }, k) => {
      const figures = {
        'runs a second': 1 / least[k],
        target,
        'microseconds a job': (least[k] * 1e6) / jobs,
        'over the loop': least[k] / least[0],
      }
      rows.push({ name: `${jobs} jobs, ${name}`, figures })
    })
  }
  return rows
}

async function playWithSummary(scenario: Scenario): Promise<unknown> {
  return summarise(await playSimulation(scenario, 0))
}

function withFeature(jobs: number, seed: number, feature: object): Scenario {
  return scenarioWith({ ...asked, seed, source: { kind: 'poisson', rate: 900, jobs }, ...feature })
}

/** Returns the seconds of processor time per run when all these scenarios are played this many times. */
async function secondsOf(
  scenarios: readonly Scenario[],
  play: (scenario: Scenario) => unknown,
  times: number,
): Promise<number> {
  const begin = process.cpuUsage()
  for (let k = 0; k < times; k++) for (const scenario of scenarios) await play(scenario)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1e6 / times / scenarios.length
}
