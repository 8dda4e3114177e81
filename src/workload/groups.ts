import type { Scenario, Source } from '../scenario/model/scenario.ts'
import { createRandom, randomKey } from './random.ts'
import { spread } from './spread.ts'

/** The draw of the source that shuffles. Draw 0 makes the gaps between arrivals. */
const SHUFFLE = 1

/** Returns each job's group in order of arrival for a source of kind `groups`, else null. `groupOrders` (scenario/model/sources.ts) describes the orders. */
export function groupsOf(source: Source, seed: number): Int32Array | null {
  if (source.kind !== 'groups') return null
  const { groups, order, feeders, window } = source
  const produced = groups.map((_, group) => group)
  switch (order) {
    case 'asProduced':
      return inRow(groups)
    case 'shuffled':
      return shuffled(groups, groups.length, seed)
    case 'window':
      return shuffled(groups, window, seed)
    case 'spread':
      return spreadOut(groups, produced, feeders)
    case 'largestFirst':
      return spreadOut(
        groups,
        produced.sort((a, b) => groups[b] - groups[a] || a - b),
        feeders,
      )
  }
}

/** Returns a function from a job to its group: 0 for all jobs if the source makes no groups. */
export function groupingOf({ source, seed }: Pick<Scenario, 'source' | 'seed'>): (job: number) => number {
  const groups = groupsOf(source, seed)
  return groups === null ? () => 0 : (job) => groups[job]
}

function inRow(groups: readonly number[]): Int32Array {
  const jobs = new Int32Array(groups.reduce((sum, size) => sum + size, 0))
  let start = 0
  for (const [group, size] of groups.entries()) {
    jobs.fill(group, start, start + size)
    start += size
  }
  return jobs
}

/** Shuffles the jobs of each `window` groups (Fisher and Yates, from the end). */
function shuffled(groups: readonly number[], window: number, seed: number): Int32Array {
  const jobs = inRow(groups)
  const random = createRandom(seed, randomKey('source'))
  let start = 0
  for (let first = 0; first < groups.length; first += window) {
    let end = start
    for (let group = first; group < first + window && group < groups.length; group++) end += groups[group]
    for (let i = end - 1; i > start; i--) {
      const j = start + Math.floor(random(i, SHUFFLE) * (i - start + 1))
      const other = jobs[j]
      jobs[j] = jobs[i]
      jobs[i] = other
    }
    start = end
  }
  return jobs
}

function spreadOut(groups: readonly number[], produced: readonly number[], feeders: number): Int32Array {
  function* jobsOf(group: number): Generator<number, void, undefined> {
    for (let i = 0; i < groups[group]; i++) yield group
  }
  return Int32Array.from(spread(produced.map(jobsOf), feeders))
}
