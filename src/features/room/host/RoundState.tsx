import { useStore } from 'zustand'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useLater } from '../../../app/base/page/useLater.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { playRivals } from '../../game/scores.ts'
import type { RoomRound } from '../protocol/rounds.ts'
import { classGame } from './gameRound.ts'
import { guessColumns, guessesIn, nearestGuesses } from './guesses.ts'
import { type GuessColumn, mountGuessHistogram } from './guessHistogram.ts'
import { roomStore } from './hostRoom.ts'
import { roundStore } from './hostRounds.ts'
import { answerWords, happenedWords, nameOfDevice, questionWords } from './roomWords.ts'

/** A question to the room: how many have answered, and after the run the guesses beside the right answer. In the panel and on a projector. */
export function QuestionState({ round: { question, open, right } }: { readonly round: RoomRound & { readonly kind: 'question' } }) {
  const session = useSession()
  const { answers } = useStore(roundStore(session))
  const { devices } = useStore(roomStore(session))
  const guesses = guessesIn(answers)
  // Names are chosen by strangers and shown as text only.
  const near = right === null ? [] : nearestGuesses(question, answers, right)
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
          {guesses.length > 0 ? <GuessPicture columns={guessColumns(question, guesses, right)} /> : <p className="soft">{t('Nobody has answered.')}</p>}
          {near.length > 0 && (
            <ol className="class-nearest" aria-label={t('The nearest guesses')}>
              {near.map(({ device, guess }) => (
                <li key={device}>
                  <bdi>{nameOfDevice(devices, device)}</bdi> <span className="soft">{answerWords(question, guess)}</span>
                </li>
              ))}
            </ol>
          )}
        </>
      )}
    </>
  )
}

/** Returns how many have answered; of how many, if that is known. */
function answeredWords(n: number, all?: number): string {
  if (all === undefined || all < n) return t('{n, plural, one {# device has answered.} other {# devices have answered.}}', { n })
  return t('{n} of {all, plural, one {# device has answered.} other {# devices have answered.}}', { n, all })
}

function GuessPicture({ columns }: { readonly columns: readonly GuessColumn[] }) {
  const host = useDrawing(mountGuessHistogram, (drawing) => drawing.update({ palette: currentPalette(), columns, rightNote: t('what happened') }))
  const words = columns.map(({ name, count, right: is }) => (is ? t('{name}: {n}, what happened', { name, n: count }) : t('{name}: {n}', { name, n: count })))
  return <div ref={host} className="class-histogram" role="img" aria-label={t('Guesses. {columns}', { columns: words.join('; ') })} />
}

/** The scores of the room, the best first, with the scheduler among them and the lower bound below. */
export function ClassBoard({ base, most }: { readonly base: Scenario; readonly most: number }) {
  const session = useSession()
  const { board, refused } = useStore(classGame(session))
  const { devices } = useStore(roomStore(session))
  const rivals = useLater(base, playRivals)
  const rule = rivals?.scores.find(({ kind }) => kind === 'leastScore')?.scores.makespan
  const rows = board.slice(0, most).map(({ device, scores }) => ({ key: device, name: nameOfDevice(devices, device), time: scores.makespan, kind: 'player' }))
  const all = [...rows, ...(rule === undefined ? [] : [{ key: '', name: t('The scheduler'), time: rule, kind: 'rule' }])].sort((a, b) => a.time - b.time)
  if (rivals !== null && rivals.bounds.makespan > 0) all.push({ key: 'bound', name: t('Lower bound'), time: rivals.bounds.makespan, kind: 'bound' })
  const longest = Math.max(1, ...all.map(({ time }) => time))
  return (
    <>
      <ol className="class-board" aria-label={t('How long the whole run took')}>
        {all.map(({ key, name, time, kind }) => (
          <li key={`${kind} ${key}`} className={kind}>
            <bdi>{name}</bdi>
            <span>{duration(time)}</span>
            <i style={{ width: `${(100 * time) / longest}%` }} aria-hidden="true" />
          </li>
        ))}
      </ol>
      {board.length > most && <p className="soft">{t('and {n, plural, one {# more} other {# more}}', { n: board.length - most })}</p>}
      {refused > 0 && <p className="soft">{t('{n, plural, one {# game was against the rules.} other {# games were against the rules.}}', { n: refused })}</p>}
    </>
  )
}
