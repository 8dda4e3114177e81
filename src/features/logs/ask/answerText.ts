import { counterfactualsOf, flipSentenceOf } from '../../../measures/decisions/flipWords.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { stageLabels } from '../../../scenario/model/linearStages.ts'
import type { DecisionQuestion } from '../../../scenario/parse/question.ts'
import { duration, exactDuration } from '../../../views/drawing/format.ts'
import { answerSentence, answerTo } from '../measure/openLoop.ts'

/**
 * Returns the answer to a question for the terminal: the seats and what would have changed them, as sentences. Or as JSON, with the seats that the
 * policy gives after each change that the sentence states; `mean` is in microseconds:
 *
 *   { "seats": { "Parse": 0 }, "sentence": "...", "counterfactuals": [{ "stage": "Parse", "waiting": 1, "seats": { "Parse": 4 } }] }
 */
export function answerText(question: DecisionQuestion, json: boolean): string {
  const { scenario } = question
  const decision = answerTo(question)
  const sentences = [answerSentence(question, decision), flipSentenceOf(scenario, decision, duration, exactDuration)]
    .map(sentenceText)
    .filter((text) => text !== '')
  if (!json) return sentences.join('\n')
  const labels = stageLabels(scenario)
  const byStage = (seats: readonly number[]) => Object.fromEntries(labels.map((label, s) => [label, seats[s]]))
  const answer = {
    seats: byStage(decision.stages.map(({ seatsAfter }) => seatsAfter)),
    sentence: sentences.join(' '),
    counterfactuals: counterfactualsOf(scenario, decision).map(({ stage, change, seats }) => ({ stage: labels[stage], ...change, seats: byStage(seats) })),
  }
  return JSON.stringify(answer, null, 2)
}
