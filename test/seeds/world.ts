import { createJournal } from '../../src/pipeline/journal.ts'
import {
  ARRIVED,
  DISMISSED,
  EXHAUSTED,
  GAVE_UP,
  HIRED,
  JOINED,
  LOST,
  NONE,
  PHASE,
  PREFETCH,
  pushFinished,
  pushRow,
  RENEGED,
  RETRIED,
  STARTED,
  STOPPED,
  THREW,
  TICK,
} from '../../src/pipeline/rows.ts'
import { expectsReply, isWaiting } from '../../src/pipeline/state.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import type { StartCode } from '../../src/scheduler/codePolicy.ts'
import { createCore } from '../../src/scheduler/core.ts'
import { groupingOf } from '../../src/workload/groups.ts'
import { routingOf, sizesOf, startUpsOf, victimsOf } from '../../src/workload/service.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'
import { costOf, type Drawn, draw, type Plan } from './plans.ts'
import { Referee } from './referee.ts'

/** A batch that a worker was given. */
interface Parcel {
  readonly worker: number
  readonly stage: number
  readonly lease: number
  readonly jobs: number[]
  began: number
  throwing: number
  /** Its answer no longer counts: it was answered, or its worker is lost. */
  settled: boolean
}

type Coming = { readonly at: number; readonly nth: number } & (
  | { readonly kind: 'arrival' | 'exhausted' | 'stop' | 'tick' | 'sameTick' | 'turn' | 'doomsday' }
  | { readonly kind: 'givesUp' | 'sendsAgain'; readonly job: number }
  | { readonly kind: 'crash' | 'leave' | 'join'; readonly worker: number }
  | { readonly kind: 'answer' | 'giveUp'; readonly parcel: Parcel }
)
type Draft<T> = T extends unknown ? Omit<T, 'nth'> : never

/** The facts of one instant, not yet in order. */
interface Instant {
  readonly answers: Parcel[]
  readonly lost: Set<number>
  readonly joined: number[]
  /** Jobs whose clients have waited long enough, and whose clients send them again. */
  readonly givesUp: number[]
  readonly sendsAgain: number[]
  arrivals: number
  exhausted: boolean
  stop: boolean
  tick: boolean
  turns: number
}

/** The most ticks of a game; small games have fewer. Without a limit a pool that stays too small would never end. */
const TICKS = 300

/** The last game, for the report of a failure. */
export interface Game {
  readonly scenario: Scenario
  readonly referee: Referee
}

/**
 * Plays one game: the world sends facts to the core and follows its orders. Workers crash, hang until they are given
 * up, answer twice, or answer after they were given up; they leave and join; Stop comes at any time. Throws at the first
 * broken rule.
 */
export function playWorld(plan: Plan, watch: (game: Game) => void = () => {}, startCode?: StartCode): Game {
  const drawn = draw(plan)
  const { scenario } = drawn
  const chance = createChance(plan.seed ^ 0x7f4a7c15)
  const cost = costOf(plan)
  const referee = new Referee(scenario, cost, chance, plan, startCode)
  const game = { scenario, referee }
  watch(game)
  new World(plan, drawn, chance, cost, referee, startCode).play()
  return game
}

class World {
  private readonly coming: Coming[] = []
  private nth = 0
  private faults: number
  private arrived = 0
  private readonly journal = createJournal()
  private readonly core
  private readonly current = new Map<number, Parcel>()
  /** Workers that wait for a resource: their batch has not started. */
  private readonly held = new Set<number>()
  /** The second batch of each worker. */
  private readonly next = new Map<number, Parcel>()
  private now = 0
  private readonly leaving = new Set<number>()
  /** Dismissed workers that leave with their next answer. */
  private readonly going = new Set<number>()
  /** The period of the ticks that an elastic policy needs, and the number of ticks so far. */
  private every: number
  private ticks = 0
  private readonly most: number
  private turns = 0
  private readonly alive: Set<number>
  private readonly scenario: Scenario
  private readonly chance: Chance
  private readonly cost: (stage: number, job: number) => number
  private readonly referee: Referee

  constructor(
    plan: Plan,
    { scenario, at }: Drawn,
    chance: Chance,
    cost: (stage: number, job: number) => number,
    referee: Referee,
    startCode?: StartCode,
  ) {
    this.scenario = scenario
    this.chance = chance
    this.cost = cost
    this.referee = referee
    this.core = createCore(
      scenario,
      sizesOf(scenario, cost),
      groupingOf(scenario),
      routingOf(scenario),
      startCode,
      startUpsOf(scenario),
      victimsOf(scenario),
    )
    this.every = 'every' in scenario.policy ? scenario.policy.every : 0
    this.alive = new Set(Array.from({ length: this.every > 0 ? 0 : scenario.workers }, (_, w) => w))
    this.most = Math.min(TICKS, 20 + 10 * plan.jobs)
    this.faults = Math.min(plan.faults, chance.pick([0, 2, 5, 30]))
    for (const time of at) this.expect({ at: time, kind: 'arrival' })
    this.expect({ at: (at.at(-1) ?? 0) + (chance.percent(50) ? 0 : chance.below(3000)), kind: 'exhausted' })
    for (const { at } of scenario.later) this.expect({ at, kind: 'turn' })
    for (const event of scenario.workerEvents) this.expect({ at: event.at, kind: 'join', worker: event.worker })
    const most = scenario.workers + scenario.workerEvents.length
    for (let k = chance.pick([0, 0, 1, 4]); k > 0 && this.fault(); k--)
      this.expect({ at: chance.below(6000), kind: chance.pick(['crash', 'leave']), worker: chance.below(most) })
    if (chance.percent(4) && this.fault()) this.expect({ at: chance.below(3000), kind: 'doomsday' })
    if (chance.percent(10) && this.fault()) this.expect({ at: chance.below(3000), kind: 'stop' })
    if (this.every > 0) this.expect({ at: 0, kind: 'tick' })
    else if (chance.percent(20)) for (let k = 0; k < 5; k++) this.expect({ at: chance.below(4000), kind: 'tick' })
  }

  play(): void {
    const { scenario, referee } = this
    const jobs = countJobs(scenario.source)
    const tries = scenario.stages.reduce((sum, stage) => sum + 2 + 2 * (stage.fails?.tries ?? 3), 0)
    let left = 100 + 4 * jobs * (tries + 2 * (scenario.source.retry?.limit ?? 0) + 2) + this.most
    while (this.coming.length > 0) {
      claim(left-- > 0, () => 'the run does not end')
      this.instant()
    }
    referee.end(this.core)
    referee.review(this.core, this.journal)
  }

  private instant(): void {
    const { coming, chance, journal, core } = this
    coming.sort((a, b) => a.at - b.at || a.nth - b.nth)
    // Sometimes the inbox is read late, so that events of several times share one instant.
    const now = coming[0].at + (chance.percent(15) ? chance.below(150) : 0)
    const instant: Instant = {
      answers: [],
      lost: new Set(),
      joined: [],
      givesUp: [],
      sendsAgain: [],
      arrivals: 0,
      exhausted: false,
      stop: false,
      tick: false,
      turns: 0,
    }
    this.now = now
    // New events, such as the answer to a second batch, belong to the next instant.
    for (const event of coming.splice(0, coming.filter(({ at }) => at <= now).length)) this.hear(event, instant)
    const from = journal.rows.length
    this.tell(instant, now)
    if (journal.rows.length === from) return
    this.referee.play(core, journal, from)
    this.obey(now, journal.rows.length)
    this.referee.keep(core, journal)
  }

  private hear(event: Coming, instant: Instant): void {
    switch (event.kind) {
      case 'arrival':
        instant.arrivals++
        return
      case 'exhausted':
      case 'stop':
        instant[event.kind] = true
        return
      case 'tick':
        instant.tick = true
        // A clock may stand still: then two ticks come at one time.
        if (this.every > 0 && this.ticks % 16 === 5) this.expect({ at: this.now, kind: 'sameTick' })
        if (this.every > 0 && this.ticks++ < this.most && !this.referee.books.drained() && !this.referee.books.stopped)
          this.expect({ at: event.at + this.every, kind: 'tick' })
        return
      case 'sameTick':
        instant.tick = true
        return
      case 'turn': {
        // After the end no phase begins.
        if (this.referee.books.drained() || this.referee.books.stopped) return
        instant.turns++
        const { policy } = this.scenario.later[this.turns + instant.turns - 1]
        if (policy !== undefined && 'every' in policy) this.every = policy.every
        return
      }
      case 'givesUp':
      case 'sendsAgain':
        instant[event.kind].push(event.job)
        return
      case 'join':
        this.alive.add(event.worker)
        instant.joined.push(event.worker)
        return
      case 'crash':
        this.lose(event.worker, instant)
        return
      case 'doomsday':
        for (const worker of this.alive) this.lose(worker, instant)
        return
      case 'leave':
        if (this.current.has(event.worker)) this.leaving.add(event.worker)
        else this.lose(event.worker, instant)
        return
      case 'giveUp':
        if (!event.parcel.settled) this.lose(event.parcel.worker, instant)
        return
      case 'answer': {
        const { parcel } = event
        const { worker } = parcel
        const wanted = expectsReply(this.core.state, worker, parcel.lease)
        // Within an instant the core does not know earlier answers yet; the inbox drops duplicates.
        if (!instant.answers.some((other) => other.worker === worker) && !instant.lost.has(worker))
          claim(
            wanted === !parcel.settled,
            () => `a reply of worker ${worker} under lease ${parcel.lease} is ${wanted ? 'taken' : 'refused'}`,
          )
        if (parcel.settled || !wanted) return
        this.settle(worker)
        instant.answers.push(parcel)
        this.beginNext(worker, event.at)
        if (!this.current.has(worker) && this.going.delete(worker)) this.alive.delete(worker)
        else if (this.leaving.has(worker)) this.lose(worker, instant)
      }
    }
  }

  /** Writes the facts in the order of law 11. */
  private tell(instant: Instant, now: number): void {
    const { rows } = this.journal
    instant.answers.sort((a, b) => a.worker - b.worker)
    for (const parcel of instant.answers) if (parcel.throwing === NONE) this.tellFinished(parcel, now)
    for (const { throwing, stage, worker } of instant.answers)
      if (throwing !== NONE) pushRow(rows, now, THREW, stage, worker, throwing)
    for (const worker of [...instant.lost].sort((a, b) => a - b)) pushRow(rows, now, LOST, NONE, worker, NONE)
    for (const worker of instant.joined.sort((a, b) => a - b)) pushRow(rows, now, JOINED, NONE, worker, NONE)
    for (let k = 0; k < instant.turns; k++) pushRow(rows, now, PHASE, NONE, NONE, this.turns++)
    this.tellClients(instant, now)
    for (let k = 0; k < instant.arrivals; k++) {
      this.awaitClient(this.arrived)
      pushRow(rows, now, ARRIVED, NONE, NONE, this.arrived++)
    }
    if (instant.exhausted) pushRow(rows, now, EXHAUSTED, NONE, NONE, NONE)
    if (instant.tick) pushRow(rows, now, TICK, NONE, NONE, NONE)
    if (instant.stop) pushRow(rows, now, STOPPED, NONE, NONE, NONE)
  }

  /** Clients are as patient as the world likes. Those outside give up first, so that none of them comes in before. */
  private tellClients({ givesUp, sendsAgain }: Instant, now: number): void {
    const { books } = this.referee
    const { rows } = this.journal
    const limit = this.scenario.source.retry?.limit ?? 0
    if (books.stopped) return
    const waiting = givesUp.filter((job) => books.unstarted(job)).sort((a, b) => a - b)
    const inside = (job: number) => !books.outside.includes(job)
    for (const job of [...waiting.filter((job) => !inside(job)), ...waiting.filter(inside)]) {
      const isLast = books.sent[job] > limit
      pushRow(rows, now, isLast ? GAVE_UP : RENEGED, inside(job) ? books.firsts[0] : NONE, NONE, job)
      if (!isLast) this.expect({ at: now + this.chance.pick([0, 1, 80, 900]), kind: 'sendsAgain', job })
    }
    for (const job of sendsAgain.sort((a, b) => a - b)) {
      this.awaitClient(job)
      pushRow(rows, now, RETRIED, NONE, NONE, job)
    }
  }

  private awaitClient(job: number): void {
    if (this.scenario.source.retry !== undefined)
      this.expect({ at: this.now + this.chance.pick([1, 20, 300, 2000]), kind: 'givesUp', job })
  }

  private tellFinished({ stage, worker, jobs, began }: Parcel, now: number): void {
    let worked = began
    const served = jobs.map((job) => {
      const from = worked
      worked += this.cost(stage, job)
      return { job, from, to: worked }
    })
    for (const { job, from, to } of served.sort((a, b) => a.job - b.job))
      pushFinished(this.journal.rows, now, stage, worker, job, from, to)
  }

  /** Carries out the orders of the core since row `from` of the instant. */
  private obey(now: number, end: number): void {
    const { rows } = this.journal
    // A worker dismissed while it waits may be hired again at the same time, under the same number.
    for (let i = this.referee.ordersFrom; i < end; i++)
      if (rows.kind[i] === DISMISSED && rows.job[i] !== NONE) this.held.delete(rows.worker[i])
    this.grant(now)
    for (let i = this.referee.ordersFrom; i < end; ) {
      const worker = rows.worker[i]
      if (rows.kind[i] === HIRED) {
        this.alive.add(worker)
        this.leaving.delete(worker)
      }
      if (rows.kind[i] === DISMISSED) {
        if (this.current.has(worker)) this.going.add(worker)
        else this.alive.delete(worker)
      }
      if (rows.kind[i] !== STARTED) {
        i++
        continue
      }
      const stage = rows.stage[i]
      const jobs: number[] = []
      const behind = rows.kind[i - 1] === PREFETCH
      while (i < end && rows.kind[i] === STARTED && rows.worker[i] === worker) jobs.push(rows.job[i++])
      if (this.referee.books.waitsSince(worker) >= 0) this.hold(worker, now)
      else if (!behind) this.begin(worker, stage, jobs, now)
      else {
        const lease = this.core.state.prefetchLeases[worker]
        claim(lease > 0 && !this.next.has(worker), () => `worker ${worker} has a third batch`)
        this.next.set(worker, {
          worker,
          stage,
          lease,
          jobs,
          began: now,
          throwing: this.thrower(stage, jobs),
          settled: false,
        })
      }
    }
  }

  /** Starts workers whose wait has ended. The core must report the same workers as the books. */
  private grant(now: number): void {
    const { books } = this.referee
    const { granted, workerJobs } = this.core.state
    const notified = [...new Set(granted)].filter(
      (worker) => workerJobs[worker].length > 0 && !isWaiting(this.core.state, worker),
    )
    granted.length = 0
    for (const worker of this.held)
      if (!this.alive.has(worker) || books.hand(worker).length === 0) this.held.delete(worker)
    const free = [...this.held].filter((worker) => books.waitsSince(worker) < 0)
    claim(
      notified.sort().join() === free.sort().join(),
      () => `workers ${notified} are granted what they waited for instead of ${free}`,
    )
    for (const worker of free) {
      this.held.delete(worker)
      this.begin(worker, books.assigned[worker], [...books.hand(worker)], now)
    }
  }

  private hold(worker: number, now: number): void {
    const { chance } = this
    this.held.add(worker)
    if (chance.percent(10) && this.fault())
      this.expect({ at: now + chance.below(60), kind: chance.pick(['crash', 'leave']), worker })
  }

  private begin(worker: number, stage: number, jobs: number[], now: number): void {
    this.work({
      worker,
      stage,
      lease: this.core.state.leases[worker],
      jobs,
      began: now,
      throwing: this.thrower(stage, jobs),
      settled: false,
    })
  }

  private thrower(stage: number, jobs: readonly number[]): number {
    const bad = this.scenario.stages[stage].fails?.jobs ?? []
    const throwing = jobs.find((job) => bad.includes(job))
    if (throwing !== undefined) return throwing
    return this.chance.percent(4) && this.fault() ? this.chance.pick(jobs) : NONE
  }

  private work(parcel: Parcel): void {
    const { chance } = this
    const { worker, stage, jobs, began } = parcel
    claim(parcel.lease > 0, () => `worker ${worker} works without a lease`)
    this.current.set(worker, parcel)
    const at = began + jobs.reduce((sum, job) => sum + this.cost(stage, job), 0) + this.messageTime()
    if (chance.percent(4) && this.fault()) {
      const givenUp = at + chance.between(0, 3000)
      this.expect({ at: givenUp, kind: 'giveUp', parcel })
      if (chance.percent(60)) this.expect({ at: givenUp + chance.below(1000), kind: 'answer', parcel })
      return
    }
    this.expect({ at, kind: 'answer', parcel })
    if (chance.percent(6) && this.fault()) this.expect({ at: at + chance.below(800), kind: 'answer', parcel })
    if (chance.percent(2) && this.fault()) this.expect({ at: chance.between(began, at), kind: 'crash', worker })
  }

  /** The time of the messages of a batch over the network; lost messages are sent again. */
  private messageTime(): number {
    const { network } = this.scenario
    if (network === null) return 0
    let time = network.roundTrip
    while (this.chance.percent(100 * network.loss)) time += 2 * network.roundTrip
    return time
  }

  /** A worker that finishes a batch begins the next at once, before the scheduler knows. */
  private beginNext(worker: number, at: number): void {
    const next = this.next.get(worker)
    if (next === undefined) return
    this.next.delete(worker)
    next.began = Math.max(at, next.began)
    this.work(next)
  }

  private lose(worker: number, instant: Instant): void {
    // A worker that joins at this instant cannot be lost yet.
    if (!this.alive.has(worker) || instant.joined.includes(worker)) return
    this.alive.delete(worker)
    this.leaving.delete(worker)
    this.going.delete(worker)
    this.settle(worker)
    const next = this.next.get(worker)
    if (next !== undefined) next.settled = true
    this.next.delete(worker)
    instant.lost.add(worker)
  }

  private settle(worker: number): void {
    const parcel = this.current.get(worker)
    if (parcel !== undefined) parcel.settled = true
    this.current.delete(worker)
  }

  private expect(event: Draft<Coming>): void {
    this.coming.push({ ...event, at: Math.max(event.at, this.now), nth: this.nth++ } as Coming)
  }

  private fault(): boolean {
    if (this.faults <= 0) return false
    this.faults--
    return true
  }
}
