import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { record } from '../../src/runs/record.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createServices } from '../../src/workload/service.ts'
import { playByHand } from './handWritten.ts'
import { lineOf } from './scenarios.ts'
import { playWithSimjs } from './simjs.ts'
import { simpyModel } from './simpy.ts'

interface BenchRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

const services = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }) as const)

/** The libraries have a fixed crew at each station instead of a policy: so that each of the stations keeps up with 900 jobs a second. */
const crew = [2, 5, 3]

/**
 * A million jobs that arrive at random, 900 a second, and pass through three stages of 1, 4 and 2 ms with eight workers under
 * least total time. Every run meets the same jobs. Runs compared with each other take turns, and of each the one with the
 * least processor time counts, since whatever else the machine does only adds.
 */
export default async function simulation({ quick = false }: { readonly quick?: boolean } = {}): Promise<BenchRow[]> {
  const rounds = quick ? 1 : 5
  const jobs = quick ? 100_000 : 1_000_000
  const scenario = lineOf({ jobs, seed: 7, workers: 8, services, rate: 900 })
  const few = lineOf({ jobs: jobs / 10, seed: 7, workers: 8, services, rate: 900 })
  const hand = stopwatch()
  const engine = stopwatch()
  const simjs = stopwatch()
  const luck = stopwatch()
  let decisions = 0
  let rows = 0
  for (let round = 0; round < rounds; round++) {
    hand.time(() => playByHand(scenario))
    await engine.timeAsync(async () => {
      const trace = await play(scenario)
      decisions = trace.decisions.length
      rows = trace.length
    })
    simjs.time(() => playWithSimjs(few, crew))
    luck.time(() => drawAll(scenario))
  }
  const spans = jobs * services.length
  // An event is an arrival or the end of a service.
  const events = jobs + spans
  const row = (name: string, clock: Stopwatch, of: number, extra: BenchRow['figures']): BenchRow => ({
    name,
    figures: {
      jobs: of,
      'processor s': clock.cpu,
      'wall s': clock.wall,
      'events a second': (events * (of / jobs)) / clock.cpu,
      ...extra,
    },
  })
  const perJob = engine.cpu / jobs
  const { bytes, bytesARow } = await memoryOf(scenario)
  const simpy = simpyModel(quick ? 1000 : 20_000)
  return [
    row('engine, every row and decision recorded', engine, jobs, {
      'to hand-written': engine.cpu / hand.cpu,
      'to the engine': 1,
      rows,
      decisions,
      'trace MB': bytes / 1e6,
      'bytes a row': bytesARow,
    }),
    row('hand-written loop, spans recorded', hand, jobs, { 'to hand-written': 1, 'to the engine': hand.cpu / engine.cpu, decisions }),
    row('of both, drawing the service times', luck, jobs, { 'to hand-written': luck.cpu / hand.cpu, 'to the engine': luck.cpu / engine.cpu }),
    row('simjs, stations of 2, 5 and 3, no policy, nothing recorded', simjs, jobs / 10, { 'to the engine': simjs.cpu / (jobs / 10) / perJob }),
    simpyRow(perJob, simpy),
  ]
}

function play(scenario: Scenario): Promise<Trace> {
  return record(createSimulation(), 'simulation', scenario, 0)
}

function drawAll(scenario: Scenario): number {
  const { at } = createServices(scenario)
  let sum = 0
  for (let stage = 0; stage < scenario.stages.length; stage++) for (let job = 0; job < jobsOf(scenario); job++) sum += at(stage, job)
  return sum
}

function jobsOf({ source }: Scenario): number {
  return 'jobs' in source ? (source.jobs ?? 0) : 0
}

interface Stopwatch {
  /** The least seconds of processor time that a run has taken, and the wall's. */
  cpu: number
  wall: number
  time(work: () => unknown): void
  timeAsync(work: () => Promise<unknown>): Promise<void>
}

function stopwatch(): Stopwatch {
  const best = { cpu: Infinity, wall: Infinity }
  const begin = () => {
    const cpu = process.cpuUsage()
    const wall = performance.now()
    return () => {
      const { user, system } = process.cpuUsage(cpu)
      best.cpu = Math.min(best.cpu, (user + system) / 1e6)
      best.wall = Math.min(best.wall, (performance.now() - wall) / 1e3)
    }
  }
  return Object.assign(best, {
    time(work: () => unknown) {
      const end = begin()
      work()
      end()
    },
    async timeAsync(work: () => Promise<unknown>) {
      const end = begin()
      await work()
      end()
    },
  })
}

/** What stays in memory of a run, once everything else has been collected. */
async function memoryOf(scenario: Scenario): Promise<{ bytes: number; bytesARow: number }> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = async () => {
    // Buffers are freed beside the collection that finds them dead: the second one waits for the first.
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
  return { bytes, bytesARow: bytes / trace.length }
}

function simpyRow(perJob: number, script: { readonly code: string; readonly jobs: number }): BenchRow {
  const name = 'SimPy, stations of 2, 5 and 3, no policy, nothing recorded'
  const { status, stdout } = spawnSync('python3', ['-c', script.code], { encoding: 'utf8' })
  const cpu = Number(stdout)
  if (status !== 0 || !(cpu > 0)) return { name, figures: { 'to the engine': 'not installed' } }
  const events = script.jobs * (1 + services.length)
  return { name, figures: { jobs: script.jobs, 'processor s': cpu, 'events a second': events / cpu, 'to the engine': cpu / script.jobs / perJob } }
}
