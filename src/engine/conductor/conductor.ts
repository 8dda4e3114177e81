import { isDrained } from '../../pipeline/counts.ts'
import { clearJournal, type Ending } from '../../pipeline/journal.ts'
import { awaits } from '../../pipeline/state.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { dispatch } from '../../scheduler/dispatch.ts'
import type { Engine } from '../engine.ts'
import { isAtRest, noteRows } from '../ticker.ts'
import { checkBounds, loadPayloads } from '../work/loadPayloads.ts'
import type { Environment } from './environment.ts'
import { gatherFacts, noteLost } from './facts.ts'
import { createAlarm, createBell, type Report } from './inbox.ts'
import { carryOut } from './orders.ts'
import { createPool } from './pool.ts'
import { type ConductedRun, createConductedRun, type Diagnostics, type ThreadsListener } from './run.ts'

/** The engine on real time and real threads. */
export interface Conductor extends Engine {
  /** Rejects with an Error in words, after no row at all, if the scenario or its file cannot be played. */
  start(scenario: Scenario, listener: ThreadsListener): Promise<void>
  readonly figures: Diagnostics
}

export interface ConductorOptions {
  /** What a source of kind `lines` reads. */
  readonly file?: Blob | null
  /** Is shown every instant when it has been played: its facts are the rows of the journal from `from` on, what followed those from `orders` on. */
  readonly watch?: ((run: ConductedRun, from: number, orders: number) => void) | undefined
}

/**
 * The engine on threads. Each worker of the scenario is a module worker of its own, started by the thread that this runs
 * on, which should do nothing else: a busy page then disturbs no decision. What one message brings is one instant.
 */
export function createConductor(environment: Environment, options: ConductorOptions = {}): Conductor {
  const figures: Diagnostics = { ignored: 0, instants: 0 }
  let stopped = false
  let stop = () => {}
  return {
    figures,
    async start(scenario, listener) {
      checkBounds(scenario)
      const performance = conduct(scenario, listener, environment, options, figures)
      stop = performance.stop
      if (stopped) stop()
      const { run, ending } = await performance.ended
      handOver(run)
      if (run.runPayloads !== null && ending !== 'stopped') listener.output?.(await run.runPayloads.output())
      listener.ended(ending)
    },
    stop() {
      stopped = true
      stop()
    },
  }
}

interface Performance {
  readonly ended: Promise<{ readonly run: ConductedRun; readonly ending: Ending }>
  stop(): void
}

function conduct(scenario: Scenario, listener: ThreadsListener, environment: Environment, options: ConductorOptions, figures: Diagnostics): Performance {
  const { file = null, watch } = options
  const { now, after, cores } = environment
  let phase: 'starting' | 'playing' | 'over' = 'starting'
  let loaded = false
  const bell = createBell(look)
  const alarm = createAlarm(look, after)
  const pool = createPool({ ready, reported, lost, troubled }, environment)
  const run = createConductedRun(scenario, listener, pool, figures, cores)
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

  /** Plays the instant that the clock shows: hears all that has come, decides, sends the workers off. */
  function look(): void {
    if (phase !== 'playing') return
    try {
      const reading = now() - run.origin
      // A clock that runs back has stood still: else nothing would happen until it has caught up.
      if (reading < run.now) run.origin -= run.now - reading
      else run.now = reading
      const ending = playInstant(run, watch)
      if (ending === null) {
        alarm.set(run.now, nextDue(run))
        if (run.inbox.reports.some(({ worker, lease }) => awaits(run.core.state, worker, lease))) bell.ring()
        return
      }
      close()
      resolve({ run, ending })
    } catch (error) {
      close()
      reject(error)
    }
  }

  /** Time 0 is when all workers have answered, or have been given up, and the file is read. */
  function begin(): void {
    if (phase !== 'starting' || !(run.inbox.stopped || (loaded && run.joining.size === 0))) return
    phase = 'playing'
    run.origin = now()
    for (let worker = 0; worker < atStart; worker++) forewarn(run, worker)
    look()
  }

  function news(): void {
    if (phase === 'playing') bell.ring()
    else begin()
  }

  function ready(worker: number): void {
    run.joining.delete(worker)
    // Those of the start have been there from the beginning, as far as the rows can tell.
    if (phase === 'playing') {
      // Who was hired is there since the order.
      if (run.ticker === null) run.inbox.joined.push(worker)
      forewarn(run, worker)
    }
    news()
  }

  function reported(report: Report): void {
    run.inbox.reports.push(report)
    bell.ring()
  }

  function lost(worker: number, reason: string): void {
    listener.failure({ time: run.now, kind: 'worker', worker, reason })
    noteLost(run, worker)
    news()
  }

  function troubled(worker: number, reason: string): void {
    listener.failure({ time: run.now, kind: 'job', worker, reason })
  }

  for (let worker = 0; worker < atStart; worker++) {
    run.joining.add(worker)
    pool.hire(worker)
  }
  loadPayloads(scenario, file).then(
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
      look()
    },
  }
}

/** Gathers the facts of the instant, lets the core answer them and carries its answer out. Returns how the run ended, if it did. */
function playInstant(run: ConductedRun, watch: ConductorOptions['watch']): Ending | null {
  const { journal } = run
  const from = journal.rows.length
  gatherFacts(run)
  if (journal.rows.length > from) {
    run.figures.instants++
    const orders = dispatch(run.core, journal, from)
    if (run.ticker !== null) noteRows(run.ticker, journal.rows, from)
    carryOut(run, orders)
    watch?.(run, from, orders)
  }
  const ending = endingOf(run)
  if (ending === null && journal.rows.length > 0 && run.now - run.handedOver >= HAND_OVER) handOver(run)
  return ending
}

function endingOf(run: ConductedRun): Ending | null {
  const { core, scenario, joining } = run
  const { counts } = core.state
  if (counts.stopped) return 'stopped'
  if (isDrained(counts)) return 'drained'
  const toCome = scenario.workerEvents.slice(run.event)
  if (joining.size > 0 || run.inbox.joined.length > 0 || toCome.some(({ kind }) => kind === 'join')) return null
  if (counts.live === 0 && run.ticker === null) return 'stuck'
  const isQuiet = run.arrival < 0 && counts.busy.every((busy) => busy === 0)
  if (!isQuiet || toCome.length > 0 || run.turns.next < Infinity) return null
  return run.ticker === null || isAtRest(run.ticker, run.now) ? 'stuck' : null
}

/** The listener is given rows at most once in so long: a frame of a screen. */
const HAND_OVER: Micros = 16_000

function handOver(run: ConductedRun): void {
  run.handedOver = run.now
  const tiles = run.runPayloads?.takeTiles() ?? []
  if (tiles.length > 0) run.listener.tiles?.(tiles)
  if (run.journal.rows.length > 0) run.listener.journal(run.journal)
  clearJournal(run.journal)
}

/** When the conductor has to look again though nobody calls. */
function nextDue(run: ConductedRun): Micros {
  const { workerEvents } = run.scenario
  const arrival = run.arrival < 0 ? Infinity : run.arrival
  const event = run.event < workerEvents.length ? workerEvents[run.event].at : Infinity
  const journal = run.journal.rows.length > 0 ? run.handedOver + HAND_OVER : Infinity
  return Math.min(arrival, event, journal, run.turns.next, run.ticker?.next ?? Infinity)
}

/** Tells a worker that it will hang, if it will. */
function forewarn(run: ConductedRun, worker: number): void {
  const event = run.scenario.workerEvents.find((one) => one.kind === 'hang' && one.worker === worker && one.at >= run.now)
  if (event !== undefined) run.pool.hangAt(worker, run.origin + event.at)
}
