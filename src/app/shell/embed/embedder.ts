import {
  type EmbedCommand,
  type EmbedEvent,
  type EmbedProblem,
  type EmbedState,
  embedderOrigin,
} from '../../../embed/messages.ts'
import { bottleneckOf } from '../../../measures/figures/occupancy.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { stageLabels } from '../../../scenario/model/linearStages.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/follow.ts'
import { endOf } from '../../../trace/trace.ts'
import { endAll } from '../../base/browser/frames.ts'
import { answered } from '../../session/answer/keepAnswer.ts'
import { onScene, type Scene } from '../../session/page/painter.ts'
import { seek, togglePlaying } from '../../session/page/playhead.ts'
import { playback } from '../../session/run/playback.ts'
import { movePlayback, type Run, runStore, runWhen } from '../../session/run/runStore.ts'
import { start } from '../../session/run/startStop.ts'
import { stageCodeWaits } from '../../session/scenario/allowedCode.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { openText } from './openText.ts'
import { isApportionMessage, readCommand } from './readCommand.ts'

/** The least time between two messages about the playhead, in milliseconds. */
const MIN_MS = 100
const MAX_PROBLEMS = 6
const LONGEST = 500

/**
 * Takes commands of the page around this one, and reports what happens. Sends messages only to that page, and none if it is unknown.
 * Returns a function that stops it.
 */
export function listenToEmbedder(session: Session): () => void {
  const origin = embedderOrigin(
    session.address.read().searchParams.get('origin'),
    location.ancestorOrigins?.[0],
    document.referrer,
  )
  if (parent === window) return () => {}
  if (origin === null) {
    console.warn(
      'Apportion does not know which page embeds it, so it accepts no messages: name its origin in the address, ?embed&origin=https://example.org',
    )
    return () => {}
  }
  const tell = (event: EmbedEvent) => parent.postMessage({ apportion: 1, ...event }, origin)
  let warned = false
  const receive = ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (!isApportionMessage(data)) return
    if (source === parent && from === origin) return void obey(session, data, tell)
    // Logged once, and only here: an unknown page gets no answer.
    if (!warned) console.warn(`Apportion hears ${origin} alone; a message from ${from} was refused.`)
    warned = true
  }
  addEventListener('message', receive)
  const end = tellWhatHappens(session, tell)
  tell({ type: 'ready', ...stateNow(session) })
  return () => {
    removeEventListener('message', receive)
    end()
  }
}

async function obey(session: Session, data: unknown, tell: (event: EmbedEvent) => void): Promise<void> {
  const read = readCommand(data)
  const problems = 'problems' in read ? read.problems : await execute(session, read)
  if (problems.length > 0) tell({ type: 'problem', id: read.id, problems: bounded(problems) })
  else if ('type' in read && read.type === 'listen') tell({ type: 'ready', ...stateNow(session) })
  if (problems.length === 0 && read.id !== null) tell({ type: 'done', id: read.id })
}

async function execute(session: Session, command: EmbedCommand): Promise<readonly EmbedProblem[]> {
  if (command.type === 'load') return openText(session, command.scenario, command.run)
  // A simulation takes a moment. Until it has ended, its length is not known.
  await answered(session)
  if (command.type === 'seek') await runWhen(session, ({ phase, engine }) => phase !== 'running' || isRealTime(engine))
  const { run } = runStore(session).getState()
  if (command.type === 'seek' && run === null)
    return [{ path: 'time', message: 'there is no run yet: allowed after play, or load with run' }]
  if (command.type === 'seek') seek(session, command.time)
  else if (command.type === 'pause') movePlayback(session, { playing: false, following: false })
  else if (command.type === 'play' && (run === null || isUntouched(session, run))) {
    const { scenario } = scenarioStore(session).getState()
    if (stageCodeWaits(session, scenario, runStore(session).getState().engine))
      return [{ path: 'type', message: 'stages have code, which waits until a person presses Run' }]
    await start(session)
    return runStore(session).getState().run === null ? scenarioStore(session).getState().problems : []
  } else if (command.type === 'play' && !playback(session).playing) togglePlaying(session)
  return []
}

/** Returns whether a run that the page played by itself still stands where it opened: `play` begins at its start. */
function isUntouched(session: Session, { quiet = false, trace, chart }: Run): boolean {
  return quiet && playback(session).time === bottleneckOf(trace, chart).time
}

/** Reports the playhead, the decisions it passes, and when playback begins and ends. Returns an unsubscribe function. */
function tellWhatHappens(session: Session, tell: (event: EmbedEvent) => void): () => void {
  let latest: Scene | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent = { at: -Infinity, time: -1 }
  let lastDecision = -1
  const tellTime = () => {
    timer = undefined
    if (latest === null || latest.frame.time === sent.time) return
    const { run, frame, end } = latest
    sent = { at: performance.now(), time: frame.time }
    tell({ type: 'time', time: frame.time, end })
    const decision = decisionIndexAt(run.trace, frame.time)
    if (decision === lastDecision || decision < 0) return
    lastDecision = decision
    const seats = Object.fromEntries(stageLabels(run.scenario).map((label, s) => [label, frame.stages[s].seats]))
    tell({ type: 'decision', decision: decision + 1, time: decisionTime(run.trace, decision), seats })
  }
  return endAll([
    onScene(session, (scene) => {
      latest = scene
      timer ??= setTimeout(tellTime, Math.max(0, sent.at + MIN_MS - performance.now()))
    }),
    runStore(session).subscribe((state, before) => {
      if (state.run !== before.run) {
        lastDecision = -1
        sent = { at: sent.at, time: -1 }
      }
      const [wasPlaying, isPlaying] = [before, state].map(({ run, playing }) => run !== null && playing)
      if (wasPlaying === isPlaying || state.run === null) return
      const now = stateNow(session)
      tell({
        type: isPlaying ? 'playing' : now.time >= now.end && state.phase === 'ended' ? 'ended' : 'paused',
        ...now,
      })
    }),
    () => clearTimeout(timer),
    scenarioStore(session).subscribe(({ problems }, before) => {
      if (problems !== before.problems && problems.length > 0)
        tell({ type: 'problem', id: null, problems: bounded(problems) })
    }),
  ])
}

function stateNow(session: Session): EmbedState {
  const { run, engine, playing, status } = runStore(session).getState()
  const { title } = scenarioStore(session).getState().scenario
  return {
    title,
    engine: engine === 'functions' ? 'simulation' : engine,
    playing: playing && run !== null,
    time: Math.round(playback(session).time),
    end: run === null ? 0 : endOf(run.trace),
    status: status(),
  }
}

function bounded(problems: readonly EmbedProblem[]): readonly EmbedProblem[] {
  return problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => ({ path: path.slice(0, LONGEST), message: message.slice(0, LONGEST) }))
}
