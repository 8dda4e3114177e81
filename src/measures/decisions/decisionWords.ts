import { inEnglish, t } from '../../language/translate.ts'
import { type PhaseKey, phaseKeys, type Scenario } from '../../scenario/model/scenario.ts'
import type { Decision, StageBallot } from './decision.ts'
import type { Fact } from './decisionContext.ts'
import { placementSentences, placementsOf, shortfallSentences, shortfallsOf } from './placements.ts'
import {
  createSpeech,
  enumerated,
  merged,
  plain,
  type SentencePart,
  type Speech,
  sentence,
  sentenceText,
  tParts,
  workersPhrase,
} from './speech.ts'
import { crowdedTargetSentence, targetChanges, targetReason, targetSentence } from './targetWords.ts'

/** The parts of a decision that its sentences need. */
export interface SpokenDecision
  extends Pick<Decision, 'policy' | 'former' | 'workers' | 'facts' | 'orders' | 'free' | 'readiness'> {
  readonly stages: readonly Pick<StageBallot, 'waiting' | 'done' | 'busy' | 'seatsBefore' | 'seatsAfter'>[]
}

/** Returns a decision in words: "Worker 8 finished a batch of 4. Target for Validate: 1 to 2. [...]" */
export function sentenceOf(scenario: Scenario, decision: SpokenDecision): SentencePart[] {
  return merged(partsOf(scenario, createSpeech(scenario), decision))
}

/** Returns the same as one text in English, for files with millions of sentences. */
export function spoken(scenario: Scenario, speech: Speech, decision: SpokenDecision): string {
  return inEnglish(() => sentenceText(partsOf(scenario, speech, decision)).trimEnd())
}

function partsOf(scenario: Scenario, speech: Speech, decision: SpokenDecision): SentencePart[] {
  const { policy, former, stages, facts } = decision
  const changes = targetChanges(stages)
  return [
    ...sentence(enumerated(causesOf(scenario, facts, speech))),
    ...targetSentence(policy, changes, targetReason({ policy, former, stages }, changes), speech),
    ...(former === undefined ? crowdedTargetSentence(policy, stages, speech) : []),
    ...placementSentences(placementsOf(decision), stages, speech),
    ...shortfallSentences(shortfallsOf(decision), speech),
    ...readinessSentences(decision, speech),
  ]
}

/** Returns where workers start up: "Write: 3 running, 1 starting." */
function readinessSentences({ readiness }: SpokenDecision, speech: Speech): SentencePart[] {
  return (readiness ?? []).flatMap((now, stage) =>
    now.starting === 0
      ? []
      : sentence(
          tParts(
            '<stage></stage>: {running, number} running, {starting, number} starting',
            { stage: [speech.stage(stage)] },
            { ...now },
          ),
        ),
  )
}

/** Returns what led to a decision, a clause each; none where no row tells it. */
export function causesOf({ later }: Scenario, facts: readonly Fact[], speech: Speech): SentencePart[][] {
  const clauses: SentencePart[][] = []
  const finished = facts.filter(({ kind }) => kind === 'finished')
  if (finished.length > 0)
    clauses.push(tParts('<who></who> finished', { who: workersPhrase(workersIn(finished), speech) }))
  for (const { worker, stage } of facts.filter(({ kind }) => kind === 'threw').slice(0, 1)) {
    clauses.push(
      tParts('a job of worker <worker></worker> threw at <stage></stage>', {
        worker: [speech.worker(worker)],
        stage: [speech.stage(stage)],
      }),
    )
  }
  const lost = facts.filter(({ kind }) => kind === 'lost')
  if (lost.length > 0) clauses.push(tParts('lost: <who></who>', { who: workersPhrase(workersIn(lost), speech) }))
  const joined = facts.filter(({ kind }) => kind === 'joined')
  if (joined.length > 0) clauses.push(tParts('<who></who> joined', { who: workersPhrase(workersIn(joined), speech) }))
  const phases =
    later.length === 0
      ? []
      : facts.filter(({ kind }) => kind === 'turned').flatMap(({ job, jobs }) => later.slice(job, job + jobs))
  for (const key of phaseKeys)
    if (phases.some((phase) => phase[key] !== undefined))
      clauses.push([plain(t('{what} changed', { what: phaseNames()[key] }))])
  const arrived = facts.reduce((sum, { kind, jobs }) => (kind === 'arrived' ? sum + jobs : sum), 0)
  if (arrived > 0) clauses.push([plain(t('{n, plural, one {# job} other {# jobs}} arrived', { n: arrived }))])
  const left = facts.reduce((sum, { kind, jobs }) => (kind === 'reneged' || kind === 'gaveUp' ? sum + jobs : sum), 0)
  if (left > 0) clauses.push([plain(t('{n, number} gave up', { n: left }))])
  const again = facts.reduce((sum, { kind, jobs }) => (kind === 'retried' ? sum + jobs : sum), 0)
  if (again > 0) clauses.push([plain(t('{n, number} sent again', { n: again }))])
  if (clauses.length === 0 && facts.some(({ kind }) => kind === 'exhausted'))
    clauses.push([plain(t('the source ran dry'))])
  if (clauses.length === 0 && facts.some(({ kind }) => kind === 'tick'))
    clauses.push([plain(t('a controller measured its queue'))])
  return clauses
}

/** What a phase can change, by key. */
export const phaseNames = (): Readonly<Record<PhaseKey, string>> => ({
  policy: t('Policy'),
  estimator: t('Estimate'),
  batch: t('Batches'),
  switchCost: t('Switch cost'),
  groupSwitchCost: t('Group switch cost'),
  cores: t('Cores'),
})

function workersIn(facts: readonly Fact[]): number[] {
  return facts.map(({ worker }) => worker)
}
