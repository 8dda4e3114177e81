import { createStore } from 'zustand/vanilla'
import { branchOf, drawnBranch, trunkOf, withFittingBranches } from '../../../scenario/edit/branches.ts'
import { same } from '../../../scenario/model/compact.ts'
import type { ParsedDraft, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { parseDraft } from '../../../scenario/parse/parse.ts'
import { defaultPreset } from '../../../scenario/presets/firstRuns.ts'
import { part, type Session } from '../session.ts'

/** What is on the canvas. While a pipeline is drawn it may be none yet: a stage is not linked, a link closes a circle. */
export interface CanvasStep {
  /** The trunk with its branches, as a link carries it, as it was last without faults. */
  readonly whole: Scenario
  /** The branch on the canvas; null: the trunk. */
  readonly shown: number | null
  /** What can be played: the trunk or branch on the canvas, as it was last without faults. Without branches, and the same object as long as only they change. */
  readonly scenario: Scenario
  /** What is on the canvas, as one edits it: the trunk with its branches, or a branch. */
  readonly draft: Scenario
  /** Why what is on the canvas cannot be played, each fault at its stage or link in `drawing`. */
  readonly draftProblems: readonly Problem[]
}

/** A step with which opening of a scenario it comes from: edits keep it, another scenario has another, undo goes back to it. */
interface OpenedStep extends CanvasStep {
  readonly opened: number
}

/** What is on the canvas, and how it came to be. */
interface ScenarioState extends OpenedStep {
  readonly past: readonly OpenedStep[]
  readonly future: readonly OpenedStep[]
  /** The stage that is open in the inspector, 'source' or 'sink'; null: none. */
  readonly selected: string | null
  /** Why the last edit, link or file was refused. What was on the screen stays. */
  readonly problems: readonly Problem[]
  /** Whether all the rest of what was asked for has been done. */
  readonly inPart: boolean
}

const MOST_STEPS = 200
/** Edits of one thing that follow each other within this time are one step of undo: a slider's drag, a word typed. */
const ONE_STEP_MS = 800

export const scenarioStore = part(() =>
  createStore<ScenarioState>(() => ({
    ...shownOf(defaultPreset.scenario, null),
    opened: 0,
    past: [],
    future: [],
    selected: null,
    problems: [],
    inPart: false,
  })),
)

interface Own {
  openings: number
  lastMerge: { readonly key: string; readonly at: number } | null
}

const own = part(
  (): Own => ({
    openings: 0,
    lastMerge: null,
  }),
)

/**
 * Changes what is on the canvas, and returns what `parse` finds wrong with the result: then nothing has changed. Only how stages and
 * links hang together may be wrong for a while, as problems of the draft. Edits with the same `merge` in quick succession are undone
 * together. An edit that changes nothing is no step of undo.
 */
export function edit(session: Session, change: (draft: Scenario) => Scenario, merge?: string): readonly Problem[] {
  const { draft, past } = scenarioStore(session).getState()
  const changed = change(draft)
  if (changed === draft) return []
  const next = withFittingBranches(changed)
  const drawn = parseDraft(next)
  if ('problems' in drawn) return drawn.problems
  // What was confirmed as it stood is no step to take back.
  if (same(drawn.scenario, draft)) {
    scenarioStore(session).setState({ problems: [] })
    return []
  }
  const now = performance.now()
  const { lastMerge } = own(session)
  const merged = merge !== undefined && lastMerge?.key === merge && now - lastMerge.at < ONE_STEP_MS
  own(session).lastMerge = merge === undefined ? null : { key: merge, at: now }
  scenarioStore(session).setState({
    ...stepOf(session, drawn, presentStep(session)),
    past: merged ? past : [...past, presentStep(session)].slice(-MOST_STEPS),
    future: [],
    problems: [],
  })
  keepSelection(session)
  return []
}

/** Changes what is on the canvas, or shows on the page what is wrong with the result. Returns whether it was done. */
export function editOrRefuse(session: Session, change: (draft: Scenario) => Scenario, merge?: string): boolean {
  const problems = edit(session, change, merge)
  if (problems.length > 0) refuse(session, problems)
  return problems.length === 0
}

/** Puts another scenario in place of the present one; undo brings that back. */
export function open(session: Session, scenario: Scenario): void {
  own(session).lastMerge = null
  const { past } = scenarioStore(session).getState()
  const before = [...past, presentStep(session)].slice(-MOST_STEPS)
  scenarioStore(session).setState({ ...shownOf(scenario, null), opened: ++own(session).openings, past: before, future: [], problems: [], selected: null })
}

/** Puts back what was on the canvas at an earlier visit. With faults, what is there now stays what can be played. */
export function bringBack(session: Session, drawn: ParsedDraft): void {
  scenarioStore(session).setState(stepOf(session, drawn, presentStep(session)))
}

/** What is kept of the canvas for another visit: the trunk as it is drawn, with its branches. */
export function scenarioToSave({ whole, shown, draft }: CanvasStep): Scenario {
  return shown === null ? draft : whole
}

/** What a text says of the canvas: of the trunk, whatever was last without faults. */
export function scenarioAsText({ whole, shown, draft }: CanvasStep): Scenario {
  return shown === null ? whole : draft
}

export function undo(session: Session): void {
  const { past, future } = scenarioStore(session).getState()
  const before = past.at(-1)
  if (before === undefined) return
  own(session).lastMerge = null
  scenarioStore(session).setState({ ...before, past: past.slice(0, -1), future: [presentStep(session), ...future], problems: [] })
  keepSelection(session)
}

export function redo(session: Session): void {
  const { past, future } = scenarioStore(session).getState()
  const [after] = future
  if (after === undefined) return
  own(session).lastMerge = null
  scenarioStore(session).setState({ ...after, past: [...past, presentStep(session)], future: future.slice(1), problems: [] })
  keepSelection(session)
}

/** Puts something else in place of the present, as a step of its own or as none to undo. */
export function putStep(session: Session, step: CanvasStep, undone = true): void {
  own(session).lastMerge = null
  const { past } = scenarioStore(session).getState()
  scenarioStore(session).setState({ ...step, ...(undone && { past: [...past, presentStep(session)].slice(-MOST_STEPS), future: [] }), problems: [] })
  keepSelection(session)
}

export function presentStep(session: Session): OpenedStep {
  const { whole, shown, scenario, draft, draftProblems, opened } = scenarioStore(session).getState()
  return { whole, shown, scenario, draft, draftProblems, opened }
}

/** How the drawing of a branch becomes a step: from who shows branches (branchStore.ts), which is fetched when there are any. */
export const branching = part((): { step: ((drawn: ParsedDraft, before: CanvasStep, k: number) => CanvasStep) | null } => ({ step: null }))

/** The step that a drawing makes of the one before it. */
export function stepOf(session: Session, { scenario: draft, faults }: ParsedDraft, before: CanvasStep): CanvasStep {
  const { step } = branching(session)
  if (before.shown !== null && step !== null) return step({ scenario: draft, faults }, before, before.shown)
  return faults.length === 0 ? shownOf(draft, null, before.scenario) : { ...before, draft, draftProblems: faults }
}

/** The trunk or a branch on the canvas. `before`: what could be played before, which stays the same object if it is the same. */
export function shownOf(whole: Scenario, shown: number | null, before?: Scenario): CanvasStep {
  const scenario = shown === null ? trunkOf(whole) : branchOf(whole, shown)
  return {
    whole,
    shown,
    scenario: before !== undefined && scenario !== whole && same(before, scenario) ? before : scenario,
    draft: shown === null ? whole : drawnBranch(whole, shown),
    draftProblems: [],
  }
}

export function select(session: Session, id: string | null): void {
  if (scenarioStore(session).getState().selected !== id) scenarioStore(session).setState({ selected: id })
}

/** Shows problems beside what is on the screen, which stays; or of a part of what was asked for, of which the rest is done. */
export function refuse(session: Session, problems: readonly Problem[], inPart = false): void {
  scenarioStore(session).setState({ problems, inPart })
}

export function dismissProblems(session: Session): void {
  scenarioStore(session).setState({ problems: [] })
}

/** What is selected may have gone with an edit. */
function keepSelection(session: Session): void {
  const { selected, draft } = scenarioStore(session).getState()
  if (selected === null || selected === 'source' || selected === 'sink') return
  if (!draft.stages.some((stage) => stage.id === selected)) scenarioStore(session).setState({ selected: null })
}
