import type { SystemLog } from '../read/log.ts'
import type { Samples, StageSamples } from './samples.ts'

/** The order in which jobs pass the stages, as far as a log tells it. */
export interface StageOrder {
  /** Indexes of the stages of the samples, the likeliest order. */
  readonly order: readonly number[]
  /** Whether the counts allow no other order. */
  readonly certain: boolean
  /** Whether jobs are counted at every stage, and whether the counts allow the order of the samples. */
  readonly counted: boolean
  readonly asListed: boolean
}

/** Jobs that left a stage and are not yet counted at the next wait there, or are in its hands. Samples of the two may be a little apart. */
const inHands = ({ workers }: StageSamples, k: number): number => 2 * workers[k] + 2
/** Counts may be read between two changes: at this share of the times a bound need not hold. */
const [ROUGHLY, HARDLY_EVER] = [0.02, 0.005]
/** Orders are searched up to this many steps. */
const MAX_STEPS = 20_000
/** Leads above this number of standard errors are no chance. */
const CLEAR = 3

/**
 * Finds the order. What left a stage is what left the next, and what waits there or is in hands. Counters that began together also say
 * that no stage is ahead of the one before it. `samples`: in the order of the log.
 */
export function stageOrderOf(samples: Samples, log: SystemLog): StageOrder {
  const { stages } = samples
  const listed = Array.from(stages.keys())
  if (stages.length === 1) return { order: listed, certain: true, counted: true, asListed: true }
  const rows = stages.map(({ name }) => rowsOf(log, log.stages.indexOf(name)))
  const begin = Math.max(0, samples.time.indexOf(Math.max(...rows.map(({ first }) => log.time[first]))))
  const counts = stages.map(({ completed }) => completed)
  if (!counts.every((each) => each !== null))
    return { order: byLead(stages.map(({ queue }) => queue)), certain: false, counted: false, asListed: true }
  // Counts of a row, and counters that fell, do not tell how many jobs there were before.
  const before = stages.map((_, s) => {
    const [first, last] = [log.completed?.[rows[s].first] ?? 0, log.completed?.[rows[s].last] ?? 0]
    return last - first === counts[s].at(-1) ? first : null
  })
  const totals = counts.map((each, s) => each.map((count) => count + (before[s] ?? 0)))
  const isTotal = before.every((each) => each !== null)
  const ways = [...(isTotal ? [true] : []), false].map((total) => {
    const follows = listed.map((a) =>
      listed.map((b) => a !== b && mayFollow(totals[a], totals[b], stages[b], begin, total)),
    )
    return { total, follows, likely: total ? byCount(totals) : byGrowth(counts) }
  })
  const found = ways.map(({ follows, likely }) => ({
    likely,
    paths: pathsIn(follows, likely),
    asListed: listed.slice(1).every((b) => follows[b - 1][b]),
  }))
  const best = found.find(({ paths }) => paths.length > 0) ?? found[0]
  return {
    order: best.paths[0] ?? best.likely,
    certain: best.paths.length === 1,
    counted: true,
    asListed: best.asListed,
  }
}

function rowsOf({ stage, length }: SystemLog, of: number) {
  const first = stage.indexOf(of)
  return { first, last: stage.subarray(0, length).lastIndexOf(of) }
}

/** Returns whether the stage with the counts `b` may be the next after that with the counts `a`. `total`: both count from the first job on. */
function mayFollow(a: Float64Array, b: Float64Array, stage: StageSamples, begin: number, total: boolean): boolean {
  const apart = a.map((count, k) => count - b[k]).subarray(begin)
  const hands = apart.map((jobs, k) => jobs - stage.queue[begin + k])
  const slack = Math.max(...stage.workers.subarray(begin).map((_, k) => inHands(stage, begin + k)))
  const share = (values: Float64Array, is: (jobs: number, k: number) => boolean) =>
    values.filter(is).length / values.length
  if (total)
    return (
      share(apart, (jobs) => jobs < 0) <= HARDLY_EVER &&
      share(
        hands,
        (jobs, k) => jobs < -Math.max(1, 0.1 * stage.workers[begin + k]) || jobs > inHands(stage, begin + k),
      ) <= ROUGHLY
    )
  const sorted = hands.slice().sort()
  const cut = Math.floor((ROUGHLY * sorted.length) / 2)
  return sorted[sorted.length - 1 - cut] - sorted[cut] <= slack
}

/** Returns up to two orders in which each stage may follow the one before it, the likelier first; more than two if the search was not finished. */
function pathsIn(follows: readonly (readonly boolean[])[], likely: readonly number[]): (readonly number[])[] {
  const found: (readonly number[])[] = []
  let steps = 0
  const extend = (path: readonly number[]) => {
    if (found.length > 1 || ++steps > MAX_STEPS) return
    if (path.length === likely.length) found.push(path)
    else
      for (const next of likely)
        if (!path.includes(next) && (path.length === 0 || follows[path[path.length - 1]][next])) extend([...path, next])
  }
  extend([])
  return steps > MAX_STEPS && found.length > 0 ? [...found, ...found] : found
}

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

function byCount(counts: readonly Float64Array[]): number[] {
  const means = counts.map(meanOf)
  return Array.from(counts.keys()).sort((a, b) => means[b] - means[a])
}

function byGrowth(counts: readonly Float64Array[]): number[] {
  const all = counts.map((each) => each.map((count, k) => count - (k === 0 ? 0 : each[k - 1])))
  const clear = all.some((a) => all.some((b) => leadOf(a, b) > CLEAR))
  return clear ? byLead(counts) : byCount(counts)
}

/** Returns the stages in the order in which changes reach them. */
function byLead(counts: readonly Float64Array[]): number[] {
  const all = counts.map((each) => each.map((count, k) => count - (k === 0 ? 0 : each[k - 1])))
  const leads = all.map((a) => all.reduce((sum, b) => sum + leadOf(a, b), 0))
  return Array.from(counts.keys()).sort((a, b) => leads[b] - leads[a])
}

/** Returns by how many standard errors `a` is one sample ahead of `b`, rather than `b` ahead of `a`. */
function leadOf(a: Float64Array, b: Float64Array): number {
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  let [sum, squares] = [0, 0]
  for (let k = 1; k < a.length; k++) {
    const each = (a[k - 1] - meanA) * (b[k] - meanB) - (b[k - 1] - meanB) * (a[k] - meanA)
    sum += each
    squares += each * each
  }
  return squares > 0 ? sum / Math.sqrt(squares) : 0
}
