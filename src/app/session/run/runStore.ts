import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Output } from '../../../engine/work/payloads.ts'
import { t } from '../../../language/translate.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { type Chart, createChart } from '../../../measures/series/chart.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import type { StageThreads } from '../../../runs/remote/remoteRun.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { endOf, type Trace } from '../../../trace/trace.ts'
import { part, type Session } from '../session.ts'
import { hidesEnd } from './hiddenEnd.ts'
import { type Playback, playback, speedFor } from './playback.ts'

/** A run and all that is computed from it. */
export interface Run {
  readonly scenario: Scenario
  readonly trace: Trace
  readonly chart: Chart
  /** When the run began, on the page's clock, as its first rows tell; NaN before them. */
  startedAt: number
  /** Where the run comes from, if Run did not start it. */
  readonly note?: string
  /** How long its simulation took, in milliseconds of real time; records and runs of a study have none. */
  took?: number
  /** Its figures, once they are known. */
  figures?: Metrics | undefined
  /** The page has played it by itself. */
  quiet?: boolean
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
  /** The engine that the person chose. A scenario opens with it unless the scenario needs another. */
  readonly chosenEngine: EngineName
  /** The file that a `lines` source reads. Its bytes stay out of the scenario. */
  readonly file: File | Blob | null
  readonly room: Room | null
  /** Opens the threads that run the code of stages, for one run; returns null without the feature that has them. */
  readonly openStageThreads: () => Promise<StageThreads> | null
  /** How often Run was pressed. The run comes a moment later. */
  readonly presses: number
  readonly phase: 'idle' | 'running' | 'ended'
  readonly run: Run | null
  /** Returns the text of the status line in the present language. */
  readonly status: () => string
  /** The output of a run over a file. */
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

export const ready = () => t('Ready. Press Run.')

export const runStore = part(() =>
  createStore<RunState>(() => ({
    engine: 'simulation',
    chosenEngine: 'simulation',
    file: null,
    room: null,
    openStageThreads: () => null,
    presses: 0,
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

/** Resolves with the present or a later state of the run, as soon as `wanted` accepts it. */
export const runWhen = (session: Session, wanted: (state: RunState) => boolean): Promise<RunState> =>
  stateWhen(runStore(session), wanted)

/** Resolves with the present or a later state of a store, as soon as `wanted` accepts it. */
export function stateWhen<State>(store: StoreApi<State>, wanted: (state: State) => boolean): Promise<State> {
  return new Promise((resolve) => {
    const check = () => {
      if (!wanted(store.getState())) return
      end()
      resolve(store.getState())
    }
    const end = store.subscribe(check)
    check()
  })
}

export function createRun(trace: Trace): Run {
  return { scenario: trace.scenario, trace, chart: createChart(trace), startedAt: Number.NaN }
}

export function chooseSpeed(session: Session, speedChoice: number | 'auto'): void {
  runStore(session).setState({ speedChoice })
  const { run } = runStore(session).getState()
  if (run !== null) applySpeed(session, run)
}

export function applySpeed(session: Session, { trace }: Run): void {
  const { speedChoice } = runStore(session).getState()
  movePlayback(session, { speed: speedChoice === 'auto' ? speedFor(endOf(trace)) : speedChoice })
}

/** Sets the playback, for the frame loop and for the buttons that show it. */
export function movePlayback(session: Session, to: Partial<Playback>): void {
  Object.assign(playback(session), to)
  const { playing, speed, following } = playback(session)
  runStore(session).setState({ playing, speed, following, ...(!playing && !hidesEnd(session) && { played: true }) })
}
