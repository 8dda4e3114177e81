import type { Policy, Service } from '../../src/scenario/model/scenario.ts'
import type { Books } from './books.ts'
import { equivalentOf } from './codes.ts'
import { naiveOutlook } from './naiveOutlook.ts'

/** Estimated service times by stage, computed from all measurements. */
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
    if (estimator.prior === 'declared') return declaredMean(service)
    return estimator.prior === 'one' ? 1 : neighbours
  })
}

/** The policy in effect at a decision: seats given by hand act like fixed ones. */
export function policyAt(books: Books, decision: number): Policy {
  const { policy, stages } = books.scenario
  if (policy.kind === 'code') {
    const equivalent = equivalentOf(policy.source)
    if ('kind' in equivalent) return equivalent
    // As if these seats were given by hand.
    return { kind: 'byHand', allocations: [equivalent(books, decision)], lend: policy.lend }
  }
  if (policy.kind !== 'byHand') return policy
  const allocation = policy.allocations[decision]
  if (allocation === undefined) return { kind: 'leastScore', lend: policy.lend }
  return {
    kind: 'fixed',
    allocation: Object.fromEntries(stages.map(({ id }, s) => [id, allocation[s]])),
    lend: policy.lend,
  }
}

/** How many idle workers are held back: those without a seat by hand. One stays if no worker is busy and no job will come. */
export function naiveHeld(books: Books, seats: readonly number[]): number {
  if (books.scenario.policy.kind !== 'byHand') return 0
  const idle = books.idle()
  const called = seats.reduce((sum, seat, s) => sum + Math.max(0, seat - books.busy(s)), 0)
  const needed = books.exhausted && idle === books.alive() ? 1 : 0
  return Math.max(0, idle - Math.max(called, needed))
}

/** The seats of a policy by stage, from the books and the earlier seats. */
export function naiveSeats(
  books: Books,
  policy: Policy = books.scenario.policy,
  before: readonly number[] = [],
): number[] {
  const { line } = books
  const { stages } = books.scenario
  const seats = stages.map(() => 0)
  let left = books.alive()
  switch (policy.kind) {
    case 'byHand':
      return policy.allocations[0].slice()
    case 'hamilton': {
      const { open, votes } = openStages(books)
      const total = open.reduce((sum, s) => sum + votes[s], 0)
      if (open.length === 0 || total === 0) return seats.map((_, s) => (s === open[0] ? left : 0))
      const share = (s: number) => votes[s] * left
      for (const s of open) seats[s] = Math.round((share(s) - (share(s) % total)) / total)
      const over = left - seats.reduce((sum, seat) => sum + seat, 0)
      for (const s of [...open].sort((a, b) => (share(b) % total) - (share(a) % total)).slice(0, over)) seats[s]++
      return seats
    }
    case 'sinkFirst':
      for (const stage of books.nearest()) {
        seats[stage] = Math.min(left, employable(books, stage))
        left -= seats[stage]
      }
      return seats
    case 'backpressure': {
      const means = naiveMeans(books)
      const ahead = (s: number) => {
        const { fanOut } = stages[s]
        const weights = books.next[s].map((next) =>
          fanOut === 'copy' || !books.routes[s] ? 1 : fanOut.route[stages[next].id],
        )
        const total = books.routes[s] ? weights.reduce((a, b) => a + b, 0) : 1
        return books.next[s].reduce((sum, next, i) => sum + books.waiting(next) * (weights[i] / total), 0)
      }
      const pressure = (s: number) => (books.waiting(s) - ahead(s)) / Math.max(1, means[s])
      const pressed = inTieOrder(books).filter((s) => pressure(s) > 0)
      for (const s of pressed.sort((a, b) => pressure(b) - pressure(a))) {
        seats[s] = Math.min(left, employable(books, s))
        left -= seats[s]
      }
      return seats
    }
    case 'switchAware':
      return movedWherePaid(books, policy.horizon, before)
    case 'onePerStage':
    case 'fixed':
      for (const stage of line.filter((s) => !books.done(s))) {
        const wanted = policy.kind === 'fixed' ? policy.allocation[stages[stage].id] : 1
        seats[stage] = Math.min(left, wanted)
        left -= seats[stage]
      }
      return seats
    case 'pid':
    case 'threshold':
    case 'aimd':
    case 'adaptive':
    case 'predictive':
    case 'rayData':
    case 'hpa':
    case 'seda':
    case 'xenna':
    case 'flinkAutoscaler':
      return seats.map(
        (_, s) => books.live.filter((live, w) => live && books.assigned[w] === s && !books.isStarting(w)).length,
      )
    case 'perJob':
    case 'workStealing':
      return books.carrying.seats()
    case 'single': {
      const started = books.nearest().find((s) => books.feeders[s].length > 0 && books.runnable(s) > 0)
      const fresh = books.nearest().filter((s) => books.feeders[s].length === 0 && books.runnable(s) > 0)
      const least = Math.min(...fresh.map((s) => books.measured[s].length))
      const here =
        inTieOrder(books).find((s) => books.busy(s) > 0) ??
        started ??
        fresh.find((s) => books.measured[s].length === least)
      if (here !== undefined) seats[here] = 1
      return seats
    }
    default: {
      const { open } = openStages(books)
      const claims = new NaiveClaims(books, policy)
      if (open.length === 0) return seats
      for (; left > 0; left--)
        seats[open.reduce((best, s) => (claims.compare(s, seats[s], best, seats[best]) > 0 ? s : best))]++
      return seats
    }
  }
}

/** The quotient of a stage with w seats for its next seat under a divisor rule; other policies rank like `leastScore`. */
export class NaiveClaims {
  private readonly votes: number[]
  private readonly policy: Policy

  constructor(books: Books, policy: Policy) {
    const votes = openStages(books).votes.map((v, s) => foreseen(books, policy, s) ?? v)
    const greatest = Math.max(...votes.filter((_, s) => !books.done(s)))
    const unit = greatest > 0 ? 2 ** Math.floor(Math.log2(greatest)) : 1
    this.policy = policy
    this.votes = votes.map((v, s) => {
      if (policy.kind === 'longestQueue') return books.waiting(s)
      if (policy.kind === 'huntingtonHill') return product(v / unit, 2)
      return policy.kind === 'power' ? product(v / unit, policy.p) : v
    })
  }

  /** Positive if stage a with wa seats ranks before stage b with wb, 0 in a tie. */
  compare(a: number, wa: number, b: number, wb: number): number {
    const [x, y] = [this.quotient(a, wa), this.quotient(b, wb)]
    if (x === Infinity && y === Infinity) return this.votes[a] - this.votes[b]
    return x === y ? 0 : x > y ? 1 : -1
  }

  /** Divides whole numbers once, so that rounding breaks no tie. */
  private quotient(s: number, w: number): number {
    const [times, over] = this.divisor(w)
    return this.votes[s] === 0 ? 0 : (this.votes[s] * times) / over
  }

  /** The factor and the divisor of the votes. */
  private divisor(w: number): [times: number, over: number] {
    switch (this.policy.kind) {
      case 'jefferson':
      case 'longestQueue':
        return [1, w + 1]
      case 'webster':
        return [1, 2 * w + 1]
      case 'proportional':
        return [1, w === 0 ? 0 : 2 * w + 1]
      case 'huntingtonHill':
        return [1, w * (w + 1)]
      case 'adams':
        return [1, w]
      case 'dean':
        return [2 * w + 1, 2 * w * (w + 1)]
      case 'power': {
        const { p } = this.policy
        const [a, b] = [w + 1, w + 2]
        const over = product(a * b, p)
        const sum = (a: number, b: number) =>
          Array.from({ length: p }, (_, k) => a ** (p - 1 - k) * b ** k).reduce((x, y) => x + y)
        if (over <= Number.MAX_SAFE_INTEGER) return [sum(a, b), over]
        const r = a / b
        return [1, (product(a, p) * b) / Array.from({ length: p - 1 }).reduce<number>((so) => so * r + 1, 1)]
      }
      default:
        return [1, (w + 1) * (w + 2)]
    }
  }
}

/** The votes of a stage under a policy that looks ahead; otherwise null. */
function foreseen(books: Books, policy: Policy, s: number): number | null {
  if (policy.kind !== 'preallocate' && policy.kind !== 'deadline') return null
  const { coming, urgency } = naiveOutlook(books, policy, s)
  return (books.waiting(s) + coming) * naiveMeans(books)[s] * urgency
}

/** The earlier seats after all moves that save more within the horizon than they cost. */
function movedWherePaid(books: Books, horizon: number, before: readonly number[]): number[] {
  const { open, votes } = openStages(books)
  const seats = before.map((n, s) => (open.includes(s) ? n : 0))
  const claim = (s: number) => votes[s] / ((seats[s] + 1) * (seats[s] + 2))
  const hold = (s: number) => votes[s] / (seats[s] * (seats[s] + 1))
  const giver = () =>
    open.filter((s) => seats[s] > 0).reduce((last, s) => (last < 0 || hold(s) <= hold(last) ? s : last), -1)
  const taker = (but: number) =>
    open.filter((s) => s !== but).reduce((first, s) => (first < 0 || claim(s) > claim(first) ? s : first), -1)
  const dealt = () => seats.reduce((a, b) => a + b, 0)
  while (dealt() > books.alive()) seats[giver()]--
  while (dealt() < books.alive() && open.length > 0) seats[taker(-1)]++
  for (;;) {
    const from = giver()
    const to = from < 0 ? -1 : taker(from)
    if (to < 0) return seats
    const saved = claim(to) - hold(from)
    const total = naiveScore(books, seats)
    const pays = (total > horizon ? (saved * horizon) / total : saved) > books.scenario.switchCost
    const starves = seats[to] === 0 && votes[to] > 0 && votes[from] === 0
    if (!pays && !starves) return seats
    seats[from]--
    seats[to]++
  }
}

function product(x: number, p: number): number {
  return Array.from({ length: p }, () => x).reduce((a, b) => a * b)
}

/** Stages that are not done, in tie order, and the votes by stage. */
function openStages(books: Books): { open: number[]; votes: number[] } {
  const means = naiveMeans(books)
  return {
    open: inTieOrder(books).filter((s) => !books.done(s)),
    votes: means.map((mean, s) => books.waiting(s) * mean),
  }
}

function inTieOrder({ scenario: { stages } }: Books): number[] {
  return [...stages.keys()].sort((a, b) => (stages[a].id < stages[b].id ? -1 : 1))
}

/** How many workers a stage can keep busy. */
function employable(books: Books, s: number): number {
  return books.busy(s) + Math.ceil(onOffer(books, s) / naiveSize(books, s, books.alive()))
}

/** Whether workers go on with the jobs that they have served. */
export function carried({ scenario: { policy } }: Pick<Books, 'scenario'>): boolean {
  return ['perJob', 'workStealing'].includes(policy.kind)
}

/** How many jobs batches can take: under shards all that wait, since they may follow the first of their shard. */
function onOffer(books: Books, s: number): number {
  return books.shards === null ? books.runnable(s) : books.waiting(s)
}

/** The batch size for this many workers. Adaptive batches last 10 ms and twenty changes of stage and round trips, or are a worker’s share. */
export function naiveSize(books: Books, s: number, workers: number, offer = onOffer(books, s)): number {
  const { switchCost } = books.scenario
  const size = books.batchSize(s)
  if (size !== undefined) return size
  if (books.measured[s].length === 0) return 1
  const means = naiveMeans(books)
  const known = means.filter((_, stage) => books.measured[stage].length > 0)
  const mean = carried(books) ? known.reduce((sum, one) => sum + one, 0) / known.length : means[s]
  const lasting = Math.ceil((10_000 + 20 * (switchCost + books.trips.mean())) / mean)
  return Math.max(1, Math.min(Math.ceil(offer / Math.max(1, workers)), lasting, 10_000))
}

/** The score that `leastScore` minimises. */
function naiveScore(books: Books, seats: readonly number[]): number {
  const means = naiveMeans(books)
  return seats.reduce((sum, seat, s) => sum + (books.waiting(s) * means[s]) / (seat + 1), 0)
}

/** The declared mean of a distribution. */
function declaredMean(service: Service): number {
  if (service.kind === 'uniform') return (service.min + service.max) / 2
  if (service.kind === 'bimodal') return service.fast + service.pSlow * (service.slow - service.fast)
  if (service.kind === 'empirical') return service.values.reduce((sum, value) => sum + value, 0) / service.values.length
  if ('mean' in service) return service.mean
  throw new Error(`no game draws ${JSON.stringify(service)}`)
}
