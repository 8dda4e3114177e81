import { isHidden } from '../../base/page/hide.ts'
import { type Command, isControl, isEditor, isField } from '../../base/ui/command.ts'
import { commandsOf } from '../../session/commands.ts'
import type { Session } from '../../session/session.ts'
import { handleHeldKey } from './heldKeys.ts'

/** Runs the command of each key that is pressed, in a field only those that work there. Returns what ends it. */
export function listenToKeys(session: Session): () => void {
  const heard = (event: KeyboardEvent) => {
    // A dialog takes its own keys.
    if (document.querySelector('dialog:modal') !== null || event.defaultPrevented) return
    const inField = isField(event.target)
    const command = commandsOf(session).find((each) => (!inField || each.inFields === true) && isFor(each, event))
    if (command !== undefined) {
      event.preventDefault()
      command.act?.()
    } else if (!inField && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !isEditor(event.target) && handleHeldKey(session, event))
      event.preventDefault()
  }
  addEventListener('keydown', heard)
  return () => removeEventListener('keydown', heard)
}

function isFor({ key, leaves, enabled, control, act }: Command, event: KeyboardEvent): boolean {
  if (key === undefined || act === undefined || enabled === false || (control !== undefined && isHidden(control))) return false
  if (leaves === 'controls' ? isControl(event.target) : leaves === 'editors' && isEditor(event.target)) return false
  const ctrl = event.ctrlKey || event.metaKey
  if (ctrl !== (key.ctrl ?? false) || (event.altKey && !ctrl)) return false
  if (key.shift !== undefined && key.shift !== event.shiftKey) return false
  return (ctrl ? event.key.toLowerCase() : event.key) === key.key
}
