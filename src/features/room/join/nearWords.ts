import { t } from '../../../language/translate.ts'
import { percent } from '../../../views/drawing/format.ts'
import { answerWords, happenedWords } from '../host/answerWords.ts'
import type { RoomQuestion } from '../protocol/roundMessages.ts'

/** What came of a question, on the screen of a device: what happened, and how near its guess was. */
export interface NearWords {
  readonly happened: string
  /** Null if nobody has guessed here. */
  readonly mine: string | null
  readonly right: boolean
}

/** Returns how near a guess was. */
export function nearWords(question: RoomQuestion, right: readonly number[], guess: number | null): NearWords {
  const happened = happenedWords(question, right)
  if (guess === null) return { happened, mine: null, right: false }
  if (right.includes(guess)) return { happened, mine: t('Exactly right.'), right: true }
  const said = answerWords(question, guess)
  if (question.kind === 'longestWait' || right.length === 0) return { happened, mine: t('You said {said}.', { said }), right: false }
  const off = guess - right[0]
  if (question.kind === 'peak') {
    const n = Math.abs(off)
    return { happened, mine: off > 0 ? t('You said {said}: {n} too many.', { said, n }) : t('You said {said}: {n} too few.', { said, n }), right: false }
  }
  const share = percent(Math.abs(off) / Math.max(1, right[0]), 0)
  return {
    happened,
    mine: off > 0 ? t('You said {said}: {share} too long.', { said, share }) : t('You said {said}: {share} too short.', { said, share }),
    right: false,
  }
}
