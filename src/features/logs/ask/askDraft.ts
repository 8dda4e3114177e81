import { writeDuration } from '../../../app/base/forms/typedText.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import type { DecisionQuestion } from '../../../scenario/parse/question.ts'

/** A question as it is typed into the form. */
export interface AskDraft {
  readonly workers: string
  readonly policy: PolicyKind
  /** The p of the policy `power`. */
  readonly power: number
  readonly rows: readonly AskRow[]
}

export type AskRow = Readonly<Record<'name' | 'waiting' | 'mean', string>> & { readonly done: boolean }

/** Returns the example in which least total time and Jefferson differ: (5, 1, 1, 1) against (8, 0, 0, 0). */
export const exampleDraft = (): AskDraft => ({
  workers: '8',
  policy: 'leastScore',
  power: 2,
  rows: [900, 100, 100, 100].map((waiting, s) => ({ name: 'ABCD'[s], waiting: String(waiting), mean: writeDuration(1000), done: false })),
})

export function askDraftOf({ scenario, asked }: DecisionQuestion): AskDraft {
  return {
    workers: String(scenario.workers),
    policy: scenario.policy.kind,
    power: scenario.policy.kind === 'power' ? scenario.policy.p : 2,
    rows: scenario.stages.map(({ name }, s) => ({ name, waiting: String(asked[s].waiting), mean: writeDuration(asked[s].mean), done: asked[s].done })),
  }
}
