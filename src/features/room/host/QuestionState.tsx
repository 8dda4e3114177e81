import { useStore } from 'zustand'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { RoomQuestion, RoomRound } from '../protocol/roundMessages.ts'
import { answerWords, happenedWords, questionWords } from './answerWords.ts'
import { GuessPicture } from './GuessPicture.tsx'
import { guessesIn } from './guessColumns.ts'
import { roundStore } from './hostRounds.ts'
import { nearestGuesses } from './nearestGuesses.ts'
import { roomStore } from './roomStore.ts'
import { nameOfDevice } from './roomWords.ts'

/** A question to the room: how many have answered, and after the run the guesses beside what happened. In the panel and on a projector. */
export function QuestionState({ round: { question, open, right } }: { readonly round: RoomRound & { readonly kind: 'question' } }) {
  const session = useSession()
  const { answers } = useStore(roundStore(session))
  const { devices } = useStore(roomStore(session))
  const guesses = guessesIn(answers)
  return (
    <>
      <p className="class-question">{questionWords(question)}</p>
      {right === null ? (
        <p className="class-count" role="status">
          {open
            ? answeredWords(answers.size, devices.length)
            : t('{answered} The end of the run shows what happened.', { answered: answeredWords(answers.size) })}
        </p>
      ) : (
        <>
          <p className="class-happened" role="status">
            {happenedWords(question, right)}
          </p>
          {guesses.length > 0 ? <GuessPicture question={question} guesses={guesses} right={right} /> : <p className="soft">{t('Nobody has answered.')}</p>}
          <Nearest question={question} right={right} />
        </>
      )}
    </>
  )
}

/** Who was nearest. Names come from strangers, and are text. */
function Nearest({ question, right }: { readonly question: RoomQuestion; readonly right: readonly number[] }) {
  const session = useSession()
  const { answers } = useStore(roundStore(session))
  const { devices } = useStore(roomStore(session))
  const near = nearestGuesses(question, answers, right)
  if (near.length === 0) return null
  return (
    <ol className="class-nearest" aria-label={t('The nearest guesses')}>
      {near.map(({ device, guess }) => (
        <li key={device}>
          <bdi>{nameOfDevice(devices, device)}</bdi> <span className="soft">{answerWords(question, guess)}</span>
        </li>
      ))}
    </ol>
  )
}

/** Returns how many have answered; of how many, if that is known. */
export function answeredWords(n: number, all?: number): string {
  if (all === undefined || all < n) return t('{n, plural, one {# device has answered.} other {# devices have answered.}}', { n })
  return t('{n} of {all, plural, one {# device has answered.} other {# devices have answered.}}', { n, all })
}
