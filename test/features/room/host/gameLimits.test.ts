import { afterEach, beforeEach, expect, test } from 'vitest'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { games } from '../../../../src/features/game/scores.ts'
import { classGame } from '../../../../src/features/room/host/gameRound.ts'
import { beginRound, roundStore } from '../../../../src/features/room/host/hostRounds.ts'
import type { RoomRound, RoundAnswer } from '../../../../src/features/room/protocol/rounds.ts'

const [{ scenario: base }] = games
const game = (round: string): RoomRound => ({ kind: 'game', round, open: true, scenario: '#s=1' })
/** Moves against the rules: each is counted as refused once it was replayed. */
const moves = (round: string, player: string, k = 0): RoundAnswer => ({
  kind: 'moves',
  round,
  player,
  seats: Uint8Array.of(255, k),
})

let session: Session
beforeEach(() => {
  session = createSession()
  classGame(session).setState({ base, board: [], refused: 0 })
})
afterEach(() => session.end())

const refused = () => classGame(session).getState().refused
const settled = async () => {
  for (let k = 0; k < 20; k++) await new Promise((resolve) => setTimeout(resolve))
}
const answer = (...answers: (readonly [device: string, answer: RoundAnswer])[]) =>
  roundStore(session).setState({ answers: new Map(answers) })

test('of each device fifty games are replayed in a round, and in the next one fifty more', async () => {
  beginRound(session, game('g1'))
  for (let k = 0; k < 53; k++) {
    answer(['eve', moves('g1', 'p', k)])
    await expect.poll(refused).toBe(Math.min(50, k + 1))
  }
  answer(['eve', moves('g1', 'p', 99)], ['bo', moves('g1', 'q')])
  await expect.poll(refused).toBe(51)
  beginRound(session, game('g2'))
  answer(['eve', moves('g2', 'p')])
  await expect.poll(refused).toBe(52)
})

test('moves of a round that is over count in no other', async () => {
  beginRound(session, game('g1'))
  answer(['a', moves('g1', 'p')], ['b', moves('g1', 'q')])
  beginRound(session, game('g2'))
  await settled()
  answer(['c', moves('g2', 'r')])
  await expect.poll(refused).toBe(1)
  await settled()
  expect(refused()).toBe(1)
})

test('a lesson that waits for answers sees how many there are, also when a new round begins', () => {
  const guess = (player: string): RoundAnswer => ({ kind: 'guess', round: 'r', player, guess: 1 })
  roundStore(session)
  const address = { broker: '', room: 'R', role: 'host', token: '' } as const
  runStore(session).setState({ room: { address, seats: 1, answers: 0, refusal: () => null } })
  const seen = () => runStore(session).getState().room?.answers
  answer(['a', guess('p')])
  expect(seen()).toBe(1)
  answer(['a', guess('p')], ['b', guess('q')])
  expect(seen()).toBe(2)
  beginRound(session, game('g1'))
  expect(seen()).toBe(0)
})
