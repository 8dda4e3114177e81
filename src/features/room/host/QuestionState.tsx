import { extent, median, pairs, range, tickStep } from 'd3-array'
import { useStore } from 'zustand'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated, numbersOf, t } from '../../../language/translate.ts'
import type { RoomQuestion, RoomRound, RoundAnswer } from '../protocol/rounds.ts'
import { type GuessColumn, mountGuessHistogram } from './guessHistogram.ts'
import { roundStore } from './hostQuestion.ts'
import { roomStore } from './hostRoom.ts'
import { answerWords, happenedWords, nameOfDevice, questionWords } from './roomWords.ts'

/** A question to the room: how many have answered, and after the run the guesses beside the right answer. In the panel and on a projector. */
export function QuestionState({ round: { question, open, right } }: { readonly round: RoomRound }) {
  const session = useSession()
  const { answers } = useStore(roundStore(session))
  const { devices } = useStore(roomStore(session))
  const guesses = Array.from(answers.values(), ({ guess }) => guess)
  // Names are chosen by strangers and shown as text only.
  const near = right === null ? [] : nearestGuesses(question, answers, right)
  return (
    <>
      <p className="class-question">{questionWords(question)}</p>
      {right === null ? (
        <p className="class-count" role="status">
          {answeredWords(answers.size, open ? devices.length : undefined)}
        </p>
      ) : (
        <>
          <p className="class-happened" role="status">
            {happenedWords(question, right)}
          </p>
          {guesses.length > 0 ? (
            <GuessPicture columns={guessColumns(question, guesses, right)} />
          ) : (
            <p className="soft">{t('Nobody has answered.')}</p>
          )}
          {near.length > 0 && (
            <ol className="class-nearest">
              {near.map(({ device, guess }) => (
                <li key={device}>
                  <bdi>{nameOfDevice(devices, device)}</bdi>{' '}
                  <span className="soft">{answerWords(question, guess)}</span>
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
  if (all === undefined || all < n)
    return t('{n, plural, one {# device has answered.} other {# devices have answered.}}', { n })
  return t('{n} of {all, plural, one {# device has answered.} other {# devices have answered.}}', { n, all })
}

function GuessPicture({ columns }: { readonly columns: readonly GuessColumn[] }) {
  const host = useDrawing(mountGuessHistogram, (drawing) =>
    drawing.update({ palette: currentPalette(), columns, rightNote: t('what happened') }),
  )
  const words = columns.map(({ name, count, right }) => `${name}: ${count}${right ? `, ${t('what happened')}` : ''}`)
  return (
    <div
      ref={host}
      className="class-histogram"
      role="img"
      aria-label={t('Guesses. {columns}', { columns: words.join('; ') })}
    />
  )
}

/** The minimum width of a column of durations, in microseconds. */
const MIN_LENGTH = 1000
/** With more stages than this, only the guessed and the right ones are shown. */
const MAX_STAGE_COLUMNS = 10
const plain = numbersOf({ maximumSignificantDigits: 6 })

/** Returns the columns of the histogram, each of a stage, a number or a range of numbers. */
export function guessColumns(
  question: RoomQuestion,
  guesses: readonly number[],
  right: readonly number[],
): GuessColumn[] {
  if (question.kind === 'longestWait') return stageColumns(question, guesses, right)
  const long = question.kind === 'makespan'
  const bins = guessBins(guesses, right, long ? MIN_LENGTH : 1)
  const write = (value: number) => plain(long ? value / 1e6 : value)
  return bins.map((bin, k) => {
    const name = rangeWords(bin, k === 0, long ? 0 : 1, write)
    return { name: long ? t('{x} s', { x: name }) : name, count: bin.count, right: bin.right }
  })
}

function stageColumns(
  { stages }: RoomQuestion & { kind: 'longestWait' },
  guesses: readonly number[],
  right: readonly number[],
): GuessColumn[] {
  const columns = stages.map(({ name, colour }, k) => ({
    name: isolated(name),
    count: guesses.filter((guess) => guess === k).length,
    right: right.includes(k),
    stage: colour,
  }))
  return columns.length <= MAX_STAGE_COLUMNS ? columns : columns.filter((column) => column.count > 0 || column.right)
}

/** Returns the name of a range. `apart`: the distance from its greatest value to the next range. */
function rangeWords(
  { from, to, far }: GuessBin,
  first: boolean,
  apart: number,
  write: (value: number) => string,
): string {
  if (far) return first ? `< ${write(to)}` : `≥ ${write(from)}`
  return to - from <= apart ? write(from) : `${write(from)}–${write(to - apart)}`
}

/** How many are named. */
const NAMED = 3

/** Returns the nearest guesses, nearest first, then in order of arrival. For a choice only right answers count. */
export function nearestGuesses(
  question: RoomQuestion,
  answers: ReadonlyMap<string, RoundAnswer>,
  right: readonly number[],
): readonly { readonly device: string; readonly guess: number }[] {
  const farOff = (guess: number) => Math.min(...right.map((each) => Math.abs(each - guess)))
  const guesses = Array.from(answers, ([device, { guess }]) => ({ device, guess }))
  const counted = guesses.filter(
    ({ guess }) => right.length > 0 && (question.kind !== 'longestWait' || farOff(guess) === 0),
  )
  return counted.sort((a, b) => farOff(a.guess) - farOff(b.guess)).slice(0, NAMED)
}

/** Guesses that are shown as one column, and whether the right answer is among them. */
interface GuessBin {
  /** The least value, and the next bin's; both whole. */
  readonly from: number
  readonly to: number
  /** Holds all guesses that are far below the others, or far above: only the first and the last column may. */
  readonly far: boolean
  readonly count: number
  readonly right: boolean
}

/** About how many columns are drawn. */
const COLUMNS = 8
/** A guess is far off if it is farther from the median than the median itself, and than this many times the median distance from it. */
const FAR = 4

/**
 * Returns the columns of a histogram of whole numbers at round steps, `least` or more. Guesses that are far off have a column at the edge:
 * one wild guess must not squeeze all others into one column. Every right value has its column.
 */
export function guessBins(guesses: readonly number[], right: readonly number[], least: number): GuessBin[] {
  const [from, to] = rangeOf(guesses, right, COLUMNS * least)
  if (from === undefined) return []
  const step = Math.max(least, Math.ceil(tickStep(from, to, COLUMNS)) || least)
  const edges = range(Math.floor(from / step), Math.floor(to / step) + 2).map((k) => k * step)
  const [low, high] = [edges[0], edges[edges.length - 1]]
  const [lowest = from, highest = to] = extent(guesses)
  return [
    ...(lowest < low ? [binOf(lowest, low, true)] : []),
    ...pairs(edges).map(([from, to]) => binOf(from, to, false)),
    ...(highest >= high ? [binOf(high, highest + 1, true)] : []),
  ]

  function binOf(from: number, to: number, far: boolean): GuessBin {
    const isInside = (value: number) => value >= from && value < to
    return { from, to, far, count: guesses.filter(isInside).length, right: right.some(isInside) }
  }
}

/** Values that are no farther than `near` from the median are never far off. */
function rangeOf(
  guesses: readonly number[],
  right: readonly number[],
  near: number,
): [from: number, to: number] | [undefined] {
  const middle = median(guesses) ?? 0
  const far = Math.max(near, middle, FAR * (median(guesses, (guess) => Math.abs(guess - middle)) ?? 0))
  const [from, to] = extent([...guesses.filter((guess) => Math.abs(guess - middle) <= far), ...right])
  return from === undefined ? [undefined] : [from, to]
}
