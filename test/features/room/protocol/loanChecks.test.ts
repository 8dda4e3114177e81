import { expect, test } from 'vitest'
import type { BatchAnswer, BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import { kernelFunctions, type Payload } from '../../../../src/engine/work/kernels.ts'
import { tileOf } from '../../../../src/engine/work/mandelbrot.ts'
import { checkReply, needsWitnesses, witnessed } from '../../../../src/features/room/protocol/checkReply.ts'
import { createLoan, type LoanContext } from '../../../../src/features/room/protocol/loan.ts'
import type { Down } from '../../../../src/features/room/protocol/messages.ts'
import { recordKernels, tileKernels } from '../../../../src/scenario/model/scenario.ts'

const batch = (more: Partial<BatchOrder> = {}): BatchOrder => ({
  ...{ work: 'wait', stage: 0, failing: [], payloads: null, services: [10], switchCosts: [0], jobs: [4], ...more },
})
const reply = (more: Partial<Reply> = {}): Reply => ({ began: 5, ended: [15], threw: null, payloads: null, ...more })
const reading = batch({ work: 'parseJson', payloads: ['[1]'] })
const right = reply({ payloads: [{ record: [1] }] })
const wrong = reply({ payloads: [{ record: [2] }] })
const settled = () => new Promise((resolve) => setTimeout(resolve))

/** A loan, and what it reports. */
function loanWith(confirm?: LoanContext['confirm']) {
  let now = 0
  const sent: Down[] = []
  const told: string[] = []
  const answers: BatchAnswer[] = []
  const loan = createLoan(
    7,
    0,
    { error() {}, lost: (reason) => told.push(`lost ${reason}`) },
    {
      ...{ now: () => now, keep: () => [7], stages: [], isCutOff: () => false, ended: () => {} },
      send: (message) => sent.push(message),
      refuse: (reason) => told.push(`refused ${reason}`),
      ...(confirm && { confirm }),
    },
  )
  loan.port.onmessage = ({ data }) => answers.push(data)
  let asked = 0
  return {
    ...{ loan, sent, told, answers },
    numbers: () => answers.map(({ number }) => number),
    pass: (micros: number) => {
      now += micros
    },
    ask(order: BatchOrder) {
      loan.port.postMessage({ number: asked, batch: order })
      return asked++
    },
    answer: (number: number, given: Reply) => loan.receive({ kind: 'answer', seat: 7, number, reply: given }),
  }
}

test('answers are reported in the order in which they came, also those that need no check behind one that does', async () => {
  const { ask, answer, numbers } = loanWith()
  ask(reading)
  ask(batch())
  answer(0, right)
  answer(1, reply())
  expect(numbers()).toEqual([])
  await settled()
  expect(numbers()).toEqual([0, 1])
})

test('an answer waits for all checks before it, not only for the first', async () => {
  const ends: ((objection: string | null) => void)[] = []
  const { ask, answer, numbers, told } = loanWith(({ stage }) =>
    stage === 1 ? new Promise((resolve) => ends.push(resolve)) : null,
  )
  for (const stage of [1, 1, 0]) ask(batch({ stage }))
  answer(0, reply())
  answer(1, reply())
  ends[0](null)
  await settled()
  answer(2, reply())
  await settled()
  expect(numbers()).toEqual([0])
  ends[1](null)
  await settled()
  expect([numbers(), told]).toEqual([[0, 1, 2], []])
})

test('a wrong answer is not reported, and its device is refused; after the end of the loan neither happens', async () => {
  const there = loanWith()
  there.ask(reading)
  there.answer(0, wrong)
  await settled()
  expect([there.answers, there.told]).toEqual([[], ['refused gave a wrong result']])
  for (const given of [wrong, right]) {
    const gone = loanWith()
    gone.ask(reading)
    gone.answer(0, given)
    gone.loan.end()
    await settled()
    expect([gone.answers, gone.told]).toEqual([[], []])
  }
})

test('what others object to is refused with their words', async () => {
  const { ask, answer, answers, told } = loanWith(async () => 'gave a wrong result')
  ask(batch())
  answer(0, reply())
  await settled()
  expect([answers, told]).toEqual([[], ['refused gave a wrong result']])
})

test('others are not asked about an answer that is wrong by itself', () => {
  let asked = 0
  const { ask, answer, told } = loanWith(() => {
    asked++
    return null
  })
  ask(batch())
  answer(0, reply({ ended: [] }))
  expect([asked, told]).toEqual([0, ['refused sent an unreadable message']])
})

test.each<[string, Reply | 'broken', BatchOrder, string | null]>([
  ['right', right, reading, null],
  ['wrong', wrong, reading, 'gave a wrong result'],
  ['of another form', reply({ ended: [15, 16] }), batch(), 'sent an unreadable message'],
  ['that it broke', 'broken', batch(), 'failed at work that others can do'],
])(
  'a device that serves work of another as a witness is judged as in its own work: an answer that is %s',
  async (_, given, order, objection) => {
    const { loan, answer, told } = loanWith()
    const served = loan.witness(order)
    if (given === 'broken') loan.receive({ kind: 'broken', seat: 7, number: 0, words: 'x' })
    else answer(0, given)
    expect([await served, told]).toEqual([
      objection === null ? given : null,
      objection === null ? [] : [`refused ${objection}`],
    ])
  },
)

test('times are reported on our clock', async () => {
  const { loan, ask, answer, answers, pass, sent } = loanWith()
  const clock = loan.clock()
  for (let k = 0; k < 5; k++) {
    const asked = sent.at(-1)
    pass(10)
    // Its clock is far ahead of ours.
    loan.receive({
      kind: 'clock',
      seat: 7,
      trip: asked?.kind === 'clock' ? asked.trip : -1,
      reading: 10 * k + 5 + 1_000_000,
    })
  }
  await clock
  ask(batch())
  answer(0, reply({ began: 1_000_100, ended: [1_000_110] }))
  const [told] = answers as { readonly reply: Reply }[]
  expect([told.reply.began < 200, told.reply.ended[0] - told.reply.began]).toEqual([true, 10])
})

const picture = { kind: 'image', width: 32, height: 16, tile: 16, x: -0.6, y: 0.1, span: 3.2, iterations: 20 } as const

test('witnesses agree only with the same results: as many, as long, with the same numbers and the same colours', async () => {
  const bare = tileOf(picture, 1)
  const counted = kernelFunctions.mandelbrot(bare) as typeof bare
  const coloured = (await kernelFunctions.colour(counted)) as typeof bare
  const packed = (await kernelFunctions.qoi(coloured)) as Uint8Array<ArrayBuffer>
  const judged = async (order: BatchOrder, first: readonly Payload[], second: readonly Payload[]) => {
    const refused: string[] = []
    let left = 1
    const next = () =>
      left-- > 0
        ? { serve: async () => reply({ payloads: second }), refuse: (reason: string) => void refused.push(reason) }
        : null
    return [await witnessed(order, reply({ payloads: first }), 1, next), refused]
  }
  const changed = <T extends Uint8Array | Float32Array>(column: T | null): T => {
    const copy = (column as T).slice() as T
    copy[3] = copy[3] + 1
    return copy
  }
  const cases: [Parameters<typeof batch>[0], Payload, readonly Payload[]][] = [
    [
      { work: 'mandelbrot', payloads: [bare] },
      counted,
      [
        { ...counted, counts: changed(counted.counts) },
        { ...counted, counts: counted.counts?.slice(0, 8) ?? null },
        bare,
      ],
    ],
    [
      { work: 'colour', payloads: [counted] },
      coloured,
      [
        { ...coloured, pixels: changed(coloured.pixels) },
        { ...coloured, pixels: null },
      ],
    ],
    [
      { work: 'qoi', payloads: [coloured] },
      packed,
      [changed(packed), packed.slice(0, -1), Uint8Array.of(...packed, 0), coloured],
    ],
  ]
  for (const [order, good, lies] of cases) {
    expect(await judged(batch(order), [good], [good])).toEqual([null, []])
    for (const lie of lies) {
      expect(await judged(batch(order), [good], [lie])).toEqual([null, ['gave a wrong result']])
      expect(await judged(batch(order), [lie], [good])).toEqual(['gave a wrong result', []])
    }
    expect(await judged(batch(order), [good], [])).toEqual([null, ['gave a wrong result']])
    expect(await judged(batch(order), [good], [good, good])).toEqual([null, ['gave a wrong result']])
  }
})

test('work that other devices have to confirm is that on pictures, and no other', () => {
  expect([...tileKernels, ...recordKernels, 'burn', 'wait'].filter((work) => needsWitnesses(work as never))).toEqual([
    ...tileKernels,
  ])
})

test('code of a stage is nothing that a device runs: it has no results', () => {
  const order = batch({ work: { code: 'export default (x) => x' } as never, payloads: ['a'] })
  expect([checkReply(order, reply()), checkReply(order, reply({ payloads: ['a'] }))]).toEqual([
    null,
    'sent an unreadable message',
  ])
})
