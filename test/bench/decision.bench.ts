import { performance } from 'node:perf_hooks'
import { allocateWorkers } from '../../src/allocation/allocateWorkers.ts'
import { apportion, exchangeSeats, exhaustive } from '../../src/allocation/apportion.ts'
import { divisorsOf } from '../../src/allocation/rules.ts'
import { loadCode } from '../../src/features/code/sandbox/loadCode.ts'
import { countAllocationsUpTo } from '../../src/scenario/model/limits.ts'
import { leastTotalTimeCode } from '../../src/scenario/model/policies.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { processorTime } from '../fixtures/processorTime.ts'
import type { BenchRow } from './tools.ts'

/** Trying all is timed up to this number; above it, the table shows its number of allocations. */
const WAIT_FOR = 1_000_000

let rounds = 9

/**
 * How long a decision takes: seats dealt afresh by scanning, exchanged from the previous allocation after one stage's votes
 * have changed by a job, and every allocation tried; and how long the sandbox takes to ask a policy in code. Nanoseconds a decision, the best of several rounds.
 */
export default async function decisions(tools?: { readonly quick: boolean }): Promise<BenchRow[]> {
  rounds = tools?.quick ? 1 : 9
  const rows = [
    [8, 3],
    [64, 16],
    [1024, 64],
    [10_000, 16],
    [10_000, 256],
  ].map(([workers, stages]) => decisionRow(workers, stages))
  return [...rows, articleRow(1024, 256), await codeRow(8, 3), await codeRow(64, 16)]
}

function decisionRow(workers: number, stages: number): BenchRow {
  const divisors = divisorsOf('leastScore', workers)
  const eligible = new Uint8Array(stages).fill(1)
  const seats = new Int32Array(stages)
  // Three jobs or more wait for each worker, so that there is enough to decide.
  const longer = Math.max(1, (3 * workers) / stages / 60)
  const means = Float64Array.from({ length: stages }, (_, s) => 1000 + ((s * 104_729) % 9001))
  const usual = means.map((mean, s) => (60 + ((s * 7919) % 61)) * longer * mean)
  // As in a run, each decision finds a few jobs more or less at one stage than the one before.
  const votes = usual.slice()
  let step = 0
  const change = () => {
    step = (Math.imul(step, 1_664_525) + 1_013_904_223) | 0
    const s = (step >>> 8) % stages
    votes[s] = usual[s] + (step >>> 29) * 1.2 * means[s]
  }
  const scan = best(() => {
    change()
    apportion(votes, eligible, workers, divisors, seats)
    return seats[0]
  })
  let moved = 0
  let asked = 0
  const exchange = best(() => {
    change()
    asked++
    if (exchangeSeats(votes, eligible, workers, divisors, seats)) moved++
    return seats[0]
  })
  const allocations = countAllocationsUpTo(workers, stages)
  const all = allocations > WAIT_FOR ? Number.NaN : best(() => exhaustive(votes, eligible, workers, seats))
  const ends = Number.isFinite(all)
  return {
    name: `decision, ${workers} workers, ${stages} stages`,
    figures: {
      'scan ns': round(scan),
      'exchange ns': round(exchange),
      'of these moved a seat': `${round((100 * moved) / asked)}%`,
      'scan / exchange': round(scan / exchange),
      allocations: Number.isFinite(allocations) ? allocations : 'above 10^12',
      'try all ns': ends ? round(all) : 'does not end',
      'try all / scan': ends ? round(all / scan) : null,
      'try all / exchange': ends ? round(all / exchange) : null,
    },
  }
}

/** The function of the article with its own input, exact to the last digit. */
function articleRow(workers: number, stages: number): BenchRow {
  const stats = new Map(
    Array.from(
      { length: stages },
      (_, s) =>
        [
          `stage ${s}`,
          { queueLength: 1 + ((s * 7919) % 97), serviceTimesPicos: [1e9 + s * 1e7, 2e9, 3e9 + s] },
        ] as const,
    ),
  )
  const done = new Set<string>()
  const began = performance.now()
  allocateWorkers(workers, stats, done)
  const first = (performance.now() - began) * 1e6
  return {
    name: `allocateWorkers, ${workers} workers, ${stages} stages`,
    figures: {
      'exact ns': round(best(() => allocateWorkers(workers, stats, done)?.size ?? 0)),
      'first call, not yet compiled, ns': round(first),
    },
  }
}

/**
 * The extra time of the sandbox per decision: code that always returns the same seats, and the least total time in code. In processor
 * time, because other work easily disturbs a round with few calls.
 */
async function codeRow(workers: number, stages: number): Promise<BenchRow> {
  const scenario = {
    stages: Array.from({ length: stages }, (_, s) => ({ id: `s${s}`, name: `Stage ${s}`, capacity: null })),
    seed: 1,
  } as unknown as Scenario
  const ask = async (source: string) => {
    const startCode = await loadCode()
    const code = startCode({ kind: 'code', name: '', source, lend: true }, scenario)
    let step = 0
    return leastProcessorTime(() => {
      step = (step + 1) % 64
      code.numbers.fill(1000 + step)
      code.numbers[0] = workers
      const problem = code.decide()
      if (problem !== null) throw new Error(problem)
    })
  }
  const idle = await ask(`const seats = new Array(${stages}).fill(0); export default () => seats`)
  const least = await ask(leastTotalTimeCode)
  return {
    name: `code, ${workers} workers, ${stages} stages`,
    figures: {
      'sandbox ns': round(idle),
      'least total time in code ns': round(least),
      'code / sandbox': round(least / idle),
    },
  }
}

/** Nanoseconds of processor time per call: the least of several rounds. */
function leastProcessorTime(work: () => void): number {
  const calls = 2000
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const began = processorTime()
    for (let i = 0; i < calls; i++) work()
    least = Math.min(least, ((processorTime() - began) / calls) * 1e6)
  }
  return least
}

/** Nanoseconds per call: the fastest of several rounds of at least 10 ms, so that other work on the machine has little effect. */
function best(work: () => number): number {
  let sink = 0
  let calls = 1
  let fastest = Infinity
  for (let round = 0; round < rounds; ) {
    const began = performance.now()
    for (let i = 0; i < calls; i++) sink += work()
    const spent = performance.now() - began
    if (spent < 10) {
      calls *= 2
      continue
    }
    fastest = Math.min(fastest, (spent / calls) * 1e6)
    round++
  }
  if (Number.isNaN(sink)) throw new Error('a decision gave no number')
  return fastest
}

function round(n: number): number {
  return Number(n.toPrecision(3))
}
