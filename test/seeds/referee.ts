import { figuresOf } from '../../src/measures/figures.ts'
import { frameAt } from '../../src/measures/frame.ts'
import { clearJournal, type Journal } from '../../src/pipeline/journal.ts'
import { kinds, rowAt, SECOND, STARTED } from '../../src/pipeline/rows.ts'
import { isWaiting } from '../../src/pipeline/state.ts'
import { copyTally, type Tally } from '../../src/pipeline/tally.ts'
import { workersEver } from '../../src/pipeline/topology.ts'
import { replay } from '../../src/runs/replay.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { type Core, dispatch } from '../../src/scheduler/dispatch.ts'
import { append, createTrace, endOf, rowsUntil, stateAt, stateBefore } from '../../src/trace/trace.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { routingOf } from '../../src/workload/routes.ts'
import type { Chance } from '../fixtures/chance.ts'
import { Books, claim } from './books.ts'
import { type Instant, rehash, replayInstants, spell } from './evidence.ts'
import { NaivePools } from './naivePools.ts'
import { NaivePosts } from './naivePosts.ts'
import { naiveScore, naiveSeats } from './naiveSeats.ts'

/** Watches every dispatch, and holds what the core says against the books, the books against the core, and both against the trace. */
export class Referee {
  readonly books: Books
  readonly rows: string[] = []
  /** Row of the journal where the orders and consequences of the last instant begin. */
  ordersFrom = 0
  private readonly scenario: Scenario
  private readonly cost: (stage: number, job: number) => number
  private readonly chance: Chance
  private readonly groupOf: (job: number) => number
  private readonly trace
  private readonly seats: number[]
  /** By dispatch: how many rows were facts, how many there were in all. */
  private readonly instants: Instant[] = []
  private readonly pools
  private readonly glimpses: { readonly row: number; readonly tally: Tally; readonly seats: readonly number[]; readonly workers: string }[] = []

  constructor(scenario: Scenario, cost: (stage: number, job: number) => number, chance: Chance) {
    this.scenario = scenario
    this.cost = cost
    this.chance = chance
    this.groupOf = groupingOf(scenario)
    this.books = new Books(scenario, cost, this.groupOf, routingOf(scenario))
    this.trace = createTrace(scenario, 'simulation', 0)
    this.seats = scenario.stages.map(() => 0)
    this.pools = new NaivePools(this.books)
  }

  /** Lets the core have its say on the facts from row `from` on. */
  play(core: Core, journal: Journal, from: number): void {
    const { books } = this
    const { rows, decisions } = journal
    const before = decisions.length
    const facts = rows.length
    this.ordersFrom = dispatch(core, journal, from)
    claim(this.ordersFrom === facts, () => 'orders do not begin behind the facts')
    claim(decisions.length <= before + 1, () => 'more than one decision at one instant')
    const decided = decisions.length > before ? decisions.row[before] : -1
    let asked = false
    let posts: NaivePosts | null = null
    for (let i = from; i <= rows.length; i++) {
      if (i === decided || (i >= facts && decided < 0 && !asked && (i === rows.length || isGift(rows.kind[i])))) {
        asked = true
        this.decision(journal, decided)
        if (NaivePosts.apply(books)) posts = new NaivePosts(books, [...this.seats])
      }
      if (i === rows.length) break
      const row = rowAt(rows, i)
      this.pools.see(row, i < facts)
      this.rows.push(spell(row))
      claim(i < facts || !isGift(row.kind) || i >= decided, () => 'an order before its decision')
      claim(decided < 0 || i < decided || isGift(row.kind), () => `a ${kinds[row.kind]} after the decision`)
      if (row.kind === STARTED && books.hand(row.worker).length === 0) posts?.start(row.worker, row.stage, row.job)
      if (row.kind === SECOND) {
        posts?.ahead(row.worker, row.stage)
        claim(this.seats[row.stage] >= books.busy(row.stage), () => `worker ${row.worker} gets more of stage ${row.stage}, where it has no seat`)
      }
      books.enter(row)
    }
    posts?.end()
    this.pools.end()
    this.instants.push({ facts: facts - from, rows: rows.length - from })
    this.checkWaiting()
    this.compare(core)
  }

  /** Hands the journal over to the trace now and then, as engines do. */
  keep(core: Core, journal: Journal): void {
    if (this.chance.percent(30)) {
      append(this.trace, journal)
      clearJournal(journal)
    } else if (this.glimpses.length < 6 && this.chance.percent(10)) {
      this.glimpses.push({ row: this.trace.length + journal.rows.length, tally: copyTally(core.state.tally), seats: [...this.seats], workers: this.workers() })
    }
  }

  /** The run has come to its end: nothing is on its way any more. */
  end(core: Core): void {
    const { books } = this
    claim(books.hands.flat().length === 0, () => 'somebody is waited for who will never answer')
    const over = books.stopped || books.drained() || books.alive() === 0 || !books.scenario.policy.lend
    claim(over, () => `the run is stuck with ${books.arrived - books.released.length - books.failed.size} jobs and ${books.alive()} workers`)
    claim(core.state.tally.live === books.alive(), () => 'live workers differ')
  }

  /** To be called with the last journal: everything is found again from the trace alone. */
  review(journal: Journal): void {
    append(this.trace, journal)
    replayInstants(this.trace, this.instants, this.cost)
    // Without being told where one dispatch ended and the next began.
    const { difference } = replay(this.trace, this.cost)
    claim(difference === null, () => `replayed, ${JSON.stringify(difference)}`)
    for (const glimpse of this.glimpses) {
      const { tally } = stateBefore(this.trace, glimpse.row)
      same(tally, glimpse.tally, `before row ${glimpse.row}`)
      // Several instants may have one time; only the last of them can be asked for by time.
      if (rowsUntil(this.trace, glimpse.tally.time) !== glimpse.row) continue
      const standing = stateAt(this.trace, glimpse.tally.time)
      same(standing.tally, glimpse.tally, `at ${glimpse.tally.time}`)
      claim([...standing.seats].join() === glimpse.seats.join(), () => `seats at ${glimpse.tally.time}: ${standing.seats} instead of ${glimpse.seats}`)
      const workers = frameAt(this.trace, glimpse.tally.time).workers.map(({ group, contendedSince }) => `${group} ${contendedSince}`)
      claim(workers.join() === glimpse.workers, () => `groups and waits at ${glimpse.tally.time}: ${workers} instead of ${glimpse.workers}`)
    }
    const { contendedTime } = figuresOf(this.trace)
    claim(contendedTime === this.books.contendedAtWork, () => `workers waited ${contendedTime} for resources instead of ${this.books.contendedAtWork}`)
    rehash(this.trace, this.chance)
    claim(endOf(this.trace) === this.books.time, () => 'the trace ends at another time')
  }

  /** Of each worker the group that it has in hand, and since when it waits for that. */
  private workers(): string {
    const { books, scenario } = this
    const groupIn = (hand: readonly number[]) => (hand.length === 0 || scenario.source.kind !== 'groups' ? -1 : this.groupOf(hand[0]))
    return Array.from({ length: workersEver(scenario) }, (_, w) => `${groupIn(books.hand(w))} ${books.waitsSince(w)}`).join()
  }

  private decision({ decisions }: Journal, row: number): void {
    const { books, seats } = this
    const wanted = !books.stopped && seats.some((_, s) => books.runnable(s) > 0 && (books.idle() > 0 || books.takers(s).length > 0))
    claim(wanted === row >= 0, () => (wanted ? 'no decision though somebody may take a batch and something is runnable' : 'a decision that nobody asked for'))
    if (row < 0) return
    const d = decisions.length - 1
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++) {
      claim(seats[decisions.stage[c]] !== decisions.seats[c], () => 'a decision lists seats that did not change')
      seats[decisions.stage[c]] = decisions.seats[c]
    }
    this.rows.push(`decision: seats ${seats}`)
    const total = seats.reduce((sum, seat) => sum + seat, 0)
    claim(total <= books.alive(), () => `${total} seats for ${books.alive()} live workers`)
    const elastic = books.scenario.policy.kind === 'pid' || books.scenario.policy.kind === 'threshold'
    for (const [s, seat] of seats.entries()) claim(elastic || seat === 0 || !books.done(s), () => `${seat} seats at stage ${s}, which is done`)
    const expected = naiveSeats(books)
    books.shards?.deal(seats)
    if (expected !== null) {
      claim(seats.join() === expected.join(), () => `seats ${seats} instead of ${expected}`)
      return
    }
    const best = naiveScore(books, naiveSeats(books, { kind: 'leastScore', lend: true }) ?? [])
    const found = naiveScore(books, seats)
    claim(Math.abs(found - best) <= 1e-9 * best, () => `score ${found} instead of ${best}`)
  }

  /** No worker idles while work that may start waits, as far as the policy lets him help. */
  private checkWaiting(): void {
    const { books, seats } = this
    if (books.stopped) return
    seats.forEach((seat, s) => {
      if (books.runnable(s) === 0) return
      const [taker] = books.takers(s)
      claim(
        taker === undefined || seat < books.busy(s),
        () => `worker ${taker} is given no second batch though ${books.runnable(s)} jobs could start at stage ${s}`,
      )
      if (books.idle() === 0) return
      claim(!books.scenario.policy.lend, () => `${books.idle()} workers idle while ${books.runnable(s)} jobs could start at stage ${s}`)
      claim(seat <= books.busy(s), () => `a seat of stage ${s} is empty though a worker idles and ${books.runnable(s)} jobs could start`)
    })
  }

  /** The books and the core tell the same, job by job and in the counts. */
  private compare(core: Core): void {
    const { books } = this
    const { state } = core
    const { tally } = state
    const lost = books.lost()
    claim(lost === null, () => `${lost}`)
    claim(books.owed.length === 0, () => `not ${books.owed}`)
    claim(books.doomed.size === 0, () => `jobs ${[...books.doomed.keys()]} are not failed`)
    claim(books.ordered || books.parked.size === 0, () => `jobs ${[...books.parked]} are not released`)
    claim(!books.parked.has(books.tail) && !books.parked.has(books.released.at(-1) ?? -1), () => `ticket ${books.tail} is held back`)
    const lists: [string, readonly number[], readonly number[]][] = [['outside', listed(state.outside), books.outside]]
    books.queues.forEach((queue, s) => {
      const startable: number[] = []
      state.skipping[s]?.forEachStartable((job) => void startable.push(job))
      state.shards?.queues[s].startable().forEach((job) => void startable.push(job))
      if (state.skipping[s] !== null || state.shards !== null) lists.push([`startable ${s}`, startable, books.ready(s)])
      const waiting = queue.map(({ job }) => job)
      lists.push(
        [`queue ${s}`, listed(state.queues[s]), books.shards === null ? waiting : waiting.sort((a, b) => a - b)],
        [`early ${s}`, listed(state.early[s]), books.early[s]],
      )
    })
    books.live.forEach((_, w) => {
      claim(isWaiting(state, w) === books.waitsSince(w) >= 0, () => `worker ${w} ${isWaiting(state, w) ? 'waits' : 'does not wait'} for a resource`)
      lists.push([`hand ${w}`, state.hands[w], [...books.hand(w), ...books.second(w)]])
      claim(tally.second[w] === books.second(w).length, () => `the second batch of worker ${w} has ${tally.second[w]} jobs`)
      claim(state.nextLeases[w] > 0 === books.second(w).length > 0, () => `the second lease of worker ${w} is ${state.nextLeases[w]}`)
      claim(state.leases[w] > 0 === books.hand(w).length > 0, () => `the lease of worker ${w} is ${state.leases[w]}`)
    })
    for (const [where, found, expected] of lists) claim(found.join() === expected.join(), () => `${where} holds ${found} instead of ${expected}`)
    const counts: [string, number, number][] = [
      ['arrived', tally.arrived, books.arrived],
      ['outside', tally.outside, books.outside.length],
      ['parked', tally.parked, books.parked.size],
      ['released', tally.released, books.released.length],
      ['failed', tally.failed, books.failed.size],
      ['live', tally.live, books.alive()],
      ['held', state.buffer?.held ?? 0, books.parked.size],
    ]
    books.queues.forEach((_, s) => {
      counts.push([`waiting ${s}`, tally.waiting[s], books.waiting(s)], [`inHands ${s}`, tally.inHands[s], books.inHands(s)])
      counts.push([`gathering ${s}`, tally.gathering[s], books.gathered.filter((part) => part.startsWith(`${s} `)).length])
      if (books.shards !== null) counts.push([`shards ${s}`, state.shards?.queues[s].shards ?? 0, books.shards.count(s)])
      counts.push([`busy ${s}`, tally.busy[s], books.busy(s)], [`finished ${s}`, tally.finished[s], books.measured[s].length])
      counts.push([`serviceSum ${s}`, tally.serviceSum[s], books.measured[s].reduce((sum, time) => sum + time, 0)])
    })
    for (const [what, found, expected] of counts) claim(found === expected, () => `${what} is ${found} instead of ${expected}`)
  }
}

/** Whether a row gives somebody a batch. */
function isGift(kind: number): boolean {
  return kind === STARTED || kind === SECOND
}

function listed(queue: { forEach(visit: (job: number) => void): void }): number[] {
  const jobs: number[] = []
  queue.forEach((job) => void jobs.push(job))
  return jobs
}

function same(found: Tally, expected: Tally, when: string): void {
  const spelled = (tally: Tally) =>
    JSON.stringify({
      ...tally,
      ...Object.fromEntries(Object.entries(tally).flatMap(([key, value]) => (ArrayBuffer.isView(value) ? [[key, [...(value as Uint8Array)].join()]] : []))),
    })
  claim(spelled(found) === spelled(expected), () => `the trace tells otherwise ${when}: ${spelled(found)} instead of ${spelled(expected)}`)
}
