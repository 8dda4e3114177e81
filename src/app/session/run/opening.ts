import { t } from '../../../language/translate.ts'
import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import type { Trace } from '../../../trace/trace.ts'
import { keepEngine } from '../scenario/savedCanvas.ts'
import { open } from '../scenario/scenarioStore.ts'
import type { Session } from '../session.ts'
import { beginsWords, endSentence, quietSentence } from './runSentences.ts'
import { applySpeed, createRun, movePlayback, type Run, ready, runStore } from './runStore.ts'
import { conclude, isUnderWay, stop } from './startStop.ts'

/** Chooses an engine, for the next visit too. The status line no longer speaks of a run that has ended. */
export function chooseEngine(session: Session, engine: EngineName): void {
  keepEngine(engine)
  const { phase, status } = runStore(session).getState()
  runStore(session).setState({ engine, chosenEngine: engine, status: phase === 'running' ? status : ready })
}

/**
 * Puts another scenario on the canvas. A running run is stopped, and the last run leaves the screen. `engine` holds for this scenario
 * only; without it the engine is the one that the person chose.
 */
export function openScenario(
  session: Session,
  scenario: Scenario,
  engine: EngineName = runStore(session).getState().chosenEngine,
): void {
  closeRun(session)
  open(session, scenario)
  runStore(session).setState({ engine })
}

/** Sets the file that the scenario reads. The last run read another one and leaves the screen. */
export function openInput(session: Session, input: File | Blob, status: () => string): void {
  closeRun(session)
  const { engine } = runStore(session).getState()
  runStore(session).setState({ engine: isRealTime(engine) ? engine : 'threads', file: input, status })
}

/** Takes the run off the screen. A running run is stopped; its threads may end later. */
export function closeRun(session: Session): void {
  const { phase } = runStore(session).getState()
  void stop(session)
  movePlayback(session, { time: 0, playing: false, following: true })
  runStore(session).setState({
    phase: 'idle',
    run: null,
    output: null,
    status: phase === 'running' ? () => t('Stopped: another scenario was opened.') : ready,
  })
}

/** Puts a recorded run on the screen and its scenario on the canvas, as if the run had just ended. A running run is stopped first. */
export async function showRecord(session: Session, trace: Trace, name: string): Promise<void> {
  while (isUnderWay(session)) await stop(session)
  open(session, trace.scenario)
  const run = createRun(trace)
  movePlayback(session, { time: 0, playing: false, following: false })
  const store = runStore(session)
  store.setState({
    phase: 'running',
    engine: trace.engine === 'functions' ? 'simulation' : trace.engine,
    run,
    output: null,
    status: () => t('Reading {name}.', { name }),
  })
  applySpeed(session, run)
  await conclude(session, run, null)
  if (store.getState().run === run)
    store.setState({
      status: () => `${endSentence(trace)} ${t('Recorded in {name}.', { name })} ${beginsWords(trace)}`.trimEnd(),
    })
}

/** Puts a run that has ended on the screen, at an instant of it. Its trace must be counted (see `catchUp`). */
export async function showRun(session: Session, run: Run, time: Micros): Promise<void> {
  while (isUnderWay(session)) await stop(session)
  movePlayback(session, { time, playing: false, speed: 1, following: false })
  runStore(session).setState({ phase: 'ended', run, output: null, status: () => quietSentence(run) })
  applySpeed(session, run)
}
