import { describe, expect, test } from 'vitest'
import { packFrame } from '../../../../src/features/room/protocol/frame.ts'
import { readDown, readPresence, readUp } from '../../../../src/features/room/protocol/readMessages.ts'
import {
  maxAnswer,
  packAnswer,
  packRound,
  type RoomRound,
  type RoundAnswer,
  readAnswer,
  readRound,
} from '../../../../src/features/room/protocol/rounds.ts'
import type { Chance } from '../../../fixtures/chance.ts'
import { fuzz, patience } from '../../../fuzz/fuzz.ts'
import { mutatedValue } from '../../../fuzz/mutations.ts'

const sign = { name: 'Enrich', colour: 1 }
const rounds: readonly RoomRound[] = [
  { kind: 'question', round: 'r1', open: true, question: { kind: 'peak', stage: sign, most: 8 }, right: null },
  { kind: 'question', round: 'r2', open: false, question: { kind: 'makespan' }, right: [12_345_678] },
  {
    kind: 'question',
    round: 'r3',
    open: false,
    question: { kind: 'longestWait', stages: [sign, { name: 'Write', colour: 2 }] },
    right: [0, 1],
  },
  { kind: 'game', round: 'r4', open: true, scenario: '#s=1abc' },
]
const answers: readonly RoundAnswer[] = [
  { kind: 'guess', round: 'r1', player: 'p1', guess: 5 },
  { kind: 'moves', round: 'r4', player: 'p1', seats: Uint8Array.from([2, 0, 1, 1]) },
]

describe('a round', () => {
  test('is read as it was packed, and so are the answers to it', () => {
    for (const round of rounds) expect(readRound(packRound(round))).toEqual(round)
    for (const answer of answers) expect(readAnswer(packAnswer(answer))).toEqual(answer)
  })

  test('cannot be confused with other messages', () => {
    const readers = [readRound, readAnswer, readUp, readDown, readPresence]
    for (const bytes of [...rounds.map(packRound), ...answers.map(packAnswer)])
      expect(readers.filter((read) => read(bytes) !== null)).toHaveLength(1)
  })

  test('is refused with any field that is not what it must be, and read at its bounds', () => {
    const [peak, makespan, longestWait, game] = rounds
    const read = (round: RoomRound, fields: object) => readRound(packFrame({ ...round, ...fields }, []))
    for (const round of rounds) {
      for (const name of ['', '../all', 7, null, undefined, 'x'.repeat(61)])
        expect(read(round, { round: name })).toBeNull()
      for (const open of [0, 'true', null, undefined]) expect(read(round, { open })).toBeNull()
      for (const kind of ['boo', null, undefined, 'guess']) expect(read(round, { kind })).toBeNull()
      expect(readRound(packFrame(round, [Uint8Array.of(1)]))).toBeNull()
      expect(readRound(packFrame([round], []))).toBeNull()
    }
    for (const scenario of [7, null, undefined, {}]) expect(read(game, { scenario })).toBeNull()
    for (const question of [null, undefined, 'peak', {}, [makespan], { kind: 'code' }])
      expect(read(peak, { question })).toBeNull()
    for (const most of [-1, 0.5, '8', undefined, 10_001])
      expect(read(peak, { question: { kind: 'peak', stage: sign, most } })).toBeNull()
    expect(read(peak, { question: { kind: 'peak', stage: sign, most: 10_000 } })).not.toBeNull()
    for (const stage of [null, undefined, 'A', { name: 7, colour: 0 }])
      expect(read(peak, { question: { kind: 'peak', stage, most: 8 } })).toBeNull()
    for (const stages of [undefined, sign, [sign, 7], []])
      expect(read(longestWait, { question: { kind: 'longestWait', stages }, right: null })).toBeNull()
    for (const right of [undefined, 7, '0', {}, [0.5], [-1], [2], ['0'], Array.from({ length: 257 }, () => 0)])
      expect(read(longestWait, { right })).toBeNull()
    for (const right of [[], [0, 1], Array.from({ length: 256 }, () => 0)])
      expect(read(longestWait, { right })).toMatchObject({ right })
    expect([
      maxAnswer({ kind: 'peak', stage: sign, most: 8 }),
      maxAnswer({ kind: 'longestWait', stages: [sign, sign, sign] }),
    ]).toEqual([8, 2])
    expect(read(makespan, { right: [maxAnswer({ kind: 'makespan' })] })).not.toBeNull()
    expect(read(makespan, { right: [maxAnswer({ kind: 'makespan' }) + 1] })).toBeNull()
  })

  test('may be as long as the broker allows, and so may an answer', () => {
    const sized = (bytes: number, fields: object) => {
      const empty = packFrame({ ...fields, scenario: '' }, []).length
      return packFrame({ ...fields, scenario: 'x'.repeat(bytes - empty) }, [])
    }
    const game = { kind: 'game', round: 'r4', open: true }
    expect([sized(16_384, game).length, sized(16_392, game).length]).toEqual([16_384, 16_392])
    expect([readRound(sized(16_384, game)) === null, readRound(sized(16_392, game))]).toEqual([false, null])
    expect([readAnswer(sized(16_384, answers[0])) === null, readAnswer(sized(16_392, answers[0]))]).toEqual([
      false,
      null,
    ])
  })

  test('an answer is refused with fields or columns that are not its own', () => {
    const [guess, moves] = answers
    const { seats, ...head } = moves as Extract<RoundAnswer, { kind: 'moves' }>
    for (const fields of [
      { round: 'a b' },
      { round: undefined },
      { player: 7 },
      { kind: 'boo' },
      { guess: undefined },
      { guess: 2 ** 53 },
      { guess: -1 },
      { guess: 1.5 },
      { guess: '5' },
    ])
      expect(readAnswer(packFrame({ ...guess, ...fields }, [])), JSON.stringify(fields)).toBeNull()
    expect(readAnswer(packFrame(guess, [seats]))).toBeNull()
    expect(readAnswer(packFrame([guess], []))).toBeNull()
    for (const columns of [[], [seats, seats], [Float64Array.of(1)]])
      expect(readAnswer(packFrame(head, columns))).toBeNull()
    expect(readAnswer(packFrame({ ...head, kind: 'boo' }, [seats]))).toBeNull()
    expect(readAnswer(packFrame({ ...head, player: '' }, [seats]))).toBeNull()
  })

  test(
    'damaged messages are refused or read as valid ones, and nothing throws',
    () => {
      fuzz(0.2, (chance) => {
        const bytes = spoilt(chance)
        const round = readRound(bytes)
        const answer = readAnswer(bytes)
        if (round?.kind === 'question')
          for (const right of round.right ?? []) expect(right).toBeLessThanOrEqual(maxAnswer(round.question))
        if (answer?.kind === 'guess') expect(Number.isSafeInteger(answer.guess)).toBe(true)
        if (round !== null) expect(readRound(packRound(round))).toEqual(round)
        if (answer !== null) expect(readAnswer(packAnswer(answer))).toEqual(answer)
        return null
      })
    },
    patience.timeout,
  )
})

/** A message with a few edits in its JSON, or in its bytes. */
function spoilt(chance: Chance): Uint8Array {
  const head = mutatedValue(chance.pick([...rounds, answers[0], { kind: 'moves', round: 'r4', player: 'p1' }]), chance)
  const bytes = packFrame(head, chance.percent(50) ? [] : [Uint8Array.from([1, 2, 3])])
  if (chance.percent(30)) bytes[chance.below(bytes.length)] ^= 1 << chance.below(8)
  return chance.percent(10) ? bytes.slice(0, chance.below(bytes.length)) : bytes
}
