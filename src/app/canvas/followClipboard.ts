import { say } from '../../language/say.ts'
import { isHidden } from '../controls.ts'
import { isField } from '../keys.ts'
import { scenarioStore } from '../scenarioStore.ts'
import { remove } from './actions.ts'
import { announce, canvasStore, chosenStages } from './canvasStore.ts'

type Clipboard = typeof import('./clipboard.ts')
let clipboard: Clipboard | null = null

/** What reads and writes parts is fetched with the first stage that is selected: a copy has to be made while the key is down. */
export async function withClipboard(use: (clipboard: Clipboard) => void): Promise<void> {
  clipboard ??= await import('./clipboard.ts')
  use(clipboard)
}

/** The keys and menus of the system for copy, cut and paste, wherever on the page no text is meant. Returns what ends it. */
export function followClipboard(): () => void {
  const fetch = () => {
    if (clipboard === null && chosenStages().length > 0) void withClipboard(() => {})
  }
  const take = (event: ClipboardEvent) => {
    const chosen = chosenStages()
    if (clipboard === null || chosen.length === 0 || elsewhere(event)) return
    event.clipboardData?.setData('text/plain', clipboard.chosenText())
    event.preventDefault()
    if (event.type === 'cut') remove(chosen)
    else announce(say('{n, plural, one {# stage} other {# stages}} copied.', { n: chosen.length }))
  }
  const put = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text === '' || elsewhere(event)) return
    event.preventDefault()
    void withClipboard(({ paste }) => paste(text))
  }
  const ends = [scenarioStore.subscribe(fetch), canvasStore.subscribe(fetch)]
  addEventListener('copy', take)
  addEventListener('cut', take)
  addEventListener('paste', put)
  return () => {
    for (const end of ends) end()
    removeEventListener('copy', take)
    removeEventListener('cut', take)
    removeEventListener('paste', put)
  }
}

/** Text that is marked or typed is no matter of the canvas, nor is what is done in a dialog. */
function elsewhere({ target }: ClipboardEvent): boolean {
  const marked = getSelection()
  return isHidden('editing') || isField(target) || (target instanceof Element && target.closest('dialog') !== null) || (marked !== null && !marked.isCollapsed)
}
