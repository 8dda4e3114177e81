import { createStore } from 'zustand/vanilla'
import { branchOf } from '../../../scenario/edit/branches.ts'
import { leastTotalTimeCode } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { part, type Session } from '../session.ts'

/**
 * Policy code that may run without a press, in a preview or a comparison: the person has typed or run it here. Other code, of a
 * link or a file, waits for a press.
 */
export const allowedCodeStore = part(() => createStore<{ readonly sources: ReadonlySet<string> }>(() => ({ sources: new Set([leastTotalTimeCode]) })))

export function allowCode(session: Session, ...sources: readonly string[]): void {
  allowedCodeStore(session).setState(({ sources: known }) => ({ sources: new Set([...known, ...sources]) }))
}

export function codeIn(scenario: Scenario): readonly string[] {
  const all = [scenario, ...scenario.branches.map((_, k) => branchOf(scenario, k))].flatMap(phasesOf)
  return all.flatMap(({ policy }) => (policy.kind === 'code' ? [policy.source] : []))
}

export function codeWaits(session: Session, scenario: Scenario): boolean {
  const { sources } = allowedCodeStore(session).getState()
  return codeIn(scenario).some((source) => !sources.has(source))
}
