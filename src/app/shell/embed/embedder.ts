import { type Command, type EmbedEvent, type EmbedProblem, type EmbedState, embedderOrigin, isOurs, readCommand } from '../../../embed/messages.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/decisionTime.ts'
import { endOf } from '../../../trace/trace.ts'
import { seek, togglePlaying } from '../../session/run/keys.ts'
import { onScene, type Scene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { move, runStore, start } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { openText } from './openText.ts'

/** The playhead is told of no more often than this: in milliseconds. */
const LEAST_MS = 100
const MOST_PROBLEMS = 6
const LONGEST = 500

/**
 * Listens to the page that has this one in a frame, and tells it what happens; to nobody else, and nothing where that page is not
 * known. Returns what ends it.
 */
export function listenToEmbedder(): () => void {
  const origin = embedderOrigin(new URLSearchParams(location.search).get('origin'), location.ancestorOrigins?.[0], document.referrer)
  if (parent === window) return () => {}
  if (origin === null) {
    console.warn('Apportion does not know which page has it in a frame, and hears nobody: name its origin in the address, ?embed&origin=https://example.org')
    return () => {}
  }
  const tell = (event: EmbedEvent) => parent.postMessage({ apportion: 1, ...event }, origin)
  let warned = false
  const hear = ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (!isOurs(data)) return
    if (source === parent && from === origin) return void obey(data, tell)
    // Said once, and here alone: a stranger gets no answer.
    if (!warned) console.warn(`Apportion hears ${origin} alone; a message from ${from} was refused.`)
    warned = true
  }
  addEventListener('message', hear)
  const end = tellWhatHappens(tell)
  tell({ type: 'ready', ...stateNow() })
  return () => {
    removeEventListener('message', hear)
    end()
  }
}

async function obey(data: unknown, tell: (event: EmbedEvent) => void): Promise<void> {
  const read = readCommand(data)
  const problems = 'problems' in read ? read.problems : await done(read)
  if (problems.length > 0) tell({ type: 'problem', id: read.id, problems: bounded(problems) })
  else if ('type' in read && read.type === 'listen') tell({ type: 'ready', ...stateNow() })
  if (problems.length === 0 && read.id !== null) tell({ type: 'done', id: read.id })
}

/** Does what was asked; what kept it from being done comes back. */
async function done(command: Command): Promise<readonly EmbedProblem[]> {
  if (command.type === 'load') return openText(command.scenario, command.run)
  // A simulation is there in a moment: until then nobody knows how far one may seek.
  if (command.type === 'seek') await simulated()
  const { run } = runStore.getState()
  if (command.type === 'seek' && run === null) return [{ path: 'time', message: 'there is no run yet: allowed after play, or load with run' }]
  if (command.type === 'seek') seek(command.time)
  else if (command.type === 'pause') move({ playing: false, following: false })
  else if (command.type === 'play' && run === null) {
    await start()
    return runStore.getState().run === null ? scenarioStore.getState().problems : []
  } else if (command.type === 'play' && !playback.playing) togglePlaying()
  return []
}

/** Resolves when no simulation is under way. */
function simulated(): Promise<void> {
  return new Promise((resolve) => {
    const end = runStore.subscribe(look)
    function look(): void {
      const { phase, engine } = runStore.getState()
      if (phase === 'running' && engine === 'simulation') return
      end()
      resolve()
    }
    look()
  })
}

/** Tells of the playhead, of the decisions it comes to, and of its beginning and end. Returns what ends that. */
function tellWhatHappens(tell: (event: EmbedEvent) => void): () => void {
  let latest: Scene | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let told = { at: -Infinity, time: -1 }
  let decided = -1
  const tellTime = () => {
    timer = undefined
    if (latest === null || latest.frame.time === told.time) return
    const { run, frame, end } = latest
    told = { at: performance.now(), time: frame.time }
    tell({ type: 'time', time: frame.time, end })
    const decision = decisionIndexAt(run.trace, frame.time)
    if (decision === decided || decision < 0) return
    decided = decision
    const seats = Object.fromEntries(run.scenario.stages.map(({ id }, s) => [id, frame.stages[s].seats]))
    tell({ type: 'decision', decision, time: decisionTime(run.trace, decision), seats })
  }
  const ends = [
    onScene((scene) => {
      latest = scene
      timer ??= setTimeout(tellTime, Math.max(0, told.at + LEAST_MS - performance.now()))
    }),
    runStore.subscribe((state, before) => {
      if (state.run !== before.run) {
        decided = -1
        told = { at: told.at, time: -1 }
      }
      const [was, is] = [before, state].map(({ run, playing }) => run !== null && playing)
      if (was === is || state.run === null) return
      const now = stateNow()
      tell({ type: is ? 'playing' : now.time >= now.end && state.phase === 'ended' ? 'ended' : 'paused', ...now })
    }),
    () => clearTimeout(timer),
    scenarioStore.subscribe(({ problems }, before) => {
      if (problems !== before.problems && problems.length > 0) tell({ type: 'problem', id: null, problems: bounded(problems) })
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

function stateNow(): EmbedState {
  const { run, engine, playing, status } = runStore.getState()
  const { title } = scenarioStore.getState().scenario
  return { title, engine, playing: playing && run !== null, time: Math.round(playback.time), end: run === null ? 0 : endOf(run.trace), status: status() }
}

function bounded(problems: readonly EmbedProblem[]): readonly EmbedProblem[] {
  return problems.slice(0, MOST_PROBLEMS).map(({ path, message }) => ({ path: path.slice(0, LONGEST), message: message.slice(0, LONGEST) }))
}
