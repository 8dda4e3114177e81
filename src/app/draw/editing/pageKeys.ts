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
  [t('Arrows'), t('stage: along the pipeline; Alt: place in the line; Shift: place on the canvas')],
  [`${t('Space')} Enter`, t('stage: open; rename')],
  ['A B', t('stage: add one after it; beside it')],
  ['C', t('stage: draw a link; arrows choose, Enter draws')],
  ['Delete', t('stage or link: remove')],
  ['Enter', t('worker: why it is there; arrows: next worker')],
  [`Shift ${t('Space')}`, t('stage: choose several')],
  ['Ctrl A D C X V', t('stages: choose all, duplicate, copy, cut, paste')],
])

/** The help for keys of the marks below the axis. */
export const faultHelp = helpFor('fault', 'faults', () => [
  ['+', t('add at the playhead; pointer: right button on the axis')],
  ['← →', t('mark: earlier, later; Shift: ten times as far')],
  ['Enter Delete', t('mark: change; remove')],
])

/** The help for keys of the JSON editor. */
export const textHelp = helpFor('text', 'editing', () => [
  [`Ctrl ${t('Space')}`, t('JSON: suggestions; Ctrl F: find; F8: next problem; Shift Alt F: format')],
])

/** Handles copy, cut and paste of the system unless the target is a text field. Returns an unsubscribe function. */
export function followClipboard(session: Session): () => void {
  const copyOrCut = (event: ClipboardEvent) => {
    const chosen = chosenStages(session)
    if (chosen.length === 0 || isOutsideCanvas(event)) return
    event.clipboardData?.setData('text/plain', chosenText(session))
    event.preventDefault()
    if (event.type === 'cut') removeStages(session, chosen)
    else announce(session, t('Copied'))
  }
  const pasteText = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === '' || isOutsideCanvas(event)) return
    event.preventDefault()
    paste(session, text)
  }
  const ended = new AbortController()
  addEventListener('copy', copyOrCut, ended)
  addEventListener('cut', copyOrCut, ended)
  addEventListener('paste', pasteText, ended)
  return () => ended.abort()
}

/** Returns whether the event belongs to selected or typed text, or to a dialog. */
function isOutsideCanvas({ target }: ClipboardEvent): boolean {
  const marked = getSelection()
  return (
    isHidden('editing') ||
    isField(target) ||
    (target instanceof Element && target.closest('dialog') !== null) ||
    (marked !== null && !marked.isCollapsed)
  )
}
