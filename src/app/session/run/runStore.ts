import { createStore } from 'zustand/vanilla'
import type { Output } from '../../../engine/work/payloads.ts'
import { t, tStored } from '../../../language/translate.ts'
import { createEstimateHistory, type EstimateHistory } from '../../../measures/decisions/estimateHistory.ts'
import { lossesOf } from '../../../measures/frame/losses.ts'
import { stuckSentences } from '../../../measures/frame/stuck.ts'
import { type Chart, createChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { type RunHandle, startRun } from '../../../runs/remote/remoteRun.ts'
import { crewOf, isElastic } from '../../../scenario/model/defaults.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { append, catchUp, createTrace, endOf, type Trace } from '../../../trace/trace.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/readable.ts'
import { keepEngine } from '../scenario/savedCanvas.ts'
import { open, refuse, scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { takeTiles } from './pictures.ts'
import { playback, speedFor } from './playback.ts'

/** A run and all that is computed from it. */
export interface Run {
  readonly scenario: Scenario
  readonly trace: Trace
  readonly chart: Chart
  readonly estimateHistory: EstimateHistory
  /** On the page's clock, when time 0 of the run was, as far as its first rows tell; NaN before them. */
  startedAt: number
  /** Where it comes from, if it was not started by Run. */
  readonly note?: string
}

interface RunState {
  readonly engine: EngineName
  readonly phase: 'idle' | 'running' | 'ended'
  readonly run: Run | null
  /** The sentence of the status line, said anew in whatever language is spoken. */
  readonly status: () => string
  /** What a run over a file has made of it. */
  readonly output: Output | null
  /** The playback's switch and speed, for the buttons that show them. */
  readonly playing: boolean
  readonly speed: number
  /** The speed somebody has chosen; auto: the whole run in about ten seconds. */
  readonly speedChoice: number | 'auto'
  readonly following: boolean
}

const ready = () => t('Ready. Press Run.')

export const runStore = part(() =>
  createStore<RunState>(() => ({
    engine: 'simulation',
    phase: 'idle',
    run: null,
    status: ready,
    output: null,
    playing: false,
    speed: 1,
    speedChoice: 'auto',
    following: true,
  })),
)

const heard = part(() => new Set<(run: Run) => void>())

/** Hears of whatever comes to the trace of a run under way, and of its end. Returns what ends it. */
export function onRows(session: Session, hear: (run: Run) => void): () => void {
  heard(session).add(hear)
  return () => heard(session).delete(hear)
}

interface Own {
  handle: RunHandle | null
  /** The file that a `lines` source reads; its bytes stay out of the scenario. */
  file: File | Blob | null
  /** The engine chosen by hand: what is opened without a wish of its own goes back to it. */
  chosen: EngineName
}

const own = part(
  (): Own => ({
    handle: null,
    file: null,
    chosen: 'simulation',
  }),
)

/** The person's own choice, which is kept for the next visit. */
export function chooseEngine(session: Session, engine: EngineName): void {
  own(session).chosen = engine
  keepEngine(engine)
  runStore(session).setState({ engine })
}

/**
 * Puts another scenario on the canvas. What was run belongs to the one before and leaves the screen with it; a run under way is
 * stopped. A wish (real work wants threads) sets the engine for this scenario only: the next without one goes back to the engine
 * that was chosen by hand, so that whoever looks at a preset of real work does not find the others on threads afterwards.
 */
export function openScenario(session: Session, scenario: Scenario, wish?: EngineName): void {
  leave(session)
  open(session, scenario)
  runStore(session).setState({ engine: wish ?? own(session).chosen })
}

/** Puts a file into the scenario as what it works on; what was run had another. */
export function openInput(session: Session, input: File | Blob, status: () => string): void {
  leave(session)
  own(session).file = input
  runStore(session).setState({ engine: 'threads', status })
}

/** Takes the run off the screen. One under way is stopped, and nobody hears of it until its threads have ended. */
export function leave(session: Session): void {
  const { phase } = runStore(session).getState()
  void stop(session)
  move(session, { time: 0, playing: false, following: true })
  runStore(session).setState({
    phase: 'idle',
    run: null,
    output: null,
    status: phase === 'running' ? () => t('Stopped: another scenario was opened. Press Run.') : ready,
  })
}

export function inputFile(session: Session): File | Blob | null {
  return own(session).file
}

/** Plays the scenario on the chosen engine; a run under way is stopped first. */
export async function start(session: Session): Promise<void> {
  while (own(session).handle !== null) await stop(session)
  const { scenario, draftProblems, whole, shown } = scenarioStore(session).getState()
  const { engine } = runStore(session).getState()
  const begins = shown === null ? 0 : whole.branches[shown].at
  if (draftProblems.length > 0) return complain(session, t('What is marked on the canvas is to be put right first, or undone.'))
  if (scenario.source.kind === 'lines' && scenario.source.jobs === 0) {
    complain(session, t('There is no file to work on yet: drop one on the page, or press More, Use the sample.'))
    return
  }
  const trace = createTrace(scenario, engine, Date.now())
  const run: Run = { scenario, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: Number.NaN }
  // Until it begins a branch is its trunk: a simulation is there in a moment and is watched from then on, real work takes its time.
  move(session, { time: engine === 'simulation' ? begins : 0, playing: true, speed: 1, following: true })
  runStore(session).setState({
    phase: 'running',
    run,
    output: null,
    status: engine === 'threads' ? () => onThreads(run, begins) : () => t('Simulating.'),
  })
  const tellThreads = () => runStore(session).getState().run === run && runStore(session).setState({ status: () => onThreads(run, begins) })
  const { file } = own(session)
  const present = startRun(engine, scenario, file === null ? null : { file }, {
    journal(journal) {
      append(trace, journal)
      for (const hear of heard(session)) hear(run)
      if (Number.isNaN(run.startedAt)) {
        run.startedAt = performance.now() - endOf(trace) / 1000
        if (engine === 'threads') tellThreads()
      }
      if (engine === 'simulation' && runStore(session).getState().run === run)
        runStore(session).setState({ status: () => t('Simulating: {n, plural, one {# job} other {# jobs}} out.', { n: trace.head.counts.released }) })
    },
    failure(failure) {
      trace.failures.push(failure)
      if (engine === 'threads' && failure.kind === 'worker') tellThreads()
    },
    output: (output) => runStore(session).getState().run === run && runStore(session).setState({ output }),
    tiles: (tiles) => scenario.source.kind === 'image' && takeTiles(run, scenario.source, tiles),
    ended(ending) {
      trace.ending = ending
      for (const hear of heard(session)) hear(run)
      if (own(session).handle === present) own(session).handle = null
      if (runStore(session).getState().run !== run) return
      if (engine === 'simulation') applySpeed(session, run)
      void conclude(session, run)
    },
  })
  own(session).handle = present
}

/** Puts a recorded run on the screen, and its scenario on the canvas, as if it had just ended; a run under way is stopped first. */
export async function showRecord(session: Session, trace: Trace, name: string): Promise<void> {
  while (own(session).handle !== null) await stop(session)
  const { scenario } = trace
  open(session, scenario)
  const run: Run = { scenario, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: Number.NaN }
  move(session, { time: 0, playing: false, following: false })
  runStore(session).setState({ phase: 'running', engine: trace.engine, run, output: null, status: () => t('Reading {name}.', { name }) })
  applySpeed(session, run)
  await conclude(session, run)
  if (runStore(session).getState().run === run) runStore(session).setState({ status: () => `${sentence(trace)} ${t('Recorded in {name}.', { name })}` })
}

export async function stop(session: Session): Promise<void> {
  await own(session).handle?.stop()
}

/** Puts a run that was played elsewhere to its end on the screen, at an instant of it. Its trace must be counted (see `catchUp`). */
export async function showRun(session: Session, run: Run, time: Micros): Promise<void> {
  while (own(session).handle !== null) await stop(session)
  move(session, { time, playing: false, speed: 1, following: false })
  runStore(session).setState({ phase: 'ended', run, output: null, status: () => sentence(run.trace) })
  applySpeed(session, run)
}

export function chooseSpeed(session: Session, speedChoice: number | 'auto'): void {
  runStore(session).setState({ speedChoice })
  const { run } = runStore(session).getState()
  if (run !== null) applySpeed(session, run)
}

function applySpeed(session: Session, { trace }: Run): void {
  const { speedChoice } = runStore(session).getState()
  move(session, { speed: speedChoice === 'auto' ? speedFor(endOf(trace)) : speedChoice })
}

/** Sets the playback's switches; both the loop and the buttons hear of it. */
export function move(session: Session, to: Partial<typeof playback>): void {
  Object.assign(playback(session), to)
  const { playing, speed, following } = playback(session)
  runStore(session).setState({ playing, speed, following })
}

/** The sentence that ends a run; its rows are counted in stretches, so that a million jobs do not freeze the page. */
async function conclude(session: Session, run: Run): Promise<void> {
  await stepInSlices(() => catchUp(run.trace, ROWS_A_STEP))
  if (runStore(session).getState().run === run) runStore(session).setState({ phase: 'ended', status: () => sentence(run.trace) })
}

/** Until it begins a branch is its trunk, which real work plays anew. */
function onThreads({ trace: { scenario, failures }, startedAt }: Run, begins: Micros): string {
  const n = crewOf(scenario)
  // Their script may first have to come over a slow network.
  if (Number.isNaN(startedAt)) return t('Starting {n, plural, one {# Web Worker} other {# Web Workers}}.', { n })
  const running = isElastic(scenario.policy)
    ? t('Running on up to {n, plural, one {# Web Worker} other {# Web Workers}}', { n })
    : t('Running on {n, plural, one {# Web Worker} other {# Web Workers}}', { n })
  const lost = lossesOf(failures)
  const now = lost === null ? running : `${running}, ${lost}`
  return begins > 0 ? t('{running}, anew from 0: the branch begins at {time}.', { running: now, time: clock(begins) }) : `${now}.`
}

function sentence(trace: Trace): string {
  const { arrived, released, failed } = trace.head.counts
  const lost = lossesOf(trace.failures)
  const broken = trace.failures.find(({ kind }) => kind === 'run')
  if (broken !== undefined && trace.ending === 'stuck') return t('Failed: {reason}.', { reason: readable(tStored(broken.reason), 300).replace(/\.$/, '') })
  const out = [
    t('{released} of {n, plural, one {# job} other {# jobs}} in {time}', { released: count(released), n: arrived, time: duration(endOf(trace)) }),
    ...(failed > 0 ? [t('{n, number} failed', { n: failed }) + firstReason(trace)] : []),
    ...(lost === null ? [] : [lost]),
  ].join(', ')
  if (trace.ending === 'stopped') return t('Stopped: {out}.', { out })
  if (trace.ending === null) return t('Stopped: {out}; the record was saved while the run went on.', { out })
  if (trace.ending === 'stuck') return t('Failed: {out}; {why}', { out, why: stuckSentences(trace) })
  return t('Finished: {out}.', { out })
}

/** Why the first job failed, where it is known. People count jobs, as workers, from 1. */
function firstReason({ failures, scenario }: Trace): string {
  const first = failures.find(({ kind, job }) => kind === 'job' && job !== undefined)
  if (first?.job === undefined || first.stage === undefined) return ''
  const values = { n: count(first.job + 1), stage: scenario.stages[first.stage].name, reason: readable(tStored(first.reason)) }
  if (scenario.source.kind === 'lines') return t(' (line {n} at {stage}: {reason})', values)
  if (scenario.source.kind === 'image') return t(' (tile {n} at {stage}: {reason})', values)
  return t(' (job {n} at {stage}: {reason})', values)
}

/** Says why a file or a scenario cannot be played; what is on the screen stays. */
export function complain(session: Session, message: string): void {
  refuse(session, [{ path: '', message }])
}
