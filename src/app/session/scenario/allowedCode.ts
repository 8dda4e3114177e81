import { createStore } from 'zustand/vanilla'
import { branchOf } from '../../../scenario/edit/branches.ts'
import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import { leastTotalTimeCode } from '../../../scenario/model/policies.ts'
import { codeOf, type Scenario, type Stage } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { part, type Session } from '../session.ts'

/** Code that may run without a press, in a preview or a comparison: the person has typed or run it here. Other code, of a link or a file, waits for a press. */
export const allowedCodeStore = part(() =>
  createStore<{ readonly sources: ReadonlySet<string> }>(() => ({ sources: new Set([leastTotalTimeCode]) })),
)

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

/** Returns the stages with code that the person has neither typed nor run here. */
export function unseenStages(session: Session, { stages }: Scenario): readonly Stage[] {
  const { sources } = allowedCodeStore(session).getState()
  return stages.filter((stage) => {
    const code = codeOf(stage)
    return code !== null && !sources.has(code)
  })
}

/** Returns whether a run must wait that started without a press of Run: on real workers it would execute such code. The simulation executes none. */
export function stageCodeWaits(session: Session, scenario: Scenario, engine: EngineName): boolean {
  return isRealTime(engine) && unseenStages(session, scenario).length > 0
}
