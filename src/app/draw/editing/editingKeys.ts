import type { KeyboardEvent } from 'react'
import { t } from '../../../language/translate.ts'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import type { Arrangement, Box } from '../layout/places.ts'
import {
  addStageAfter,
  addStageBesideOther,
  chooseAll,
  link,
  linkNames,
  placeStages,
  removeStages,
  shiftStage,
  stageName,
  stagesInTabOrder,
  startRename,
} from './actions.ts'
import {
  announce,
  type Connecting,
  canvasStore,
  chosenStages,
  focusNode,
  nodeOf,
  selectNode,
  toggleChosen,
} from './canvasStore.ts'
import { duplicate } from './clipboard.ts'

const STEP = 12
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Returns the help that screen readers read with every card. */
export const keyHelp = () =>
  t('Arrows: along the pipeline. Enter: rename. A: add after. B: add beside. Delete: remove. C: link. ?: all keys.')

/** Handles a key while the node `id` has the focus. */
export function nodeKey(session: Session, event: KeyboardEvent, id: string, arrangement: Arrangement): void {
  if (event.ctrlKey || event.metaKey) return
  const { connecting } = canvasStore(session).getState()
  const done =
    connecting === null ? editByKey(session, event, id, arrangement) : chooseTarget(session, event, connecting)
  if (!done) return
  event.preventDefault()
  event.stopPropagation()
}

export function canvasKey(session: Session, event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.target instanceof HTMLInputElement)
    return
  const key = event.key.toLowerCase()
  if (key === 'a') chooseAll(session)
  else if (key === 'd') duplicate(session)
  else return
  event.preventDefault()
}

function editByKey(
  session: Session,
  { key, altKey, shiftKey }: KeyboardEvent,
  id: string,
  arrangement: Arrangement,
): boolean {
  const { boxes } = arrangement
  const isStage = id !== 'source' && id !== 'sink'
  const arrow = arrows[key]
  if (arrow !== undefined) {
    const [x, y] = arrow
    if (altKey && isStage) shiftStage(session, id, x + y < 0 ? -1 : 1)
    else if (shiftKey && isStage) push(session, id, x * STEP, y * STEP, boxes)
    else walk(session, id, x, y, arrangement)
    return true
  }
  const rename = () => (isStage ? startRename(session, id) : selectNode(session, id))
  const add = () => addStageAfter(session, id)
  const remove = () => isStage && removeStages(session, togetherWith(session, id))
  const nothing = scenarioStore(session).getState().selected === null && chosenStages(session).length === 0
  /** By key. An action that returns false leaves the event to other handlers. */
  const actions: Readonly<Record<string, () => unknown>> = {
    Home: () => focusAndSelect(session, 'source'),
    End: () => focusAndSelect(session, 'sink'),
    ' ': () => (shiftKey && isStage ? toggleChosen(session, id) : selectNode(session, id)),
    Enter: rename,
    F2: rename,
    a: add,
    Insert: add,
    b: () => isStage && addStageBesideOther(session, id),
    Delete: remove,
    Backspace: remove,
    c: () => startConnecting(session, id),
    Escape: () => !nothing && selectNode(session, null),
  }
  const action = actions[key.length === 1 ? key.toLowerCase() : key]
  return action !== undefined && action() !== false
}

function togetherWith(session: Session, id: string): readonly string[] {
  const chosen = chosenStages(session)
  return chosen.includes(id) ? chosen : [id]
}

function push(session: Session, id: string, x: number, y: number, boxes: ReadonlyMap<string, Box>): void {
  const places = togetherWith(session, id).flatMap((each) => {
    const box = boxes.get(each)
    return box === undefined ? [] : [[each, { x: box.x + x, y: box.y + y }] as const]
  })
  placeStages(session, new Map(places), boxes, `move:${id}`)
}

function walk(session: Session, id: string, x: number, y: number, { boxes, flow }: Arrangement): void {
  const line = ['source', ...stagesInTabOrder(session), 'sink']
  const from = boxes.get(id)
  if (flow === null || from === undefined) {
    focusAndSelect(session, line[Math.max(0, Math.min(line.length - 1, line.indexOf(id) + x + y))])
    return
  }
  const distance = (box: Box) => {
    const [dx, dy] = [
      box.x + box.width / 2 - from.x - from.width / 2,
      box.y + box.height / 2 - from.y - from.height / 2,
    ]
    const ahead = dx * x + dy * y
    return ahead > 10 ? ahead + 2 * Math.abs(dx * y + dy * x) : Infinity
  }
  const nearest = [...boxes].reduce(
    (best, [other, box]) =>
      other !== id && distance(box) < best.distance ? { id: other, distance: distance(box) } : best,
    { id, distance: Infinity },
  )
  focusAndSelect(session, nearest.id)
}

/** Moves the focus to a node, and selects it unless several stages are selected. */
function focusAndSelect(session: Session, id: string): void {
  if (canvasStore(session).getState().chosen.length === 0) select(session, id)
  focusNode(session, id)
}

/** Returns where a link from `from` may lead, in the order in which jobs pass. */
function targets(session: Session, from: string): string[] {
  const { links } = scenarioStore(session).getState().draft
  const linked = new Set(links.flatMap((each) => (each[0] === from ? [each[1]] : [])))
  const line = stagesInTabOrder(session)
  const at = line.indexOf(from)
  return [...line.slice(at + 1), ...(from === 'source' ? [] : ['sink']), ...line.slice(0, Math.max(0, at))].filter(
    (id) => !linked.has(id),
  )
}

function startConnecting(session: Session, from: string): boolean {
  if (from === 'sink') return false
  const [to] = targets(session, from)
  if (to === undefined) announce(session, t('{from} leads to everything already.', { from: stageName(session, from) }))
  else aimAt(session, from, to)
  return true
}

function aimAt(session: Session, from: string, to: string): void {
  canvasStore(session).setState({ connecting: { from, to } })
  const names = linkNames(session, [from, to])
  announce(session, t('Link {from} to {to}: Enter links, arrows choose, Escape leaves.', names))
}

function chooseTarget(session: Session, { key }: KeyboardEvent, { from, to }: Connecting): boolean {
  const arrow = arrows[key]
  if (arrow !== undefined) {
    const possible = targets(session, from)
    aimAt(session, from, possible[(possible.indexOf(to) + arrow[0] + arrow[1] + possible.length) % possible.length])
    return true
  }
  if (key === 'Enter' || key === ' ') link(session, from, to)
  else if (key === 'Escape' || key === 'Tab') {
    canvasStore(session).setState({ connecting: null })
    announce(session, t('Not linked.'))
  }
  return key !== 'Tab'
}

/** Moves the focus to the next node if that is not rendered: of very many nodes only the visible ones are. Else Tab works by itself. */
export function tabKey(session: Session, event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement))
    return
  const node = event.target.closest<HTMLElement>('.react-flow__node')
  if (node === null) return
  const stops = [node, ...node.querySelectorAll<HTMLElement>('button, input, [tabindex]')].filter(
    (each) => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }),
  )
  // Inside a card Tab works by itself.
  if (event.target !== stops.at(event.shiftKey ? 0 : -1)) return
  const line = ['source', ...stagesInTabOrder(session), 'sink']
  const next = line[line.indexOf(node.dataset.id ?? '') + (event.shiftKey ? -1 : 1)]
  if (next === undefined || nodeOf(next) !== null) return
  event.preventDefault()
  focusNode(session, next)
}

/** Returns the id of the node that an event is about; null if it is about a button or a name inside it. */
export function nodeIdOf(target: EventTarget): string | null {
  return target instanceof HTMLElement && target.classList.contains('react-flow__node')
    ? (target.dataset.id ?? null)
    : null
}
