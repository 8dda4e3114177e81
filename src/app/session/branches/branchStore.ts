import { forkAt, originalOf } from '../../../scenario/edit/branches.ts'
import { same } from '../../../scenario/model/compact.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { presentStep, putStep, shownOf, showProblems, stepOf } from '../scenario/scenarioStore.ts'
import type { Session } from '../session.ts'

/** Begins a branch of `original` at `at`, and shows it. The branch changes what differs on the canvas from that original. `startedJobs`: see `forkAt`. */
export function beginBranch(session: Session, original: Scenario, at: Micros, startedJobs: readonly number[]): void {
  const now = presentStep(session)
  const forked = forkAt(original, at, original, startedJobs)
  const parsed =
    'problems' in forked ? forked : parse({ ...original, branches: [...now.whole.branches, forked.branch] })
  if ('problems' in parsed) showProblems(session, parsed.problems)
  else {
    const step = shownOf(parsed.scenario, now.whole.branches.length, now.scenario)
    putStep(
      session,
      now.shown === null ? stepOf({ scenario: originalOf(now.draft), draftProblems: now.draftProblems }, step) : step,
    )
  }
}

/** Puts the original (null) or a branch on the canvas. Undo brings back only a draft with problems, which would be lost otherwise. */
export function showBranch(session: Session, shown: number | null): void {
  const now = presentStep(session)
  if (shown === now.shown) return
  putStep(session, shownOf(now.whole, shown, now.scenario), now.draftProblems.length > 0)
}

/** Gives the branch on the canvas a title; an empty one removes it. */
export function nameBranch(session: Session, title: string): void {
  const now = presentStep(session)
  const branches = now.whole.branches.map((branch, k) => (k === now.shown ? { ...branch, title } : branch))
  const parsed = parse({ ...now.whole, branches })
  if ('problems' in parsed) showProblems(session, parsed.problems)
  else if (!same(parsed.scenario, now.whole)) putStep(session, { ...now, whole: parsed.scenario })
}

export function withoutBranch(session: Session, k: number): void {
  const { whole, scenario } = presentStep(session)
  putStep(session, shownOf({ ...whole, branches: whole.branches.filter((_, i) => i !== k) }, null, scenario))
}
