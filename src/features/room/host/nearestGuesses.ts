import type { RoomQuestion, RoundAnswer } from '../protocol/roundMessages.ts'

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
