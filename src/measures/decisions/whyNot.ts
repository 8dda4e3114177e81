import { score } from '../../allocation/apportion.ts'
import { t } from '../../language/translate.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import type { Decision } from './decision.ts'
import { createSpeech, enumerated, merged, plain, type SentencePart, sentence, tParts } from './speech.ts'

/** The effect of other seats, for the votes of one decision. */
export interface Trial {
  readonly seats: readonly number[]
  /** Seats that were taken and not yet given. */
  readonly inHand: number
  /** The sum of votes / (seats + 1), with the decision's seats and with these. */
  readonly scoreBefore: Micros
  readonly scoreAfter: Micros
  /** Each stage's part of the sum. */
  readonly before: readonly Micros[]
  readonly after: readonly Micros[]
}

/** Returns the article's expected time for these seats, beside that of the decision's. */
export function trialOf({ stages, workers }: Pick<Decision, 'stages' | 'workers'>, seats: readonly number[]): Trial {
  const votes = stages.map(({ work }) => work)
  const given = stages.map(({ seatsAfter }) => seatsAfter)
  const parts = (some: readonly number[]) => votes.map((work, s) => work / (some[s] + 1))
  return {
    seats,
    inHand: workers - seats.reduce((a, b) => a + b, 0),
    scoreBefore: score(votes, given),
    scoreAfter: score(votes, seats.slice()),
    before: parts(given),
    after: parts(seats),
  }
}

/** Returns the seats with one more or less at a stage; unchanged where that is impossible. */
export function withSeat(
  { stages, workers }: Pick<Decision, 'stages' | 'workers'>,
  seats: readonly number[],
  stage: number,
  by: 1 | -1,
): readonly number[] {
  const inHand = workers - seats.reduce((a, b) => a + b, 0)
  if (by < 0 ? seats[stage] === 0 : inHand <= 0 || stages[stage].done) return seats
  return seats.map((n, s) => (s === stage ? n + by : n))
}

/** Returns in words: "Write 20.1 ms to 30.2 ms. Expected time 74.2 ms to 80.1 ms." */
export function trialSentence(
  scenario: Scenario,
  { seats, inHand, before, after, scoreBefore, scoreAfter }: Trial,
  duration: (us: Micros) => string,
): SentencePart[] {
  const speech = createSpeech(scenario)
  const clauses = seats.flatMap((_, s): SentencePart[][] => {
    if (before[s] === after[s]) return []
    return [
      tParts(
        '<stage></stage> {from} to {to}',
        { stage: [speech.stage(s)] },
        { from: duration(before[s]), to: duration(after[s]) },
      ),
    ]
  })
  const change = t('expected time {from} to {to}', { from: duration(scoreBefore), to: duration(scoreAfter) })
  return merged([
    ...sentence(enumerated(clauses)),
    ...sentence([plain(change)]),
    ...(inHand > 0 ? sentence([plain(t('workers left: {n, number}', { n: inHand }))]) : []),
  ])
}
