import { createStore } from 'zustand/vanilla'
import {
  branchDraft,
  branchOf,
  forkAt,
  originalOf,
  startedJobsIn,
  withAppearance,
  withEarlierChanges,
  withFittingBranches,
} from '../../../scenario/edit/branches.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { same } from '../../../scenario/model/compact.ts'
import type { CodePolicy, ParsedDraft, PolicyKind, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { goneIn, goneNotice } from '../../../scenario/parse/gone.ts'
import { parse, parseDraft } from '../../../scenario/parse/parse.ts'
import { defaultPreset } from '../../../scenario/presets/preset.ts'
import { part, type Session } from '../session.ts'

/** What is on the canvas. While a person draws, it may not be playable yet: a stage has no link, or links form a cycle. */
export interface CanvasStep {
  /** The original with its branches, as links carry it: the latest version without problems. */
  readonly whole: Scenario
  /** The branch on the canvas; null: the original. */
  readonly shown: number | null
  /** What can be played: the latest version without problems of the original or branch on the canvas. The same object while only branches change. */
  readonly scenario: Scenario
  /** What is being edited: the original with its branches, or a branch. */
  readonly draft: Scenario
  /** Why the draft cannot be played, each problem at its stage or link in `draft`. */
  readonly draftProblems: readonly Problem[]
}

/** A step with the number of the opening it comes from. Edits keep that number; undo may bring an earlier one back. */
export interface OpenedStep extends CanvasStep {
  readonly opened: number
}

interface ScenarioState extends OpenedStep {
  readonly past: readonly OpenedStep[]
  readonly future: readonly OpenedStep[]
  /** The stage that is open in the inspector, 'source' or 'sink'; null: none. */
  readonly selected: string | null
  /** What undo or redo did last; null: something else was done since. */
  readonly lastHistoryMove: 'undone' | 'redone' | null
  /** Why the last edit, link or file was refused. */
  readonly problems: readonly Problem[]
  /** Whether only a part was refused and the rest was done. */
  readonly inPart: boolean
}

const MAX_STEPS = 200
/** Edits of one thing within this time are one step of undo: the drag of a slider, a word typed. */
const ONE_STEP_MS = 800

export const scenarioStore = part((session) => {
  const store = createStore<ScenarioState>(() => ({
    ...shownOf(defaultPreset.scenario, null),
    opened: 0,
    past: [],
    future: [],
    selected: null,
    lastHistoryMove: null,
    problems: [],
    inPart: false,
  }))
  store.subscribe(({ draft }) => keepCode(session, draft))
  return store
})

const editing = part(() => ({
  openings: 0,
  /** The key and time of the last edit, which later ones may join as one step of undo. */
  lastMerge: null as { readonly key: string; readonly at: number } | null,
  /** The last policy in code that was on the canvas, for when code is chosen again. */
  lastCode: null as CodePolicy | null,
}))

function keepCode(session: Session, { policy }: Scenario): void {
  if (policy.kind === 'code') editing(session).lastCode = policy
}

/** Returns the scenario with another policy, as a person chooses it by name: own code comes back as it was last. */
export function withChosenPolicy(session: Session, scenario: Scenario, kind: PolicyKind): Scenario {
  const { lastCode } = editing(session)
  return setPolicy(scenario, kind === 'code' && scenario.policy.kind !== 'code' && lastCode !== null ? lastCode : kind)
}

/**
 * Changes the draft. Returns the problems that `parse` finds in the result; then nothing has changed. Only wiring may be wrong for a
 * while, as problems of the draft. Quick edits with the same `merge` are one step of undo; an edit without effect is none.
 */
export function edit(session: Session, change: (draft: Scenario) => Scenario, merge?: string): readonly Problem[] {
  const store = scenarioStore(session)
  const { draft, past } = store.getState()
  const changed = change(draft)
  if (changed === draft) return []
  const parsed = parseDraft(withFittingBranches(changed))
  if ('problems' in parsed) return parsed.problems
  if (same(parsed.scenario, draft)) {
    store.setState({ problems: [] })
    return []
  }
  const now = performance.now()
  const state = editing(session)
  const merged = merge !== undefined && state.lastMerge?.key === merge && now - state.lastMerge.at < ONE_STEP_MS
  state.lastMerge = merge === undefined ? null : { key: merge, at: now }
  store.setState({
    ...stepOf(parsed, presentStep(session)),
    past: merged ? past : pastWithPresent(session),
    future: [],
    lastHistoryMove: null,
    problems: [],
  })
  keepSelection(session)
  return []
}

/** Changes the draft, or shows on the page what is wrong with the result. Returns whether it was changed. */
export function editOrShowProblems(session: Session, change: (draft: Scenario) => Scenario, merge?: string): boolean {
  const problems = edit(session, change, merge)
  if (problems.length > 0) showProblems(session, problems)
  return problems.length === 0
}

/** Puts another scenario in place of the present one. Undo brings that back. */
export function open(session: Session, scenario: Scenario): void {
  const state = editing(session)
  state.lastMerge = null
  const past = pastWithPresent(session)
  scenarioStore(session).setState({
    ...shownOf(scenario, null),
    opened: ++state.openings,
    past,
    future: [],
    lastHistoryMove: null,
    ...goneShown(scenario),
    selected: null,
  })
}

/** Returns the notice about what an opened scenario had and this version no longer has. */
export function goneShown(scenario: Scenario): { readonly problems: readonly Problem[]; readonly inPart: boolean } {
  const names = goneIn(scenario)
  return { problems: names.length === 0 ? [] : [{ path: '', message: goneNotice(names) }], inPart: true }
}

/** Clears the undo history: the canvas before was never shown. */
export const forgetPast = (session: Session): void => scenarioStore(session).setState({ past: [], future: [] })

/** Puts back what was on the canvas at an earlier visit. If it has problems, the present scenario can still be played. */
export function restoreDraft(session: Session, draft: ParsedDraft): void {
  scenarioStore(session).setState({ ...stepOf(draft, presentStep(session)), ...goneShown(draft.scenario) })
}

/** Returns what is stored for another visit: the original as it is drawn, with its branches. */
export const scenarioToSave = ({ whole, shown, draft }: CanvasStep): Scenario => (shown === null ? draft : whole)

/** Returns what is shown as JSON: of the original, the latest version without problems. */
export const scenarioAsText = ({ whole, shown, draft }: CanvasStep): Scenario => (shown === null ? whole : draft)

export function undo(session: Session): void {
  const { past, future } = scenarioStore(session).getState()
  travel(session, past.at(-1), {
    past: past.slice(0, -1),
    future: [presentStep(session), ...future],
    lastHistoryMove: 'undone',
  })
}

export function redo(session: Session): void {
  const { past, future } = scenarioStore(session).getState()
  travel(session, future[0], {
    past: [...past, presentStep(session)],
    future: future.slice(1),
    lastHistoryMove: 'redone',
  })
}

function travel(
  session: Session,
  step: OpenedStep | undefined,
  history: Pick<ScenarioState, 'past' | 'future' | 'lastHistoryMove'>,
): void {
  if (step !== undefined) putState(session, { ...step, ...history })
}

/** Puts a step in place of the present one. `undoable`: undo brings the present one back. */
export function putStep(session: Session, step: CanvasStep, undoable = true): void {
  putState(session, { ...step, ...(undoable && { past: pastWithPresent(session), future: [] }) })
}

/** Puts another state on the canvas. The next edit is a step of its own. */
function putState(session: Session, state: Partial<ScenarioState>): void {
  editing(session).lastMerge = null
  scenarioStore(session).setState({ lastHistoryMove: null, ...state, problems: [] })
  keepSelection(session)
}

function pastWithPresent(session: Session): readonly OpenedStep[] {
  return [...scenarioStore(session).getState().past, presentStep(session)].slice(-MAX_STEPS)
}

export function presentStep(session: Session): OpenedStep {
  const { whole, shown, scenario, draft, draftProblems, opened } = scenarioStore(session).getState()
  return { whole, shown, scenario, draft, draftProblems, opened }
}

/** Returns the step that a draft makes of the one before it. */
export function stepOf(parsed: ParsedDraft, before: CanvasStep): CanvasStep {
  const { scenario: draft, draftProblems } = parsed
  if (before.shown !== null) return branchStep(parsed, before, before.shown)
  return draftProblems.length === 0 ? shownOf(draft, null, before.scenario) : { ...before, draft, draftProblems }
}

/** Returns the step that an edit makes of a branch. What cannot change midway is a problem of the draft. */
function branchStep({ scenario: edited, draftProblems }: ParsedDraft, before: CanvasStep, k: number): CanvasStep {
  const { at, title } = before.whole.branches[k]
  const draft = edited.workers === before.draft.workers ? edited : withEarlierChanges(before.whole, at, edited)
  const forked = forkAt(before.whole, at, draft, startedJobsIn(before.whole, k))
  if ('problems' in forked) return { ...before, draft, draftProblems: [...forked.problems, ...draftProblems] }
  const branches = before.whole.branches.map((branch, i) => (i === k ? { ...forked.branch, title } : branch))
  const parsed = parse({ ...withAppearance(before.whole, draft), branches })
  if ('problems' in parsed)
    return {
      ...before,
      draft,
      draftProblems: parsed.problems.map((problem) => ({
        ...problem,
        path: problem.path.replace(/^branches\[\d+\]\.?/, ''),
      })),
    }
  return { ...shownOf(parsed.scenario, k, before.scenario), draft }
}

/** Returns the step that shows the original or a branch. If `before` equals what can be played now, the step keeps that object. */
export function shownOf(whole: Scenario, shown: number | null, before?: Scenario): CanvasStep {
  const scenario = shown === null ? originalOf(whole) : branchOf(whole, shown)
  return {
    whole,
    shown,
    scenario: before !== undefined && scenario !== whole && same(before, scenario) ? before : scenario,
    draft: shown === null ? whole : branchDraft(whole, shown),
    draftProblems: [],
  }
}

export function select(session: Session, id: string | null): void {
  if (scenarioStore(session).getState().selected !== id) scenarioStore(session).setState({ selected: id })
}

/** Shows problems beside what is on the screen, which stays. `inPart`: the rest of what was asked for is done. */
export function showProblems(session: Session, problems: readonly Problem[], inPart = false): void {
  scenarioStore(session).setState({ problems, inPart })
}

export const showError = (session: Session, message: string): void => showProblems(session, [{ path: '', message }])

export const dismissProblems = (session: Session): void => scenarioStore(session).setState({ problems: [] })

function keepSelection(session: Session): void {
  const { selected, draft } = scenarioStore(session).getState()
  if (selected === null || selected === 'source' || selected === 'sink') return
  if (!draft.stages.some((stage) => stage.id === selected)) scenarioStore(session).setState({ selected: null })
}
