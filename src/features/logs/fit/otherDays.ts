import { MAX_ITEMS, MAX_SEED } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { createRandom, randomKey } from '../../../workload/random.ts'

/** How jobs arrive on days like that of a log. */
export interface DayArrivals {
  /** The jobs that are there at time 0. */
  readonly early: number
  /** In jobs per second, from each time on. */
  readonly rates: readonly (readonly [from: Micros, rate: number])[]
  /** The log ends at this time. */
  readonly end: Micros
  /** The variance of the jobs in an interval over their mean: 1 if jobs come independently, more if they come in bursts. */
  readonly dispersion: number
  /** How long a burst lasts. */
  readonly interval: Micros
}

const SECOND = 1e6
/** Two seeds this far apart share no day. */
const STEP = 7919

/** Returns day `k` of a fitted scenario: other arrivals at the same rates, and other service times. Day 0 is the fitted one. */
export function otherDay(scenario: Scenario, arrivals: DayArrivals | null, k: number): Scenario {
  if (k === 0) return scenario
  const seed = (scenario.seed + k * STEP) % (MAX_SEED + 1)
  const { source } = scenario
  if (arrivals === null || source.kind !== 'times') return { ...scenario, seed }
  const at = arrivalTimes(arrivals, seed)
  // The service times change at the same time as on the fitted day, so at another job.
  const moved = (from: number) => (from <= arrivals.early ? from : (at.length * from) / source.at.length)
  const stages = scenario.stages.map((stage) => ({
    ...stage,
    changes: ascending(stage.changes.map(({ from, service }) => ({ from: Math.round(moved(from)), service }))),
  }))
  return { ...scenario, seed, source: { kind: 'times', at }, stages }
}

/** Returns arrival times: a Poisson process of single jobs, or of bursts whose sizes give the dispersion (a negative binomial process). */
export function arrivalTimes({ early, rates, end, dispersion, interval }: DayArrivals, seed: number): number[] {
  const random = createRandom(seed, randomKey('day'))
  let draws = 0
  const draw = () => random(0, draws++)
  const at = Array.from({ length: early }, () => 0)
  const perBurst = dispersion > 1 ? (dispersion - 1) / Math.log(dispersion) : 1
  for (const [k, [from, rate]] of rates.entries()) {
    const until = Math.min(end, rates[k + 1]?.[0] ?? end)
    if (rate <= 0) continue
    const next = () => (-Math.log(draw()) * perBurst * SECOND) / rate
    for (let time = from + next(); time < until && at.length < MAX_ITEMS; time += next()) {
      const size = dispersion > 1 ? burstSize(1 - 1 / dispersion, draw()) : 1
      for (let n = 0; n < size && at.length < MAX_ITEMS; n++) at.push(Math.min(end, Math.floor(time + (n === 0 ? 0 : interval * draw()))))
    }
  }
  return at.sort((a, b) => a - b)
}

/** Returns a size of the logarithmic series distribution (Fisher, Corbet and Williams 1943), by inversion. */
function burstSize(p: number, u: number): number {
  let [size, chance] = [1, -p / Math.log(1 - p)]
  for (let left = u; left > chance && size < MAX_ITEMS; size++) {
    left -= chance
    chance *= (p * size) / (size + 1)
  }
  return size
}

function ascending<T extends { readonly from: number }>(changes: readonly T[]): T[] {
  return changes.filter(({ from }, k) => changes.slice(k + 1).every((later) => later.from > from))
}
