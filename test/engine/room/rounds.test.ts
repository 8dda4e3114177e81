import { describe, expect, test } from 'vitest'
import { packFrame } from '../../../src/engine/room/frame.ts'
import { readDown, readPresence, readUp } from '../../../src/engine/room/readMessages.ts'
import { mostOf, readAnswer, readRound } from '../../../src/engine/room/readRounds.ts'
import { packAnswer, packRound, type RoomRound, type RoundAnswer } from '../../../src/engine/room/roundMessages.ts'
import { type Chance, createChance } from '../../fixtures/chance.ts'
import { mutatedValue } from '../../fuzz/mutations.ts'

const sign = { name: 'Enrich', colour: 1 }
const rounds: readonly RoomRound[] = [
  { kind: 'question', round: 'r1', open: true, question: { kind: 'peak', stage: sign, most: 8 }, right: null },
  { kind: 'question', round: 'r2', open: false, question: { kind: 'makespan' }, right: [12_345_678] },
  { kind: 'question', round: 'r3', open: false, question: { kind: 'longestWait', stages: [sign, { name: 'Write', colour: 2 }] }, right: [0, 1] },
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

  test('is no other message, and no other message is a round', () => {
    const readers = [readRound, readAnswer, readUp, readDown, readPresence]
    for (const bytes of [...rounds.map(packRound), ...answers.map(packAnswer)]) expect(readers.filter((read) => read(bytes) !== null)).toHaveLength(1)
  })

  test.each([
    ['a right answer beyond what the question allows', { ...rounds[0], right: [9] }],
    ['a question about no stage', { ...rounds[2], question: { kind: 'longestWait', stages: [] } }],
    ['a question of another kind', { ...rounds[1], question: { kind: 'code' } }],
    ['a name that is a path', { ...rounds[1], round: '../all' }],
    ['more stages than there can be', { ...rounds[2], question: { kind: 'longestWait', stages: Array.from({ length: 300 }, () => sign) } }],
    ['too long a scenario', { ...rounds[3], scenario: 'x'.repeat(20_000) }],
  ])('is refused with %s', (_, round) => {
    expect(readRound(packFrame(round, []))).toBeNull()
  })

  test('shows names of stages cut and cleaned, since they come over a broker', () => {
    const stage = { name: `\u202eevil\u0000${'x'.repeat(900)}`, colour: 0 }
    const read = readRound(packFrame({ ...rounds[0], question: { kind: 'peak', stage, most: 3 } }, []))
    expect(read?.kind === 'question' && read.question.kind === 'peak' && read.question.stage.name).toMatch(/^evil x{190,195}$/)
  })

  test.each([
    ['a guess that is not whole', { ...answers[0], guess: 1.5 }],
    ['a guess below 0', { ...answers[0], guess: -1 }],
    ['a guess that is a text', { ...answers[0], guess: '5' }],
    ['nobody', { ...answers[0], player: '' }],
  ])('an answer is refused with %s', (_, answer) => {
    expect(readAnswer(packFrame(answer, []))).toBeNull()
  })

  test('spoilt messages are read as none or as good ones, and nothing throws', () => {
    for (let k = 0; k < 4000; k++) {
      const chance = createChance(k)
      const bytes = spoilt(chance)
      const round = readRound(bytes)
      if (round?.kind === 'question') for (const right of round.right ?? []) expect(right, `input ${k}`).toBeLessThanOrEqual(mostOf(round.question))
      const answer = readAnswer(bytes)
      if (answer?.kind === 'guess') expect(Number.isSafeInteger(answer.guess), `input ${k}`).toBe(true)
      if (round !== null) expect(readRound(packRound(round)), `input ${k}`).toEqual(round)
      if (answer !== null) expect(readAnswer(packAnswer(answer)), `input ${k}`).toEqual(answer)
    }
  })
})

/** A message with a few edits in its JSON, or in its bytes. */
function spoilt(chance: Chance): Uint8Array {
  const head = mutatedValue(chance.pick([...rounds, answers[0], { kind: 'moves', round: 'r4', player: 'p1' }]), chance)
  const bytes = packFrame(head, chance.percent(50) ? [] : [Uint8Array.from([1, 2, 3])])
  if (chance.percent(30)) bytes[chance.below(bytes.length)] ^= 1 << chance.below(8)
  return chance.percent(10) ? bytes.slice(0, chance.below(bytes.length)) : bytes
}
