import type { Policy } from '../../src/scenario/scenario.ts'
import type { Books } from './books.ts'

/** Estimated service times from all measurements afresh, by stage. */
export function naiveMeans({ scenario, measured }: Books): number[] {
  const { estimator } = scenario
  const known = measured.map((times) => {
    if (times.length === 0) return Number.NaN
    if (estimator.kind === 'ewma') return times.reduce((mean, time) => mean + estimator.alpha * (time - mean))
    const counted = estimator.kind === 'window' ? times.slice(-estimator.n) : times
    return counted.reduce((sum, time) => sum + time, 0) / counted.length
  })
  const means = known.filter((mean) => !Number.isNaN(mean))
  const neighbours = means.length === 0 ? 1 : means.reduce((sum, mean) => sum + mean, 0) / means.length
  return known.map((mean, s) => {
    if (!Number.isNaN(mean)) return mean
    const { service } = scenario.stages[s]
    if (estimator.prior === 'declared') return service.kind === 'constant' ? service.mean : Number.NaN
    return estimator.prior === 'one' ? 1 : neighbours
  })
}

/** Who the policy seats where, from the books alone; by stage. Null where only the total can be told (`exhaustive`: several minima). */
export function naiveSeats(books: Books, policy: Policy = books.scenario.policy): number[] | null {
  const { line } = books
  const { stages } = books.scenario
  const seats = stages.map(() => 0)
  let left = books.alive()
  switch (policy.kind) {
    case 'exhaustive':
      return null
    case 'onePerStage':
    case 'fixed':
      for (const stage of line.filter((s) => !books.done(s))) {
        seats[stage] = Math.min(left, policy.kind === 'fixed' ? policy.allocation[stages[stage].id] : 1)
        left -= seats[stage]
      }
      return seats
    case 'single': {
      const here = line.find((s) => books.busy(s) > 0) ?? [...line].reverse().find((s) => books.runnable(s) > 0)
      if (here !== undefined) seats[here] = 1
      return seats
    }
    default: {
      const divisor = { leastScore: (w: number) => (w + 1) * (w + 2), jefferson: (w: number) => w + 1, webster: (w: number) => 2 * w + 1 }[policy.kind]
      const means = naiveMeans(books)
      const open = [...seats.keys()].filter((s) => !books.done(s)).sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))
      if (open.length === 0) return seats
      const claim = (s: number) => (books.waiting(s) * means[s]) / divisor(seats[s])
      for (; left > 0; left--) seats[open.reduce((best, s) => (claim(s) > claim(best) ? s : best))]++
      return seats
    }
  }
}

/** The sum that `leastScore` and `exhaustive` minimise. */
export function naiveScore(books: Books, seats: readonly number[]): number {
  const means = naiveMeans(books)
  return seats.reduce((sum, seat, s) => sum + (books.waiting(s) * means[s]) / (seat + 1), 0)
}
