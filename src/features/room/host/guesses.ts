import { isolated } from '../../../language/isolated.ts'
import { numbersOf } from '../../../language/numbers.ts'
import { t } from '../../../language/translate.ts'
import type { RoomQuestion, RoundAnswer } from '../protocol/rounds.ts'
import { type GuessBin, guessBins } from './guessBins.ts'
import type { GuessColumn } from './guessHistogram.ts'

/** Of a run's length: a column is no narrower, in microseconds. */
const MIN_LENGTH = 1000
/** A pipeline of more stages shows those that somebody chose. */
const MAX_STAGE_COLUMNS = 10
const plain = numbersOf({ maximumSignificantDigits: 6 })

/** Returns the guesses of the room. */
export function guessesIn(answers: ReadonlyMap<string, RoundAnswer>): number[] {
  return [...answers.values()].flatMap((answer) => (answer.kind === 'guess' ? [answer.guess] : []))
}

/** Returns the columns of the histogram: a stage, a number or a range of numbers each. */
export function guessColumns(question: RoomQuestion, guesses: readonly number[], right: readonly number[]): GuessColumn[] {
  if (question.kind === 'longestWait') return stageColumns(question, guesses, right)
  const long = question.kind === 'makespan'
  const bins = guessBins(guesses, right, long ? MIN_LENGTH : 1)
  const write = (value: number) => plain(long ? value / 1e6 : value)
  return bins.map((bin, k) => {
    const name = rangeWords(bin, k === 0, long ? 0 : 1, write)
    return { name: long ? t('{x} s', { x: name }) : name, count: bin.count, right: bin.right }
  })
}

function stageColumns({ stages }: RoomQuestion & { kind: 'longestWait' }, guesses: readonly number[], right: readonly number[]): GuessColumn[] {
  const columns = stages.map(({ name, colour }, k) => ({
    name: isolated(name),
    count: guesses.filter((guess) => guess === k).length,
    right: right.includes(k),
    stage: colour,
  }))
  return columns.length <= MAX_STAGE_COLUMNS ? columns : columns.filter((column) => column.count > 0 || column.right)
}

/** `apart`: how far the greatest value of a range is from the next range. */
function rangeWords({ from, to, far }: GuessBin, first: boolean, apart: number, write: (value: number) => string): string {
  if (far) return first ? `< ${write(to)}` : `≥ ${write(from)}`
  return to - from <= apart ? write(from) : `${write(from)}–${write(to - apart)}`
}

/** So many are named. */
const NAMED = 3

/** Returns whose guesses were nearest, the nearest first, and of equal ones the first that came. Of a choice only right answers count. */
export function nearestGuesses(
  question: RoomQuestion,
  answers: ReadonlyMap<string, RoundAnswer>,
  right: readonly number[],
): readonly { readonly device: string; readonly guess: number }[] {
  const farOff = (guess: number) => Math.min(...right.map((each) => Math.abs(each - guess)))
  const guesses = [...answers].flatMap(([device, answer]) => (answer.kind === 'guess' ? [{ device, guess: answer.guess }] : []))
  const counted = guesses.filter(({ guess }) => right.length > 0 && (question.kind !== 'longestWait' || farOff(guess) === 0))
  return counted.sort((a, b) => farOff(a.guess) - farOff(b.guess)).slice(0, NAMED)
}
