import { t } from '../../language/translate.ts'
import { isDrained, isOutside } from '../../pipeline/counts.ts'
import { clearJournal, type Ending } from '../../pipeline/journal.ts'
import { expectsReply } from '../../pipeline/state.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { MAX_REAL_WORKERS } from '../../scenario/model/limits.ts'
import type { Micros, Phase, Scenario, WorkerEvent } from '../../scenario/model/scenario.ts'
import { countText } from '../../scenario/model/words.ts'
import { needsCode, type StartCode } from '../../scheduler/codePolicy.ts'
import { dispatch } from '../../scheduler/dispatch.ts'
import { type Engine, isIdle, type LoadCode, noteActivity, policyFailed } from '../engine.ts'
import { checkBounds, loadPayloads } from '../work/loadPayloads.ts'
import {
  type ConductedRun,
  createConductedRun,
  type Diagnostics,
  type OwnWork,
  type ThreadsListener,
} from './conductedRun.ts'
import type { Environment } from './environment.ts'
import { gatherFacts, noteLost } from './facts.ts'
import { createAlarm, createInstantTrigger, type Report } from './inbox.ts'
import { awaitsNewWorkers, carryOut, seatNewWorkers } from './orders.ts'
import { createPool } from './pool.ts'

export interface Conductor extends Engine {
  /** Rejects with an Error for users, after no row at all, if the scenario or its file cannot be played. */
  start(scenario: Scenario, listener: ThreadsListener): Promise<void>
  /** Begins a phase of the scenario now. */
  change(values: Omit<Phase, 'at'>): void
  /** Changes how many workers there are: others join, or the last ones leave after their batch. At most as many as the scenario ever has. */
  employ(workers: number): void
  readonly diagnostics: Diagnostics
}

export interface ConductorOptions {
  /** The file that a source of kind `lines` reads. */
  readonly file?: Blob | null
  readonly loadCode?: LoadCode | undefined
  /** Loads the payloads in place of `loadPayloads`: where threads run code of stages, which no other threads do. */
  readonly loadPayloads?: typeof loadPayloads
  /** Functions to run instead of the work of the scenario. Then nothing bounds the services, and lost workers are replaced (see `NewWorkers`). */
  readonly own?: OwnWork
  /** Called after every instant: its facts are the rows of the journal from `from` on, the consequences and orders are those from `orders` on. */
  readonly watch?: ((run: ConductedRun, from: number, orders: number) => void) | undefined
}

/** Returns the engine on threads: module workers, and a conductor's thread of its own, which no busy page disturbs. One message is one instant. */
export function createConductor(environment: Environment, options: ConductorOptions = {}): Conductor {
  const diagnostics: Diagnostics = { ignored: 0, instants: 0 }
  let stopped = false
  let stop = () => {}
  let change = (_: Omit<Phase, 'at'>) => {}
  let employ = (_: number) => {}
  return {
    diagnostics,
    async start(scenario, listener) {
      checkWorkers(scenario)
      if (options.own === undefined) checkBounds(scenario, options.loadPayloads !== undefined)
      const { loadCode } = options
      const startCode = loadCode && (options.own !== undefined || needsCode(scenario)) ? await loadCode() : undefined
      const control = conduct(scenario, listener, environment, options, diagnostics, startCode)
      stop = control.stop
      change = control.change
      employ = control.employ
      if (stopped) stop()
      const { run, ending } = await control.ended
      handOver(run)
      if (run.runPayloads !== null && ending !== 'stopped') listener.output?.(await run.runPayloads.output())
      listener.ended(ending)
    },
    stop() {
      stopped = true
      stop()
    },
    change: (values) => change(values),
    employ: (workers) => employ(workers),
  }
}

/** Throws an Error for users if more workers would take part than real ones are allowed. */
function checkWorkers(scenario: Scenario): void {
  const workers = workersEver(scenario)
  if (workers <= MAX_REAL_WORKERS) return
  throw new Error(
    t('Web Workers and rooms have at most {most} workers, not {workers}. Use fewer, or the simulation.', {
      workers: countText(workers),
      most: countText(MAX_REAL_WORKERS),
    }),
  )
}

interface RunControl extends Pick<Conductor, 'change' | 'employ'> {
  readonly ended: Promise<{ readonly run: ConductedRun; readonly ending: Ending }>
  stop(): void
}

function conduct(
  scenario: Scenario,
  listener: ThreadsListener,
  environment: Environment,
  options: ConductorOptions,
  diagnostics: Diagnostics,
  startCode?: StartCode,
): RunControl {
  const { file = null, watch, own = null } = options
  const { now, after, newWorkers } = environment
  let phase: 'starting' | 'playing' | 'over' = 'starting'
  let loaded = false
  const bell = createInstantTrigger(playNow)
  const alarm = createAlarm(playNow, after)
  const pool = createPool({ ready, reported, lost, errorOutsideWork }, environment)
  const run = createConductedRun(scenario, listener, pool, diagnostics, environment, startCode, own)
  const atStart = run.core.state.counts.live
  let resolve: (result: { run: ConductedRun; ending: Ending }) => void
  let reject: (error: unknown) => void
  const ended = new Promise<{ run: ConductedRun; ending: Ending }>((...settlers) => {
    ;[resolve, reject] = settlers
  })

  function close(): void {
    phase = 'over'
    alarm.clear()
    bell.silence()
    pool.end()
  }

  /** Plays one instant at the present time: reads the inbox, decides and sends the orders. */
  function playNow(): void {
    if (phase !== 'playing') return
    try {
      const reading = now() - run.origin
      // If the clock runs back, time stands still, since otherwise nothing would happen until the clock has caught up.
      if (reading < run.now) run.origin -= run.now - reading
      else run.now = reading
      const ending = playInstant(run, watch)
      if (ending === null) {
        alarm.set(run.now, nextDue(run))
        if (run.inbox.reports.some(({ worker, lease }) => expectsReply(run.core.state, worker, lease))) bell.ring()
        return
      }
      close()
      resolve({ run, ending })
    } catch (error) {
      close()
      reject(error)
    }
  }

  /** Time 0 is when every worker has answered or has been given up, and the file is read. */
  function begin(): void {
    if (phase !== 'starting' || !(run.inbox.stopped || (loaded && run.joining.size === 0))) return
    phase = 'playing'
    run.origin = now()
    // The first job may arrive late, but the run has begun.
    listener.journal(run.journal)
    for (let worker = 0; worker < atStart; worker++) scheduleHang(run, worker)
    playNow()
  }

  function wake(): void {
    if (phase === 'playing') bell.ring()
    else begin()
  }

  function ready(worker: number): void {
    run.joining.delete(worker)
    if (phase === 'starting') listener.ready?.(worker)
    // Rows count the workers of the start as present from time 0.
    if (phase === 'playing') {
      // A hired worker is present since the order.
      if (run.controllerClock === null) run.inbox.joined.push(worker)
      scheduleHang(run, worker)
    }
    wake()
  }

  function reported(report: Report): void {
    run.inbox.reports.push(report)
    bell.ring()
  }

  function lost(worker: number, reason: string): void {
    listener.failure({ time: run.now, kind: 'worker', worker, reason })
    noteLost(run, worker)
    wake()
  }

  function errorOutsideWork(worker: number, reason: string): void {
    listener.failure({ time: run.now, kind: 'job', worker, reason })
  }

  const present = Math.min(atStart, newWorkers?.free() ?? atStart)
  for (let worker = 0; worker < present; worker++) {
    run.joining.add(worker)
    pool.hire(worker)
  }
  for (let worker = present; worker < atStart; worker++) noteLost(run, worker)
  newWorkers?.onNewWorker(wake)
  const loading = own === null ? (options.loadPayloads ?? loadPayloads)(scenario, file) : Promise.resolve(own.payloads)
  loading.then(
    (runPayloads) => {
      run.runPayloads = runPayloads
      loaded = true
      begin()
    },
    (error) => {
      if (phase === 'over') return
      close()
      reject(error)
    },
  )
  return {
    ended,
    stop() {
      run.inbox.stopped = true
      begin()
      playNow()
    },
    change(values) {
      const { taken } = run.phases
      const at = Math.max(1, run.now, 1 + (run.scenario.later[taken - 1]?.at ?? 0))
      run.scenario = withPhase(run.scenario, taken, { ...values, at })
      run.core.scenario = withPhase(run.core.scenario, taken, { ...values, at })
      run.phases.next = at
      wake()
    },
    employ(workers) {
      const { status } = run.core.state.counts
      const leaving: WorkerEvent[] = []
      for (let worker = 0; worker < status.length; worker++) {
        const stays = worker < workers
        if (!stays && run.wanted[worker] === 1 && !isOutside(status[worker]))
          leaving.push({ at: run.now, kind: 'leave', worker })
        else if (stays && run.wanted[worker] === 0) run.leaving[worker] = 0
        run.wanted[worker] = stays ? 1 : 0
      }
      run.scenario = {
        ...run.scenario,
        workerEvents: [...run.scenario.workerEvents.slice(0, run.nextEvent), ...leaving],
      }
      wake()
    },
  }
}

/** Returns the scenario with this as the next phase, joined with the one that would have been next. */
function withPhase(scenario: Scenario, begun: number, phase: Phase): Scenario {
  return { ...scenario, later: [...scenario.later.slice(0, begun), { ...scenario.later[begun], ...phase }] }
}

/** Gathers the facts of the instant, lets the core answer and carries its orders out. Returns how the run ended, or null. */
function playInstant(run: ConductedRun, watch: ConductorOptions['watch']): Ending | null {
  const { journal } = run
  const from = journal.rows.length
  gatherFacts(run)
  if (journal.rows.length > from) {
    run.diagnostics.instants++
    const orders = dispatch(run.core, journal, from)
    if (run.controllerClock !== null) noteActivity(run.controllerClock, journal.rows, from)
    carryOut(run, orders)
    watch?.(run, from, orders)
    if (run.core.problem !== null) return policyFailed(run.listener, run.now, run.core.problem)
  }
  if (run.newWorkers !== null) seatNewWorkers(run, run.newWorkers)
  const ending = endingOf(run)
  if (ending === null && journal.rows.length > 0 && run.now - run.handedOver >= HAND_OVER) handOver(run)
  return ending
}

function endingOf(run: ConductedRun): Ending | null {
  const { core, scenario, joining } = run
  const { counts } = core.state
  if (counts.stopped) return 'stopped'
  if (isDrained(counts)) return 'drained'
  const toCome = scenario.workerEvents.slice(run.nextEvent)
  if (joining.size > 0 || run.inbox.joined.length > 0 || toCome.some(({ kind }) => kind === 'join')) return null
  if (counts.live === 0 && run.controllerClock === null) return awaitsNewWorkers(run) ? null : 'stuck'
  const isQuiet = run.nextArrival < 0 && counts.busy.every((busy) => busy === 0)
  if (!isQuiet || toCome.length > 0 || Math.min(run.phases.next, run.clients?.next ?? Infinity) < Infinity) return null
  if (run.controllerClock === null) return 'stuck'
  return !core.starting.any && isIdle(run.controllerClock, run.now) ? 'stuck' : null
}

/** The listener gets rows at most once in this time: a frame of a screen. */
const HAND_OVER: Micros = 16_000

function handOver(run: ConductedRun): void {
  run.handedOver = run.now
  const tiles = run.runPayloads?.takeTiles() ?? []
  if (tiles.length > 0) run.listener.tiles?.(tiles)
  if (run.journal.rows.length > 0) run.listener.journal(run.journal)
  clearJournal(run.journal)
}

/** Returns when the next instant is due even if no message comes. */
function nextDue(run: ConductedRun): Micros {
  const { workerEvents } = run.scenario
  const arrival = run.nextArrival < 0 ? Infinity : run.nextArrival
  const event = run.nextEvent < workerEvents.length ? workerEvents[run.nextEvent].at : Infinity
  const journal = run.journal.rows.length > 0 ? run.handedOver + HAND_OVER : Infinity
  return Math.min(
    arrival,
    event,
    journal,
    run.phases.next,
    run.clients?.next ?? Infinity,
    run.controllerClock?.next ?? Infinity,
  )
}

/** Tells a worker in advance when to hang, if the scenario has such a fault. */
function scheduleHang(run: ConductedRun, worker: number): void {
  const event = run.scenario.workerEvents.find(
    (one) => one.kind === 'hang' && one.worker === worker && one.at >= run.now,
  )
  if (event !== undefined) run.pool.hangAt(worker, run.origin + event.at)
}
