import { createStore } from 'zustand/vanilla'
import type { Output } from '../../../engine/work/payloads.ts'
import { t } from '../../../language/translate.ts'
import { createEstimateHistory, type EstimateHistory } from '../../../measures/decisions/estimateHistory.ts'
import { type Chart, createChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import type { RunHandle } from '../../../runs/remote/remoteRun.ts'
import type { Watched } from '../../../runs/remote/runWatch.ts'
import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { append, catchUp, createTrace, endOf, type Trace } from '../../../trace/trace.ts'
import { allowCode, codeIn } from '../scenario/allowedCode.ts'
import { keepEngine } from '../scenario/savedCanvas.ts'
import { open, scenarioStore, showProblems } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { takeTiles } from './pictures.ts'
import { type Playback, playback, speedFor } from './playback.ts'
import { endSentence, roomRefusal, simulatedSentence, threadsSentence, watchWords } from './runSentences.ts'

/** A run and all that is computed from it. */
export interface Run {
  readonly scenario: Scenario
  readonly trace: Trace
  readonly chart: Chart
  readonly estimateHistory: EstimateHistory
  /** When the run began, on the page's clock, as its first rows tell; NaN before them. */
  startedAt: number
  /** Where the run comes from, if Run did not start it. */
  readonly note?: string
}

/** The room whose host this page is, and how many threads are lent there. */
export interface Room {
  readonly address: RoomAddress
  readonly seats: number
  /** How many devices have answered what the room was asked last. */
  readonly answers: number
  /** Returns why no run can begin there now; null if one can. */
  refusal(): string | null
}

interface RunState {
  readonly engine: EngineName
  readonly room: Room | null
  readonly phase: 'idle' | 'running' | 'ended'
  readonly run: Run | null
  /** Returns the text of the status line in the present language. */
  readonly status: () => string
  /** What a run has made of a file. */
  readonly output: Output | null
  /** Copies of the playback, for the buttons that show them. */
  readonly playing: boolean
  readonly speed: number
  /** The playback has stopped since the run ended: only then does the status line say how the run ended. */
  readonly played: boolean
  /** The chosen speed; auto: the whole run in about ten seconds. */
  readonly speedChoice: number | 'auto'
  readonly following: boolean
}

/** The status line waits no longer than this for the playback: it may be slow, or the page hidden. */
const PATIENCE_MS = 20_000

const ready = () => t('Ready. Press Run.')

export const runStore = part(() =>
  createStore<RunState>(() => ({
    engine: 'simulation',
    room: null,
    phase: 'idle',
    run: null,
    status: ready,
    output: null,
    playing: false,
    speed: 1,
    played: true,
    speedChoice: 'auto',
    following: true,
  })),
)

interface RunControl {
  /** The run under way; null: none, and all its threads have ended. */
  handle: RunHandle | null
  /** The file that a `lines` source reads. Its bytes stay out of the scenario. */
  file: File | Blob | null
  /** The engine that the person chose. A scenario that needs no other opens with it. */
  chosenEngine: EngineName
  readonly listeners: Set<(run: Run) => void>
  patience: ReturnType<typeof setTimeout> | undefined
  /** A scenario that is being fetched for the canvas: a run waits for it. */
  opening: Promise<unknown> | null
}

const runControl = part((session): RunControl => {
  const control: RunControl = { handle: null, file: null, chosenEngine: 'simulation', listeners: new Set(), patience: undefined, opening: null }
  session.onEnd(() => {
    clearTimeout(control.patience)
    void control.handle?.stop()
  })
  return control
})

/** Calls `hear` when rows come to the trace of a run under way, and when it ends. Returns an unsubscribe function. */
export function onRows(session: Session, hear: (run: Run) => void): () => void {
  const { listeners } = runControl(session)
  listeners.add(hear)
  return () => listeners.delete(hear)
}

/** Resolves with the state of the run, the present one or a later one, as soon as it is as wanted. */
export function runWhen(session: Session, wanted: (state: RunState) => boolean): Promise<RunState> {
  return new Promise((resolve) => {
    const look = () => {
      const state = runStore(session).getState()
      if (!wanted(state)) return
      end()
      resolve(state)
    }
    const end = runStore(session).subscribe(look)
    look()
  })
}

/** Chooses an engine, for the next visit too. */
export function chooseEngine(session: Session, engine: EngineName): void {
  runControl(session).chosenEngine = engine
  keepEngine(engine)
  runStore(session).setState({ engine })
}

/**
 * Puts another scenario on the canvas. A run under way is stopped, and the last run leaves the screen. `engine` holds for this scenario
 * only; without it the engine is the one that the person chose.
 */
export function openScenario(session: Session, scenario: Scenario, engine: EngineName = runControl(session).chosenEngine): void {
  closeRun(session)
  open(session, scenario)
  runStore(session).setState({ engine })
}

/** Sets the file that the scenario reads. The last run read another one and leaves the screen. */
export function openInput(session: Session, input: File | Blob, status: () => string): void {
  closeRun(session)
  runControl(session).file = input
  const { engine } = runStore(session).getState()
  runStore(session).setState({ engine: isRealTime(engine) ? engine : 'threads', status })
}

/** Takes the run off the screen. A run under way is stopped; its threads may end later. */
export function closeRun(session: Session): void {
  const { phase } = runStore(session).getState()
  void stop(session)
  movePlayback(session, { time: 0, playing: false, following: true })
  runStore(session).setState({
    phase: 'idle',
    run: null,
    output: null,
    status: phase === 'running' ? () => t('Stopped: another scenario was opened. Press Run.') : ready,
  })
}

export function inputFile(session: Session): File | Blob | null {
  return runControl(session).file
}

/** Lets runs wait until a scenario that is being fetched is on the canvas: who presses Run means that one. */
export function runAfter(session: Session, opening: Promise<unknown>): void {
  const control = runControl(session)
  const done = () => {
    if (control.opening === waiting) control.opening = null
  }
  const waiting = opening.then(done, done)
  control.opening = waiting
}

/** Plays the scenario on the chosen engine. A run under way is stopped first. */
export async function start(session: Session): Promise<void> {
  const control = runControl(session)
  // The first screen does without it.
  const { startRun } = await import('../../../runs/remote/remoteRun.ts')
  while (control.opening !== null) await control.opening
  while (control.handle !== null) await stop(session)
  const { scenario, draftProblems, whole, shown } = scenarioStore(session).getState()
  const store = runStore(session)
  const { engine, room } = store.getState()
  const begins = shown === null ? 0 : whole.branches[shown].at
  if (draftProblems.length > 0) return showError(session, t('Fix or undo what is marked on the canvas first.'))
  if (scenario.source.kind === 'lines' && scenario.source.jobs === 0) {
    showError(session, t('This pipeline needs a file: drop one on the page, or press More, Use the sample.'))
    return
  }
  const refusal = engine === 'room' ? roomRefusal(room) : null
  if (refusal !== null) return showError(session, refusal)
  allowCode(session, ...codeIn(whole))
  const trace = createTrace(scenario, engine, Date.now())
  const run = createRun(trace)
  const began = performance.now()
  const realTime = isRealTime(engine)
  // Before it begins a branch equals its original. A simulation skips that part, real work takes its time.
  movePlayback(session, { time: realTime ? 0 : begins, playing: true, speed: 1, following: true })
  store.setState({
    phase: 'running',
    run,
    output: null,
    status: realTime ? () => threadsSentence(run, begins) : () => t('Simulating.'),
  })
  const { file, listeners } = control
  const onScreen = () => store.getState().run === run
  let watched: Watched = 'well'
  const simulating = () => t('Simulating: {n, plural, one {# job} other {# jobs}} out.', { n: trace.head.counts.released })
  const tellHowItGoes = () => {
    if (onScreen()) store.setState({ status: () => [watchWords(watched), realTime ? threadsSentence(run, begins) : simulating()].filter(Boolean).join(' ') })
  }
  const tellListeners = () => {
    for (const hear of listeners) hear(run)
  }
  const handle = startRun(
    engine,
    scenario,
    { file: file ?? undefined, room: room?.address },
    {
      journal(journal) {
        append(trace, journal)
        tellListeners()
        if (Number.isNaN(run.startedAt)) {
          run.startedAt = performance.now() - endOf(trace) / 1000
          if (realTime) tellHowItGoes()
        }
        if (!realTime) tellHowItGoes()
      },
      failure(failure) {
        trace.failures.push(failure)
        if (realTime && failure.kind === 'worker') tellHowItGoes()
      },
      watched(now) {
        watched = now
        tellHowItGoes()
      },
      output: (output) => onScreen() && store.setState({ output }),
      tiles: (tiles) => scenario.source.kind === 'image' && takeTiles(run, scenario.source, tiles),
      ended(ending) {
        trace.ending = ending
        tellListeners()
        if (control.handle === handle) control.handle = null
        if (!onScreen()) return
        if (!realTime) applySpeed(session, run)
        void conclude(session, run, realTime ? null : performance.now() - began)
      },
    },
  )
  control.handle = handle
}

function createRun(trace: Trace): Run {
  return { scenario: trace.scenario, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: Number.NaN }
}

/** Puts a recorded run on the screen and its scenario on the canvas, as if the run had just ended. A run under way is stopped first. */
export async function showRecord(session: Session, trace: Trace, name: string): Promise<void> {
  while (runControl(session).handle !== null) await stop(session)
  open(session, trace.scenario)
  const run = createRun(trace)
  movePlayback(session, { time: 0, playing: false, following: false })
  const store = runStore(session)
  store.setState({ phase: 'running', engine: trace.engine, run, output: null, status: () => t('Reading {name}.', { name }) })
  applySpeed(session, run)
  await conclude(session, run, null)
  if (store.getState().run === run) store.setState({ status: () => `${endSentence(trace)} ${t('Recorded in {name}.', { name })}` })
}

export async function stop(session: Session): Promise<void> {
  await runControl(session).handle?.stop()
}

/** Puts a run that has ended on the screen, at an instant of it. Its trace must be counted (see `catchUp`). */
export async function showRun(session: Session, run: Run, time: Micros): Promise<void> {
  while (runControl(session).handle !== null) await stop(session)
  movePlayback(session, { time, playing: false, speed: 1, following: false })
  runStore(session).setState({ phase: 'ended', run, output: null, status: () => endSentence(run.trace) })
  applySpeed(session, run)
}

export function chooseSpeed(session: Session, speedChoice: number | 'auto'): void {
  runStore(session).setState({ speedChoice })
  const { run } = runStore(session).getState()
  if (run !== null) applySpeed(session, run)
}

function applySpeed(session: Session, { trace }: Run): void {
  const { speedChoice } = runStore(session).getState()
  movePlayback(session, { speed: speedChoice === 'auto' ? speedFor(endOf(trace)) : speedChoice })
}

/** Sets the playback, for the frame loop and for the buttons that show it. */
export function movePlayback(session: Session, to: Partial<Playback>): void {
  Object.assign(playback(session), to)
  const { playing, speed, following } = playback(session)
  runStore(session).setState({ playing, speed, following, ...(!playing && { played: true }) })
}

/**
 * Counts the rows of a run that has ended, in slices so that a million jobs do not freeze the page, and shows that it has ended.
 * `took`: how long a simulation took, in milliseconds; null for other runs.
 */
async function conclude(session: Session, run: Run, took: number | null): Promise<void> {
  await stepInSlices(() => catchUp(run.trace, ROWS_A_STEP))
  const store = runStore(session)
  if (store.getState().run !== run) return
  const { ending, failures } = run.trace
  // A person who pressed Stop, or whose page is broken, is told at once.
  const toldAtOnce = took === null || ending === 'stopped' || failures.some(({ kind }) => kind === 'run')
  const played = toldAtOnce || !playback(session).playing
  store.setState({ phase: 'ended', played, status: () => (store.getState().played ? endSentence(run.trace) : simulatedSentence(took ?? 0)) })
  const control = runControl(session)
  clearTimeout(control.patience)
  if (!played) control.patience = setTimeout(() => store.getState().run === run && store.setState({ played: true }), PATIENCE_MS)
}

/** Shows why a file or a scenario cannot be played. What is on the screen stays. */
export function showError(session: Session, message: string): void {
  showProblems(session, [{ path: '', message }])
}
