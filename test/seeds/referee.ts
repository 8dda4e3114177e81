import { replay } from '../../src/features/replay/study/replay.ts'
import { metricsOf } from '../../src/measures/figures/metrics.ts'
import { occupancyOf } from '../../src/measures/figures/occupancy.ts'
import { createRangeIndex, extendRangeIndex, statsWithin } from '../../src/measures/figures/rangeStats.ts'
import { frameAt } from '../../src/measures/frame/frame.ts'
import { createChart, extendChart } from '../../src/measures/series/chart.ts'
import { countRow } from '../../src/pipeline/countRow.ts'
import { type Counts, copyCounts, createCounts } from '../../src/pipeline/counts.ts'
import { clearJournal, type Ending, type Journal } from '../../src/pipeline/journal.ts'
import { FINISHED, kinds, PREFETCH, type Row, rowAt, STARTED } from '../../src/pipeline/rows.ts'
import { workersEver } from '../../src/pipeline/topology.ts'
import type { Policy, Scenario } from '../../src/scenario/model/scenario.ts'
import type { StartCode } from '../../src/scheduler/codePolicy.ts'
import type { Core } from '../../src/scheduler/core.ts'
import { dispatch } from '../../src/scheduler/dispatch.ts'
import { append, createTrace, endOf, rowsUntil, stateAt, stateBefore } from '../../src/trace/trace.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { routingOf } from '../../src/workload/service.ts'
import type { Chance } from '../fixtures/chance.ts'
import { Books } from './books.ts'
import { claim } from './claim.ts'
import {
  countersAreTheSame,
  countsMatch,
  decidesWhenAsked,
  doneStagesHaveNoSeats,
  endsWhereItMust,
  everyJobIsInOnePlace,
  heldBackWorkersIdle,
  jobsAreWhereTheyBelong,
  leasesGoWithHands,
  messagesAreMeasured,
  nothingIsPending,
  noWorkerIdlesBesideWork,
  seatsAreThere,
} from './invariants.ts'
import { NaiveAssignments } from './naiveAssignments.ts'
import { CarriedBatches } from './naiveCarrying.ts'
import { figuresMatch, NaiveFigures } from './naiveFigures.ts'
import { NaivePools } from './naivePools.ts'
import { recordIsKept } from './naiveRecord.ts'
import { carried, naiveHeld, naiveSeats, policyAt } from './naiveSeats.ts'
import type { Plan } from './plans.ts'

/** A decision: the number of rows before it, the hash of its input, and the seats by stage after it. */
interface Decided {
  readonly row: number
  readonly hash: number
  readonly seats: readonly number[]
}

/** Checks every dispatch: compares the core with the books, and both with the trace. */
export class Referee {
  readonly books: Books
  private readonly figures: NaiveFigures
  /** All rows in order, and a line of text for each decision. */
  private readonly log: (Row | string)[] = []
  readonly rows: Row[] = []
  readonly decisions: Decided[] = []
  /** The counts of the page, from the rows that were appended to its trace. */
  private readonly page: Counts
  /** Row of the journal where the orders and consequences of the last instant begin. */
  ordersFrom = 0
  private readonly scenario: Scenario
  private readonly cost: (stage: number, job: number) => number
  private readonly chance: Chance
  private readonly brief: boolean
  private readonly groupOf: (job: number) => number
  private readonly trace
  private readonly seats: number[]
  /** The current policy, and how many decisions it has taken. */
  private policyNow: { readonly policy: Policy; readonly taken: number }
  /** How many idle workers are held back by hand now. */
  private held = 0
  private readonly pools
  private readonly glimpses: {
    readonly row: number
    readonly counts: Counts
    readonly seats: readonly number[]
    readonly workers: string
  }[] = []

  private readonly startCode: StartCode | undefined

  constructor(
    scenario: Scenario,
    cost: (stage: number, job: number) => number,
    chance: Chance,
    { brief = false }: Plan,
    startCode?: StartCode,
  ) {
    this.startCode = startCode
    this.brief = brief
    this.scenario = scenario
    this.cost = cost
    this.chance = chance
    this.groupOf = groupingOf(scenario)
    this.books = new Books(scenario, cost, this.groupOf, routingOf(scenario))
    this.trace = createTrace(scenario, 'simulation', 0)
    this.page = createCounts(scenario)
    this.seats = scenario.stages.map(() => 0)
    this.figures = new NaiveFigures(this.books, this.seats)
    this.policyNow = { policy: scenario.policy, taken: 0 }
    this.pools = new NaivePools(this.books)
  }

  /** Returns the last lines of the log. */
  lastLines(most: number): string[] {
    return this.log.slice(-most).map((each) => (typeof each === 'string' ? each : spell(each)))
  }

  /** Dispatches the facts from row `from` on, and checks the result. */
  play(core: Core, journal: Journal, from: number): void {
    const facts = journal.rows.length
    this.ordersFrom = dispatch(core, journal, from)
    claim(this.ordersFrom === facts, () => 'the orders do not begin after the facts')
    this.check(core, journal, from, facts)
  }

  /** Checks the rows from `facts` on, which the core has added to those from `from` on. The core for plain scenarios has no state: null. */
  check(core: Core | null, journal: Journal, from: number, facts: number): void {
    const { books } = this
    const { rows, decisions } = journal
    const last = decisions.length - 1
    claim(last < 1 || decisions.row[last - 1] < facts, () => 'more than one decision at one instant')
    const decided = last >= 0 && decisions.row[last] >= facts ? decisions.row[last] : -1
    let asked = false
    let assignments: NaiveAssignments | CarriedBatches | null = null
    this.held = 0
    for (let i = from; i <= rows.length; i++) {
      if (i === decided || (i >= facts && decided < 0 && !asked && (i === rows.length || givesBatch(rows.kind[i])))) {
        asked = true
        this.decision(journal, decided)
        if (carried(books)) assignments = new CarriedBatches(books)
        else if (NaiveAssignments.apply(books)) assignments = new NaiveAssignments(books, [...this.seats], this.held)
      }
      if (i === rows.length) break
      const row = rowAt(rows, i)
      this.pools.see(row, i < facts)
      this.rows.push(row)
      this.log.push(row)
      claim(i < facts || !givesBatch(row.kind) || i >= decided, () => 'an order before its decision')
      claim(decided < 0 || i < decided || givesBatch(row.kind), () => `a ${kinds[row.kind]} after the decision`)
      if (row.kind === STARTED && books.hand(row.worker).length === 0)
        assignments?.start(row.worker, row.stage, row.job)
      if (row.kind === PREFETCH) {
        if (assignments instanceof NaiveAssignments) assignments.ahead(row.worker, row.stage)
        claim(
          this.seats[row.stage] >= books.busy(row.stage),
          () => `worker ${row.worker} gets more of stage ${row.stage}, where it has no seat`,
        )
      }
      this.figures.before(row)
      books.enter(row)
      this.figures.after(row)
    }
    assignments?.end()
    this.pools.end()
    noWorkerIdlesBesideWork(books, this.seats, this.held)
    heldBackWorkersIdle(books, this.held)
    everyJobIsInOnePlace(books)
    nothingIsPending(books)
    if (core === null) return
    jobsAreWhereTheyBelong(core.state, books)
    leasesGoWithHands(core.state, books)
    countsMatch(core.state, books)
    messagesAreMeasured(core.roundTrips, books)
  }

  /** Appends the journal to the trace at random times, as engines do. */
  keep(core: Core | null, journal: Journal): void {
    if (this.chance.percent(30)) {
      this.appendToTrace(core, journal)
      clearJournal(journal)
    } else if (core !== null && !this.brief && this.glimpses.length < 6 && this.chance.percent(10)) {
      this.glimpses.push({
        row: this.rows.length,
        counts: copyCounts(core.state.counts),
        seats: [...this.seats],
        workers: this.workers(),
      })
    }
  }

  /** Appends the journal to the trace of the page and compares the counts of the page with those of the core or the books. */
  appendToTrace(core: Core | null, journal: Journal): void {
    for (let i = 0; i < journal.rows.length; i++) countRow(this.trace.topology, this.page, journal.rows, i)
    if (core === null) countsMatch({ counts: this.page, buffer: null, shards: null }, this.books)
    else countersAreTheSame(this.page, core.state.counts, `at ${this.books.time}`)
    append(this.trace, journal)
  }

  /** Checks that the run could end here. */
  end(core: Core | null, ending: Ending | null = null): void {
    endsWhereItMust(this.books, core === null ? this.page : core.state.counts, ending)
  }

  /** Appends the last journal. A replay must give the same orders, and the trace the same results and states. */
  review(core: Core | null, journal: Journal): void {
    this.appendToTrace(core, journal)
    // A replay does not know where each dispatch began.
    const { difference } = replay(this.trace, this.cost, this.startCode)
    claim(difference === null, () => `replayed, ${JSON.stringify(difference)}`)
    figuresMatch({ ...metricsOf(this.trace), ...occupancyOf(this.trace) }, this.figures.ofRun())
    if (this.brief) return
    this.stretchesMatch()
    // The world may continue after Stop, which no real run does.
    if (!this.books.stopped) recordIsKept(this.trace, this.chance)
    for (const glimpse of this.glimpses) {
      const { counts } = stateBefore(this.trace, glimpse.row)
      countersAreTheSame(counts, glimpse.counts, `before row ${glimpse.row}`)
      // Several instants may share a time; only the last of them can be read by time.
      if (rowsUntil(this.trace, glimpse.counts.time) !== glimpse.row) continue
      const state = stateAt(this.trace, glimpse.counts.time)
      countersAreTheSame(state.counts, glimpse.counts, `at ${glimpse.counts.time}`)
      claim(
        [...state.seats].join() === glimpse.seats.join(),
        () => `seats at ${glimpse.counts.time}: ${state.seats} instead of ${glimpse.seats}`,
      )
      const workers = frameAt(this.trace, glimpse.counts.time).workers.map(
        ({ group, contendedSince }) => `${group} ${contendedSince}`,
      )
      claim(
        workers.join() === glimpse.workers,
        () => `groups and waits at ${glimpse.counts.time}: ${workers} instead of ${glimpse.workers}`,
      )
    }
    claim(endOf(this.trace) === this.books.time, () => 'the trace ends at another time')
  }

  /** Checks the results of parts of the run, and of the whole run. */
  private stretchesMatch(): void {
    const { trace, figures, chance } = this
    const ranges = createRangeIndex(trace)
    extendRangeIndex(ranges)
    const chart = createChart(trace)
    extendChart(chart)
    const end = endOf(trace)
    const places = [0, chance.below(end + 1), chance.below(end + 1), end].sort((a, b) => a - b)
    for (const [i, j] of [
      [0, 3],
      [0, 1],
      [1, 2],
      [2, 3],
    ]) {
      const [from, to] = [places[i], places[j]]
      if (to > from)
        figuresMatch(
          statsWithin(ranges, chart, from, to, end),
          figures.ofStretch(from, to),
          1e-9,
          `from ${from} to ${to}`,
        )
    }
  }

  /** Returns for each worker the group of its jobs, and since when it waits for it. */
  private workers(): string {
    const { books, scenario } = this
    const groupIn = (hand: readonly number[]) =>
      hand.length === 0 || scenario.source.kind !== 'groups' ? -1 : this.groupOf(hand[0])
    return Array.from(
      { length: workersEver(scenario) },
      (_, w) => `${groupIn(books.hand(w))} ${books.waitsSince(w)}`,
    ).join()
  }

  private decision({ decisions }: Journal, row: number): void {
    const { books, seats } = this
    decidesWhenAsked(books, row >= 0)
    if (row < 0) return
    const d = decisions.length - 1
    const before = [...seats]
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++) {
      claim(seats[decisions.stage[c]] !== decisions.seats[c], () => 'a decision lists seats that did not change')
      seats[decisions.stage[c]] = decisions.seats[c]
    }
    this.figures.decided()
    this.decisions.push({ row: this.rows.length, hash: decisions.hash[d], seats: [...seats] })
    this.log.push(`decision: seats ${seats}`)
    seatsAreThere(books, seats)
    doneStagesHaveNoSeats(books, seats)
    const { policy } = books.scenario
    const taken = policy === this.policyNow.policy ? this.policyNow.taken : 0
    this.policyNow = { policy, taken: taken + 1 }
    const expected = naiveSeats(books, policyAt(books, taken), before)
    books.shards?.deal(seats)
    this.held = naiveHeld(books, seats)
    claim(seats.join() === expected.join(), () => `seats ${seats} instead of ${expected}`)
  }
}

/** A row as text. */
function spell({ time, kind, stage, worker, job, began, ended }: Row): string {
  return `${time} ${kinds[kind]} stage ${stage} worker ${worker} job ${job}${kind === FINISHED ? ` from ${began} to ${ended}` : ''}`
}

/** Whether a row gives a worker a batch. */
function givesBatch(kind: number): boolean {
  return kind === STARTED || kind === PREFETCH
}
