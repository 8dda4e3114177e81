import { createStore } from 'zustand/vanilla'
import { same } from '../scenario/compact.ts'
import { parseDrawing } from '../scenario/parse.ts'
import { DEFAULT_PRESET, presetOf } from '../scenario/presets.ts'
import type { Drawn, Problem, Scenario } from '../scenario/scenario.ts'

/** What is on the canvas. While a pipeline is drawn it may be none yet: a stage is not linked, a link closes a circle. */
interface Step {
  /** What can be played: what is on the canvas or, while that has faults, what was there last without. */
  readonly scenario: Scenario
  /** What is on the canvas. Without faults, the scenario itself. */
  readonly drawing: Scenario
  /** Why what is on the canvas cannot be played, each fault at its stage or link in `drawing`. */
  readonly faults: readonly Problem[]
}

/** What is on the canvas, and how it came to be. */
interface ScenarioState extends Step {
  readonly past: readonly Step[]
  readonly future: readonly Step[]
  /** The stage that is open in the inspector, 'source' or 'sink'; null: none. */
  readonly selected: string | null
  /** Why the last edit, link or file was refused. What was on the screen stays. */
  readonly problems: readonly Problem[]
}

const MOST_STEPS = 200
/** Edits of one thing that follow each other within this time are one step of undo: a slider's drag, a word typed. */
const ONE_STEP_MS = 800

export const scenarioStore = createStore<ScenarioState>(() => ({
  ...sound(initialScenario()),
  past: [],
  future: [],
  selected: null,
  problems: [],
}))

let lastMerge: { readonly key: string; readonly at: number } | null = null

/**
 * Changes what is on the canvas. What `parse` finds wrong with the result is shown, nothing changes and the answer is false; only how
 * stages and links hang together may be wrong for a while, as faults. Edits with the same `merge` in quick succession are undone
 * together; one that changes nothing is no step of undo.
 */
export function edit(change: (drawing: Scenario) => Scenario, merge?: string): boolean {
  const { drawing, past, scenario } = scenarioStore.getState()
  const next = change(drawing)
  if (next === drawing) return true
  const drawn = parseDrawing(next)
  if ('problems' in drawn) {
    refuse(drawn.problems)
    return false
  }
  // What was confirmed as it stood is no step to take back.
  if (same(drawn.scenario, drawing)) {
    scenarioStore.setState({ problems: [] })
    return true
  }
  const now = performance.now()
  const merged = merge !== undefined && lastMerge?.key === merge && now - lastMerge.at < ONE_STEP_MS
  lastMerge = merge === undefined ? null : { key: merge, at: now }
  scenarioStore.setState({
    ...stepOf(drawn, scenario),
    past: merged ? past : [...past, present()].slice(-MOST_STEPS),
    future: [],
    problems: [],
  })
  keepSelection()
  return true
}

/** Puts another scenario in place of the present one; undo brings that back. */
export function open(scenario: Scenario): void {
  lastMerge = null
  const { past } = scenarioStore.getState()
  scenarioStore.setState({ ...sound(scenario), past: [...past, present()].slice(-MOST_STEPS), future: [], problems: [], selected: null })
}

/** Puts back what was on the canvas at an earlier visit. With faults, what is there now stays what can be played. */
export function bringBack(drawn: Drawn): void {
  scenarioStore.setState(stepOf(drawn, scenarioStore.getState().scenario))
}

export function undo(): void {
  const { past, future } = scenarioStore.getState()
  const before = past.at(-1)
  if (before === undefined) return
  lastMerge = null
  scenarioStore.setState({ ...before, past: past.slice(0, -1), future: [present(), ...future], problems: [] })
  keepSelection()
}

export function redo(): void {
  const { past, future } = scenarioStore.getState()
  const [after] = future
  if (after === undefined) return
  lastMerge = null
  scenarioStore.setState({ ...after, past: [...past, present()], future: future.slice(1), problems: [] })
  keepSelection()
}

function present(): Step {
  const { scenario, drawing, faults } = scenarioStore.getState()
  return { scenario, drawing, faults }
}

function stepOf({ scenario, faults }: Drawn, playable: Scenario): Step {
  return faults.length === 0 ? sound(scenario) : { scenario: playable, drawing: scenario, faults }
}

function sound(scenario: Scenario): Step {
  return { scenario, drawing: scenario, faults: [] }
}

export function select(id: string | null): void {
  if (scenarioStore.getState().selected !== id) scenarioStore.setState({ selected: id })
}

/** Shows problems beside what is on the screen, which stays. */
export function refuse(problems: readonly Problem[]): void {
  scenarioStore.setState({ problems })
}

export function dismissProblems(): void {
  scenarioStore.setState({ problems: [] })
}

/** What is selected may have gone with an edit. */
function keepSelection(): void {
  const { selected, drawing } = scenarioStore.getState()
  if (selected === null || selected === 'source' || selected === 'sink') return
  if (!drawing.stages.some((stage) => stage.id === selected)) scenarioStore.setState({ selected: null })
}

function initialScenario(): Scenario {
  const preset = presetOf(DEFAULT_PRESET)
  if (preset === undefined) throw new Error(`there is no preset named ${DEFAULT_PRESET}`)
  return preset.scenario
}
