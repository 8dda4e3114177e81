import type { KeyboardEvent } from 'react'
import { lineOrder } from '../../scenario/edits.ts'
import { scenarioStore, select } from '../scenarioStore.ts'
import { addAfter, link, nameOf, place, remove, shift, startRename } from './actions.ts'
import { canvasStore, focusNode, say } from './canvasStore.ts'
import type { Box } from './layout.ts'

const STEP = 12
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** The help that is read out with every card. */
export const keyHelp =
  'Arrow keys walk along the line. Enter or F2 renames, A adds a stage behind it, Delete removes it, Alt with an arrow moves it in the line, Shift with an arrow moves it on the canvas, C connects it to another stage.'

/** What a key does while the node `id` has the focus. */
export function nodeKey(event: KeyboardEvent, id: string, boxes: ReadonlyMap<string, Box>): void {
  if (event.ctrlKey || event.metaKey) return
  const done = canvasStore.getState().connecting === null ? act(event, id, boxes) : choose(event)
  if (!done) return
  event.preventDefault()
  event.stopPropagation()
}

function act({ key, altKey, shiftKey }: KeyboardEvent, id: string, boxes: ReadonlyMap<string, Box>): boolean {
  const isStage = id !== 'source' && id !== 'sink'
  const arrow = arrows[key]
  if (arrow !== undefined) {
    const [x, y] = arrow
    const box = boxes.get(id)
    if (altKey && isStage) shift(id, x + y < 0 ? -1 : 1)
    else if (shiftKey && isStage && box !== undefined) place(id, { x: box.x + x * STEP, y: box.y + y * STEP }, boxes, `move:${id}`)
    else walk(id, x + y)
    return true
  }
  switch (key) {
    case 'Home':
    case 'End':
      go(key === 'Home' ? 'source' : 'sink')
      return true
    case ' ':
      select(id)
      return true
    case 'Enter':
    case 'F2':
      if (isStage) startRename(id)
      else select(id)
      return true
    case 'a':
    case 'A':
    case 'Insert':
      addAfter(id)
      return true
    case 'Delete':
    case 'Backspace':
      if (isStage) remove(id)
      return isStage
    case 'c':
    case 'C':
      return startConnecting(id)
    case 'Escape':
      if (scenarioStore.getState().selected === null) return false
      select(null)
      return true
    default:
      return false
  }
}

function walk(id: string, by: number): void {
  const line = ['source', ...lineOrder(scenarioStore.getState().scenario), 'sink']
  go(line[Math.max(0, Math.min(line.length - 1, line.indexOf(id) + by))])
}

function go(id: string): void {
  select(id)
  focusNode(id)
}

/** Where a link from `from` may lead, in the order of the line. */
function targets(from: string): string[] {
  const line = lineOrder(scenarioStore.getState().scenario).filter((id) => id !== from)
  return from === 'source' ? line : [...line, 'sink']
}

function startConnecting(from: string): boolean {
  if (from === 'sink') return false
  const line = lineOrder(scenarioStore.getState().scenario)
  const possible = targets(from)
  const to = line[line.indexOf(from) + 1] ?? possible[0]
  if (to === undefined) return true
  aim(from, possible.includes(to) ? to : possible[0])
  return true
}

function aim(from: string, to: string): void {
  canvasStore.setState({ connecting: { from, to } })
  say(`Connect ${nameOf(from)} to ${nameOf(to)}: Enter connects, arrow keys choose another, Escape leaves.`)
}

function choose({ key }: KeyboardEvent): boolean {
  const { connecting } = canvasStore.getState()
  if (connecting === null) return false
  const { from, to } = connecting
  const arrow = arrows[key]
  if (arrow !== undefined) {
    const possible = targets(from)
    aim(from, possible[(possible.indexOf(to) + arrow[0] + arrow[1] + possible.length) % possible.length])
    return true
  }
  if (key === 'Enter' || key === ' ') link(from, to)
  else if (key === 'Escape' || key === 'Tab') {
    canvasStore.setState({ connecting: null })
    say('Not connected.')
  }
  return key !== 'Tab'
}

/** The id of the node that an event is about, if it is about a node itself and not a button or a name inside it. */
export function nodeIdOf(target: EventTarget): string | null {
  return target instanceof HTMLElement && target.classList.contains('react-flow__node') ? (target.dataset.id ?? null) : null
}
