import { createStore } from 'zustand/vanilla'
import { begunIn, branchOf, drawnBranch, trunkOf, withFittingBranches, withLooks } from '../scenario/branches.ts'
import { same } from '../scenario/compact.ts'
import { forkAt } from '../scenario/fork.ts'
import { parse, parseDrawing } from '../scenario/parse.ts'
import { DEFAULT_PRESET, presetOf } from '../scenario/presets.ts'
import type { Drawn, Micros, Problem, Scenario } from '../scenario/scenario.ts'

/** What is on the canvas. While a pipeline is drawn it may be none yet: a stage is not linked, a link closes a circle. */
interface Step {
  /** The trunk with its branches, as a link carries it, as it was last without faults. */
  readonly whole: Scenario
  /** The branch on the canvas; null: the trunk. */
  readonly shown: number | null
  /** What can be played: the trunk or branch on the canvas, as it was last without faults. Without branches, and the same object as long as only they change. */
  readonly scenario: Scenario
  /** What is on the canvas, as one edits it: the trunk with its branches, or a branch. */
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
  ...shownOf(initialScenario(), null),
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
  const { drawing, past } = scenarioStore.getState()
  const changed = change(drawing)
  if (changed === drawing) return true
  const next = withFittingBranches(changed)
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
    ...stepOf(drawn, present()),
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
  scenarioStore.setState({ ...shownOf(scenario, null), past: [...past, present()].slice(-MOST_STEPS), future: [], problems: [], selected: null })
}

/** Puts back what was on the canvas at an earlier visit. With faults, what is there now stays what can be played. */
export function bringBack(drawn: Drawn): void {
  scenarioStore.setState(stepOf(drawn, present()))
}

/** What is kept of the canvas for another visit: the trunk as it is drawn, with its branches. */
export function drawn({ whole, shown, drawing }: Step): Scenario {
  return shown === null ? drawing : whole
}

/** What a text says of the canvas: of the trunk, whatever was last without faults. */
export function said({ whole, shown, drawing }: Step): Scenario {
  return shown === null ? whole : drawing
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

/**
 * Begins a branch of `trunk` at `at`, and shows it. What is on the canvas otherwise than in the trunk, which is where the run was that
 * is forked, is what the branch changes. `begun`: see `forkAt`.
 */
export function beginBranch(trunk: Scenario, at: Micros, begun: readonly number[]): void {
  const now = present()
  const forked = forkAt(trunk, at, trunk, begun)
  const parsed = 'problems' in forked ? forked : parse({ ...trunk, branches: [...now.whole.branches, forked.branch] })
  if ('problems' in parsed) refuse(parsed.problems)
  else {
    const step = shownOf(parsed.scenario, now.whole.branches.length, now.scenario)
    take(now.shown === null ? stepOf({ scenario: trunkOf(now.drawing), faults: now.faults }, step) : step)
  }
}

/** Puts the trunk (null) or a branch on the canvas. That is no step to undo, unless what was there would be lost. */
export function showBranch(shown: number | null): void {
  const now = present()
  if (shown === now.shown) return
  const step = shownOf(now.whole, shown, now.scenario)
  if (now.faults.length > 0) take(step)
  else {
    lastMerge = null
    scenarioStore.setState({ ...step, problems: [] })
  }
}

/** Gives the branch on the canvas a title; an empty one takes it away. */
export function nameBranch(title: string): void {
  const now = present()
  const branches = now.whole.branches.map((branch, k) => (k === now.shown ? { ...branch, title } : branch))
  const parsed = parse({ ...now.whole, branches })
  if ('problems' in parsed) refuse(parsed.problems)
  else if (!same(parsed.scenario, now.whole)) take({ ...now, whole: parsed.scenario })
}

/** Takes a branch away; the trunk is shown in its place. */
export function withoutBranch(k: number): void {
  const { whole, scenario } = present()
  take(shownOf({ ...whole, branches: whole.branches.filter((_, i) => i !== k) }, null, scenario))
}

/** Puts something else in place of the present, as a step of its own. */
function take(step: Step): void {
  lastMerge = null
  const { past } = scenarioStore.getState()
  scenarioStore.setState({ ...step, past: [...past, present()].slice(-MOST_STEPS), future: [], problems: [] })
  keepSelection()
}

function present(): Step {
  const { whole, shown, scenario, drawing, faults } = scenarioStore.getState()
  return { whole, shown, scenario, drawing, faults }
}

/** The step that a drawing makes of the one before it. */
function stepOf({ scenario: drawing, faults }: Drawn, before: Step): Step {
  if (before.shown !== null) return branchStep({ scenario: drawing, faults }, before, before.shown)
  return faults.length === 0 ? shownOf(drawing, null, before.scenario) : { ...before, drawing, faults }
}

/** What is edited of a branch holds from when it begins; what cannot change under way is a fault of the drawing. */
function branchStep({ scenario: drawing, faults }: Drawn, before: Step, k: number): Step {
  const { at, title } = before.whole.branches[k]
  const forked = forkAt(before.whole, at, drawing, begunIn(before.whole, k))
  if ('problems' in forked) return { ...before, drawing, faults: [...forked.problems, ...faults] }
  const branches = before.whole.branches.map((branch, i) => (i === k ? { ...forked.branch, title } : branch))
  const parsed = parse({ ...withLooks(before.whole, drawing), branches })
  if ('problems' in parsed)
    return { ...before, drawing, faults: parsed.problems.map((problem) => ({ ...problem, path: problem.path.replace(/^branches\[\d+\]\.?/, '') })) }
  return { ...shownOf(parsed.scenario, k, before.scenario), drawing }
}

/** The trunk or a branch on the canvas. `before`: what could be played before, which stays the same object if it is the same. */
function shownOf(whole: Scenario, shown: number | null, before?: Scenario): Step {
  const scenario = shown === null ? trunkOf(whole) : branchOf(whole, shown)
  return {
    whole,
    shown,
    scenario: before !== undefined && scenario !== whole && same(before, scenario) ? before : scenario,
    drawing: shown === null ? whole : drawnBranch(whole, shown),
    faults: [],
  }
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
