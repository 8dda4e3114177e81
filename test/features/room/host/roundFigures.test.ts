import { describe, expect, test } from 'vitest'
import { boardWith, type ClassScore } from '../../../../src/features/room/host/gameRound.ts'
import { longestWaits, questionAbout, rightAnswers } from '../../../../src/features/room/host/questionRound.ts'
import { guessColumns, nearestGuesses } from '../../../../src/features/room/host/RoundState.tsx'
import { nearWords } from '../../../../src/features/room/host/roomWords.ts'
import { typedGuess } from '../../../../src/features/room/join/RoundCard.tsx'
import type { RoomQuestion, RoundAnswer } from '../../../../src/features/room/protocol/rounds.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { workedExample } from '../../../measures/scenarios.ts'

const peak: RoomQuestion = { kind: 'peak', stage: { name: 'B', colour: 1 }, most: 8 }
const makespan: RoomQuestion = { kind: 'makespan' }
const longestWait: RoomQuestion = {
  kind: 'longestWait',
  stages: ['A', 'B', 'C'].map((name, colour) => ({ name, colour })),
}
const answers = (...guesses: number[]): ReadonlyMap<string, RoundAnswer> =>
  new Map(guesses.map((guess, k) => [`d${k}`, { kind: 'guess', round: 'r', player: `p${k}`, guess }]))

describe('the right answers', () => {
  test('follow from the record of the run', async () => {
    // Two jobs, two workers: both at A for a second, one each for a second, both at B for a second.
    const trace = await playSimulation(workedExample, 0)
    const about = (kind: RoomQuestion['kind']) => questionAbout(workedExample, { kind, stage: 'B' }) as RoomQuestion
    expect(rightAnswers(about('makespan'), trace)).toEqual([3_000_000])
    expect(rightAnswers(about('peak'), trace)).toEqual([2])
    expect(rightAnswers(about('longestWait'), trace)).toEqual(longestWaits(metricsOf(trace)))
    expect(questionAbout(workedExample, { kind: 'peak', stage: 'none' })).toBeNull()
  })
})

describe('the histogram', () => {
  test('has a column for each number of workers, for each stage, and for round lengths of the run', () => {
    expect(guessColumns(peak, [1, 1, 3], [2])).toEqual([
      { name: '1', count: 2, right: false },
      { name: '2', count: 0, right: true },
      { name: '3', count: 1, right: false },
    ])
    expect(
      guessColumns(longestWait, [0, 2], [1]).map(({ name, count, right, stage }) => [name, count, right, stage]),
    ).toEqual([
      ['A', 1, false, 0],
      ['B', 0, true, 1],
      ['C', 1, false, 2],
    ])
    expect(guessColumns(makespan, [2e6, 3.4e6, 900e6], [3e6]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['3–3.2 s', '≥ 3.6 s']),
    )
  })
})

describe('how near a guess was', () => {
  test.each([
    [peak, [5], 5, 'Exactly right.'],
    [peak, [5], 4, 'You said 4 workers: 1 too few.'],
    [makespan, [12_345_678], 10_000_000, 'You said 10 s: 19% too short.'],
    [makespan, [10_000_000], 12_500_000, 'You said 12.5 s: 25% too long.'],
    [longestWait, [0, 1], 1, 'Exactly right.'],
    [longestWait, [1], 2, 'You said C.'],
  ])('%o: right %o, said %d', (question, right, guess, words) => {
    expect(nearWords(question, right, guess)).toBe(words)
  })

  test('the nearest are named, of equal ones the first, and of a choice only right answers', () => {
    expect(nearestGuesses(peak, answers(1, 9, 4, 6, 5), [5]).map(({ guess }) => guess)).toEqual([5, 4, 6])
    expect(nearestGuesses(longestWait, answers(0, 1, 2, 1), [1]).map(({ device }) => device)).toEqual(['d1', 'd3'])
    expect(nearestGuesses(longestWait, answers(0, 1), [])).toEqual([])
  })
})

describe('what is typed on a phone', () => {
  test.each([
    [peak, '4', 4],
    [peak, '9', null],
    [makespan, '2,5', 2_500_000],
    [makespan, ' 12.25 ', 12_250_000],
  ])('%o: "%s"', (question, typed, guess) => {
    expect(typedGuess(question, typed)).toBe(guess)
  })
})

test('of the games of a player the best counts, under any name; the best player is first', () => {
  const game = (device: string, player: string, makespan: number, games = 1): ClassScore => ({
    device,
    player,
    scores: { makespan, flow: 0 },
    games,
  })
  let board = boardWith([], game('d1', 'ada', 500))
  board = boardWith(board, game('d2', 'bo', 400))
  board = boardWith(board, game('d3', 'ada', 600, 2))
  expect(board.map(({ device, scores, games }) => [device, scores.makespan, games])).toEqual([
    ['d2', 400, 1],
    ['d3', 500, 2],
  ])
})
