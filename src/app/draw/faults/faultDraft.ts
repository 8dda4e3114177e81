import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { type Fault, newPhase, SLOWER, slowdownOf, slowerService } from '../../../scenario/edit/faults.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Problem, Scenario, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { canFollow } from '../../../scenario/model/schedule.ts'
import { inTimes, plainNumber, type Read, readDuration, writeDuration } from '../../base/forms/typedText.ts'
import { factorText, faultTime } from './faultWords.ts'
import type { JobClock } from './jobClock.ts'

/** A fault as typed in the form: workers from 1, times with units. */
export interface FaultDraft {
  readonly what: WorkerEvent['kind'] | 'change' | 'phase'
  readonly at: string
  readonly worker: string
  readonly stage: string
  readonly from: string
  readonly factor: string
  /** The kind of a policy; empty: the policy stays. */
  readonly rule: string
}
export type DraftField = keyof FaultDraft
export type DraftProblems = Partial<Record<DraftField, string>>

/** Returns what the form shows first. Fields of the other kinds get about the same time. */
export function faultDraftOf(scenario: Scenario, fault: Fault, clock: JobClock): FaultDraft {
  const at = writeDuration(faultTime(fault, clock))
  const worker = String('worker' in fault ? fault.worker + 1 : scenario.workers)
  const rule = fault.kind === 'phase' ? (fault.values.policy?.kind ?? '') : (newPhase(scenario, faultTime(fault, clock))?.values.policy?.kind ?? '')
  if (fault.kind !== 'change') {
    const [first] = scenario.stages
    return { what: fault.kind, at, worker, stage: first.id, from: String(clock.jobAt(first.id, fault.at)), factor: `${SLOWER}`, rule }
  }
  const { stage, from } = fault
  return { what: 'change', at, worker, stage, from: String(from), factor: factorText(slowdownOf(scenario, fault)), rule }
}

/** Returns the fault in a form, or what cannot be read. `parse` checks the rest. `old` is the fault before. */
export function readFaultDraft(scenario: Scenario, draft: FaultDraft, old: Fault): { readonly fault: Fault } | { readonly problems: DraftProblems } {
  if (draft.what === 'phase') {
    const at = readDuration(draft.at)
    if ('message' in at) return { problems: fieldProblem('at', at) }
    const { policy, ...rest } = old.kind === 'phase' ? old.values : {}
    // A policy that stays keeps its settings.
    if (draft.rule === '') return { fault: { kind: 'phase', at: at.value, values: rest } }
    const rule = draft.rule === policy?.kind ? policy : setPolicy(scenario, draft.rule as PolicyKind).policy
    return { fault: { kind: 'phase', at: at.value, values: { ...rest, policy: rule } } }
  }
  if (draft.what !== 'change') {
    const at = readDuration(draft.at)
    const worker = draft.what === 'join' ? { value: 1 } : wholeIn(draft.worker)
    if ('message' in at || 'message' in worker) return { problems: { ...fieldProblem('at', at), ...fieldProblem('worker', worker) } }
    return { fault: { kind: draft.what, at: at.value, worker: worker.value - 1 } }
  }
  const stage = scenario.stages.find(({ id }) => id === draft.stage)
  const from = wholeIn(draft.from)
  const factor = Number(plainNumber(draft.factor))
  if ('message' in from || stage === undefined || !(factor > 0 && factor <= 1e6)) {
    const wrong = factor > 0 && factor <= 1e6 ? {} : { factor: t('allowed: a number above 0, up to 1,000,000; below 1 it gets quicker') }
    return { problems: { ...fieldProblem('from', from), ...wrong } }
  }
  // A pace that stays keeps the distribution.
  const same = old.kind === 'change' && old.stage === stage.id && draft.factor === factorText(slowdownOf(scenario, old))
  const changes = old.kind === 'change' && old.stage === stage.id ? stage.changes.filter((change) => change.from !== old.from) : stage.changes
  return { fault: same ? { ...old, from: from.value } : slowerService({ ...stage, changes }, from.value, factor) }
}

/** Returns the policies that may replace the first one. A phase that changes something else may keep the policy. */
export function rulesOf({ policy }: Scenario, old: Fault): readonly (readonly [string, string])[] {
  const kinds = policyGroups.flatMap((group) => group.kinds).filter((kind) => canFollow(policy.kind, kind))
  const stays = old.kind === 'phase' && Object.keys(old.values).some((key) => key !== 'policy')
  return [...(stays ? [['', t('As before')] as const] : []), ...kinds.map((kind) => [kind, policies[kind].name()] as const)]
}

/** Returns the problems of `parse` by the field they are about. */
export function fieldProblems(problems: readonly Problem[]): DraftProblems {
  const found: Partial<Record<DraftField, string>> = {}
  for (const { path, message } of problems) {
    const key = path.match(/\.(at|worker|from)$/)?.[1] ?? (/\.service\b/.test(path) ? 'factor' : /^later\[\d+\]/.test(path) ? 'rule' : 'what')
    found[key as DraftField] ??= inTimes(message)
  }
  return found
}

function fieldProblem(field: DraftField, read: Read<unknown>): DraftProblems {
  return 'message' in read ? { [field]: read.message } : {}
}

function wholeIn(text: string): Read<number> {
  const plain = plainNumber(text)
  return /^\d{1,9}$/.test(plain) ? { value: Number(plain) } : { message: t('allowed: a whole number') }
}
