import { trustOwnScripts } from '../../../src/engine/threads/liveness.ts'
import { runJobs } from '../../../src/runs/remote/jobThreads.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'

export interface CompareFigures {
  /** Milliseconds from the call, including the start of threads, until the first run and until all had arrived with their figures and rows. */
  readonly first: number
  readonly all: number
}

/** The functions that the benchmark calls in the page. */
export interface ComparePage {
  /** Plays the scenarios as the product does when it compares them. */
  compare(scenarios: readonly Scenario[]): Promise<CompareFigures>
  /** Milliseconds that they take one after the other, each on a new thread. */
  oneByOne(scenarios: readonly Scenario[]): Promise<number>
}

async function compare(scenarios: readonly Scenario[]): Promise<CompareFigures> {
  const began = performance.now()
  let first = Number.NaN
  await runJobs(
    'compare',
    scenarios.map((scenario) => ({ scenario, record: true })),
    {
      answer() {
        if (!(first >= 0)) first = performance.now() - began
      },
    },
  )
  return { first, all: performance.now() - began }
}

const page: ComparePage = {
  compare,
  async oneByOne(scenarios) {
    let sum = 0
    for (const scenario of scenarios) sum += (await compare([scenario])).all
    return sum
  },
}

trustOwnScripts()
Object.assign(window, { comparing: page })
