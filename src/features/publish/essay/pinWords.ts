import type { Run } from '../../../app/session/run/runStore.ts'
import { t } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { sentenceOf } from '../../../measures/decisions/decisionWords.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/findRows.ts'
import { count, duration } from '../../../views/drawing/format.ts'

/** Returns the latest decision at an instant in words; empty before the first. The picture may be of a later instant: then it says how much. */
export function decisionWords({ trace, scenario, estimateHistory }: Pick<Run, 'trace' | 'scenario' | 'estimateHistory'>, time: Micros): string {
  const d = decisionIndexAt(trace, time)
  if (d < 0) return ''
  const values = { n: count(d + 1), sentence: sentenceText(sentenceOf(scenario, decisionAt(trace, estimateHistory, d))) }
  const ago = time - decisionTime(trace, d)
  return ago > 0 ? t('Decision {n}, {ago} before: {sentence}', { ...values, ago: duration(ago) }) : t('Decision {n}: {sentence}', values)
}
