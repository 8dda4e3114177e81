import { type Sabotage, SLOWER, slowed, slownessOf } from '../../scenario/sabotage.ts'
import type { Problem, Scenario, WorkerEvent } from '../../scenario/scenario.ts'
import { inTimes, type Read, readDuration, writeDuration } from '../inspector/durationText.ts'
import type { JobClock } from './jobClock.ts'
import { timeOf } from './marks.ts'
import { figures } from './words.ts'

/** A sabotage as it stands in a form, in the words of whoever fills it in: workers from 1, times with their units. */
export interface SabotageDraft {
  readonly what: WorkerEvent['kind'] | 'change'
  readonly at: string
  readonly worker: string
  readonly stage: string
  readonly from: string
  readonly factor: string
}
export type DraftField = keyof SabotageDraft
export type DraftFaults = Partial<Record<DraftField, string>>

/** What the form begins with: where the thing is of one sort, what would stand for it in the other is about the same place. */
export function draftOf(scenario: Scenario, sabotage: Sabotage, clock: JobClock): SabotageDraft {
  const at = writeDuration(timeOf(sabotage, clock))
  if (sabotage.kind !== 'change') {
    const [first] = scenario.stages
    return {
      what: sabotage.kind,
      at,
      worker: String(sabotage.worker + 1),
      stage: first.id,
      from: String(clock.jobAt(first.id, sabotage.at)),
      factor: `${SLOWER}`,
    }
  }
  const { stage, from } = sabotage
  return { what: 'change', at, worker: String(scenario.workers), stage, from: String(from), factor: figures(slownessOf(scenario, sabotage)) }
}

/** What a form says, or what is wrong with its words; whether it may be so is for `parse` to say. `old` is what it was opened on. */
export function readDraft(scenario: Scenario, draft: SabotageDraft, old: Sabotage): { readonly sabotage: Sabotage } | { readonly faults: DraftFaults } {
  if (draft.what !== 'change') {
    const at = readDuration(draft.at)
    const worker = draft.what === 'join' ? { value: 1 } : wholeIn(draft.worker)
    if ('message' in at || 'message' in worker) return { faults: { ...faultOf('at', at), ...faultOf('worker', worker) } }
    return { sabotage: { kind: draft.what, at: at.value, worker: worker.value - 1 } }
  }
  const stage = scenario.stages.find(({ id }) => id === draft.stage)
  const from = wholeIn(draft.from)
  const factor = Number(draft.factor)
  if ('message' in from || stage === undefined || !(factor > 0 && factor <= 1e6)) {
    const fault = factor > 0 && factor <= 1e6 ? {} : { factor: 'allowed: a number above 0, up to 1,000,000; below 1 it gets quicker' }
    return { faults: { ...faultOf('from', from), ...fault } }
  }
  // As long as nobody touches its pace, it keeps the distribution it has.
  const same = old.kind === 'change' && old.stage === stage.id && draft.factor === figures(slownessOf(scenario, old))
  const changes = old.kind === 'change' && old.stage === stage.id ? stage.changes.filter((change) => change.from !== old.from) : stage.changes
  return { sabotage: same ? { ...old, from: from.value } : slowed({ ...stage, changes }, from.value, factor) }
}

/** Problems that `parse` has with it, at the field that each is about. */
export function faultsOf(problems: readonly Problem[]): DraftFaults {
  const faults: Partial<Record<DraftField, string>> = {}
  for (const { path, message } of problems) {
    const key = path.match(/\.(at|worker|from)$/)?.[1] ?? (/\.service\b/.test(path) ? 'factor' : 'what')
    faults[key as DraftField] ??= inTimes(message)
  }
  return faults
}

function faultOf(field: DraftField, read: Read<unknown>): DraftFaults {
  return 'message' in read ? { [field]: read.message } : {}
}

function wholeIn(text: string): Read<number> {
  const plain = text.trim().replaceAll(',', '')
  return /^\d{1,9}$/.test(plain) ? { value: Number(plain) } : { message: 'allowed: a whole number' }
}
