import { type DivisorRule, isDivisorRule } from '../../allocation/rules.ts'
import { t } from '../../language/translate.ts'
import { hires } from '../../scenario/model/defaults.ts'
import type { ElasticKind } from '../../scenario/model/policies.ts'
import type { PolicyKind } from '../../scenario/model/scenario.ts'
import { enumerated, plain, type SentencePart, type Speech, sentence, stageNames, tParts } from './speech.ts'
import type { TargetChange, TargetReason } from './targets.ts'

/** Returns which targets changed and why: "Targets: Write 1 to 2 and Parse 3 to 2. By quotient, Write comes before Parse." */
export function targetSentence(policy: PolicyKind, changes: readonly TargetChange[], reason: TargetReason, speech: Speech): SentencePart[] {
  if (changes.length === 0) return sentence([plain(t('the targets stay the same'))])
  return [...sentence(changesTold(changes, speech)), ...sentence(targetReasonTold(policy, reason, speech))]
}

function changesTold(changes: readonly TargetChange[], speech: Speech): SentencePart[] {
  if (changes.length === 1) {
    const [{ stage, from, to }] = changes
    return tParts('target for <stage></stage>: {from, number} to {to, number}', { stage: [speech.stage(stage)] }, { from, to })
  }
  const each = changes.map(({ stage, from, to }) => tParts('<stage></stage> {from, number} to {to, number}', { stage: [speech.stage(stage)] }, { from, to }))
  return tParts('targets: <each></each>', { each: enumerated(each) })
}

/** Returns why targets changed: "by quotient, Write comes before Parse". */
export function targetReasonTold(policy: PolicyKind, reason: TargetReason, speech: Speech): SentencePart[] {
  switch (reason.kind) {
    case 'done':
      return tParts(
        '{n, plural, one {<stages></stages> is done} other {<stages></stages> are done}}',
        { stages: stageNames(reason.stages, speech) },
        { n: reason.stages.length },
      )
    case 'onlyWork':
      return tParts('all waiting jobs are at <stage></stage>', { stage: [speech.stage(reason.stage)] })
    case 'quotient':
      return tParts('by quotient, <stage></stage> comes before <other></other>', {
        stage: [speech.stage(reason.stage)],
        other: [speech.stage(reason.other)],
      })
    case 'policy':
      return [plain(policyTold(policy))]
  }
}

function policyTold(policy: PolicyKind): string {
  if (isDivisorRule(policy)) return t('the highest quotients get the workers')
  return hires(policy) ? t('each controller sets the pool of its stage') : ways()[policy]
}

/** What the policies without quotients or controllers always do. */
const ways = (): Readonly<Record<Exclude<PolicyKind, DivisorRule | ElasticKind>, string>> => ({
  exhaustive: t('these targets have the lowest score'),
  hamilton: t('each target is the stage’s share of the votes, rounded up or down'),
  backpressure: t('stages with the greatest pressure get workers first'),
  sinkFirst: t('stages nearest the sink get workers first'),
  switchAware: t('seats move only where that pays, or where work has no worker'),
  fixed: t('the policy fixes the targets'),
  onePerStage: t('each stage has one worker'),
  greenThreads: t('each stage has its own threads'),
  byHand: t('the targets were set by hand'),
  single: t('one worker takes each job to its end'),
  code: t('the code of the policy sets the targets'),
})
