import { createStore } from 'zustand/vanilla'
import { same } from '../scenario/compact.ts'
import { parse } from '../scenario/parse.ts'
import { DEFAULT_PRESET, presetOf } from '../scenario/presets.ts'
import type { Problem, Scenario } from '../scenario/scenario.ts'

/** What is on the canvas, and how it came to be. */
interface ScenarioState {
  readonly scenario: Scenario
  readonly past: readonly Scenario[]
  readonly future: readonly Scenario[]
  /** The stage that is open in the inspector, 'source' or 'sink'; null: none. */
  readonly selected: string | null
  /** Why the last edit, link or file was refused. What was on the screen stays. */
  readonly problems: readonly Problem[]
}

const MOST_STEPS = 200
/** Edits of one thing that follow each other within this time are one step of undo: a slider's drag, a word typed. */
const ONE_STEP_MS = 800

export const scenarioStore = createStore<ScenarioState>(() => ({
  scenario: initialScenario(),
  past: [],
  future: [],
  selected: null,
  problems: [],
}))

let lastMerge: { readonly key: string; readonly at: number } | null = null

/**
 * Changes the scenario. The result must pass `parse`: otherwise the problems are shown, nothing changes and the answer is
 * false. Edits with the same `merge` in quick succession are undone together; one that changes nothing is no step of undo.
 */
export function edit(change: (scenario: Scenario) => Scenario, merge?: string): boolean {
  const { scenario, past } = scenarioStore.getState()
  const next = change(scenario)
  if (next === scenario) return true
  const parsed = parse(next)
  if ('problems' in parsed) {
    refuse(parsed.problems)
    return false
  }
  // What was confirmed as it stood is no step to take back.
  if (same(parsed.scenario, scenario)) {
    scenarioStore.setState({ problems: [] })
    return true
  }
  const now = performance.now()
  const merged = merge !== undefined && lastMerge?.key === merge && now - lastMerge.at < ONE_STEP_MS
  lastMerge = merge === undefined ? null : { key: merge, at: now }
  scenarioStore.setState({
    scenario: parsed.scenario,
    past: merged ? past : [...past, scenario].slice(-MOST_STEPS),
    future: [],
    problems: [],
  })
  keepSelection()
  return true
}

/** Puts another scenario in place of the present one; undo brings that back. */
export function open(scenario: Scenario): void {
  lastMerge = null
  const { scenario: before, past } = scenarioStore.getState()
  scenarioStore.setState({ scenario, past: [...past, before].slice(-MOST_STEPS), future: [], problems: [], selected: null })
}

export function undo(): void {
  const { scenario, past, future } = scenarioStore.getState()
  const before = past.at(-1)
  if (before === undefined) return
  lastMerge = null
  scenarioStore.setState({ scenario: before, past: past.slice(0, -1), future: [scenario, ...future], problems: [] })
  keepSelection()
}

export function redo(): void {
  const { scenario, past, future } = scenarioStore.getState()
  const [after] = future
  if (after === undefined) return
  lastMerge = null
  scenarioStore.setState({ scenario: after, past: [...past, scenario], future: future.slice(1), problems: [] })
  keepSelection()
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
  const { selected, scenario } = scenarioStore.getState()
  if (selected === null || selected === 'source' || selected === 'sink') return
  if (!scenario.stages.some((stage) => stage.id === selected)) scenarioStore.setState({ selected: null })
}

function initialScenario(): Scenario {
  const preset = presetOf(DEFAULT_PRESET)
  if (preset === undefined) throw new Error(`there is no preset named ${DEFAULT_PRESET}`)
  return preset.scenario
}
