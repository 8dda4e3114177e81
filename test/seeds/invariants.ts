import type { ConductedRun } from '../../src/engine/conductor/conductedRun.ts'
import { ABSENT, BUSY, type Counts, GONE, IDLE } from '../../src/pipeline/counts.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import { FINISHED, THREW } from '../../src/pipeline/rows.ts'
import { isWaiting, type State } from '../../src/pipeline/state.ts'
import { initialWorkerCount, isElastic } from '../../src/scenario/model/defaults.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { RoundTrips } from '../../src/scheduler/roundTrips.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'
import type { MadeUpThread, Parcel } from './madeUpThread.ts'
import type { MadeUpTime } from './madeUpTime.ts'

// What must hold after every event, whatever the world has done. The books are the world's own record of what happened, kept
// from the rows alone; the state and its counts are what the core believes; the seats are by stage number.

/** Every admitted job is in exactly one place: outside, queued, in hands, parked, out or failed; its copies at one stage each, never twice at one. */
export function everyJobIsInOnePlace(books: Books): void {
  const lost = books.lost()
  claim(lost === null, () => `${lost}`)
}

/** Nothing is owed: every failed job is listed as failed, every part has been sent on, and nobody is held back at the sink, in the same step. */
export function nothingIsOwed(books: Books): void {
  claim(books.owed.length === 0, () => `not ${books.owed}`)
  claim(books.doomed.size === 0, () => `jobs ${[...books.doomed.keys()]} are not failed`)
  claim(books.ordered || books.parked.size === 0, () => `jobs ${[...books.parked]} are not released`)
  claim(!books.parked.has(books.tail) && !books.parked.has(books.released.at(-1) ?? -1), () => `ticket ${books.tail} is held back`)
}

/** The tickets of the sink ascend without holes: what is passed over has failed, and says so. */
export function ticketLeavesInTurn(books: Books, ticket: number): void {
  if (!books.ordered) return
  const last = books.released.at(-1) ?? -1
  for (let passed = last + 1; passed < ticket; passed++)
    claim(books.failed.has(passed) || books.doomed.has(passed), () => `ticket ${passed} is passed over by ticket ${ticket}`)
  claim(ticket > last, () => `ticket ${ticket} leaves after ticket ${last}`)
}

/**
 * A bounded queue never holds more than its capacity, counting what is in hands before it, with no slack. Only failures and
 * the dismissed, who lay back what they had, overfill it: then it gets no fuller. `before`: what each stage held one row earlier.
 */
export function queuesKeepTheirCapacity(books: Books, before: readonly number[], row: () => string): void {
  books.capacity.forEach((most, s) => {
    if (most === Infinity) return
    const load = books.load(s)
    claim(load <= Math.max(most, before[s]), () => `stage ${s} holds ${load} of ${most}, ${before[s]} before: ${row()}`)
  })
}

/** No batch is empty: a worker that is told of a second batch is given jobs with it. */
export function noBatchIsEmpty(books: Books, worker: number, row: () => string): void {
  claim(books.second(worker).length > 0, () => `an empty second batch before ${row()}`)
}

/** The seats given never exceed the live workers. */
export function seatsAreThere(books: Books, seats: readonly number[]): void {
  const total = seats.reduce((sum, seat) => sum + seat, 0)
  claim(total <= books.alive(), () => `${total} seats for ${books.alive()} live workers`)
}

/** No seat stands at a stage that is done. A pool is where its workers are, until its controller lets them go. */
export function noSeatIsAtADoneStage(books: Books, seats: readonly number[]): void {
  if (books.elastic) return
  for (const [s, seat] of seats.entries()) claim(seat === 0 || !books.done(s), () => `${seat} seats at stage ${s}, which is done`)
}

/** The scheduler decides if, and only if, somebody may take a batch and something is runnable. */
export function decidesWhenAsked(books: Books, decided: boolean): void {
  const wanted = !books.stopped && books.queues.some((_, s) => books.runnable(s) > 0 && (books.idle() > 0 || books.takers(s).length > 0))
  claim(wanted === decided, () => (wanted ? 'no decision though somebody may take a batch and something is runnable' : 'a decision that nobody asked for'))
}

/**
 * No live worker idles while work that may start waits, in the same step, where the policy lends; where it does not, no seat
 * of a stage with such work stays empty; and who may take a second batch has been given one. As many as are held back by hand may idle.
 */
export function nobodyIdlesBesideWork(books: Books, seats: readonly number[], held: number): void {
  if (books.stopped) return
  const idle = books.idle() - held
  seats.forEach((seat, s) => {
    const jobs = books.runnable(s)
    if (jobs === 0) return
    const [taker] = books.takers(s)
    claim(taker === undefined || seat < books.busy(s), () => `worker ${taker} is given no second batch though ${jobs} jobs could start at stage ${s}`)
    if (idle <= 0) return
    claim(!books.scenario.policy.lend, () => `${idle} workers idle while ${jobs} jobs could start at stage ${s}`)
    claim(seat <= books.busy(s), () => `a seat of stage ${s} is empty though a worker idles and ${jobs} jobs could start`)
  })
}

/** A worker held back by hand is sent nowhere, in the same step. */
export function heldBackWorkersIdle(books: Books, held: number): void {
  claim(books.idle() >= held, () => `${books.idle()} workers idle where ${held} are held back`)
}

/** The core has every job where the books have it: outside, in queues, aside and in hands, in the same order. */
export function jobsAreWhereTheyBelong({ outside, queues, early, skipping, shards, workerJobs }: State, books: Books): void {
  const same = (where: string, found: readonly number[], expected: readonly number[]) =>
    claim(found.length === expected.length && found.every((job, i) => job === expected[i]), () => `${where} holds ${found} instead of ${expected}`)
  same('outside', listed(outside), books.outside)
  books.queues.forEach((queue, s) => {
    const waiting = queue.map(({ job }) => job)
    same(`queue ${s}`, listed(queues[s]), books.shards === null ? waiting : waiting.sort((a, b) => a - b))
    same(`early ${s}`, listed(early[s]), books.early[s])
    if (skipping[s] === null && shards === null) return
    same(`startable ${s}`, (skipping[s] ?? shards?.queues[s])?.startable() ?? [], books.ready(s))
  })
  books.live.forEach((_, w) => void same(`hand ${w}`, workerJobs[w], [...books.hand(w), ...books.second(w)]))
}

/** Exactly the workers with a batch have a lease, those with two a second one; and the core knows which wait for a resource. */
export function leasesGoWithHands(state: State, books: Books): void {
  books.live.forEach((_, w) => {
    claim(isWaiting(state, w) === books.waitsSince(w) >= 0, () => `worker ${w} ${isWaiting(state, w) ? 'waits' : 'does not wait'} for a resource`)
    claim(state.prefetchLeases[w] > 0 === books.second(w).length > 0, () => `the second lease of worker ${w} is ${state.prefetchLeases[w]}`)
    claim(state.leases[w] > 0 === books.hand(w).length > 0, () => `the lease of worker ${w} is ${state.leases[w]}`)
  })
}

/** The counts are those of the books. */
export function countsMatch({ counts, buffer, shards }: Pick<State, 'counts' | 'buffer' | 'shards'>, books: Books): void {
  const same = (found: number, expected: number, what: string, at = '') => claim(found === expected, () => `${what}${at} is ${found} instead of ${expected}`)
  same(counts.arrived, books.arrived, 'arrived')
  same(counts.outside, books.outside.length, 'outside')
  same(counts.parked, books.parked.size, 'parked')
  same(counts.released, books.released.length, 'released')
  same(counts.failed, books.failed.size, 'failed')
  same(counts.live, books.alive(), 'live')
  same(buffer?.held ?? 0, books.parked.size, 'held')
  books.queues.forEach((_, s) => {
    const at = ` at stage ${s}`
    same(counts.waiting[s], books.waiting(s), 'waiting', at)
    same(counts.inHands[s], books.inHands(s), 'in service', at)
    same(counts.gathering[s], books.gathered.filter((part) => part.startsWith(`${s} `)).length, 'gathering', at)
    same(counts.busy[s], books.busy(s), 'busy', at)
    same(counts.finished[s], books.measured[s].length, 'finished', at)
    same(counts.serviceSum[s], books.serviceSum[s], 'time of service', at)
    if (books.shards !== null) same(shards?.queues[s].shards ?? 0, books.shards.count(s), 'shards', at)
  })
  books.live.forEach((_, w) => void same(counts.prefetched[w], books.second(w).length, 'second batch', ` of worker ${w}`))
}

/** What the core has measured of messages is what the answers so far come to. */
export function messagesAreMeasured(roundTrips: RoundTrips | null, { trips }: Books): void {
  if (roundTrips === null) return
  const mean = trips.mean()
  claim(roundTrips.roundTrip === mean, () => `a round trip of ${roundTrips.roundTrip} was measured instead of ${mean}`)
}

/** The page's counters, folded from the rows that it was handed, equal the core's. */
export function countersAreTheSame(page: Counts, core: Counts, when: string): void {
  for (const [key, expected] of Object.entries(core)) {
    const found = page[key as keyof Counts]
    const same = ArrayBuffer.isView(expected) ? sameNumbers(found as Uint8Array, expected as Uint8Array) : found === expected
    claim(same, () => `the page has counted ${found} ${key} instead of ${expected} ${when}`)
  }
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** A run ends when nothing more can come of it: all is out or failed, it was stopped, or nobody is there who would lend a hand. Nobody is waited for. */
export function endsWhereItMust(books: Books, core: Counts, ending: Ending | null): void {
  const left = books.arrived - books.released.length - books.failed.size
  claim(ending === 'stopped' || books.hands.flat().length === 0, () => 'somebody is waited for who will never answer')
  claim(ending === null || (ending === 'stopped') === books.stopped, () => `the run ends as ${ending}`)
  claim(ending === null || ending === 'stopped' || (ending === 'drained') === books.drained(), () => `the run ends as ${ending} with ${left} jobs left`)
  const over = books.stopped || books.drained() || books.alive() === 0 || !books.scenario.policy.lend
  claim(over, () => `the run is stuck with ${left} jobs and ${books.alive()} workers`)
  claim(core.live === books.alive(), () => 'live workers differ')
}

function listed(queue: { forEach(visit: (job: number) => void): void }): number[] {
  const jobs: number[] = []
  queue.forEach((job) => void jobs.push(job))
  return jobs
}

/** A thread as the conductor has it: whether and in which event it has ended, and what it was given. */
export type Employed = Pick<MadeUpThread, 'ended' | 'endedIn'> & { readonly parcels: readonly Parcel[] }

/** What every made-up world knows that a conductor plays in: by worker, its thread and those before it. */
interface Employers {
  readonly threads: readonly (readonly Employed[])[]
  readonly time: MadeUpTime
  longest: Micros
  readonly event: number
}

/** What the made-up world of threads knows. */
interface Threads extends Employers {
  readonly threads: readonly (readonly MadeUpThread[])[]
  threadOf(worker: number): MadeUpThread | undefined
  readonly leaps: number
}

/** No healthy worker is ever declared dead: not by a notice about the thread before its own, nor by a machine that slept. The scenario may take anybody. */
export function nobodyWellIsGivenUp(world: Threads, run: ConductedRun, worker: number): void {
  const thread = world.threadOf(worker)
  claim(isTaken(run, worker) || thread === undefined || !thread.isWell, () => `worker ${worker} is given up at ${run.now} though it is well`)
}

/** Whether the scenario has taken the worker by now. */
export function isTaken({ scenario, now }: ConductedRun, worker: number): boolean {
  return scenario.workerEvents.some(({ kind, worker: who, at }) => who === worker && (kind === 'crash' || kind === 'leave') && at <= now)
}

/**
 * A reply counts once, and only if worker, lease and batch are those awaited: for each batch reported there is one that the
 * worker's own thread has answered, of those very jobs, and every answer that has come is reported.
 */
export function aReplyCountsOnce(world: Employers, run: ConductedRun, from: number, to: number): void {
  const { rows } = run.journal
  const reported = new Map<number, number[]>()
  for (let i = from; i < to; i++) {
    const worker = rows.worker[i]
    if (rows.kind[i] === FINISHED) reported.set(worker, [...(reported.get(worker) ?? []), rows.job[i]])
    else if (rows.kind[i] === THREW) reported.set(worker, [-1])
  }
  for (const [worker, jobs] of reported) {
    // A worker dismissed after its batch may be hired again at this very instant, with another thread.
    const threads = world.threads[worker].filter(({ ended, endedIn }) => !ended || endedIn === world.event)
    const parcel = threads.map(({ parcels }) => parcels.find(({ counted }) => !counted)).find((first) => first !== undefined && first.answered !== 'not')
    claim(parcel !== undefined, () => `a batch of worker ${worker} is reported that nobody has answered`)
    const expected = parcel.answered === 'threw' ? [-1] : [...parcel.jobs].sort((a, b) => a - b)
    claim(jobs.join() === expected.join(), () => `worker ${worker} reports ${jobs} instead of ${expected}`)
    parcel.counted = true
    world.longest = Math.max(world.longest, world.time.passed - parcel.sent)
  }
}

/** What the core believes to be in hands, the threads have been sent, and nothing else; but a worker that waits for a resource has been sent nothing yet. */
export function workersHaveWhatTheyWereGiven(world: Threads, run: ConductedRun): void {
  const { state } = run.core
  state.workerJobs.forEach((hand, worker) => {
    const thread = world.threadOf(worker)
    if (thread === undefined || thread.ended) {
      // A worker that could not be started is lost with the next event.
      claim(hand.length === 0 || thread?.ill === 'cannot be started', () => `worker ${worker} has ${hand} in hand and no thread`)
      return
    }
    const sent = thread.parcels.filter(({ counted }) => !counted).flatMap(({ jobs }) => jobs)
    const held = thread.parcels.length === 0 || isWaiting(state, worker)
    if (state.counts.status[worker] === GONE || state.counts.status[worker] === ABSENT) return
    claim(sent.join() === (sent.length === 0 && held ? '' : hand.join()), () => `worker ${worker} has been sent ${sent}, and the core believes ${hand}`)
  })
}

/** A worker that leaves or crashes is gone at the time of its event; one that leaves finishes its batch first. */
export function dismissedWorkersLeave({ scenario, core, now }: ConductedRun): void {
  const { status, since } = core.state.counts
  // A worker of a pool, or one that joins, may not be there yet, and come later.
  if (isElastic(scenario.policy)) return
  for (const { at, kind, worker } of scenario.workerEvents) {
    if (at > now || worker >= initialWorkerCount(scenario) || kind === 'hang' || kind === 'join') continue
    const stays = status[worker] === IDLE || (status[worker] === BUSY && (kind === 'crash' || since[worker] >= at))
    claim(!stays, () => `worker ${worker} is still there at ${now}, and should ${kind} at ${at}`)
  }
}

/**
 * Who has a batch and is silent is given up in time: after ten times the longest that any batch took, predicted or seen, two
 * seconds at least, and ten ticks; a leap of the clock counts as one tick.
 */
export function silenceIsNoticed(world: Threads, run: ConductedRun): void {
  for (const threads of world.threads) {
    const thread = threads?.at(-1)
    const parcel = thread?.ended === false ? thread.parcels.find(({ answered }) => answered === 'not') : undefined
    if (parcel === undefined || thread === undefined) continue
    const patience = Math.max(2_000_000, 10 * world.longest, 10 * parcel.predicted * run.slowdown)
    const silent = world.time.passed - Math.max(parcel.sent, thread.received)
    claim(silent < patience + 3_500_000 + 3_000_000 * world.leaps, () => `worker ${thread.worker} has been silent for ${silent} and is not given up`)
  }
}

/** Stop ends the run in the same step, whatever the workers are at. */
export function stopIsAtOnce(ending: Ending | null): void {
  claim(ending === 'stopped', () => `the run was stopped and has ended as ${ending}`)
}

/** When the run is over no thread is left. */
export function nothingIsLeftRunning(threads: readonly MadeUpThread[]): void {
  const left = threads.filter(({ ended }) => !ended).map(({ worker }) => worker)
  claim(left.length === 0, () => `the threads of workers ${left} are left running`)
}
