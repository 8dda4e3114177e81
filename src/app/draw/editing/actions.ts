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
import type { Link, Scenario } from '../../../scenario/model/scenario.ts'
import { editOrShowProblems, scenarioStore, showProblems } from '../../session/scenario/scenarioStore.ts'
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
  const ids = stages.map(({ id }) => id)
  return drawnOrder(ids, links)
}

/** Adds a stage behind `after` and selects it. By key the focus moves to its card, by button to its name. */
export function addStageAfter(session: Session, after: string, follow = goTo): void {
  adding(
    session,
    (scenario) => addStage(scenario, after === 'sink' ? null : after),
    t('after {after}', { after: stageName(session, after) }),
    follow,
  )
}

/** Adds a stage after another, parallel to those that already follow it, and begins to name it. */
export function addParallelStage(session: Session, after: string): void {
  adding(session, (scenario) => addFollower(scenario, after), t('after {after}', { after: stageName(session, after) }))
}

export function addStageOnLink(session: Session, link: Link): void {
  adding(session, (scenario) => insertStage(scenario, link), t('between {link} and {link2}', linkNames(session, link)))
}

const linkNames = (session: Session, [from, to]: Link) => ({
  link: stageName(session, from),
  link2: stageName(session, to),
})

export function addStageBesideOther(session: Session, id: string, follow = goTo): void {
  adding(session, (scenario) => addStageBeside(scenario, id), t('beside {id}', { id: stageName(session, id) }), follow)
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
  const change = (scenario: Scenario) => {
    const added = addLooseStage(pinned(scenario, boxes), placing(boxes)(at))
    return from === null ? added : addLink(added, from, added.stages[added.stages.length - 1].id)
  }
  adding(
    session,
    change,
    from === null ? t('beside the others') : t('after {from}', { from: stageName(session, from) }),
  )
}

function adding(session: Session, change: (scenario: Scenario) => Scenario, where: string, follow = startRename): void {
  const { length } = draftNow(session).stages
  if (length >= MAX_STAGES) {
    showProblems(session, [
      { path: 'stages', message: t('a pipeline has at most {MAX_STAGES} stages', { MAX_STAGES }) },
    ])
    return
  }
  if (!editOrShowProblems(session, change)) return
  const added = draftNow(session).stages[length]
  if (added === undefined) return
  follow(session, added.id)
  announce(
    session,
    t('{name} added {where}.{faultWords}', { name: added.name, where, faultWords: faultWords(session) }),
  )
}

function goTo(session: Session, id: string): void {
  selectNode(session, id)
  focusNode(session, id)
}

/** Removes stages and selects a neighbour. The last stage stays, and a message says why. */
export function removeStages(session: Session, ids: readonly string[]): void {
  const line = stagesInTabOrder(session)
  const going = line.filter((id) => ids.includes(id))
  if (going.length === 0) return
  const name = stageName(session, going[0])
  const what = going.length === 1 ? name : t('{n, plural, one {# stage} other {# stages}}', { n: going.length })
  if (going.length === line.length) {
    const message = t('a pipeline has at least one stage')
    showProblems(session, [{ path: 'stages', message }])
    announce(session, message)
    return
  }
  if (!editOrShowProblems(session, (before) => going.reduce(removeStage, before))) return
  const at = line.indexOf(going[0])
  const neighbour = line.slice(at).find((id) => !going.includes(id)) ?? line.slice(0, at).at(-1) ?? null
  selectNode(session, neighbour)
  if (neighbour !== null) focusNode(session, neighbour)
  announce(session, t('{what} removed.{faultWords}', { what, faultWords: faultWords(session) }))
}

export function shiftStage(session: Session, id: string, by: -1 | 1): void {
  const line = stagesInTabOrder(session)
  const to = line.indexOf(id) + by
  const name = stageName(session, id)
  if (to < 0) announce(session, t('{name} is first already.', { name }))
  else if (to >= line.length) announce(session, t('{name} is last already.', { name }))
  else moveStageTo(session, id, to)
}

export function moveStageTo(session: Session, id: string, to: number): void {
  const before = draftNow(session)
  if (!editOrShowProblems(session, (scenario) => moveStage(scenario, id, to))) return
  if (draftNow(session) === before) announce(session, t('Only stages in a line can move.'))
  else
    announce(
      session,
      t('{id} is now {to} of {length}.', { id: stageName(session, id), to: to + 1, length: before.stages.length }),
    )
}

export function link(session: Session, from: string, to: string): void {
  canvasStore(session).setState({ connecting: null })
  if (from === to || to === 'source' || from === 'sink') return
  const before = draftNow(session)
  if (!editOrShowProblems(session, (scenario) => addLink(scenario, from, to))) return
  const names = { from: stageName(session, from), to: stageName(session, to) }
  if (draftNow(session) === before) announce(session, t('{from} leads to {to} already.', names))
  else announce(session, t('{from} now leads to {to}.{faultWords}', { ...names, faultWords: faultWords(session) }))
}

export function unlinkStages(session: Session, link: Link): void {
  canvasStore(session).setState({ link: null })
  if (editOrShowProblems(session, (scenario) => removeLink(scenario, link)))
    announce(
      session,
      t('{link} no longer leads to {link2}.{faultWords}', {
        ...linkNames(session, link),
        faultWords: faultWords(session),
      }),
    )
  focusNode(session, link[0])
}

/** Returns what is wrong after an edit, for screen readers. */
function faultWords(session: Session): string {
  const { length } = scenarioStore(session).getState().draftProblems
  return length === 0 ? '' : t(' {n, plural, one {# thing} other {# things}} to fix.', { n: length })
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
  if (editOrShowProblems(session, (scenario) => renameStage(scenario, id, name)))
    announce(session, t('Renamed {id}.', { id: stageName(session, id) }))
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
  announce(session, t('{n, plural, one {# stage} other {# stages}} chosen.', { n: chosenStages(session).length }))
}
