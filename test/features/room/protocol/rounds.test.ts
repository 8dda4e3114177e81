import { expect, test } from 'vitest'
import { packFrame } from '../../../../src/features/room/protocol/frame.ts'
import { readDown, readPresence, readUp } from '../../../../src/features/room/protocol/readMessages.ts'
import { maxAnswer, type RoomRound, readAnswer, readRound } from '../../../../src/features/room/protocol/rounds.ts'
import type { Chance } from '../../../fixtures/chance.ts'
import { fuzz, patience } from '../../../fuzz/fuzz.ts'
import { mutatedValue } from '../../../fuzz/mutations.ts'

const sign = { name: 'Enrich', colour: 1 }
const peak: RoomRound = { round: 'r1', open: true, question: { kind: 'peak', stage: sign, most: 8 }, right: null }
const makespan: RoomRound = { round: 'r2', open: false, question: { kind: 'makespan' }, right: [12_345_678] }
const longestWait: RoomRound = {
  round: 'r3',
  open: false,
  question: { kind: 'longestWait', stages: [sign, { name: 'Write', colour: 2 }] },
  right: [0, 1],
}
const rounds = [peak, makespan, longestWait]
const answer = { round: 'r1', player: 'p1', guess: 5 }

test('a round and its answer are read as they were packed, and as no other message', () => {
  for (const round of rounds) expect(readRound(packFrame(round))).toEqual(round)
  expect(readAnswer(packFrame(answer))).toEqual(answer)
  const readers = [readRound, readAnswer, readUp, readDown, readPresence]
  for (const one of [...rounds, answer]) expect(readers.filter((read) => read(packFrame(one)) !== null)).toHaveLength(1)
})

const noNames = ['', '../all', 7, null, undefined, 'x'.repeat(61)]
const zeros = (count: number) => Array.from({ length: count }, () => 0)
const longest = maxAnswer({ kind: 'makespan' })

type Row = [object, string, readonly unknown[], (readonly unknown[])?]

test.each<Row>([
  [peak, 'round', noNames, ['x'.repeat(60)]],
  [peak, 'open', [0, 'true', null, undefined], [false]],
  [peak, 'question', [null, undefined, 'peak', {}, [peak.question], { kind: 'code' }]],
  [peak, 'question', [-1, 0.5, '8', undefined, 10_001].map((most) => ({ kind: 'peak', stage: sign, most }))],
  [peak, 'question', [null, undefined, 'A', { name: 7 }].map((stage) => ({ kind: 'peak', stage, most: 8 }))],
  [peak, 'question', [], [{ kind: 'peak', stage: sign, most: 10_000 }]],
  [longestWait, 'question', [undefined, sign, [sign, 7], []].map((stages) => ({ kind: 'longestWait', stages }))],
  [longestWait, 'right', [undefined, 7, '0', {}, [0.5], [-1], [2], ['0'], zeros(257)], [null, [], [0, 1], zeros(256)]],
  [makespan, 'right', [[longest + 1]], [[longest]]],
])(
  'of a round %o the field "%s" is refused with what it cannot be, and read at its bounds',
  (round, field, no, yes) => {
    const read = (value: unknown) => readRound(packFrame({ ...round, [field]: value }))
    for (const value of no) expect(read(value), JSON.stringify(value)).toBeNull()
    for (const value of yes ?? []) expect(read(value), JSON.stringify(value)).toMatchObject({ [field]: value })
  },
)

test.each([
  ...noNames.flatMap((name) => [{ round: name }, { player: name }]),
  ...[undefined, 2 ** 53, -1, 1.5, '5'].map((guess) => ({ guess })),
])('an answer with %o is refused', (fields) => {
  expect(readAnswer(packFrame({ ...answer, ...fields }))).toBeNull()
})

test('a round or an answer with columns, in a list, or longer than the broker allows is refused', () => {
  const sized = (bytes: number, fields: object) => {
    const empty = packFrame({ ...fields, more: '' }).length
    return packFrame({ ...fields, more: 'x'.repeat(bytes - empty) })
  }
  for (const [read, one] of [
    [readRound, peak],
    [readAnswer, answer],
  ] as const) {
    expect([read(packFrame(one, [Uint8Array.of(1)])), read(packFrame([one]))]).toEqual([null, null])
    expect([sized(16_384, one).length, sized(16_392, one).length]).toEqual([16_384, 16_392])
    expect([read(sized(16_384, one)) === null, read(sized(16_392, one))]).toEqual([false, null])
  }
})

test(
  'damaged messages are refused or read as valid ones, and nothing throws',
  () => {
    fuzz(0.2, (chance) => {
      const bytes = spoilt(chance)
      const [round, answer] = [readRound(bytes), readAnswer(bytes)]
      for (const right of round?.right ?? [])
        expect(right).toBeLessThanOrEqual(maxAnswer((round as RoomRound).question))
      if (round !== null) expect(readRound(packFrame(round))).toEqual(round)
      if (answer !== null) expect(readAnswer(packFrame(answer))).toEqual(answer)
      return null
    })
  },
  patience.timeout,
)

/** A message with a few edits in its JSON, or in its bytes. */
function spoilt(chance: Chance): Uint8Array {
  const head = mutatedValue(chance.pick([...rounds, answer]), chance)
  const bytes = packFrame(head, chance.percent(80) ? [] : [Uint8Array.from([1, 2, 3])])
  if (chance.percent(30)) bytes[chance.below(bytes.length)] ^= 1 << chance.below(8)
  return chance.percent(10) ? bytes.slice(0, chance.below(bytes.length)) : bytes
}
