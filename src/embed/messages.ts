/**
 * The messages between another page and Apportion in its frame, sent by `postMessage`. Every message is a plain object with `apportion: 1`
 * and a `type`. Other messages are refused.
 *
 *   to the frame     { apportion: 1, type: 'load', id?, scenario: link, JSON text or name of an example, run?: 'simulation' / 'threads' }
 *                    { apportion: 1, type: 'play' / 'pause' / 'listen', id? }
 *                    { apportion: 1, type: 'seek', id?, time: microseconds }
 *   from the frame   { apportion: 1, type: 'done' / 'problem' / 'ready' / 'playing' / 'paused' / 'time' / 'decision' / 'ended', ... }
 */

/** What another page may start. */
export type EmbedEngine = 'simulation' | 'threads'

export type EmbedCommand =
  | { readonly type: 'load'; readonly id: number | null; readonly scenario: string; readonly run: EmbedEngine | null }
  | { readonly type: 'play' | 'pause' | 'listen'; readonly id: number | null }
  | { readonly type: 'seek'; readonly id: number | null; readonly time: number }

/** A problem, and its place: a key of the message, or a path in the scenario. */
export type EmbedProblem = { readonly path: string; readonly message: string }

/** The state of the page, sent with `ready` and with every change of playback. Times are microseconds of the run. */
export interface EmbedState {
  readonly title: string
  readonly engine: EmbedEngine | 'room'
  readonly playing: boolean
  readonly time: number
  readonly end: number
  /** The text of the status line. */
  readonly status: string
}

export type EmbedEvent =
  | ({ readonly type: 'ready' | 'playing' | 'paused' | 'ended' } & EmbedState)
  | { readonly type: 'time'; readonly time: number; readonly end: number }
  /** The playhead has reached a decision: its number in the run, from 1, its time, and the seats of every stage by name (by id where names are equal). */
  | {
      readonly type: 'decision'
      readonly decision: number
      readonly time: number
      readonly seats: Readonly<Record<string, number>>
    }
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'problem'; readonly id: number | null; readonly problems: readonly EmbedProblem[] }

/** Returns the origin of the page around this frame: the parameter `origin`, else of `location.ancestorOrigins`, else of the referrer; null if unknown. */
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
