import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { branchOf } from '../../../scenario/edit/branches.ts'
import type { Opening } from '../../../scenario/link/opening.ts'
import { leastTotalTimeCode } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { clock } from '../../../views/drawing/format.ts'
import { part, type Session } from '../session.ts'

/**
 * The code of policies that may run by itself, in a preview or a comparison: what the person has typed here, or has run. Other code, of a
 * link or a file, waits for a press.
 */
export const allowedCodeStore = part(() => createStore<{ readonly sources: ReadonlySet<string> }>(() => ({ sources: new Set([leastTotalTimeCode]) })))

export function allowCode(session: Session, ...sources: readonly string[]): void {
  allowedCodeStore(session).setState(({ sources: known }) => ({ sources: new Set([...known, ...sources]) }))
}

/** Returns the code of the policies of a scenario and its branches. */
export function codeIn(scenario: Scenario): readonly string[] {
  const all = [scenario, ...scenario.branches.map((_, k) => branchOf(scenario, k))].flatMap(phasesOf)
  return all.flatMap(({ policy }) => (policy.kind === 'code' ? [policy.source] : []))
}

/** Whether a scenario has code that waits for a press. */
export function codeWaits(session: Session, scenario: Scenario): boolean {
  const { sources } = allowedCodeStore(session).getState()
  return codeIn(scenario).some((source) => !sources.has(source))
}

/** Returns the status line after a link with such a policy was opened: its code runs only after Run is pressed, so the view that it asks for waits. */
export function foreignCodeNotice({ at, range, decision }: Pick<Opening, 'at' | 'range' | 'decision'>): string {
  const notice = t('This link contains a policy written by its author; it runs in a sandbox.')
  const time = at ?? range?.[0] ?? null
  if (time !== null) return `${notice} ${t('Press Run: the playback then stops at {time}.', { time: clock(time) })}`
  return decision === null ? notice : `${notice} ${t('Press Run: the playback then stops at decision {n}.', { n: decision + 1 })}`
}
