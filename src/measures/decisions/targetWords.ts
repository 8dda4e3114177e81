import { type DivisorRule, isDivisorRule } from '../../allocation/rules.ts'
import { t } from '../../language/translate.ts'
import { hires } from '../../scenario/model/defaults.ts'
import type { ElasticKind } from '../../scenario/model/policies.ts'
import type { PolicyKind } from '../../scenario/model/scenario.ts'
import { type GonePolicyKind, gonePolicies } from '../../scenario/parse/gone.ts'
import type { Decision, StageBallot } from './decision.ts'
import { enumerated, plain, type SentencePart, type Speech, sentence, stageNames, tParts } from './speech.ts'

/** Returns which targets changed and why: "Targets: Write 1 to 2. By quotient, Write comes before Parse." */
export function targetSentence(
  policy: PolicyKind,
  changes: readonly TargetChange[],
  reason: TargetReason,
  speech: Speech,
): SentencePart[] {
  if (changes.length === 0) return sentence([plain(t('the targets stay the same'))])
  return [...sentence(changesPhrase(changes, speech)), ...sentence(targetReasonPhrase(policy, reason, speech))]
}

function changesPhrase(changes: readonly TargetChange[], speech: Speech): SentencePart[] {
  if (changes.length === 1) {
    const [{ stage, from, to }] = changes
    return tParts(
      'target for <stage></stage>: {from, number} to {to, number}',
      { stage: [speech.stage(stage)] },
      { from, to },
    )
  }
  const targets = changes.map(({ stage, from, to }) =>
    tParts('<stage></stage> {from, number} to {to, number}', { stage: [speech.stage(stage)] }, { from, to }),
  )
  return tParts('targets: <each></each>', { each: enumerated(targets) })
}

/** Returns why targets changed: "by quotient, Write comes before Parse". */
export function targetReasonPhrase(policy: PolicyKind, reason: TargetReason, speech: Speech): SentencePart[] {
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
      return [plain(policyPhrase(policy))]
    case 'former':
      return [plain(formerPhrase(reason.policy))]
  }
}

/** Returns who made a decision of which this version knows no reason. */
export function formerPhrase(kind: GonePolicyKind): string {
  return t('made by the policy {policy}, which this version cannot explain', { policy: gonePolicies[kind].name() })
}

function policyPhrase(policy: PolicyKind): string {
  if (isDivisorRule(policy)) return t('the highest quotients get the workers')
  return hires(policy) ? t('each controller sets the pool of its stage') : ways()[policy]
}

/** The reasons of the policies without quotients or controllers, which never change. */
const ways = (): Readonly<Record<Exclude<PolicyKind, DivisorRule | ElasticKind>, string>> => ({
  hamilton: t('each target is a share of the votes, rounded'),
  backpressure: t('stages with the greatest pressure get workers first'),
  sinkFirst: t('stages nearest the sink get workers first'),
  switchAware: t('seats move only where that pays'),
  fixed: t('the policy fixes the targets'),
  onePerStage: t('each stage has one worker'),
  byHand: t('the targets were set by hand'),
  single: t('one worker takes each job to its end'),
  perJob: t('each worker carries its jobs through all stages'),
  workStealing: t('each worker has its own jobs, or steals some'),
  code: t('the code of the policy sets the targets'),
})

/** What a decision changed in the target of a stage: how many workers it should have. */
export type TargetChange = { readonly stage: number; readonly from: number; readonly to: number }

/** Why targets changed, as far as the record knows. */
export type TargetReason =
  /** Every stage that lost workers is done. */
  | { readonly kind: 'done'; readonly stages: readonly number[] }
  /** Only this stage has waiting jobs. */
  | { readonly kind: 'onlyWork'; readonly stage: number }
  /** The last worker of `stage` has a higher claim than one more at `other`. */
  | { readonly kind: 'quotient'; readonly stage: number; readonly other: number }
  | { readonly kind: 'policy' }
  /** The policy is gone, and another one stands in its place. */
  | { readonly kind: 'former'; readonly policy: GonePolicyKind }

type Explained = Pick<Decision, 'policy' | 'former'> & {
  readonly stages: readonly Pick<StageBallot, 'waiting' | 'done'>[]
}

/** Returns the targets that changed: first those that grew. */
export function targetChanges(stages: readonly Pick<StageBallot, 'seatsBefore' | 'seatsAfter'>[]): TargetChange[] {
  const changes = stages.flatMap(({ seatsBefore: from, seatsAfter: to }, stage) =>
    from === to ? [] : [{ stage, from, to }],
  )
  return [...changes.filter(({ from, to }) => to > from), ...changes.filter(({ from, to }) => to < from)]
}

/** Returns why these targets changed. */
export function targetReason({ policy, former, stages }: Explained, changes: readonly TargetChange[]): TargetReason {
  if (former !== undefined) return { kind: 'former', policy: former }
  if (!weighsWork(policy)) return { kind: 'policy' }
  const gainers = changes.filter(({ from, to }) => to > from)
  const falling = changes.filter(({ from, to }) => to < from)
  if (falling.length > 0 && falling.every(({ stage }) => stages[stage].done))
    return { kind: 'done', stages: falling.map(({ stage }) => stage) }
  if (gainers.length !== 1) return { kind: 'policy' }
  const [{ stage }] = gainers
  if (policy !== 'preallocate' && stages.every(({ waiting }, s) => waiting > 0 === (s === stage)))
    return { kind: 'onlyWork', stage }
  if (isDivisorRule(policy) && falling.length === 1) return { kind: 'quotient', stage, other: falling[0].stage }
  return { kind: 'policy' }
}

/** Returns why a target exceeds the waiting jobs: nothing waits elsewhere. Else empty. */
export function crowdedTargetSentence(
  policy: PolicyKind,
  stages: readonly Pick<StageBallot, 'waiting' | 'seatsAfter'>[],
  speech: Speech,
): SentencePart[] {
  const [stage, ...others] = stages.flatMap(({ waiting }, s) => (waiting > 0 ? [s] : []))
  if (stages.length < 2 || stage === undefined || others.length > 0 || policy === 'preallocate' || !weighsWork(policy))
    return []
  const { waiting, seatsAfter } = stages[stage]
  if (seatsAfter <= waiting || stages.some((other, s) => s !== stage && other.seatsAfter > 0)) return []
  return sentence(
    tParts(
      '<stage></stage> gets all {seats, number} seats for {waiting, number} waiting',
      { stage: [speech.stage(stage)] },
      { seats: seatsAfter, waiting },
    ),
  )
}

/** Whether a policy gives workers by the work or the jobs that wait. */
export function weighsWork(policy: PolicyKind): boolean {
  return isDivisorRule(policy) || policy === 'hamilton' || policy === 'switchAware'
}
