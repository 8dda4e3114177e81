import {
  ARRIVED,
  DISCARDED,
  DISMISSED,
  EXHAUSTED,
  FAILED,
  FINISHED,
  GATHERED,
  GAVE_UP,
  HIRED,
  JOINED,
  kinds,
  LOST,
  PHASE,
  PREFETCH,
  RELEASED,
  RENEGED,
  RETRIED,
  ROUTED,
  type Row,
  STARTED,
  STOPPED,
  THREW,
  WITHDRAWN,
} from '../../src/pipeline/rows.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { startUpsOf } from '../../src/workload/service.ts'
import { tried } from '../fixtures/graphs.ts'
import { claim } from './claim.ts'
import { noBatchIsEmpty, queuesKeepTheirCapacity, ticketLeavesInTurn } from './invariants.ts'
import { NaiveCarrying } from './naiveCarrying.ts'
import { carried } from './naiveSeats.ts'
import { NaiveShards } from './naiveShards.ts'
import { NaiveTrips } from './naiveTrips.ts'
import { naiveClassOf } from './naiveWorkload.ts'

/** Places of a job outside all stages. */
const OUTSIDE = -1
const GONE = -2
const IN_SERVICE = 1000

interface Entry {
  readonly job: number
  /** When it came to the queue. */
  readonly since: number
  readonly returned: boolean
}

/**
 * An independent model of the run, computed from the rows alone with lists of jobs per stage. It shares no code with
 * the core except the row kinds.
 */
export class Books {
  /** The scenario with the settings of the current phase; `phasesBegun` counts the phases so far. */
  scenario: Scenario
  phasesBegun = 0
  /** Stages in topological order, then the stages after and before each. */
  readonly line: number[]
  readonly next: number[][]
  readonly feeders: number[][]
  readonly firsts: number[]
  readonly routes: boolean[]
  readonly joins: boolean[]
  readonly leavesInParts: boolean
  readonly capacity: number[]
  private readonly bounded: boolean
  readonly slots: number
  /** True where a ticket must fit in the ring to start: before an ordered sink, and before a bounded queue of such a stage. */
  readonly gated: boolean[]
  readonly outside: number[] = []
  readonly queues: Entry[][]
  readonly early: number[][]
  /** The jobs of each worker, and those of its second batch. */
  readonly hands: number[][] = []
  readonly seconds: number[][] = []
  readonly assigned: number[] = []
  readonly live: boolean[] = []
  /** When each idle worker became idle, and the workers that leave after their batch. */
  readonly idleSince: number[] = []
  readonly going = new Set<number>()
  readonly gone = new Set<number>()
  readonly parked = new Set<number>()
  readonly released: number[] = []
  readonly failed = new Set<number>()
  /** Jobs between two tries of their clients, jobs given up for good, how often each was sent and when last, and the jobs that were ever started. */
  readonly away = new Set<number>()
  readonly gaveUp = new Set<number>()
  readonly sent: number[] = []
  readonly sentAt: number[] = []
  readonly begun = new Set<number>()
  /** Parts that wait for the other parts of their job, one entry "stage job" per part. */
  readonly gathered: string[] = []
  /** Rows that the core must write before the next order. */
  readonly owed: string[] = []
  /** Jobs that must fail before the next order. */
  readonly doomed = new Map<number, number>()
  readonly tries = new Map<string, number>()
  /** The model of shards; null where shards do not keep the order. */
  readonly shards: NaiveShards | null
  readonly trips: NaiveTrips
  readonly carrying: NaiveCarrying
  /** Measured service times of each stage, oldest first. */
  readonly measured: number[][]
  readonly serviceSum: number[]
  tail = 0
  arrived = 0
  /** Arrival time of each job. */
  readonly arrivedAt: number[] = []
  exhausted = false
  stopped = false
  time = 0
  /** Workers with a job of an exclusive group, in the order of their orders. */
  readonly orders: {
    readonly worker: number
    readonly stage: number
    readonly group: number
    readonly since: number
  }[] = []
  private readonly cost: (stage: number, job: number) => number
  private readonly groupOf: (job: number) => number
  private readonly classOf: (job: number) => number
  private readonly startUpOf: (stage: number, worker: number, nth: number) => number
  /** By worker: until when it starts up after it was hired, and how often it has started up. */
  readonly readyAt: number[] = []
  private readonly startUps: number[] = []

  /** Returns the next stage of a job after a stage that routes. */
  readonly routeOf: (stage: number, job: number) => number

  constructor(
    scenario: Scenario,
    cost: (stage: number, job: number) => number,
    groupOf: (job: number) => number,
    routeOf: (stage: number, job: number) => number,
  ) {
    this.scenario = scenario
    this.cost = cost
    this.startUpOf = startUpsOf(scenario)
    this.groupOf = groupOf
    this.classOf = naiveClassOf(scenario)
    this.routeOf = routeOf
    const ids = scenario.stages.map((stage) => stage.id)
    const numbers = (list: readonly string[]) => list.filter((id) => ids.includes(id)).map((id) => ids.indexOf(id))
    this.next = ids.map((id) => numbers(scenario.links.filter(([from]) => from === id).map(([, to]) => to)))
    this.feeders = ids.map((id) => numbers(scenario.links.filter(([, to]) => to === id).map(([from]) => from)))
    this.firsts = [...ids.keys()].filter((s) => this.feeders[s].length === 0)
    this.line = []
    while (this.line.length < ids.length)
      this.line.push(
        [...ids.keys()].find(
          (s) => !this.line.includes(s) && this.feeders[s].every((before) => this.line.includes(before)),
        ) ?? -1,
      )
    this.routes = scenario.stages.map(({ fanOut }, s) => fanOut !== 'copy' && this.next[s].length > 1)
    this.joins = scenario.stages.map(({ join }, s) => join === 'all' && this.feeders[s].length > 1)
    this.leavesInParts = (tried(scenario)?.atSink ?? 1) > 1
    this.capacity = scenario.stages.map((stage) => stage.capacity ?? Infinity)
    this.bounded = this.capacity.some((most) => most < Infinity)
    this.shards = scenario.order.kind === 'shard' ? new NaiveShards(this) : null
    this.trips = new NaiveTrips(scenario)
    this.carrying = new NaiveCarrying(this)
    this.slots = scenario.order.kind === 'buffer' ? scenario.order.slots : Infinity
    this.gated = ids.map(() => false)
    for (const s of [...this.line].reverse()) {
      const narrow = this.next[s].some((after) => this.capacity[after] < Infinity && this.gated[after])
      this.gated[s] = this.slots < Infinity && (this.next[s].length === 0 || narrow)
    }
    this.queues = ids.map(() => [])
    this.early = ids.map(() => [])
    this.measured = ids.map(() => [])
    this.serviceSum = ids.map(() => 0)
    for (let w = 0; w < scenario.workers; w++) this.live[w] = !this.elastic
  }

  /** Whether jobs leave in the order of their tickets. */
  get ordered(): boolean {
    return this.scenario.order.kind !== 'none'
  }

  /** Whether the policy hires and dismisses. */
  get elastic(): boolean {
    return 'every' in this.scenario.policy
  }

  waiting(stage: number): number {
    return this.queues[stage].length + this.early[stage].length
  }

  inHands(stage: number): number {
    return this.hands.reduce(
      (sum, hand, w) => sum + (hand.length > 0 && this.assigned[w] === stage ? hand.length + this.second(w).length : 0),
      0,
    )
  }

  busy(stage: number): number {
    return this.hands.filter((hand, w) => hand.length > 0 && this.assigned[w] === stage).length
  }

  /** How many workers are at a stage, busy or idle. */
  posted(stage: number): number {
    return this.live.filter((live, w) => live && this.assigned[w] === stage).length
  }

  alive(): number {
    return this.live.filter(Boolean).length
  }

  idle(): number {
    return this.live.filter((live, w) => live && this.hand(w).length === 0 && !this.isStarting(w)).length
  }

  /** Whether a hired worker still starts up: until then it gets no job. */
  isStarting(worker: number): boolean {
    return (this.readyAt[worker] ?? 0) > this.time
  }

  hand(worker: number): number[] {
    this.hands[worker] ??= []
    return this.hands[worker]
  }

  second(worker: number): number[] {
    this.seconds[worker] ??= []
    return this.seconds[worker]
  }

  /** Workers that may take a second batch at a stage, the earliest start first. */
  takers(stage: number): number[] {
    const { batch, policy, stages } = this.scenario
    if (batch.inHand === 1 || policy.kind === 'single' || carried(this) || stages[stage].resource !== null) return []
    const busy = [...this.hands.keys()].filter((w) => this.hand(w).length > 0 && this.assigned[w] === stage)
    return busy
      .filter((w) => this.second(w).length === 0 && !this.going.has(w))
      .sort((a, b) => this.givenAt[a] - this.givenAt[b] || a - b)
  }

  /** The stages by their distance to the sink, nearest first; ties go to the later stage. */
  nearest(): number[] {
    const left = (s: number): number => Math.max(0, ...this.next[s].map((after) => 1 + left(after)))
    return [...this.line].reverse().sort((a, b) => left(a) - left(b))
  }

  /** Jobs that wait at a bounded queue or are on the way to it: in service before it, or not yet routed. */
  load(stage: number): number {
    const coming =
      this.owed.length === 0
        ? []
        : this.owed.filter(
            (row) =>
              row.startsWith(`gathered ${stage} `) || this.feeders[stage].some((s) => row.startsWith(`routed ${s} `)),
          )
    return this.waiting(stage) + coming.length + this.feeders[stage].reduce((sum, s) => sum + this.inHands(s), 0)
  }

  runnable(stage: number): number {
    return Math.min(
      this.ready(stage).length,
      ...this.next[stage].map((next) => Math.max(0, this.capacity[next] - this.load(next))),
    )
  }

  /** Jobs that may start as far as resources allow, in order. Where busy groups are skipped: the first job of each free group. */
  ready(stage: number): number[] {
    if (this.shards !== null) return this.shards.startable(stage)
    const queue = this.queues[stage].map(({ job }) => job)
    const { resource, whenTaken } = this.scenario.stages[stage]
    if (resource === null || whenTaken === 'wait') return queue
    const taken = new Set(this.orders.filter((order) => order.stage === stage).map(({ group }) => group))
    return queue.filter(
      (job, i) =>
        !taken.has(this.groupOf(job)) && queue.findIndex((other) => this.groupOf(other) === this.groupOf(job)) === i,
    )
  }

  /** Since when a worker has waited for its group; -1 if it does not wait. */
  waitsSince(worker: number): number {
    const mine = this.orders.find((order) => order.worker === worker)
    if (mine === undefined) return -1
    const first = this.orders.find(({ stage, group }) => stage === mine.stage && group === mine.group)
    return first === mine ? -1 : mine.since
  }

  /** The largest allowed batch; undefined if batches are adaptive. */
  batchSize(stage: number): number | undefined {
    const { batch, stages } = this.scenario
    if (stages[stage].resource !== null) return 1
    return batch.size
  }

  done(stage: number): boolean {
    const over =
      this.exhausted &&
      this.away.size === 0 &&
      this.outside.length === 0 &&
      this.waiting(stage) === 0 &&
      this.inHands(stage) === 0
    return over && this.feeders[stage].every((s) => this.done(s))
  }

  drained(): boolean {
    return (
      this.exhausted &&
      this.released.length + this.failed.size + this.gaveUp.size === this.arrived &&
      [...this.hands, ...this.seconds].flat().length === 0
    )
  }

  /** Returns a message if a job is lost or in two places. A failed job may still be in service. */
  lost(): string | null {
    const at: number[][] = Array.from({ length: this.arrived }, () => [])
    const here = (jobs: Iterable<number>, place: number) => {
      for (const job of jobs) at[job].push(place)
    }
    for (const s of this.line) {
      for (const { job } of this.queues[s]) at[job].push(s)
      here(this.early[s], s)
    }
    for (const part of new Set(this.gathered)) {
      const [stage, job] = part.split(' ')
      at[Number(job)].push(Number(stage))
    }
    for (const w of this.live.keys())
      for (const job of [...this.hand(w), ...this.second(w)])
        at[job].push(this.failed.has(job) ? IN_SERVICE + w : this.assigned[w])
    here(this.outside, OUTSIDE)
    here(this.away, OUTSIDE)
    for (const gone of [this.parked, this.released, this.failed, this.gaveUp]) here(gone, GONE)
    const wrong = at.findIndex((places) => {
      const [first] = places.filter((place) => place < IN_SERVICE)
      const others = places.filter((place) => place < IN_SERVICE && place !== first)
      return (
        first === undefined ||
        new Set(places).size < places.length ||
        (others.length > 0 && (first < 0 || others.some((place) => place < 0)))
      )
    })
    return wrong < 0
      ? null
      : `job ${wrong} is at ${at[wrong]} (stages, ${OUTSIDE} outside, ${GONE} gone, in hands from ${IN_SERVICE})`
  }

  /** Whether a part of a job is still before the sink. */
  private isUnderWay(job: number): boolean {
    const held = this.hands.some((hand, w) => hand.includes(job) || this.second(w).includes(job))
    const waits = this.line.some(
      (s) => this.early[s].includes(job) || this.queues[s].some((entry) => entry.job === job),
    )
    return held || waits || [...this.gathered, ...this.owed].some((row) => row.endsWith(` ${job}`))
  }

  /** Applies a row. Throws if the row breaks a rule. */
  enter(row: Row): void {
    const { time, kind, stage, worker, job } = row
    const label = () => `${kinds[kind]} stage ${stage} worker ${worker} job ${job} at ${time}`
    claim(time >= this.time, () => `time runs back: ${label()}`)
    this.trips.enter(row)
    this.carrying.enter(row)
    this.time = time
    const before = this.bounded ? this.next.map((_, s) => (this.capacity[s] < Infinity ? this.load(s) : 0)) : []
    if (this.opening >= 0 && !(kind === STARTED && worker === this.opening)) {
      noBatchIsEmpty(this, this.opening, label)
      this.opening = -1
    }
    switch (kind) {
      case ARRIVED:
        claim(job === this.arrived++, () => `out of number: ${label()}`)
        this.arrivedAt.push(time)
        this.send(job)
        break
      case RETRIED:
        claim(this.away.delete(job), () => `not between two tries: ${label()}`)
        this.send(job)
        break
      case RENEGED:
      case GAVE_UP: {
        const most = (this.scenario.source.retry?.limit ?? -1) + 1
        claim(this.unstarted(job), () => `not waiting for its first start: ${label()}`)
        claim(
          (this.sent[job] === most) === (kind === GAVE_UP),
          () => `sent ${this.sent[job]} of ${most} times: ${label()}`,
        )
        claim(
          stage < 0 === this.outside.includes(job) && (stage < 0 || stage === this.firsts[0]),
          () => `it waits elsewhere: ${label()}`,
        )
        if (stage < 0) this.outside.splice(this.outside.indexOf(job), 1)
        else this.queues[stage] = this.queues[stage].filter((entry) => entry.job !== job)
        if (kind === GAVE_UP) this.gaveUp.add(job)
        else this.away.add(job)
        this.admit()
        break
      }
      case EXHAUSTED:
        this.exhausted = true
        break
      case STOPPED:
        this.stopped = true
        break
      case PHASE: {
        claim(job === this.phasesBegun++, () => `out of turn: ${label()}`)
        const { at, ...instead } = this.scenario.later[job]
        claim(at <= time, () => `before its time ${at}: ${label()}`)
        this.scenario = { ...this.scenario, ...instead }
        break
      }
      case JOINED:
        this.live[worker] = true
        delete this.assigned[worker]
        break
      case HIRED:
        claim(
          !this.stopped && !this.live[worker] && !this.gone.has(worker) && worker < this.scenario.workers,
          () => `this worker cannot be hired: ${label()}`,
        )
        this.live[worker] = true
        this.assigned[worker] = stage
        this.readyAt[worker] = time + this.startUpOf(stage, worker, this.startUps[worker] ?? 0)
        if (this.readyAt[worker] > time) this.startUps[worker] = (this.startUps[worker] ?? 0) + 1
        this.idleSince[worker] = this.readyAt[worker]
        break
      case DISMISSED:
        claim(
          !this.stopped && this.live[worker] && this.assigned[worker] === stage && !this.going.has(worker),
          () => `this worker cannot be dismissed: ${label()}`,
        )
        claim(
          job === (this.waitsSince(worker) >= 0 ? this.hand(worker)[0] : -1),
          () => `returns a wrong job: ${label()}`,
        )
        this.going.add(worker)
        if (job >= 0) this.giveBack(worker, false)
        this.rest(worker)
        break
      case PREFETCH:
        claim(
          !this.stopped && this.takers(stage).includes(worker),
          () => `this worker cannot take a second batch: ${label()}`,
        )
        this.opening = worker
        break
      case STARTED:
        this.start(row, label)
        break
      case FINISHED:
        this.finish(row, label)
        break
      case THREW:
      case LOST:
        claim(this.live[worker], () => `of a worker that is not there: ${label()}`)
        this.giveBack(worker, kind === THREW)
        if (kind === LOST) {
          this.live[worker] = false
          this.going.delete(worker)
          this.gone.add(worker)
        } else this.rest(worker)
        break
      case RELEASED:
        claim(this.parked.delete(job), () => `not at the sink: ${label()}`)
        ticketLeavesInTurn(this, job)
        this.released.push(job)
        break
      case FAILED: {
        claim(this.doomed.get(job) === stage, () => `it should not fail: ${label()}`)
        this.doomed.delete(job)
        this.failed.add(job)
        const queue = this.queues[stage]
        const place = queue.findIndex((entry) => entry.job === job)
        claim(place >= 0, () => `not in its queue: ${label()}`)
        queue.splice(place, 1)
        for (const s of this.line) this.tries.delete(`${s} ${job}`)
        for (const s of this.line) {
          if (this.early[s].includes(job) || this.queues[s].some((entry) => entry.job === job))
            this.owed.push(`withdrawn ${s} ${job}`)
          for (const part of this.gathered) if (part === `${s} ${job}`) this.owed.push(`discarded ${s} ${job}`)
        }
        this.admit()
        break
      }
      case ROUTED: {
        const from = this.feeders[stage].find((s) => this.owed.includes(`routed ${s} ${job}`)) ?? -1
        claim(from >= 0 && this.routeOf(from, job) === stage, () => `not routed that way: ${label()}`)
        this.settle(`routed ${from} ${job}`, label)
        this.enterStage(stage, job)
        break
      }
      case GATHERED:
        this.settle(`gathered ${stage} ${job}`, label)
        if (stage < 0) this.park(job)
        else {
          while (this.gathered.includes(`${stage} ${job}`))
            this.gathered.splice(this.gathered.indexOf(`${stage} ${job}`), 1)
          this.enqueue(stage, job)
        }
        break
      case WITHDRAWN:
        this.settle(`withdrawn ${stage} ${job}`, label)
        this.queues[stage] = this.queues[stage].filter((entry) => entry.job !== job)
        this.early[stage] = this.early[stage].filter((each) => each !== job)
        this.admit()
        break
      case DISCARDED: {
        this.settle(`discarded ${stage} ${job}`, label)
        const place = this.gathered.indexOf(`${stage} ${job}`)
        if (place >= 0) this.gathered.splice(place, 1)
        break
      }
    }
    if (kind === THREW || kind === LOST || (kind === DISMISSED && job >= 0)) return
    if (this.bounded) queuesKeepTheirCapacity(this, before, label)
  }

  /** Whether a job waits that no worker was ever given. */
  unstarted(job: number): boolean {
    return (
      !this.begun.has(job) &&
      (this.outside.includes(job) || this.queues.some((queue) => queue.some((entry) => entry.job === job)))
    )
  }

  private send(job: number): void {
    this.sent[job] = (this.sent[job] ?? 0) + 1
    this.sentAt[job] = this.time
    this.outside.push(job)
    this.admit()
  }

  private start({ stage, worker, job, time }: Row, label: () => string): void {
    this.begun.add(job)
    const hand = this.opening === worker ? this.second(worker) : this.hand(worker)
    claim(!this.stopped, () => `after stop: ${label()}`)
    claim(this.live[worker] === true, () => `to a worker that is not there: ${label()}`)
    claim(this.doomed.size === 0, () => `before ${[...this.doomed.keys()]} are failed: ${label()}`)
    claim(this.owed.length === 0, () => `before ${this.owed}: ${label()}`)
    claim(!this.failed.has(job), () => `of a job that has failed: ${label()}`)
    const continues = this.opening === worker || (hand.length > 0 && this.givenAt[worker] === time)
    claim(hand.length === 0 || continues, () => `to a busy worker: ${label()}`)
    claim(!continues || this.assigned[worker] === stage, () => `to a worker that is elsewhere: ${label()}`)
    claim(hand.length < (this.batchSize(stage) ?? Infinity), () => `batch too large: ${label()}`)
    // Under policies of carriers the turn is that of the jobs which the worker carries: see `CarriedBatches`.
    const turns = carried(this)
      ? [job]
      : this.shards === null
        ? this.ready(stage).slice(0, 1)
        : this.shards.turns(stage, hand)
    claim(turns.includes(job), () => `not the turn of ${JSON.stringify(turns)}: ${label()}`)
    this.shards?.begin(stage, worker, job)
    claim(
      !this.gated[stage] || job < this.tail + this.slots,
      () => `ticket beyond the ring, tail ${this.tail}: ${label()}`,
    )
    const alone = [...hand, job].some((one) => this.tries.has(`${stage} ${one}`))
    claim(!alone || hand.length === 0, () => `a job that failed before is not served alone: ${label()}`)
    const single = this.scenario.policy.kind === 'single'
    claim(!single || this.live.indexOf(true) === worker, () => `not by the one worker who does it all: ${label()}`)
    this.queues[stage] = this.queues[stage].filter((entry) => entry.job !== job)
    if (this.scenario.stages[stage].resource !== null)
      this.orders.push({ worker, stage, group: this.groupOf(job), since: time })
    hand.push(job)
    this.assigned[worker] = stage
    if (this.opening !== worker) this.givenAt[worker] = time
    this.admit()
  }
  /** When each worker began its batch; the worker that is getting a second batch now, or -1. */
  readonly givenAt: number[] = []
  private opening = -1

  private finish({ stage, worker, job, began, ended, time }: Row, label: () => string): void {
    const hand = this.hand(worker)
    const place = hand.indexOf(job)
    claim(place >= 0 && this.assigned[worker] === stage, () => `not in hand: ${label()}`)
    claim(began <= ended && ended <= time, () => `began ${began}, ended ${ended}: ${label()}`)
    hand.splice(place, 1)
    claim(this.waitsSince(worker) < 0, () => `served while another of its group was: ${label()}`)
    this.forgetOrder(worker)
    this.rest(worker)
    this.measured[stage].push(ended - began)
    this.serviceSum[stage] += ended - began
    this.shards?.serve(stage, job)
    this.tries.delete(`${stage} ${job}`)
    const gone = this.failed.has(job)
    if (this.routes[stage]) {
      if (!gone) this.owed.push(`routed ${stage} ${job}`)
    } else for (const next of this.next[stage]) this.enterStage(next, job)
    if (this.next[stage].length > 0 || gone) return
    if (!this.leavesInParts) this.park(job)
    else if (!this.isUnderWay(job)) this.owed.push(`gathered -1 ${job}`)
  }

  private settle(row: string, label: () => string): void {
    const place = this.owed.indexOf(row)
    claim(place >= 0, () => `not expected: ${label()}`)
    this.owed.splice(place, 1)
  }

  private park(job: number): void {
    this.parked.add(job)
    this.advance()
  }

  /** Moves a part of a job to a stage. */
  private enterStage(stage: number, job: number): void {
    if (this.failed.has(job)) this.owed.push(`${this.joins[stage] ? 'discarded' : 'withdrawn'} ${stage} ${job}`)
    else if (this.joins[stage]) {
      this.gathered.push(`${stage} ${job}`)
      if (this.gathered.filter((part) => part === `${stage} ${job}`).length === this.feeders[stage].length)
        this.owed.push(`gathered ${stage} ${job}`)
    } else this.enqueue(stage, job)
  }

  /** A worker without jobs takes its second batch, leaves if it was dismissed, or becomes idle. */
  private rest(worker: number): void {
    if (this.hand(worker).length === 0 && this.second(worker).length > 0) {
      this.hand(worker).push(...this.second(worker).splice(0))
      this.givenAt[worker] = this.time
    }
    if (this.hand(worker).length > 0) return
    if (!this.going.has(worker)) this.idleSince[worker] = this.time
    if (!this.going.delete(worker)) return
    this.live[worker] = false
    delete this.assigned[worker]
  }

  /**
   * Returns the jobs of a worker to the head of their queue; a lost worker returns its second batch too. A job that throws
   * alone uses up a try; losing a worker does not.
   */
  private giveBack(worker: number, threw: boolean): void {
    const jobs = this.hand(worker).splice(0)
    if (!threw) jobs.push(...this.second(worker).splice(0))
    const stage = this.assigned[worker]
    this.forgetOrder(worker)
    if (jobs.length === 0) return
    const going = jobs.filter((job) => this.failed.has(job))
    const staying = jobs.filter((job) => !going.includes(job))
    for (const job of going) this.owed.push(`withdrawn ${stage} ${job}`)
    this.queues[stage].unshift(...staying.map((job) => ({ job, since: this.time, returned: true })))
    const allowed = this.scenario.stages[stage].fails?.tries ?? 3
    for (const job of threw ? staying : []) {
      const key = `${stage} ${job}`
      const tries = (this.tries.get(key) ?? 0) + (jobs.length === 1 ? 1 : 0)
      this.tries.set(key, tries)
      if (tries >= allowed && !this.doomed.has(job)) this.doomed.set(job, stage)
    }
    this.advance()
  }

  private forgetOrder(worker: number): void {
    const i = this.orders.findIndex((order) => order.worker === worker)
    if (i >= 0) this.orders.splice(i, 1)
  }

  private enqueue(stage: number, job: number): void {
    if (this.gated[stage] && job >= this.tail + this.slots) {
      this.early[stage].push(job)
      this.early[stage].sort((a, b) => a - b)
      return
    }
    const queue = this.queues[stage]
    const { discipline, ageing } = this.scenario.stages[stage]
    const cost = this.cost(stage, job)
    const isPassed = {
      fifo: () => false,
      lifo: () => true,
      shortest: (entry: Entry) => this.cost(stage, entry.job) > cost,
      // It passes what is less urgent, unless that came early enough.
      priority: (entry: Entry) => {
        const by = this.classOf(entry.job) - this.classOf(job)
        return ageing === null ? by > 0 : this.time - entry.since < by * ageing
      },
    }[discipline]
    const place = queue.findIndex((entry) => !entry.returned && isPassed(entry))
    queue.splice(place < 0 ? queue.length : place, 0, { job, since: this.time, returned: false })
  }

  private admit(): void {
    while (this.outside.length > 0 && this.firsts.every((s) => this.waiting(s) < this.capacity[s])) {
      const job = this.outside.shift() as number
      for (const first of this.firsts) this.enqueue(first, job)
    }
  }

  /** Moves the tail past parked, released and failed tickets, and moves early tickets into their queues. */
  private advance(): void {
    if (!this.ordered) return
    while (this.parked.has(this.tail) || this.failed.has(this.tail) || this.doomed.has(this.tail)) this.tail++
    this.early.forEach((early, stage) => {
      while (early.length > 0 && early[0] < this.tail + this.slots) this.enqueue(stage, early.shift() as number)
    })
  }
}
