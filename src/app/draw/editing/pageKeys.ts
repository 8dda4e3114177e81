import { t } from '../../../language/translate.ts'
import { isHidden } from '../../base/page/hiddenControls.ts'
import { type HelpGroup, isField } from '../../base/ui/command.ts'
import type { Commands } from '../../session/commands.ts'
import type { Session } from '../../session/session.ts'
import { removeStages } from './actions.ts'
import { announce, chosenStages, chosenText } from './canvasStore.ts'
import { paste } from './clipboard.ts'

type KeyHelp = readonly (readonly [keys: string, what: string])[]

/** Returns the help for keys that their element handles itself while it has the focus. */
const helpFor = (name: string, group: HelpGroup, help: () => KeyHelp): Commands => {
  return () => help().map(([keys, what]) => ({ name: `${name} ${keys}`, help: { group, keys, what } }))
}

/** The help for keys of the canvas, which depend on the focused node. */
export const editingHelp = helpFor('editing', 'editing', () => [
  [
    t('Arrows'),
    t('on a stage: along the pipeline; with Alt: its place in a line; with Shift: its place on the canvas'),
  ],
  [t('Space Enter'), t('on a stage: open it; rename it')],
  ['A B', t('on a stage: add one behind it; beside it, with the same stages before and behind')],
  ['C', t('on a stage: draw a link; arrows choose where to, Enter draws it')],
  ['Delete', t('on a stage: remove it; on the button of a link: remove the link')],
  ['Enter', t('on the disc of a worker: ask why it is there; arrows go to the next worker')],
  [
    t('Shift Space'),
    t('on a stage: choose it as well; with the pointer Shift and a click, or a box drawn beside the stages'),
  ],
  [t('Ctrl A'), t('choose all stages')],
  [t('Ctrl D'), t('duplicate what is chosen')],
  [t('Ctrl C X V'), t('copy, cut and paste stages and the links among them, as text')],
])

/** The help for keys of the marks below the axis. */
export const faultHelp = helpFor('fault', 'faults', () => [
  ['+', t('another one where the playhead stands; with the pointer: the right button on the axis')],
  ['← →', t('on a mark: earlier, later; with Shift: ten times as far')],
  ['Enter', t('on a mark: change it in words')],
  ['Delete', t('on a mark: remove it')],
])

/** The help for keys of the JSON editor. */
export const textHelp = helpFor('text', 'editing', () => [
  ['F8', t('in the text: to the next problem')],
  [t('Ctrl Space'), t('in the text: suggestions for this place; with F instead of Space: find')],
  [t('Shift Alt F'), t('in the text: format it')],
])

/** Handles copy, cut and paste of the system unless the target is a text field. Returns an unsubscribe function. */
export function followClipboard(session: Session): () => void {
  const take = (event: ClipboardEvent) => {
    const chosen = chosenStages(session)
    if (chosen.length === 0 || elsewhere(event)) return
    event.clipboardData?.setData('text/plain', chosenText(session))
    event.preventDefault()
    if (event.type === 'cut') removeStages(session, chosen)
    else announce(session, t('{n, plural, one {# stage} other {# stages}} copied.', { n: chosen.length }))
  }
  const put = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === '' || elsewhere(event)) return
    event.preventDefault()
    paste(session, text)
  }
  const ended = new AbortController()
  addEventListener('copy', take, ended)
  addEventListener('cut', take, ended)
  addEventListener('paste', put, ended)
  return () => ended.abort()
}

/** Returns whether the event belongs to selected or typed text, or to a dialog. */
function elsewhere({ target }: ClipboardEvent): boolean {
  const marked = getSelection()
  return (
    isHidden('editing') ||
    isField(target) ||
    (target instanceof Element && target.closest('dialog') !== null) ||
    (marked !== null && !marked.isCollapsed)
  )
}
