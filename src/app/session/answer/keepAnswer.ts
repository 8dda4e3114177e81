import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { bottleneckOf } from '../../../measures/figures/occupancy.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { playedParts, same } from '../../../scenario/model/compact.ts'
import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { countServices } from '../../../scenario/model/sources.ts'
import { endOf } from '../../../trace/trace.ts'
import { endAll } from '../../base/browser/frames.ts'
import { repaint } from '../page/painter.ts'
import { lessonStore, showingStore } from '../page/showing.ts'
import { hidesEnd, revealedStore } from '../run/hiddenEnd.ts'
import { showRun } from '../run/opening.ts'
import { playback } from '../run/playback.ts'
import { movePlayback, type Run, runStore, stateWhen } from '../run/runStore.ts'
import { pendingOpening, start, stop } from '../run/startStop.ts'
import { allowedCodeStore, codeWaits } from '../scenario/allowedCode.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { sessionJob } from '../study/backgroundJob.ts'
import { runOfJournals } from '../study/runOfJournals.ts'

/**
 * How the run on the page stands to the scenario on the canvas. `shown`: it is the run of that scenario. `due`: the scenario is being
 * simulated. `long`: that would take longer than a second, so it needs a press of Run. The others say what it waits for.
 */
export type Standing =
  | 'idle'
  | 'shown'
  | 'due'
  | 'long'
  | 'front'
  | 'lesson'
  | 'guess'
  | 'code'
  | 'file'
  | 'beside'
  | 'problems'
  | 'refused'
  | 'realTime'
  | 'running'

/** A simulation that is likely to take longer waits for Run when its scenario is opened. */
const MAX_MS = 1000
/** A new edit cancels a simulation that is likely to take longer than this. Shorter ones finish. */
const QUICK_MS = 250
/** After this time a simulation shows its progress, and Run becomes Stop: where a long one was expected, and in any case. */
const SLOW_MS = 300
const MAX_QUIET_MS = 5000
/** More services are never simulated again by themselves: their record takes some 150 MB. */
const MAX_SERVICES = 2_000_000
/** Milliseconds for a service, as long as none was measured here. */
const FIRST_PACE = 0.004
/** A simulation with fewer services is too short to measure the pace. */
const TELLING_SERVICES = 10_000
/** Edits that follow each other so soon are one change, such as the drag of a slider. */
export const ONE_CHANGE_MS = 1000

interface AnswerState {
  readonly standing: Standing
  /** The run that the edits of the last second replaced; null after a scenario was opened. */
  readonly previousRun: Run | null
  /** When the last of these edits was played, by the clock of the page. */
  readonly replacedAt: number
  /** A scenario that is not played by itself: a person stopped its simulation, or it has failed. */
  readonly refusedScenario: Scenario | null
  /** Whether a simulation is under way that takes long. */
  readonly isSlow: boolean
  /** The last simulation and the last run on real workers of the scenario on the canvas; null: there is none. */
  readonly simulatedRun: Run | null
  readonly realRun: Run | null
  /** Milliseconds for a service of a simulation, as measured last. */
  readonly pace: number
  /** A run of another scenario that the person asked to see, and the scenario on the canvas at that time. */
  readonly otherRun: { readonly run: Run; readonly scenario: Scenario } | null
}

export const answerStore = part(() =>
  createStore<AnswerState>(() => ({
    standing: 'idle',
    previousRun: null,
    replacedAt: Number.NEGATIVE_INFINITY,
    refusedScenario: null,
    isSlow: false,
    simulatedRun: null,
    realRun: null,
    pace: FIRST_PACE,
    otherRun: null,
  })),
)

/** Returns how many milliseconds a simulation of the scenario on the canvas is likely to take. */
export function forecastOf(session: Session, scenario = scenarioStore(session).getState().scenario): number {
  return countServices(scenario) * answerStore(session).getState().pace
}

/** The simulation under way, for its progress. */
export const answerJob = sessionJob<Run>()

/** Resolves when no simulation is due. */
export const answered = (session: Session): Promise<unknown> =>
  stateWhen(answerStore(session), ({ standing }) => standing !== 'due')

/** Returns whether Stop has something to stop: a run, or a simulation that the page began and that takes long. */
export const useStoppable = (session: Session): boolean => {
  const running = useStore(runStore(session), ({ phase }) => phase === 'running')
  return useStore(answerStore(session), ({ isSlow }) => isSlow) || running
}

/** Does what the button Run does. A simulation that is stopped needs another press. */
export function runOrStop(session: Session): void {
  if (runStore(session).getState().phase === 'running') void stop(session)
  else if (answerStore(session).getState().isSlow) {
    answerStore(session).setState({ refusedScenario: scenarioStore(session).getState().scenario })
    answerJob(session).cancel()
  } else void start(session)
}

/**
 * Simulates the scenario on the canvas when it is opened and after every edit: while one simulation is under way, edits wait for its end, and
 * then the newest is played. An opened scenario is shown where the queue of its bottleneck is longest; after an edit the playhead stays.
 * Returns a function that stops this.
 */
export function keepAnswer(session: Session): () => void {
  const job = answerJob(session)
  const answer = answerStore(session)
  let threads = openJobThreads(1)
  let playing: Scenario | null = null
  /** The opening of the scenario whose run was shown last. */
  let openingShown = -1
  /** The last run that Run started or a record brought. It comes back with its scenario. */
  let recorded: Run | null = null
  /** Repaints when the queues of the previous run disappear. */
  let fading: ReturnType<typeof setTimeout> | undefined
  let slowness: ReturnType<typeof setTimeout> | undefined
  let checking = false
  let over = false

  const check = () => {
    checking = false
    if (over) return
    const opening = pendingOpening(session)
    if (opening !== null) return void opening.then(checkSoon)
    const { scenario } = scenarioStore(session).getState()
    const standing = standingOf(session)
    const { simulatedRun, realRun } = answer.getState()
    answer.setState({ standing, simulatedRun: runOf(simulatedRun, scenario), realRun: runOf(realRun, scenario) })
    if (standing !== 'due') {
      if (playing !== null) job.cancel()
      return
    }
    if (recorded !== null && belongs(recorded, scenario, runStore(session).getState().engine))
      return void show(recorded, scenarioStore(session).getState().opened)
    if (playing === scenario || (playing !== null && forecastOf(session, playing) <= QUICK_MS)) return
    void play(scenario)
  }
  /** Stores change one by one, so this waits for the last of them. */
  const checkSoon = () => {
    if (!checking) queueMicrotask(check)
    checking = true
  }

  async function play(scenario: Scenario): Promise<void> {
    const { opened } = scenarioStore(session).getState()
    playing = scenario
    clearTimeout(slowness)
    const patience = forecastOf(session, scenario) > MAX_MS ? SLOW_MS : MAX_QUIET_MS
    slowness = setTimeout(() => answer.setState({ isSlow: true }), patience)
    await job.run(async ({ signal, progress }) => {
      const jobThreads = threads
      signal.addEventListener('abort', () => {
        jobThreads.end()
        if (jobThreads === threads) threads = openJobThreads(1)
      })
      const played = await jobThreads.run('answer', scenario, progress)
      const services = countServices(scenario)
      if (services >= TELLING_SERVICES) answer.setState({ pace: played.took / services })
      const run = await runOfJournals(scenario, played)
      return Object.assign(run, { took: played.took, quiet: true })
    })
    if (playing !== scenario || over) return
    playing = null
    clearTimeout(slowness)
    answer.setState({ isSlow: false })
    const state = job.store.getState()
    const now = scenarioStore(session).getState()
    const present = runStore(session).getState().run
    // Code that is being typed fails now and then: a good run stays on the screen.
    const isWorse = state.phase === 'done' && isBroken(state.result) && present !== null && !isBroken(present)
    if (state.phase === 'failed' || isWorse) answer.setState({ refusedScenario: scenario })
    else if (state.phase === 'done' && now.opened === opened && !WAITS.has(standingOf(session)))
      await show(state.result, opened)
    checkSoon()
  }

  async function show(run: Run, opened: number): Promise<void> {
    const previous = runStore(session).getState().run
    const now = performance.now()
    const { replacedAt, previousRun: earlier } = answer.getState()
    const isOpening = opened !== openingShown || previous === null
    openingShown = opened
    answer.setState({
      previousRun: isOpening ? null : now - replacedAt < ONE_CHANGE_MS ? earlier : previous,
      replacedAt: isOpening ? Number.NEGATIVE_INFINITY : now,
    })
    clearTimeout(fading)
    fading = setTimeout(() => repaint(session), ONE_CHANGE_MS)
    const { time, playing } = playback(session)
    const end = endOf(run.trace)
    const at = isOpening
      ? bottleneckOf(run.trace, run.chart).time
      : previous !== null && time >= endOf(previous.trace)
        ? end
        : Math.min(time, end)
    await showRun(session, run, at)
    if (playing && !isOpening) movePlayback(session, { playing: true })
  }

  const ends = [
    scenarioStore(session).subscribe(checkSoon),
    runStore(session).subscribe(({ run, phase }, previous) => {
      const { scenario } = scenarioStore(session).getState()
      if (run !== previous.run) {
        answer.setState({ otherRun: run?.note === undefined ? null : { run, scenario } })
        if (run?.took === undefined || phase === 'running') job.stop()
        if (run !== null && run.took === undefined && run.note === undefined) recorded = run
      }
      if (run !== null && phase === 'ended' && run.note === undefined) {
        const { simulatedRun } = answer.getState()
        if (isRealTime(run.trace.engine)) answer.setState({ realRun: run })
        else {
          // One scenario has one simulation.
          if (run.trace.ending === 'drained') run.figures ??= runOf(simulatedRun, run.scenario)?.figures
          answer.setState({ simulatedRun: run })
        }
      }
      checkSoon()
    }),
    answer.subscribe(({ refusedScenario }, last) => refusedScenario !== last.refusedScenario && checkSoon()),
    ...[showingStore(session), lessonStore(session), allowedCodeStore(session), revealedStore(session)].map((store) =>
      store.subscribe(checkSoon),
    ),
  ]
  checkSoon()
  return endAll([
    ...ends,
    () => {
      over = true
      clearTimeout(fading)
      clearTimeout(slowness)
      job.cancel()
      threads.end()
    },
  ])
}

/** In these states nothing is shown that was simulated by itself. */
const WAITS: ReadonlySet<Standing> = new Set(['front', 'lesson', 'guess', 'code', 'file', 'realTime', 'running'])

function standingOf(session: Session): Standing {
  const { run, phase, engine } = runStore(session).getState()
  const { scenario, draftProblems } = scenarioStore(session).getState()
  const { refusedScenario, otherRun } = answerStore(session).getState()
  if (showingStore(session).getState().front) return 'front'
  if (run !== null && belongs(run, scenario, engine)) return 'shown'
  if (otherRun !== null && otherRun.run === run && otherRun.scenario === scenario) return 'beside'
  if (phase === 'running') return 'running'
  if (isRealTime(engine)) return 'realTime'
  if (lessonStore(session).getState().key !== null) return 'lesson'
  if (hidesEnd(session)) return 'guess'
  if (codeWaits(session, scenario)) return 'code'
  if (scenario.source.kind === 'lines' && scenario.source.jobs === 0) return 'file'
  if (run === null && draftProblems.length > 0) return 'problems'
  if (refusedScenario === scenario) return 'refused'
  if (countServices(scenario) > MAX_SERVICES) return 'long'
  return run === null && forecastOf(session) > MAX_MS ? 'long' : 'due'
}

/** Returns whether a run is the one to show for this scenario and engine. Before a real run its simulation is shown; a record of own functions belongs to every engine. */
const belongs = (run: Run, scenario: Scenario, engine: EngineName) =>
  isRunOf(run, scenario) &&
  (run.trace.engine === engine ||
    run.trace.engine === 'functions' ||
    (run.trace.engine === 'simulation' && isRealTime(engine)))

const isBroken = ({ trace }: Run) => trace.failures.some(({ kind }) => kind === 'run')

const runOf = (run: Run | null, scenario: Scenario) => (run !== null && isRunOf(run, scenario) ? run : null)

/** Returns whether this is a run of this scenario: equal in all that is played. */
const isRunOf = (run: Run, scenario: Scenario) =>
  run.scenario === scenario || same(playedParts(run.scenario), playedParts(scenario))
