import { t } from '../../../language/translate.ts'
import {
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
import { edit, refuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { drawnOrder } from '../layout/drawnOrder.ts'
import type { Box, Point } from '../layout/places.ts'
import { announce, canvasStore, choose, chosenStages, focusNode, pick } from './canvasStore.ts'

/** What the canvas and the inspector let a person do to the stages: one edit each, with its words for who cannot see it. */

const drawing = () => scenarioStore.getState().drawing

export function stageName(id: string, { stages }: Scenario = drawing()): string {
  if (id === 'source') return t('the source')
  if (id === 'sink') return t('the sink')
  return stages.find((stage) => stage.id === id)?.name ?? id
}

/** The stages in the order in which Tab walks through them. */
export function orderNow(): string[] {
  const { stages, links } = drawing()
  return drawnOrder(
    stages.map(({ id }) => id),
    links,
  )
}

/** Adds a stage behind `after`, opens it and puts the focus on it. */
export function addAfter(after: string): void {
  adding((scenario) => addStage(scenario, after === 'sink' ? null : after), t('after {after}', { after: stageName(after) }))
}

/** Adds a stage on a link. */
export function addOn(link: Link): void {
  adding((scenario) => insertStage(scenario, link), t('between {link} and {link2}', { link: stageName(link[0]), link2: stageName(link[1]) }))
}

/** Adds a stage beside another, with the same stages before and behind it. */
export function addBeside(id: string): void {
  adding((scenario) => addStageBeside(scenario, id), t('beside {id}', { id: stageName(id) }))
}

/** Adds a stage where it was dropped, linked from another or not yet at all. The others then stay where they are. */
export function addAt(at: Point, boxes: ReadonlyMap<string, Box>, from: string | null): void {
  const change = (scenario: Scenario) => {
    const added = addLooseStage(pinned(scenario, boxes), whole(at))
    return from === null ? added : addLink(added, from, added.stages[added.stages.length - 1].id)
  }
  adding(change, from === null ? t('beside the others') : t('after {from}', { from: stageName(from) }))
}

function adding(change: (scenario: Scenario) => Scenario, where: string): void {
  const { length } = drawing().stages
  if (length >= MAX_STAGES) {
    refuse([{ path: 'stages', message: t('a pipeline has at most {MAX_STAGES} stages', { MAX_STAGES }) }])
    return
  }
  if (!edit(change)) return
  const added = drawing().stages[length]
  if (added === undefined) return
  pick(added.id)
  focusNode(added.id)
  announce(t('{name} added {where}.{faultWords}', { name: added.name, where, faultWords: faultWords() }))
}

/** Removes stages; a neighbour is open then. One stage stays, and the person is told why. */
export function remove(ids: readonly string[]): void {
  const line = orderNow()
  const going = line.filter((id) => ids.includes(id))
  if (going.length === 0) return
  const name = stageName(going[0])
  const what = going.length === 1 ? name : t('{n, plural, one {# stage} other {# stages}}', { n: going.length })
  if (going.length === line.length) {
    const message =
      going.length === 1 ? t('{name} is the only stage; a pipeline has at least one', { name }) : t('these are all the stages; a pipeline has at least one')
    refuse([{ path: 'stages', message }])
    announce(t('{what} cannot be removed: a pipeline has at least one stage.', { what }))
    return
  }
  if (!edit((before) => going.reduce(removeStage, before))) return
  const at = line.indexOf(going[0])
  const neighbour = line.slice(at).find((id) => !going.includes(id)) ?? line.slice(0, at).at(-1) ?? null
  pick(neighbour)
  if (neighbour !== null) focusNode(neighbour)
  announce(t('{what} removed.{faultWords}', { what, faultWords: faultWords() }))
}

/** Moves a stage by so many places in the line. */
export function shift(id: string, by: -1 | 1): void {
  const line = orderNow()
  const to = line.indexOf(id) + by
  if (to < 0 || to >= line.length) {
    announce(by < 0 ? t('{name} is first already.', { name: stageName(id) }) : t('{name} is last already.', { name: stageName(id) }))
    return
  }
  moveStageTo(id, to)
}

export function moveStageTo(id: string, to: number): void {
  const before = drawing()
  if (!edit((scenario) => moveStage(scenario, id, to))) return
  announce(
    drawing() === before
      ? t('Only in a line do stages have places: here links say what follows.')
      : t('{id} is now {to} of {length}.', { id: stageName(id), to: to + 1, length: before.stages.length }),
  )
}

/** Draws a link. */
export function link(from: string, to: string): void {
  canvasStore.setState({ connecting: null })
  if (from === to || to === 'source' || from === 'sink') return
  const before = drawing()
  if (!edit((scenario) => addLink(scenario, from, to))) return
  announce(
    drawing() === before
      ? t('{from} leads to {to} already.', { from: stageName(from), to: stageName(to) })
      : t('{from} now leads to {to}.{faultWords}', { from: stageName(from), to: stageName(to), faultWords: faultWords() }),
  )
}

export function unlink(link: Link): void {
  canvasStore.setState({ link: null })
  if (edit((scenario) => removeLink(scenario, link)))
    announce(t('{link} no longer leads to {link2}.{faultWords}', { link: stageName(link[0]), link2: stageName(link[1]), faultWords: faultWords() }))
  focusNode(link[0])
}

/** What an edit has left to be put right, for who cannot see it. */
function faultWords(): string {
  const { length } = scenarioStore.getState().faults
  return length === 0 ? '' : t(' {n, plural, one {# thing} other {# things}} to put right.', { n: length })
}

export function startRename(id: string): void {
  pick(id)
  canvasStore.setState({ renaming: id })
}

/** Ends the typing of a name; null gives it up. Only what is typed on this very card counts. */
export function endRename(id: string, name: string | null): void {
  if (canvasStore.getState().renaming !== id) return
  canvasStore.setState({ renaming: null })
  if (name === null || name.trim() === stageName(id)) return
  if (edit((scenario) => renameStage(scenario, id, name))) announce(t('Renamed {id}.', { id: stageName(id) }))
}

/** Puts stages where they were dropped. The others then stay where they are, too. */
export function placeStages(places: ReadonlyMap<string, Point>, boxes: ReadonlyMap<string, Box>, merge?: string): void {
  edit((scenario) => [...places].reduce((sum, [id, at]) => setStage(sum, id, { position: whole(at) }), pinned(scenario, boxes)), merge)
}

const whole = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) })

/** Every stage where it stands at present. */
export function pinned(scenario: Scenario, boxes: ReadonlyMap<string, Box>): Scenario {
  const stages = scenario.stages.map((stage) => {
    const box = boxes.get(stage.id)
    return stage.position === null && box !== undefined ? { ...stage, position: whole(box) } : stage
  })
  return { ...scenario, stages }
}

/** Forgets where stages were put: they are laid out by themselves again. */
export function forgetPlaces(): void {
  edit((scenario) => ({ ...scenario, stages: scenario.stages.map((stage) => ({ ...stage, position: null })) }))
  announce(t('Laid out.'))
}

/** Chooses every stage. */
export function chooseAll(): void {
  choose(orderNow())
  announce(t('{n, plural, one {# stage} other {# stages}} chosen.', { n: chosenStages().length }))
}
