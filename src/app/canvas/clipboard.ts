import { MAX_STAGES } from '../../scenario/limits.ts'
import { readPart, withPart, writePart } from '../../scenario/part.ts'
import { counted } from '../../scenario/words.ts'
import { isField } from '../keys.ts'
import { edit, refuse, scenarioStore } from '../scenarioStore.ts'
import { remove } from './actions.ts'
import { choose, chosenStages, focusNode, say } from './canvasStore.ts'

/** Part of a pipeline as text: what is chosen is copied, cut, pasted and duplicated. */

/** How far from the original a copy is put. */
const ASIDE = { x: 32, y: 32 }

/** The keys and menus of the system for copy, cut and paste, wherever on the page no text is meant. Returns what ends it. */
export function followClipboard(): () => void {
  const take = (event: ClipboardEvent) => {
    if (elsewhere(event) || chosenStages().length === 0) return
    event.clipboardData?.setData('text/plain', chosenText())
    event.preventDefault()
    if (event.type === 'cut') remove(chosenStages())
    else say(`${counted(chosenStages().length, 'stage')} copied.`)
  }
  const put = (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (elsewhere(event) || text === '') return
    event.preventDefault()
    paste(text)
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

/** Text that is marked or typed is no matter of the canvas, nor is what is done in a dialog. */
function elsewhere({ target }: ClipboardEvent): boolean {
  const marked = getSelection()
  return isField(target) || (target instanceof Element && target.closest('dialog') !== null) || (marked !== null && !marked.isCollapsed)
}

export function chosenText(): string {
  return writePart(scenarioStore.getState().drawing, chosenStages())
}

export function duplicate(): void {
  if (chosenStages().length > 0) paste(chosenText())
}

function roomFor(part: ReturnType<typeof readPart>): ReturnType<typeof readPart> {
  if ('problems' in part) return part
  const all = scenarioStore.getState().drawing.stages.length + part.stages.length
  if (all <= MAX_STAGES) return part
  return { problems: [{ path: 'stages', message: `that would make ${counted(all, 'stage')}; a pipeline has at most ${MAX_STAGES}` }] }
}

/** Adds what the text says beside what is there, chosen; or says what is wrong with it. */
export function paste(text: string): void {
  const part = roomFor(readPart(text))
  if ('problems' in part) {
    refuse(part.problems)
    return
  }
  let added: readonly string[] = []
  const done = edit((drawing) => {
    const { scenario, ids } = withPart(drawing, part, ASIDE)
    added = ids
    return scenario
  })
  if (!done) return
  choose(added)
  focusNode(added[0])
  say(`${counted(added.length, 'stage')} pasted, linked to nothing else yet.`)
}
