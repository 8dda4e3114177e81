import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { createChart, extendChart } from '../../src/measures/series/chart.ts'
import { record } from '../../src/runs/play/play.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { catchUp, type Trace } from '../../src/trace/trace.ts'
import { createServices } from '../../src/workload/service.ts'
import { playPlainLoop } from './plainLoop.ts'
import { lineOf } from './scenarios.ts'
import { playWithSimjs } from './simjs.ts'
import type { BenchRow } from './tools.ts'

const services = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }) as const)

/**
 * simjs knows no policy: it has a fixed crew at each station, 2, 5 and 3, such that each keeps up with 900 jobs a
 * second. That makes ten workers instead of eight, and nothing to decide.
 */
const crew = [2, 5, 3]

/**
 * A million jobs through three stages of 1, 4 and 2 ms, with eight workers under least total time: at random, 900 a second, so that queues are short and many
 * seats move; and all at once. Every run of a kind has the same jobs. Compared runs alternate, and the least processor time of each
 * counts, because other work can only add time.
 */
export default async function simulation({ quick = false }: { readonly quick?: boolean } = {}): Promise<BenchRow[]> {
  const jobs = quick ? 100_000 : 1_000_000
  const rounds = quick ? 1 : 5
  const line = (many: number, rate: number | null) => lineOf({ jobs: many, seed: 7, workers: 8, services, rate })
  const random = await pair('at random', line(jobs, 900), rounds)
  const batch = await pair('all at once', line(jobs, null), rounds)
  const perJob = random.engine.cpu / jobs
  const simjs = stopwatch()
  const few = line(jobs / 10, 900)
  for (let round = 0; round < rounds; round++) await simjs.time(() => playWithSimjs(few, crew))
  return [
    ...random.rows,
    ...batch.rows,
    {
      name: 'at random: simjs, fixed crews, nothing recorded',
      figures: {
        ...timesOf(jobs / 10, simjs.cpu, simjs.wall),
        'times as long as the engine': simjs.cpu / (jobs / 10) / perJob,
      },
    },
  ]
}

/** The engine and the plain loop on one scenario, alternating. */
async function pair(
  name: string,
  scenario: Scenario,
  rounds: number,
): Promise<{ engine: Stopwatch; rows: BenchRow[] }> {
  const loop = stopwatch()
  const engine = stopwatch()
  const luck = stopwatch()
  let decisions = 0
  let rows = 0
  for (let round = 0; round < rounds; round++) {
    await loop.time(() => playPlainLoop(scenario))
    await engine.time(async () => {
      const trace = await play(scenario)
      decisions = trace.decisions.length
      rows = trace.length
    })
    await luck.time(() => drawAll(scenario))
  }
  const { bytes, bytesARow, pageBytes } = await memoryOf(scenario)
  const jobs = jobsOf(scenario)
  const toLoop = (clock: Stopwatch) => ({
    ...timesOf(jobs, clock.cpu, clock.wall),
    'to the plain loop (1.2)': clock.cpu / loop.cpu,
  })
  return {
    engine,
    rows: [
      {
        name: `${name}: engine, all recorded`,
        figures: {
          ...toLoop(engine),
          rows,
          decisions,
          'trace MB (164)': bytes / 1e6,
          'bytes a row': bytesARow,
          'page MB (300)': pageBytes / 1e6,
        },
      },
      { name: `${name}: plain loop, spans recorded`, figures: toLoop(loop) },
      { name: `${name}: of both, drawing the service times`, figures: { ...toLoop(luck), 'events a second': null } },
    ],
  }
}

/** An event is an arrival or the end of a service. */
function timesOf(jobs: number, cpu: number, wall: number): BenchRow['figures'] {
  return { jobs, 'processor s': cpu, 'wall s': wall, 'events a second': (jobs * (1 + services.length)) / cpu }
}

function play(scenario: Scenario): Promise<Trace> {
  return record(createSimulation(), 'simulation', scenario, 0)
}

function drawAll(scenario: Scenario): number {
  const { at } = createServices(scenario)
  let sum = 0
  for (let stage = 0; stage < scenario.stages.length; stage++)
    for (let job = 0; job < jobsOf(scenario); job++) sum += at(stage, job)
  return sum
}

function jobsOf({ source }: Scenario): number {
  return 'jobs' in source ? (source.jobs ?? 0) : 0
}

interface Stopwatch {
  /** The least seconds that a run has taken, in processor time and real time. */
  cpu: number
  wall: number
  time(work: () => unknown): Promise<void>
}

function stopwatch(): Stopwatch {
  const best = { cpu: Infinity, wall: Infinity }
  return Object.assign(best, {
    async time(work: () => unknown) {
      const cpu = process.cpuUsage()
      const wall = performance.now()
      await work()
      const { user, system } = process.cpuUsage(cpu)
      best.cpu = Math.min(best.cpu, (user + system) / 1e6)
      best.wall = Math.min(best.wall, (performance.now() - wall) / 1e3)
    },
  })
}

/** The memory of a run after a garbage collection: of the trace alone, and with its checkpoints and all data of the timeline, as in the page. */
async function memoryOf(scenario: Scenario): Promise<{ bytes: number; bytesARow: number; pageBytes: number }> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = async () => {
    // Buffers are freed after the collection that finds them unused: the second one waits for the first.
    for (let k = 0; k < 3; k++) {
      collect()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = await used()
  const trace = await play(scenario)
  const bytes = (await used()) - before
  const chart = createChart(trace)
  extendChart(chart)
  catchUp(trace)
  const pageBytes = (await used()) - before
  // Keeps the chart alive until here.
  return { bytes, bytesARow: bytes / trace.length, pageBytes: chart.rows === trace.length ? pageBytes : Number.NaN }
}
