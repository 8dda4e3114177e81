import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import type { Scores } from '../../../../src/features/game/byHand.ts'
import { games } from '../../../../src/features/game/scores.ts'
import { beginClassGame, classGame } from '../../../../src/features/room/host/gameRound.ts'
import { beginRound, roundStore, withdrawRound } from '../../../../src/features/room/host/hostRounds.ts'
import type { RoomRound, RoundAnswer } from '../../../../src/features/room/protocol/rounds.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

/** The games that are being replayed. The test says when each is over, and with which scores. */
const { replays } = vi.hoisted(() => {
  vi.resetModules()
  return { replays: [] as { readonly seats: string; end(scores: unknown): void }[] }
})
vi.mock('../../../../src/features/game/byHand.ts', async (original) => ({
  ...(await original<object>()),
  scoresOfMoves: (_: unknown, seats: Uint8Array) => new Promise((end) => replays.push({ seats: seats.join(), end })),
}))

// Other files play real games.
afterAll(() => {
  vi.doUnmock('../../../../src/features/game/byHand.ts')
  vi.resetModules()
})

const [{ scenario: base }] = games
const game = (round: string): RoomRound => ({ kind: 'game', round, open: true, scenario: '#s=1' })
const moves = (round: string, player: string, ...seats: number[]): RoundAnswer => ({
  kind: 'moves',
  round,
  player,
  seats: Uint8Array.from(seats),
})
const scores = (makespan: number): Scores => ({ makespan, flow: 0 })

let session: Session
beforeEach(() => {
  replays.length = 0
  session = createSession()
  classGame(session).setState({ base, board: [], refused: 0 })
})
afterEach(() => session.end())

const answer = (...answers: (readonly [device: string, answer: RoundAnswer])[]) =>
  roundStore(session).setState({ answers: new Map(answers) })
const settled = async () => {
  for (let k = 0; k < 20; k++) await null
}
const under = () => replays.map(({ seats }) => seats)
const board = () =>
  classGame(session)
    .getState()
    .board.map(({ device, scores, games }) => `${device} ${scores.makespan} ${games}`)
async function over(k: number, result: Scores | null): Promise<void> {
  replays[k].end(result)
  await settled()
}

test('the games of a room are replayed one at a time, in the order in which they came', async () => {
  beginRound(session, game('g1'))
  const [a, b, c] = ['a', 'b', 'c'].map((device, k) => [device, moves('g1', `p${device}`, k)] as const)
  answer(a, b)
  answer(a, b, c)
  await settled()
  expect(under()).toEqual(['0'])
  await over(0, scores(30))
  expect(under()).toEqual(['0', '1'])
  await over(1, scores(20))
  await over(2, scores(10))
  expect([under(), board()]).toEqual([
    ['0', '1', '2'],
    ['c 10 1', 'b 20 1', 'a 30 1'],
  ])
  // And later ones too.
  answer(['d', moves('g1', 'pd', 4)])
  await settled()
  expect(under()).toEqual(['0', '1', '2', '4'])
})

test('only the latest game of a device that plays again is replayed', async () => {
  beginRound(session, game('g1'))
  const a = ['a', moves('g1', 'pa', 1)] as const
  answer(a)
  answer(a, ['b', moves('g1', 'pb', 2)])
  answer(a, ['b', moves('g1', 'pb', 5)])
  await settled()
  expect(under()).toEqual(['1'])
  await over(0, scores(30))
  await over(1, scores(20))
  expect([under(), board()]).toEqual([
    ['1', '5'],
    ['b 20 1', 'a 30 1'],
  ])
  answer(['a', moves('g1', 'pa', 7)], ['b', moves('g1', 'pb', 8)])
  await settled()
  await over(2, scores(10))
  await over(3, scores(40))
  expect(board()).toEqual(['a 10 2', 'b 20 2'])
})

test('a game against the rules is counted, and has no place on the board', async () => {
  beginRound(session, game('g1'))
  answer(['a', moves('g1', 'pa', 1)])
  await settled()
  await over(0, null)
  expect([board(), classGame(session).getState().refused]).toEqual([[], 1])
})

test.each<[string, () => void]>([
  ['another round has begun', () => beginRound(session, game('g2'))],
  ['the round was withdrawn', () => withdrawRound(session)],
])('a game that is over once %s has no score, and is not counted as against the rules', async (_, change) => {
  for (const result of [scores(10), null]) {
    beginRound(session, game('g1'))
    answer(['a', moves('g1', 'pa', 1)])
    await settled()
    change()
    await over(replays.length - 1, result)
    expect([board(), classGame(session).getState().refused]).toEqual([[], 0])
  }
})

test('games that wait when their round is over are not replayed', async () => {
  beginRound(session, game('g1'))
  answer(['a', moves('g1', 'pa', 1)], ['b', moves('g1', 'pb', 2)])
  await settled()
  beginRound(session, game('g2'))
  await over(0, scores(10))
  expect(under()).toEqual(['1'])
  answer(['c', moves('g2', 'pc', 3)])
  await settled()
  expect(under()).toEqual(['1', '3'])
})

test('without a scenario nothing is replayed, and guesses never are', async () => {
  classGame(session).setState({ base: null })
  beginRound(session, game('g1'))
  answer(['a', moves('g1', 'pa', 1)])
  await settled()
  classGame(session).setState({ base })
  answer(['b', { kind: 'guess', round: 'g1', player: 'p', guess: 3 }])
  await settled()
  expect(replays).toEqual([])
})

test('a new game begins with the scenario on the canvas and an empty board, and is open', () => {
  const preset = presetOf('worked-example')?.scenario ?? expect.fail('no preset')
  classGame(session).setState({
    base: preset,
    board: [{ device: 'a', player: 'p', scores: scores(1), games: 1 }],
    refused: 4,
  })
  beginClassGame(session)
  const { base: now, board, refused } = classGame(session).getState()
  expect([now === preset, board, refused]).toEqual([false, [], 0])
  expect(roundStore(session).getState().round).toMatchObject({
    kind: 'game',
    open: true,
    scenario: expect.stringMatching(/^#?s=/),
  })
})

test('once the session has ended no game is replayed any more', async () => {
  beginRound(session, game('g1'))
  session.end()
  answer(['a', moves('g1', 'pa', 1)])
  await settled()
  expect(replays).toEqual([])
})
