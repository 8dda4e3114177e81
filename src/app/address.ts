import { trunkOf } from '../scenario/branches.ts'
import { draftOf } from './askDraft.ts'
import { ask } from './askStore.ts'
import { expectDigest } from './replayStore.ts'
import { chooseEngine, move, openScenario, runStore, start } from './runStore.ts'
import { bringBack, edit, refuse, scenarioStore } from './scenarioStore.ts'
import { leaveForReload, leftForReload, storedDrawing, storedEngine } from './storage.ts'

/** Browsers refuse, drop or count addresses that change too often. */
const LEAST_MS = 1000

let written = ''

/**
 * The address carries the scenario. Reads it at the start and whenever it changes, and keeps it up with the canvas, at
 * most once a second. A link that cannot be read leaves everything as it is.
 */
export function followAddress(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const write = async () => {
    timer = undefined
    last = performance.now()
    const { toShortFragment } = await import('../scenario/codec.ts')
    written = toShortFragment(scenarioStore.getState().whole)
    history.replaceState(history.state, '', written)
  }
  const changed = () => {
    if (location.hash !== written) void read()
  }
  const leave = () => leaveForReload(location.hash, runStore.getState().engine)
  chooseEngine(storedEngine())
  if (location.hash === '') restore()
  else void read()
  const end = scenarioStore.subscribe((state, before) => {
    if (state.whole === before.whole || timer !== undefined) return
    timer = setTimeout(write, Math.max(300, LEAST_MS - (performance.now() - last)))
  })
  addEventListener('hashchange', changed)
  addEventListener('pagehide', leave)
  return () => {
    clearTimeout(timer)
    removeEventListener('pagehide', leave)
    removeEventListener('hashchange', changed)
    end()
  }
}

/** Opens what the address says. What reads and writes links is fetched when there is one. */
async function read(): Promise<void> {
  const { hash } = location
  const { readFragment } = await import('../scenario/codec.ts')
  if (location.hash !== hash) return
  const fragment = readFragment(hash)
  if (fragment.found === 'nothing') return restore()
  if (fragment.found === 'problems') {
    restore()
    return refuse(fragment.problems)
  }
  written = location.hash
  if (fragment.found === 'question') {
    restore()
    return ask(draftOf(fragment.question))
  }
  const left = leftForReload(location.hash)
  const { at, run, digest } = fragment
  // Only a simulation can be held against a digest.
  openScenario(fragment.scenario, run ?? left?.engine ?? (digest === null ? undefined : 'simulation'))
  // What had faults goes back on the canvas with them; what can be played is what the address says.
  if (left !== null) edit(() => left.drawing)
  expectDigest(trunkOf(fragment.scenario), digest)
  if (run !== null || at !== null) void start().then(() => at !== null && pauseAt(at))
}

function pauseAt(time: number): void {
  move({ time, playing: false, following: false })
}

/** What was on the canvas at the last visit, once: at the first reading of the address. */
function restore(): void {
  if (restored) return
  restored = true
  // A page that was left before its address was written comes back with the engine it had.
  const engine = leftForReload(location.hash)?.engine ?? null
  if (engine !== null) runStore.setState({ engine })
  const stored = storedDrawing()
  if (stored === null) return
  if ('scenario' in stored) bringBack(stored)
  else refuse([{ path: '', message: 'What this browser had kept of your last visit cannot be read. It is set aside: More, Download unreadable text.' }])
}

let restored = false
