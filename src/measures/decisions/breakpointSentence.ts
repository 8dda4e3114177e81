import { t } from '../../language/translate.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import type { BreakCause, Condition } from './breakpoints.ts'
import { createSpeech, merged, plain, type SentencePart, sentence, tParts } from './speech.ts'

/** The most causes in the sentence. */
const MOST = 3

/**
 * Returns why playback has stopped: "Validate has lost its last worker. At Write more than 20 jobs wait: 23." Workers are
 * numbered from 1.
 *
 * @param ruleName what people call a rule
 */
export function causesSentence(
  scenario: Scenario,
  causes: readonly BreakCause[],
  ruleName: (condition: Extract<Condition, { kind: 'disagree' }>) => string,
): SentencePart[] {
  const speech = createSpeech(scenario)
  const clauseOf = ({ condition, stage, worker, amount }: BreakCause): SentencePart[] => {
    switch (condition.kind) {
      case 'deserted':
        return tParts('<stage></stage> has lost its last worker', { stage: [speech.stage(stage)] })
      case 'queue':
        return tParts('more than {n, number} wait at <stage></stage>: {amount, number}', { stage: [speech.stage(stage)] }, { n: condition.above, amount })
      case 'disagree':
        return [plain(t('{rule} would send {n, plural, =1 {one worker} one {# worker} other {# workers}} elsewhere', { rule: ruleName(condition), n: amount }))]
      case 'moves':
        return tParts(
          'worker <worker></worker> has changed stage {n, plural, =1 {once} one {# time} other {# times}} within a second',
          { worker: [speech.worker(worker)] },
          { n: condition.times },
        )
    }
  }
  const told = causes.slice(0, MOST).flatMap((cause) => sentence(clauseOf(cause)))
  return merged([...told, ...(causes.length > MOST ? sentence([plain(t('and {n, number} more', { n: causes.length - MOST }))]) : [])])
}
