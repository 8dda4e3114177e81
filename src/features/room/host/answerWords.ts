import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import { duration } from '../../../views/drawing/format.ts'
import type { RoomQuestion } from '../protocol/roundMessages.ts'

/** Returns the question as the host and every device show it, each in its language. */
export function questionWords(question: RoomQuestion): string {
  switch (question.kind) {
    case 'peak':
      return t('How many workers will be busy at {stage} at once, at its peak?', { stage: isolated(question.stage.name) })
    case 'makespan':
      return t('How long will the run take?')
    case 'longestWait':
      return t('At which stage will a job wait longest, on average?')
  }
}

/** Returns an answer in words. */
export function answerWords(question: RoomQuestion, answer: number): string {
  if (question.kind === 'makespan') return duration(answer)
  if (question.kind === 'peak') return t('{n, plural, one {# worker} other {# workers}}', { n: answer })
  return isolated(question.stages[answer]?.name ?? '')
}

/** Returns what happened in words, from the right answers. */
export function happenedWords(question: RoomQuestion, right: readonly number[]): string {
  if (right.length === 0) return t('No job waited.')
  const answer = listed(right.map((each) => answerWords(question, each)))
  if (question.kind === 'makespan') return t('The run took {answer}.', { answer })
  if (question.kind === 'peak') return t('At the peak: {answer}.', { answer })
  return t('Jobs waited longest at {answer}.', { answer })
}
