import { t } from '../../../language/translate.ts'
import {
  addFollower,
  addLink,
  addLooseStage,
  addStage,
  addStageBeside,
  insertStage,
  moveStage,
  removeLink,
  removeStage,
  renameStage,
  setStage,
} from '../../../scenario/edit/edits.ts'
import { MAX_STAGES } from '../../../scenario/model/limits.ts'
import { isLinear } from '../../../scenario/model/linearStages.ts'
import type { Link, Scenario } from '../../../scenario/model/scenario.ts'
import { editOrShowProblems, scenarioStore, showError } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { drawnOrder, stretchOf } from '../layout/layout.ts'
import { type Box, freeAround, type Point } from '../layout/places.ts'
import { announce, canvasStore, canvasView, choose, chosenStages, focusNode, selectNode } from './canvasStore.ts'

/** Actions on stages, for the canvas and the inspector. Each is one edit and announces itself to screen readers. */

const draftNow = (session: Session) => scenarioStore(session).getState().draft

export function stageName(session: Session, id: string): string {
  return nameIn(draftNow(session), id)
}

export function nameIn({ stages }: Scenario, id: string): string {
  if (id === 'source') return t('the source')
  if (id === 'sink') return t('the sink')
  return stages.find((stage) => stage.id === id)?.name ?? id
}

export function stagesInTabOrder(session: Session): string[] {
  const { stages, links } = draftNow(session)
  return drawnOrder(
    stages.map(({ id }) => id),
    links,
  )
}

/** Adds a stage behind `after` and selects it. By key the focus moves to its card, by button to its name. */
export function addStageAfter(session: Session, after: string, follow = goTo): void {
  addAndFollow(session, (scenario) => addStage(scenario, after === 'sink' ? null : after), follow)
}

/** Adds a stage after another, parallel to those that already follow it, and begins to name it. */
export function addParallelStage(session: Session, after: string): void {
  addAndFollow(session, (scenario) => addFollower(scenario, after))
}

export function addStageOnLink(session: Session, link: Link): void {
  addAndFollow(session, (scenario) => insertStage(scenario, link))
}

export function addStageBesideOther(session: Session, id: string, follow = goTo): void {
  addAndFollow(session, (scenario) => addStageBeside(scenario, id), follow)
}

/** Adds a stage under a point of the page, if that is on the canvas. */
export function addStageUnder(session: Session, x: number, y: number, from: string | null): void {
  const { arrangement, pointAt } = canvasView(session)
  if (
    arrangement === null ||
    pointAt === null ||
    !document.elementsFromPoint(x, y).some((element) => element.matches('.react-flow__pane'))
  )
    return
  addStageAt(session, freeAround(pointAt(x, y), arrangement.boxes), arrangement.boxes, from)
}

/** Adds a stage at a place of the canvas, linked from another or from none. The other stages stay where they are. */
export function addStageAt(session: Session, at: Point, boxes: ReadonlyMap<string, Box>, from: string | null): void {
  addAndFollow(session, (scenario) => {
    const added = addLooseStage(pinned(scenario, boxes), placing(boxes)(at))
    return from === null ? added : addLink(added, from, added.stages[added.stages.length - 1].id)
  })
}

function addAndFollow(session: Session, change: (scenario: Scenario) => Scenario, follow = startRename): void {
  const { length } = draftNow(session).stages
  if (!hasPlaceFor(session, 1) || !editOrShowProblems(session, change)) return
  const added = draftNow(session).stages[length]
  if (added === undefined) return
  follow(session, added.id)
  announceEdit(session, t('{name} added.', { name: added.name }))
}

/** Returns whether the pipeline may have so many more stages. If not, a message says why. */
export function hasPlaceFor(session: Session, stages: number): boolean {
  const fits = draftNow(session).stages.length + stages <= MAX_STAGES
  if (!fits) showError(session, t('a pipeline has at most {MAX_STAGES} stages', { MAX_STAGES }))
  return fits
}

function goTo(session: Session, id: string): void {
  selectNode(session, id)
  focusNode(session, id)
}

/** Removes stages and selects a neighbour. The last stage stays, and a message says why. */
export function removeStages(session: Session, ids: readonly string[]): void {
  const line = stagesInTabOrder(session)
  const removed = line.filter((id) => ids.includes(id))
  if (removed.length === 0) return
  const removedName = removed.length === 1 ? stageName(session, removed[0]) : stageCount(removed.length)
  if (removed.length === line.length) {
    const message = t('a pipeline has at least one stage')
    showError(session, message)
    announce(session, message)
    return
  }
  if (!editOrShowProblems(session, (before) => removed.reduce(removeStage, before))) return
  const at = line.indexOf(removed[0])
  const neighbour = line.slice(at).find((id) => !removed.includes(id)) ?? line.slice(0, at).at(-1) ?? null
  selectNode(session, neighbour)
  if (neighbour !== null) focusNode(session, neighbour)
  announceEdit(session, t('{what} removed.', { what: removedName }))
}

export const stageCount = (n: number): string => t('{n, plural, one {# stage} other {# stages}}', { n })

export function shiftStage(session: Session, id: string, by: -1 | 1): void {
  const line = stagesInTabOrder(session)
  moveStageTo(session, id, Math.max(0, Math.min(line.length - 1, line.indexOf(id) + by)))
}

export function moveStageTo(session: Session, id: string, to: number): void {
  const { length } = draftNow(session).stages
  if (!isLinear(draftNow(session))) announce(session, t('Only stages in a line can move.'))
  else if (editOrShowProblems(session, (scenario) => moveStage(scenario, id, to)))
    announce(session, t('{id} is now {to} of {length}.', { id: stageName(session, id), to: to + 1, length }))
}

export function link(session: Session, from: string, to: string): void {
  canvasStore(session).setState({ connecting: null })
  if (from === to || to === 'source' || from === 'sink') return
  if (editOrShowProblems(session, (scenario) => addLink(scenario, from, to)))
    announceEdit(session, t('{from} now leads to {to}.', linkNames(session, [from, to])))
}

export function unlinkStages(session: Session, link: Link): void {
  canvasStore(session).setState({ link: null })
  if (editOrShowProblems(session, (scenario) => removeLink(scenario, link)))
    announceEdit(session, t('{from} no longer leads to {to}.', linkNames(session, link)))
  focusNode(session, link[0])
}

export const linkNames = (session: Session, [from, to]: Link) => ({
  from: stageName(session, from),
  to: stageName(session, to),
})

/** Tells screen readers what an edit did, and how much is wrong after it. */
export function announceEdit(session: Session, words: string): void {
  const { length } = scenarioStore(session).getState().draftProblems
  const faults = t(' {n, plural, one {# thing} other {# things}} to fix.', { n: length })
  announce(session, length === 0 ? words : words + faults)
}

/** Selects a stage and its name on the card: what is typed replaces it. */
export function startRename(session: Session, id: string): void {
  selectNode(session, id)
  canvasStore(session).setState({ renaming: id })
}

/** Ends renaming a stage; null cancels it. It has no effect if another stage is being renamed. */
export function endRename(session: Session, id: string, name: string | null): void {
  if (canvasStore(session).getState().renaming !== id) return
  canvasStore(session).setState({ renaming: null })
  if (name === null || name.trim() === stageName(session, id)) return
  editOrShowProblems(session, (scenario) => renameStage(scenario, id, name))
}

/** Puts stages where they were dropped. The other stages stay where they are. */
export function placeStages(
  session: Session,
  places: ReadonlyMap<string, Point>,
  boxes: ReadonlyMap<string, Box>,
  merge?: string,
): void {
  const place = placing(boxes)
  editOrShowProblems(
    session,
    (scenario) =>
      [...places].reduce((sum, [id, at]) => setStage(sum, id, { position: place(at) }), pinned(scenario, boxes)),
    merge,
  )
}

/** Returns where a card is placed that stands at a point among these boxes: rows of low cards make room for full ones. */
function placing(boxes: ReadonlyMap<string, Box>): (at: Point) => Point {
  const stretch = stretchOf(boxes)
  return ({ x, y }) => ({ x: Math.round(x), y: Math.round(y * stretch) })
}

/** Returns the scenario with every stage at its present place. */
export function pinned(scenario: Scenario, boxes: ReadonlyMap<string, Box>): Scenario {
  const place = placing(boxes)
  const stages = scenario.stages.map((stage) => {
    const box = boxes.get(stage.id)
    return stage.position === null && box !== undefined ? { ...stage, position: place(box) } : stage
  })
  return { ...scenario, stages }
}

/** Removes the places of all stages: they are laid out automatically again. */
export function forgetPlaces(session: Session): void {
  editOrShowProblems(session, (scenario) => ({
    ...scenario,
    stages: scenario.stages.map((stage) => ({ ...stage, position: null })),
  }))
  announce(session, t('Laid out.'))
}

export function chooseAll(session: Session): void {
  choose(session, stagesInTabOrder(session))
  announce(session, stageCount(chosenStages(session).length))
}
