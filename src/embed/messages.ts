/**
 * The messages between another page and Apportion in its frame, sent by `postMessage`. Every message is a plain object with `apportion: 1`
 * and a `type`. Other messages are refused.
 *
 *   to the frame     { apportion: 1, type: 'load', id?, scenario: link, JSON text or name of an example, run?: 'simulation' / 'threads' }
 *                    { apportion: 1, type: 'play' / 'pause' / 'listen', id? }
 *                    { apportion: 1, type: 'seek', id?, time: microseconds }
 *   from the frame   { apportion: 1, type: 'done' / 'problem' / 'ready' / 'playing' / 'paused' / 'time' / 'decision' / 'ended', ... }
 */

export type EmbedEngine = 'simulation' | 'threads'

export type EmbedCommand =
  | { readonly type: 'load'; readonly id: number | null; readonly scenario: string; readonly run: EmbedEngine | null }
  | { readonly type: 'play' | 'pause' | 'listen'; readonly id: number | null }
  | { readonly type: 'seek'; readonly id: number | null; readonly time: number }

/** A problem, and its place: a key of the message, or a path in the scenario. */
export interface EmbedProblem {
  readonly path: string
  readonly message: string
}

/** The state of the page, sent with `ready` and with every change of playback. Times are microseconds of the run. */
export interface EmbedState {
  readonly title: string
  readonly engine: EmbedEngine
  readonly playing: boolean
  readonly time: number
  readonly end: number
  /** The text of the status line. */
  readonly status: string
}

export type EmbedEvent =
  | ({ readonly type: 'ready' | 'playing' | 'paused' | 'ended' } & EmbedState)
  | { readonly type: 'time'; readonly time: number; readonly end: number }
  /** The playhead has reached a decision: its number in the run, its time, and the seats of every stage by id. */
  | { readonly type: 'decision'; readonly decision: number; readonly time: number; readonly seats: Readonly<Record<string, number>> }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'problem'; readonly id: number | null; readonly problems: readonly EmbedProblem[] }

/** The most characters of a scenario in a message, as in a link. */
export const MAX_SCENARIO = 2_000_000
/** The clock of a run stays below 2^52 microseconds. */
const MAX_TIME = 4_503_599_627_370_495

const keys: Readonly<Record<EmbedCommand['type'], readonly string[]>> = { load: ['scenario', 'run'], play: [], pause: [], listen: [], seek: ['time'] }

/** Whether a message is meant for Apportion. A frame also receives messages that are not. */
export function isOurs(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data) && Object.hasOwn(data, 'apportion')
}

/** Returns the command in a message, or its problems and, if it can be read, its id. Never throws. */
export function readCommand(data: unknown): EmbedCommand | { readonly id: number | null; readonly problems: readonly EmbedProblem[] } {
  if (!isOurs(data)) return refused(null, '', 'allowed: an object with the key apportion')
  const own = new Map(Object.entries(data).slice(0, 9))
  const id = own.get('id') ?? null
  if (id !== null && !(typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)) return refused(null, 'id', 'allowed: a whole number from 0 on')
  if (own.get('apportion') !== 1) return refused(id, 'apportion', 'allowed: 1, the version of these messages')
  const type = own.get('type')
  if (typeof type !== 'string' || !Object.hasOwn(keys, type)) return refused(id, 'type', `allowed: ${Object.keys(keys).join(', ')}`)
  const allowed = keys[type as EmbedCommand['type']]
  const unknown = [...own.keys()].find((key) => !['apportion', 'type', 'id', ...allowed].includes(key))
  if (unknown !== undefined) return refused(id, unknown.slice(0, 40), `is no key of ${type}; allowed: ${['id', ...allowed].join(', ')}`)
  if (type === 'load') {
    const scenario = own.get('scenario')
    const run = own.get('run') ?? null
    if (typeof scenario !== 'string' || scenario === '') return refused(id, 'scenario', 'allowed: a link, JSON text or the name of an example')
    if (scenario.length > MAX_SCENARIO) return refused(id, 'scenario', `has ${scenario.length} characters; allowed: ${MAX_SCENARIO}`)
    if (run !== null && run !== 'simulation' && run !== 'threads') return refused(id, 'run', 'allowed: simulation or threads')
    return { type, id, scenario, run }
  }
  if (type === 'seek') {
    const time = own.get('time')
    if (typeof time !== 'number' || !Number.isInteger(time) || time < 0 || time > MAX_TIME)
      return refused(id, 'time', `allowed: a whole number of microseconds from 0 to ${MAX_TIME}`)
    return { type, id, time }
  }
  return { type: type as 'play' | 'pause' | 'listen', id }
}

function refused(id: number | null, path: string, message: string): { readonly id: number | null; readonly problems: readonly EmbedProblem[] } {
  return { id, problems: [{ path, message }] }
}

/**
 * Returns the origin of the page around this frame, whose messages alone are read: the parameter `origin` of the address (`asked`), else the
 * first of `location.ancestorOrigins` (`ancestor`), else that of the referrer. Null if none is known: then no message is read.
 */
export function embedderOrigin(asked: string | null, ancestor: string | undefined, referrer: string): string | null {
  return originOf(asked ?? ancestor ?? referrer)
}

/** Returns an origin as browsers write it; null if no message can be sent to it. */
function originOf(text: string): string | null {
  try {
    const { protocol, origin } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? origin : null
  } catch {
    return null
  }
}
