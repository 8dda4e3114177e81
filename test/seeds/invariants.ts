import type { ConductedRun } from '../../src/engine/conductor/conductedRun.ts'
import { ABSENT, BUSY, type Counts, GONE, IDLE } from '../../src/pipeline/counts.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import { FINISHED, THREW } from '../../src/pipeline/rows.ts'
import { isWaiting, type State } from '../../src/pipeline/state.ts'
import { isElastic } from '../../src/scenario/model/defaults.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { RoundTrips } from '../../src/scheduler/batches.ts'
import type { Books } from './books.ts'
import { claim } from './claim.ts'
import type { MadeUpThread, Parcel } from './madeUpThread.ts'
import type { MadeUpTime } from './madeUpTime.ts'
import { carried } from './naiveSeats.ts'

// These rules must hold after every event, whatever the world does. `books` is the independent model, computed from the rows
// alone; `state` and its counts belong to the core; `seats` are by stage number.

/** Every admitted job is in exactly one place: outside, queued, in service, parked, out or failed. Each of its copies is at one stage. */
export function everyJobIsInOnePlace(books: Books): void {
  const lost = books.lost()
  claim(lost === null, () => `${lost}`)
}

/** Nothing stays pending within a step: failed jobs are listed as failed, parts are sent on, and the sink holds no job back. */
export function nothingIsPending(books: Books): void {
  claim(books.owed.length === 0, () => `not ${books.owed}`)
  claim(books.doomed.size === 0, () => `jobs ${[...books.doomed.keys()]} are not failed`)
  claim(books.ordered || books.parked.size === 0, () => `jobs ${[...books.parked]} are not released`)
  claim(
    !books.parked.has(books.tail) && !books.parked.has(books.released.at(-1) ?? -1),
    () => `ticket ${books.tail} is held back`,
  )
}

/** Tickets leave the sink in ascending order. Every skipped ticket has failed. */
export function ticketLeavesInTurn(books: Books, ticket: number): void {
  if (!books.ordered) return
  const last = books.released.at(-1) ?? -1
  for (let passed = last + 1; passed < ticket; passed++)
    claim(
      books.failed.has(passed) || books.doomed.has(passed),
      () => `ticket ${passed} is passed over by ticket ${ticket}`,
    )
  claim(ticket > last, () => `ticket ${ticket} leaves after ticket ${last}`)
}

/**
 * A bounded queue never exceeds its capacity, including the jobs in service before it. Only failures and dismissed workers, which
 * return their jobs, may overfill it; until it empties it gets no fuller. `before`: the load of each stage one row earlier.
 */
export function queuesKeepTheirCapacity(books: Books, before: readonly number[], row: () => string): void {
  books.capacity.forEach((most, s) => {
    if (most === Infinity) return
    const load = books.load(s)
    claim(load <= Math.max(most, before[s]), () => `stage ${s} holds ${load} of ${most}, ${before[s]} before: ${row()}`)
  })
}

/** No batch is empty: a worker with a second batch gets jobs with it. */
export function noBatchIsEmpty(books: Books, worker: number, row: () => string): void {
  claim(books.second(worker).length > 0, () => `an empty second batch before ${row()}`)
}

/** The seats given never exceed the live workers. */
export function seatsAreThere(books: Books, seats: readonly number[]): void {
  const total = seats.reduce((sum, seat) => sum + seat, 0)
  claim(total <= books.alive(), () => `${total} seats for ${books.alive()} live workers`)
}

/** A stage that is done has no seat. Elastic pools are exempt: their workers stay until the controller dismisses them. */
export function doneStagesHaveNoSeats(books: Books, seats: readonly number[]): void {
  if (books.elastic) return
  for (const [s, seat] of seats.entries())
    claim(seat === 0 || !books.done(s), () => `${seat} seats at stage ${s}, which is done`)
}

/** The scheduler decides if, and only if, a worker may take a batch and a job may start. */
export function decidesWhenAsked(books: Books, decided: boolean): void {
  const wanted =
    !books.stopped &&
    books.queues.some((_, s) => books.runnable(s) > 0 && (books.idle() > 0 || books.takers(s).length > 0))
  claim(wanted === decided, () =>
    wanted ? 'no decision though a worker may take a batch and a job may start' : 'a decision that is not needed',
  )
}

/**
 * Where the policy lends, no live worker is idle while a job may start; where it does not, no seat of such a stage is empty.
 * Workers that may take a second batch have one. Workers held back by hand may be idle.
 */
export function noWorkerIdlesBesideWork(books: Books, seats: readonly number[], held: number): void {
  // Under some policies a job waits for the worker that carries it: see `CarriedBatches`.
  if (books.stopped || carried(books)) return
  const idle = books.idle() - held
  seats.forEach((seat, s) => {
    const jobs = books.runnable(s)
    if (jobs === 0) return
    const [taker] = books.takers(s)
    claim(
      taker === undefined || seat < books.busy(s),
      () => `worker ${taker} is given no second batch though ${jobs} jobs could start at stage ${s}`,
    )
    if (idle <= 0) return
    claim(!books.scenario.policy.lend, () => `${idle} workers idle while ${jobs} jobs could start at stage ${s}`)
    claim(
      seat <= books.busy(s),
      () => `a seat of stage ${s} is empty though a worker idles and ${jobs} jobs could start`,
    )
  })
}

/** Workers held back by hand get no work in the same step. */
export function heldBackWorkersIdle(books: Books, held: number): void {
  claim(books.idle() >= held, () => `${books.idle()} workers idle where ${held} are held back`)
}

/** The core has every job in the same place and order as the model: outside, in queues, early and in service. */
export function jobsAreWhereTheyBelong(
  { outside, queues, early, skipping, shards, workerJobs }: State,
  books: Books,
): void {
  const same = (where: string, found: readonly number[], expected: readonly number[]) =>
    claim(
      found.length === expected.length && found.every((job, i) => job === expected[i]),
      () => `${where} holds ${found} instead of ${expected}`,
    )
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

/** Exactly the workers with a batch have a lease, and those with a second batch a second one. The core knows which workers wait for a resource. */
export function leasesGoWithHands(state: State, books: Books): void {
  books.live.forEach((_, w) => {
    claim(
      isWaiting(state, w) === books.waitsSince(w) >= 0,
      () => `worker ${w} ${isWaiting(state, w) ? 'waits' : 'does not wait'} for a resource`,
    )
    claim(
      state.prefetchLeases[w] > 0 === books.second(w).length > 0,
      () => `the second lease of worker ${w} is ${state.prefetchLeases[w]}`,
    )
    claim(state.leases[w] > 0 === books.hand(w).length > 0, () => `the lease of worker ${w} is ${state.leases[w]}`)
  })
}

/** The counts equal those of the model. */
export function countsMatch(
  { counts, buffer, shards }: Pick<State, 'counts' | 'buffer' | 'shards'>,
  books: Books,
): void {
  const same = (found: number, expected: number, what: string, at = '') =>
    claim(found === expected, () => `${what}${at} is ${found} instead of ${expected}`)
  same(counts.arrived, books.arrived, 'arrived')
  same(counts.outside, books.outside.length, 'outside')
  same(counts.parked, books.parked.size, 'parked')
  same(counts.released, books.released.length, 'released')
  same(counts.failed, books.failed.size, 'failed')
  same(counts.away, books.away.size, 'between tries')
  same(counts.gaveUp, books.gaveUp.size, 'given up')
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
  books.live.forEach(
    (_, w) => void same(counts.prefetched[w], books.second(w).length, 'second batch', ` of worker ${w}`),
  )
}

/** The measured round trip equals the one computed from all answers so far. */
export function messagesAreMeasured(roundTrips: RoundTrips | null, { trips }: Books): void {
  if (roundTrips === null) return
  const mean = trips.mean()
  claim(roundTrips.roundTrip === mean, () => `a round trip of ${roundTrips.roundTrip} was measured instead of ${mean}`)
}

/** The counts of the page, computed from the rows it received, equal those of the core. */
export function countersAreTheSame(page: Counts, core: Counts, when: string): void {
  for (const [key, expected] of Object.entries(core)) {
    const found = page[key as keyof Counts]
    const same = ArrayBuffer.isView(expected)
      ? sameNumbers(found as Uint8Array, expected as Uint8Array)
      : found === expected
    claim(same, () => `the page has counted ${found} ${key} instead of ${expected} ${when}`)
  }
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** A run ends when no more progress is possible: all jobs left or failed, the run was stopped, or no worker can help. It waits for no dead worker. */
export function endsWhereItMust(books: Books, core: Counts, ending: Ending | null): void {
  const left = books.arrived - books.released.length - books.failed.size - books.gaveUp.size
  claim(
    ending === 'stopped' || books.hands.flat().length === 0,
    () => 'the run waits for a worker that will never answer',
  )
  claim(ending === null || (ending === 'stopped') === books.stopped, () => `the run ends as ${ending}`)
  claim(
    ending === null || ending === 'stopped' || (ending === 'drained') === books.drained(),
    () => `the run ends as ${ending} with ${left} jobs left`,
  )
  const over = books.stopped || books.drained() || books.alive() === 0 || !books.scenario.policy.lend
  claim(over, () => `the run is stuck with ${left} jobs and ${books.alive()} workers`)
  claim(core.live === books.alive(), () => 'live workers differ')
}

function listed(queue: { forEach(visit: (job: number) => void): void }): number[] {
  const jobs: number[] = []
  queue.forEach((job) => void jobs.push(job))
  return jobs
}

/** A thread as the conductor sees it: whether and at which event it ended, and its batches. */
export type Employed = Pick<MadeUpThread, 'ended' | 'endedIn'> & { readonly parcels: readonly Parcel[] }

/** Common to all simulated worlds of the conductor: by worker, its current thread and earlier ones. */
interface Employers {
  readonly threads: readonly (readonly Employed[])[]
  readonly time: MadeUpTime
  longest: Micros
  readonly event: number
}

/** The simulated world of threads. */
interface Threads extends Employers {
  readonly threads: readonly (readonly MadeUpThread[])[]
  threadOf(worker: number): MadeUpThread | undefined
  readonly leaps: number
}

/** No healthy worker is declared dead, neither by a late notice about its previous thread nor after the machine slept. The scenario may remove any worker. */
export function noHealthyWorkerIsGivenUp(world: Threads, run: ConductedRun, worker: number): void {
  const thread = world.threadOf(worker)
  claim(
    isTaken(run, worker) || thread === undefined || !thread.isHealthy,
    () => `worker ${worker} is given up at ${run.now} though it is healthy`,
  )
}

/** Whether the scenario has removed the worker by now. */
export function isTaken({ scenario, now }: ConductedRun, worker: number): boolean {
  return scenario.workerEvents.some(
    ({ kind, worker: who, at }) => who === worker && (kind === 'crash' || kind === 'leave') && at <= now,
  )
}

/**
 * A reply counts once, and only for the expected worker, lease and batch: each reported batch was answered by the worker’s own
 * thread, with the same jobs, and every answer that arrived is reported.
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
    // A worker dismissed after its batch may be hired again at the same time, with another thread.
    const threads = world.threads[worker].filter(({ ended, endedIn }) => !ended || endedIn === world.event)
    const parcel = threads
      .map(({ parcels }) => parcels.find(({ counted }) => !counted))
      .find((first) => first !== undefined && first.answered !== 'not')
    claim(parcel !== undefined, () => `a batch of worker ${worker} is reported without an answer`)
    const expected = parcel.answered === 'threw' ? [-1] : [...parcel.jobs].sort((a, b) => a - b)
    claim(jobs.join() === expected.join(), () => `worker ${worker} reports ${jobs} instead of ${expected}`)
    parcel.counted = true
    world.longest = Math.max(world.longest, world.time.passed - parcel.sent)
  }
}

/** The threads have received exactly the jobs that the core counts as in service. A worker that waits for a resource has received none of them yet. */
export function workersHaveWhatTheyWereGiven(world: Threads, run: ConductedRun): void {
  const { state } = run.core
  state.workerJobs.forEach((hand, worker) => {
    const thread = world.threadOf(worker)
    if (thread === undefined || thread.ended) {
      // A worker that could not be started is lost with the next event.
      claim(
        hand.length === 0 || thread?.defect === 'cannot be started',
        () => `worker ${worker} has ${hand} in hand and no thread`,
      )
      return
    }
    const sent = thread.parcels.filter(({ counted }) => !counted).flatMap(({ jobs }) => jobs)
    const held = thread.parcels.length === 0 || isWaiting(state, worker)
    if (state.counts.status[worker] === GONE || state.counts.status[worker] === ABSENT) return
    claim(
      sent.join() === (sent.length === 0 && held ? '' : hand.join()),
      () => `worker ${worker} has been sent ${sent}, and the core believes ${hand}`,
    )
  })
}

/** A worker that leaves or crashes is gone at the time of its event; a worker that leaves finishes its batch first. */
export function dismissedWorkersLeave({ scenario, core, now }: ConductedRun): void {
  const { status, since } = core.state.counts
  // A worker of a pool, or one that joins, may start later.
  if (isElastic(scenario.policy)) return
  for (const { at, kind, worker } of scenario.workerEvents) {
    if (at > now || worker >= scenario.workers || kind === 'hang' || kind === 'join') continue
    const stays = status[worker] === IDLE || (status[worker] === BUSY && (kind === 'crash' || since[worker] >= at))
    claim(!stays, () => `worker ${worker} is still there at ${now}, and should ${kind} at ${at}`)
  }
}

/**
 * A silent worker with a batch is given up in time: after ten times the longest batch, predicted or measured, at least two
 * seconds, and ten ticks. A jump of the clock counts as one tick.
 */
export function silenceIsNoticed(world: Threads, run: ConductedRun): void {
  for (const threads of world.threads) {
    const thread = threads?.at(-1)
    const parcel = thread?.ended === false ? thread.parcels.find(({ answered }) => answered === 'not') : undefined
    if (parcel === undefined || thread === undefined) continue
    const patience = Math.max(2_000_000, 10 * world.longest, 10 * parcel.predicted * run.slowdown)
    const silent = world.time.passed - Math.max(parcel.sent, thread.received)
    claim(
      silent < patience + 3_500_000 + 3_000_000 * world.leaps,
      () => `worker ${thread.worker} has been silent for ${silent} and is not given up`,
    )
  }
}

/** Stop ends the run in the same step, whatever the workers do. */
export function stopIsAtOnce(ending: Ending | null): void {
  claim(ending === 'stopped', () => `the run was stopped and has ended as ${ending}`)
}

/** No thread remains after the run. */
export function nothingIsLeftRunning(threads: readonly MadeUpThread[]): void {
  const left = threads.filter(({ ended }) => !ended).map(({ worker }) => worker)
  claim(left.length === 0, () => `the threads of workers ${left} are left running`)
}
