import { t } from '../../../language/translate.ts'
import { isHidden } from '../../base/page/hide.ts'
import { isField } from '../../base/ui/command.ts'
import type { Session } from '../../session/session.ts'
import { removeStages } from './actions.ts'
import { announce, chosenStages, chosenText } from './canvasStore.ts'

/** Handles copy, cut and paste of the system wherever the target is no text. Returns what ends it. */
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
    void import('./clipboard.ts').then(({ paste }) => paste(session, text))
  }
  addEventListener('copy', take)
  addEventListener('cut', take)
  addEventListener('paste', put)
  return () => {
    removeEventListener('copy', take)
    removeEventListener('cut', take)
    removeEventListener('paste', put)
  }
}

/** Returns whether the event belongs to selected or typed text, or to a dialog. */
function elsewhere({ target }: ClipboardEvent): boolean {
  const marked = getSelection()
  return isHidden('editing') || isField(target) || (target instanceof Element && target.closest('dialog') !== null) || (marked !== null && !marked.isCollapsed)
}
