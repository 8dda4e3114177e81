import { addStage, connect, lineOrder, moveStage, removeStage, renameStage, setStage } from '../../scenario/edits.ts'
import { MAX_STAGES } from '../../scenario/limits.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { edit, refuse, scenarioStore, select } from '../scenarioStore.ts'
import { canvasStore, focusNode, say } from './canvasStore.ts'
import type { Box, Point } from './layout.ts'

/** What the canvas and the inspector let a person do to the stages: one edit each, with its words for who cannot see it. */

export function nameOf(id: string, scenario: Scenario = scenarioStore.getState().scenario): string {
  if (id === 'source' || id === 'sink') return `the ${id}`
  return scenario.stages.find((stage) => stage.id === id)?.name ?? id
}

/** Adds a stage behind `after`, opens it and puts the focus on it. */
export function addAfter(after: string): void {
  const before = scenarioStore.getState().scenario
  if (before.stages.length >= MAX_STAGES) {
    refuse([{ path: 'stages', message: `a pipeline has at most ${MAX_STAGES} stages` }])
    return
  }
  if (!edit((scenario) => addStage(scenario, after === 'sink' ? null : after))) return
  const added = scenarioStore.getState().scenario.stages.at(-1)
  if (added === undefined) return
  select(added.id)
  focusNode(added.id)
  say(`${added.name} added after ${nameOf(after === 'sink' ? 'sink' : after, before)}.`)
}

/** Removes a stage; its neighbour is open then. The last stage stays, and the person is told why. */
export function remove(id: string): void {
  const { scenario } = scenarioStore.getState()
  const line = lineOrder(scenario)
  const at = line.indexOf(id)
  if (at < 0) return
  const name = nameOf(id)
  if (line.length === 1) {
    refuse([{ path: 'stages', message: `${name} is the only stage; a pipeline has at least one` }])
    say(`${name} is the only stage and stays.`)
    return
  }
  if (!edit((before) => removeStage(before, id))) return
  const neighbour = line[at + 1] ?? line[at - 1]
  select(neighbour)
  focusNode(neighbour)
  say(`${name} removed.`)
}

/** Moves a stage by so many places in the line. */
export function shift(id: string, by: -1 | 1): void {
  const line = lineOrder(scenarioStore.getState().scenario)
  const to = line.indexOf(id) + by
  if (to < 0 || to >= line.length) {
    say(`${nameOf(id)} is ${by < 0 ? 'first' : 'last'} already.`)
    return
  }
  moveTo(id, to)
}

export function moveTo(id: string, to: number): void {
  if (!edit((scenario) => moveStage(scenario, id, to))) return
  say(`${nameOf(id)} is now ${to + 1} of ${scenarioStore.getState().scenario.stages.length}.`)
}

/** Draws a link: `to` comes right behind `from`. */
export function link(from: string, to: string): void {
  canvasStore.setState({ connecting: null })
  if (from === to || to === 'source' || from === 'sink') return
  if (edit((scenario) => connect(scenario, from, to))) say(`${nameOf(from)} now leads to ${nameOf(to)}.`)
}

export function startRename(id: string): void {
  select(id)
  canvasStore.setState({ renaming: id })
}

/** Ends the typing of a name; null gives it up. Only what is typed on this very card counts. */
export function endRename(id: string, name: string | null): void {
  if (canvasStore.getState().renaming !== id) return
  canvasStore.setState({ renaming: null })
  if (name === null || name.trim() === nameOf(id)) return
  if (edit((scenario) => renameStage(scenario, id, name))) say(`Renamed ${nameOf(id)}.`)
}

/** Puts a stage where it was dropped. The others then stay where they are, too. */
export function place(id: string, at: Point, boxes: ReadonlyMap<string, Box>, merge?: string): void {
  const whole = { x: Math.round(at.x), y: Math.round(at.y) }
  edit((scenario) => {
    const kept = scenario.stages.reduce((sum, stage) => {
      const box = boxes.get(stage.id)
      return stage.position === null && box !== undefined ? setStage(sum, stage.id, { position: { x: Math.round(box.x), y: Math.round(box.y) } }) : sum
    }, scenario)
    return setStage(kept, id, { position: whole })
  }, merge)
}

/** Forgets where stages were put: the line is laid out by itself again. */
export function tidy(): void {
  edit((scenario) => ({ ...scenario, stages: scenario.stages.map((stage) => ({ ...stage, position: null })) }))
  say('Laid out in a line.')
}
