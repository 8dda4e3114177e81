import { t } from '../../../language/translate.ts'
import { onFrame } from '../../base/browser/frames.ts'
import { isHidden } from '../../base/page/hiddenControls.ts'
import { type Command, isControl, isEditor, isField } from '../../base/ui/command.ts'
import { type Commands, commandsOf } from '../../session/commands.ts'
import { openDialog } from '../../session/page/showing.ts'
import { shownTimeline } from '../../session/page/timelineStore.ts'
import { part, type Session } from '../../session/session.ts'

/** Runs the command of each key that is pressed, in a field only those that work there. Returns an unsubscribe function. */
export function listenToKeys(session: Session): () => void {
  const pressed = (event: KeyboardEvent) => {
    // A dialog takes its own keys.
    if (document.querySelector('dialog:modal') !== null || event.defaultPrevented) return
    const inField = isField(event.target)
    const command = commandsOf(session).find(
      (candidate) => (!inField || candidate.inFields === true) && isFor(candidate, event),
    )
    if (command !== undefined) {
      event.preventDefault()
      command.act?.()
    } else if (
      !inField &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !event.shiftKey &&
      !isEditor(event.target) &&
      handleHeldKey(session, event)
    )
      event.preventDefault()
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}

function isFor({ key, leaves, enabled, control, act }: Command, event: KeyboardEvent): boolean {
  if (key === undefined || act === undefined || enabled === false || (control !== undefined && isHidden(control)))
    return false
  if (leaves === 'controls' ? isControl(event.target) : leaves === 'editors' && isEditor(event.target)) return false
  const ctrl = event.ctrlKey || event.metaKey
  if (ctrl !== (key.ctrl ?? false) || (event.altKey && !ctrl)) return false
  if (key.shift !== undefined && key.shift !== event.shiftKey) return false
  return (ctrl ? event.key.toLowerCase() : event.key) === key.key
}

/** The direction of each key. A tap moves one step; a key that is held down moves this far in a second. */
const ways: Readonly<Record<string, { readonly zoom?: number; readonly pan?: number }>> = {
  w: { zoom: -1 },
  s: { zoom: 1 },
  a: { pan: -1 },
  d: { pan: 1 },
}
const TAP = { octaves: 0.35, screens: 0.08 }
const SECOND = { octaves: 3, screens: 0.9 }
/** A key that is held this long keeps moving. */
const HELD_MS = 160

export const heldKeyHelp: Commands = () => [
  {
    name: 'zoomKeys',
    help: { group: 'timeline', keys: 'W S', what: t('zoom in, out') },
  },
  { name: 'panKeys', help: { group: 'timeline', keys: 'A D', what: t('move earlier, later') } },
]

const heldKeys = part(() => new Map<string, number>())

/** Handles a key that zooms or pans the timeline. Returns whether it is one. */
function handleHeldKey(session: Session, event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase()
  if (ways[key] === undefined || shownTimeline(session).timeline === null) return false
  const held = heldKeys(session)
  if (!event.repeat && !held.has(key)) {
    go(session, key, TAP.octaves, TAP.screens)
    held.set(key, 0)
  }
  return true
}

/** Zooms and pans while keys are held down. Returns an unsubscribe function. */
export function followHeldKeys(session: Session): () => void {
  const held = heldKeys(session)
  const ended = new AbortController()
  addEventListener('keyup', (event: KeyboardEvent) => held.delete(event.key.toLowerCase()), ended)
  addEventListener('blur', () => held.clear(), ended)
  const end = onFrame((elapsed) => {
    for (const [key, before] of held) {
      held.set(key, before + elapsed)
      if (before > HELD_MS) go(session, key, (SECOND.octaves * elapsed) / 1000, (SECOND.screens * elapsed) / 1000)
    }
    return held.size > 0 ? 0 : Infinity
  })
  return () => {
    ended.abort()
    end()
  }
}

function go(session: Session, key: string, octaves: number, screens: number): void {
  const { zoom, pan } = ways[key]
  const { timeline } = shownTimeline(session)
  if (zoom !== undefined) timeline?.zoom(2 ** (zoom * octaves))
  if (pan !== undefined) timeline?.pan(pan * screens)
}

export const paletteCommands: Commands = (session) => [
  {
    name: 'palette',
    key: { key: 'k', ctrl: true },
    inFields: true,
    help: { group: 'editing', keys: 'Ctrl K', what: t('all commands') },
    menu: { section: 'about', label: t('All commands') },
    control: 'more',
    act: () => openDialog(session, 'palette'),
  },
]
