import { t } from '../../../language/translate.ts'
import { ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { type RunHandle, startRun } from '../../../runs/remote/remoteRun.ts'
import type { Watched } from '../../../runs/remote/runWatch.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { codeOf, hasCode, type Scenario } from '../../../scenario/model/scenario.ts'
import { append, catchUp, createTrace, endOf } from '../../../trace/trace.ts'
import { allowCode, codeIn } from '../scenario/allowedCode.ts'
import { scenarioStore, showError } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { hidesEnd } from './hiddenEnd.ts'
import { takeTiles } from './pictures.ts'
import { playback } from './playback.ts'
import { endSentence, simulatedSentence, threadsSentence, watchWords } from './runSentences.ts'
import { applySpeed, createRun, movePlayback, type Run, ready, runStore } from './runStore.ts'

/** The status line waits no longer than this for the playback: it may be slow, or the page hidden. */
const PATIENCE_MS = 20_000

const runControl = part((session) => {
  const control = {
    /** The running run; null: none, and all its threads have ended. */
    handle: null as RunHandle | null,
    listeners: new Set<(run: Run) => void>(),
    patience: undefined as ReturnType<typeof setTimeout> | undefined,
    /** A scenario that is being fetched for the canvas: a run waits for it. */
    opening: null as Promise<unknown> | null,
  }
  session.onEnd(() => {
    clearTimeout(control.patience)
    void control.handle?.stop()
  })
  return control
})

/** Calls `hear` when rows come to the trace of a running run, and when it ends. Returns an unsubscribe function. */
export function onRows(session: Session, listener: (run: Run) => void): () => void {
  const { listeners } = runControl(session)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Lets runs wait until a scenario that is being fetched is on the canvas: a press of Run is for that one. */
export function runAfter(session: Session, opening: Promise<unknown>): void {
  const control = runControl(session)
  const done = () => {
    if (control.opening === waiting) control.opening = null
  }
  const waiting = opening.then(done, done)
  control.opening = waiting
}

/** Returns what is being fetched for the canvas; null: nothing is. */
export const pendingOpening = (session: Session): Promise<unknown> | null => runControl(session).opening

/** Plays the scenario on the chosen engine. A running run is stopped first. */
export async function start(session: Session): Promise<void> {
  const control = runControl(session)
  const store = runStore(session)
  // The status line speaks of the new run from the moment of the press.
  store.setState(({ presses }) => ({ presses: presses + 1, status: () => t('Starting.') }))
  while (control.opening !== null) await control.opening
  while (isUnderWay(session)) await stop(session)
  const { scenario, draftProblems, whole, shown } = scenarioStore(session).getState()
  const { engine, room, file, openStageThreads } = store.getState()
  const begins = shown === null ? 0 : whole.branches[shown].at
  const refusal =
    draftProblems.length > 0
      ? t('Fix the marked problems first.')
      : scenario.source.kind === 'lines' && scenario.source.jobs === 0
        ? t('This pipeline needs a file. Drop one on the page.')
        : engine === 'room'
          ? roomRefusal(room, scenario)
          : null
  if (refusal !== null) {
    store.setState({ status: ready })
    return showError(session, refusal)
  }
  allowCode(
    session,
    ...codeIn(whole),
    ...(isRealTime(engine) ? scenario.stages.map((stage) => codeOf(stage) ?? '') : []),
  )
  const trace = createTrace(scenario, engine, Date.now())
  const run = createRun(trace)
  const began = performance.now()
  const realTime = isRealTime(engine)
  const simulating = () => t('Simulating: {n, number} out.', { n: trace.head.counts.released })
  // Until its start a branch equals the original. A simulation skips that part; real work runs it again.
  movePlayback(session, { time: realTime ? 0 : begins, playing: true, speed: 1, following: true })
  store.setState({
    phase: 'running',
    run,
    output: null,
    status: () => (realTime ? threadsSentence(run, begins) : simulating()),
  })
  const onScreen = () => store.getState().run === run
  let watched: Watched = 'ok'
  const showProgress = () => {
    if (onScreen())
      store.setState({
        status: () =>
          [watchWords(watched), realTime ? threadsSentence(run, begins) : simulating()].filter(Boolean).join(' '),
      })
  }
  const tellListeners = () => {
    for (const listener of control.listeners) listener(run)
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
          if (realTime) showProgress()
        }
        if (!realTime) showProgress()
      },
      failure(failure) {
        trace.failures.push(failure)
        if (realTime && failure.kind === 'worker') showProgress()
      },
      watched(state) {
        watched = state
        showProgress()
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
    { stageThreads: engine === 'threads' && hasCode(scenario) ? openStageThreads() : null },
  )
  control.handle = handle
}

export async function stop(session: Session): Promise<void> {
  await runControl(session).handle?.stop()
}

/** Returns whether a run is in progress, or threads of one have not ended yet. */
export const isUnderWay = (session: Session): boolean => runControl(session).handle !== null

/**
 * Counts the rows of a run that has ended, in slices so that a million jobs do not freeze the page, and shows that it has ended.
 * `took`: how long a simulation took, in milliseconds; null for other runs.
 */
export async function conclude(session: Session, run: Run, took: number | null): Promise<void> {
  await stepInSlices(() => catchUp(run.trace, ROWS_A_STEP))
  const store = runStore(session)
  if (took !== null) run.took = took
  if (store.getState().run !== run) return
  const { ending, failures } = run.trace
  // A person who pressed Stop, or whose page is broken, sees the end at once.
  const isImmediate = took === null || ending === 'stopped' || failures.some(({ kind }) => kind === 'run')
  const played = isImmediate || (!playback(session).playing && !hidesEnd(session))
  store.setState({
    phase: 'ended',
    played,
    status: () => (store.getState().played ? endSentence(run.trace) : simulatedSentence(took ?? 0)),
  })
  const control = runControl(session)
  clearTimeout(control.patience)
  if (!played)
    control.patience = setTimeout(() => {
      if (store.getState().run === run && !hidesEnd(session)) store.setState({ played: true })
    }, PATIENCE_MS)
}

/** Returns why a run in a room cannot begin; null if it can. */
export function roomRefusal(room: { refusal(): string | null } | null, scenario: Scenario): string | null {
  if (hasCode(scenario)) return t('No code of a stage goes to the devices of a room. Choose Web Workers.')
  return room === null ? t('This page has no room. Open a host link, or choose another engine.') : room.refusal()
}
