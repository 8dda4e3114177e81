import { playSimulation } from '../../src/runs/play/play.ts'
import type { Micros, Scenario } from '../../src/scenario/model/scenario.ts'
import { endOf } from '../../src/trace/trace.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

/** The stages of docs/scale.md: a tenth of a second of work per job. */
const means: readonly Micros[] = [20_000, 60_000, 20_000]
const WORK = means.reduce((sum, mean) => sum + mean, 0)
/** Jobs per worker at the largest number of workers, so that start and end have little effect. */
const JOBS = 200_000
export const workerCounts = [1, 10, 100, 1000, 10_000]
export const roundTrips: readonly Micros[] = [100, 1000, 10_000, 100_000]

/** The ways to give out batches. */
export const ways: readonly { readonly name: string; readonly batch: Scenario['batch'] }[] = [
  { name: 'one job at a time', batch: { size: 1, inHand: 1 } },
  { name: 'the next one in hand', batch: { size: 1, inHand: 2 } },
  { name: 'batches of 10, the next in hand', batch: { size: 10, inHand: 2 } },
]

/** Returns the speed-up of this number of workers over one without a network: the mean work of all jobs over the makespan. */
export async function speedUpOf(
  workers: number,
  roundTrip: Micros,
  batch: Scenario['batch'],
  jobs = JOBS,
): Promise<number> {
  const stages = means.map((mean, s) => ({ id: 'ABC'[s], service: { kind: 'exponential', mean }, work: 'wait' }))
  const trace = await playSimulation(
    scenarioWith({
      source: { kind: 'batch', jobs },
      stages,
      workers,
      network: { roundTrip, loss: 0 },
      batch,
      policy: { kind: 'leastScore' },
    }),
    0,
  )
  return (jobs * WORK) / endOf(trace)
}

/** Returns the speed-up of workers that wait a round trip for each service: the share of `WORK` in `WORK` plus a round trip per stage. */
export function expectedSpeedUp(workers: number, roundTrip: Micros): number {
  return (workers * WORK) / (WORK + means.length * roundTrip)
}

/** Returns the tables of docs/scale.md in Markdown. */
export async function scaleTables(): Promise<string> {
  const head = ['workers', ...roundTrips.map((trip) => `${trip / 1000} ms`)]
  const curve: string[][] = []
  for (const workers of workerCounts) {
    const cells: string[] = []
    for (const trip of roundTrips)
      cells.push(`${shown(await speedUpOf(workers, trip, ways[0].batch))} (${shown(expectedSpeedUp(workers, trip))})`)
    curve.push([workers.toLocaleString('en'), ...cells])
  }
  const most = workerCounts[workerCounts.length - 1]
  const remedies: string[][] = []
  for (const { name, batch } of ways) {
    const cells: string[] = []
    for (const trip of roundTrips) cells.push(shown(await speedUpOf(most, trip, batch)))
    remedies.push([name, ...cells])
  }
  return [table(head, curve), table([`${most.toLocaleString('en')} workers`, ...head.slice(1)], remedies)].join('\n\n')
}

function shown(speedUp: number): string {
  return Number(speedUp.toPrecision(3)).toLocaleString('en')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ['---', ...head.slice(1).map(() => '---:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
