import { inEnglish } from '../../language/translate.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { causesOf } from './causes.ts'
import type { Decision, StageBallot } from './decision.ts'
import { postSentences, shortfallSentences } from './postSentence.ts'
import { postsOf, shortfallsOf } from './posts.ts'
import { createSpeech, enumerated, merged, type SentencePart, type Speech, sentence, sentenceText } from './speech.ts'
import { targetSentence } from './targetSentence.ts'
import { targetChanges, targetReason } from './targets.ts'

/** The parts of a decision that its sentences need. */
export interface Told extends Pick<Decision, 'policy' | 'workers' | 'facts' | 'orders' | 'free'> {
  readonly stages: readonly Pick<StageBallot, 'waiting' | 'done' | 'busy' | 'seatsBefore' | 'seatsAfter'>[]
}

/**
 * Returns a decision in plain words: what happened, which targets changed and why, and what the workers do that became free. "Worker 8
 * finished a batch of 4. Target for Validate: 1 to 2. [...] Worker 8 moves from Write to Validate." Workers are numbered from 1.
 */
export function sentenceOf(scenario: Scenario, decision: Told): SentencePart[] {
  return merged(partsOf(scenario, createSpeech(scenario), decision))
}

/** The same as one text in English, for files with millions of sentences. */
export function spoken(scenario: Scenario, speech: Speech, decision: Told): string {
  return inEnglish(() => sentenceText(partsOf(scenario, speech, decision)).trimEnd())
}

function partsOf(scenario: Scenario, speech: Speech, decision: Told): SentencePart[] {
  const { policy, stages, facts } = decision
  const changes = targetChanges(stages)
  return [
    ...sentence(enumerated(causesOf(scenario, facts, speech))),
    ...targetSentence(policy, changes, targetReason(policy, stages, changes), speech),
    ...postSentences(postsOf(decision), stages, speech),
    ...shortfallSentences(shortfallsOf(decision), speech),
  ]
}
