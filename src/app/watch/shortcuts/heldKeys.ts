import { t } from '../../../language/translate.ts'
import { onFrame } from '../../base/browser/frameLoop.ts'
import type { Commands } from '../../session/commands.ts'
import { shownTimeline } from '../../session/run/timelineStore.ts'
import { part, type Session } from '../../session/session.ts'

/** How far a tap goes, and how far a second of holding a key down. */
const ways: Readonly<Record<string, { readonly zoom?: number; readonly pan?: number }>> = { w: { zoom: -1 }, s: { zoom: 1 }, a: { pan: -1 }, d: { pan: 1 } }
const TAP = { octaves: 0.35, screens: 0.08 }
const SECOND = { octaves: 3, screens: 0.9 }
/** A key that is held this long goes on by itself. */
const HELD_MS = 160

export const heldKeyHelp: Commands = () => [
  { name: 'zoomKeys', help: { group: 'timeline', keys: 'W S', what: t('zoom in, out at the pointer, else at the playhead') } },
  { name: 'panKeys', help: { group: 'timeline', keys: 'A D', what: t('move earlier, later') } },
]

/** Keys that are down, and for how long. */
const held = part(() => new Map<string, number>())

/** Takes a key that moves through time: a tap goes a step, a key held down goes on until it is let go. Returns whether it is one. */
export function handleHeldKey(session: Session, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase()
  if (ways[key] === undefined || shownTimeline(session).timeline === null) return false
  if (!event.repeat && !held(session).has(key)) {
    go(session, key, TAP.octaves, TAP.screens)
    held(session).set(key, 0)
  }
  return true
}

/** Lets keys that are held down take effect, until what it returns is called. */
export function followHeldKeys(session: Session): () => void {
  const released = (event: KeyboardEvent) => held(session).delete(event.key.toLowerCase())
  const stop = () => held(session).clear()
  addEventListener('keyup', released)
  addEventListener('blur', stop)
  const end = onFrame((elapsed) => {
    for (const [key, before] of held(session)) {
      held(session).set(key, before + elapsed)
      if (before > HELD_MS) go(session, key, (SECOND.octaves * elapsed) / 1000, (SECOND.screens * elapsed) / 1000)
    }
  })
  return () => {
    removeEventListener('keyup', released)
    removeEventListener('blur', stop)
    end()
  }
}

function go(session: Session, key: string, octaves: number, screens: number): void {
  const { zoom, pan } = ways[key]
  if (zoom !== undefined) shownTimeline(session).timeline?.zoom(2 ** (zoom * octaves))
  if (pan !== undefined) shownTimeline(session).timeline?.pan(pan * screens)
}
