import { describe, expect, test } from 'vitest'
import { createQuorum, type Member } from '../../../../src/features/room/functions/quorum.ts'
import type { ThreadReply, ToThread } from '../../../../src/features/runner/protocol.ts'

type Batch = Extract<ToThread, { apportion: 'batch' }>
type Nature = (input: number) => unknown

const right: Nature = (input) => input * 2
const threw: Nature = (input) => {
  throw new Error(`no ${input}`)
}
/** Throws at these inputs alone. */
const throwsAt =
  (...inputs: readonly number[]): Nature =>
  (input) =>
    (inputs.includes(input) ? threw : right)(input)

const batchOf = (inputs: readonly number[], more: Partial<Batch> = {}): Batch => ({
  ...{ apportion: 'batch', number: 0, stage: 3, jobs: Int32Array.from(inputs, (input) => 10 + input), tries: null },
  ...{ values: inputs, redo: null, keep: false, through: [], forget: [], ...more },
})

function replyOf(batch: Omit<Batch, 'number'>, nature: Nature): ThreadReply {
  const values: unknown[] = []
  const thrown: { job: number; error: unknown }[] = []
  for (const [k, job] of batch.jobs.entries())
    try {
      values.push(nature(batch.values?.[k] as number))
    } catch (error) {
      thrown.push({ job, error })
    }
  return {
    apportion: 'done',
    number: 0,
    stage: 3,
    began: 50,
    ended: Float64Array.from(values, (_, k) => 100 + k),
    kept: false,
    values,
    moved: [],
    thrown,
  }
}

function roomOf(verify: number) {
  const quorum = createQuorum(verify)
  const refused: string[] = []
  const asked: { readonly life: string; readonly batch: Omit<Batch, 'number'> }[] = []
  let under = 0
  let most = 0
  const join = (life: string, nature: Nature, load: () => number = () => 0): Member => {
    const member: Member = {
      ...{ life, load },
      async help(batch) {
        asked.push({ life, batch })
        most = Math.max(most, ++under)
        for (let k = 0; k < 3; k++) await null
        under--
        return replyOf(batch, nature)
      },
      refuse: (reason) => refused.push(`${life} ${reason}`),
    }
    quorum.join(member)
    return member
  }
  const serve = (own: Member, nature: Nature, inputs: readonly number[], more: Partial<Batch> = {}) => {
    const batch = batchOf(inputs, more)
    return quorum.replyOf(own, batch, replyOf(batch, nature))
  }
  return { quorum, refused, asked, join, serve, mostAtOnce: () => most }
}

const ALONE = 'failed at inputs that others can do'

describe('a quorum', () => {
  test('counts as many errors as outputs would be asked for: two of three do not end the search', async () => {
    const { join, serve, asked } = roomOf(3)
    const own = join('a', threw)
    join('b', threw)
    for (const life of ['c', 'd', 'e']) join(life, right)
    const reply = await serve(own, threw, [1])
    expect([reply?.values, reply?.thrown, asked.length]).toEqual([[2], [], 4])
  })

  test('does not take two errors for a failure where three outputs are asked for and one device says nothing', async () => {
    const { join, serve, asked } = roomOf(3)
    const own = join('a', threw)
    join('b', threw)
    const silent = join('c', right)
    Object.assign(silent, { help: async () => null })
    for (const life of ['d', 'e', 'f']) join(life, right)
    const reply = await serve(own, threw, [1])
    expect([reply?.values, reply?.thrown, asked.map(({ life }) => life)]).toEqual([[2], [], ['b', 'd', 'e', 'f']])
  })

  test('takes two errors for a failure where one output is enough, and asks no third device', async () => {
    const { join, serve, asked } = roomOf(1)
    const own = join('a', threw)
    for (const life of ['b', 'c']) join(life, threw)
    const reply = await serve(own, threw, [1])
    expect([reply?.values, reply?.thrown.length, asked.length]).toEqual([[], 1, 1])
  })

  test.each([2, 3, 4])(
    'where each output is to come from %i devices, asks no more of them about an input that all throw at',
    async (verify) => {
      const { join, serve, asked } = roomOf(verify)
      const own = join('a', threw)
      for (const life of ['b', 'c', 'd', 'e', 'f']) join(life, threw)
      const reply = await serve(own, threw, [1])
      expect([reply?.values, reply?.thrown.length, asked.length]).toEqual([[], 1, verify - 1])
    },
  )

  test('says of outputs that differ how many there are, and does not count errors among them', async () => {
    const { join, serve, refused } = roomOf(2)
    const own = join('a', right)
    join('b', (input) => input * 2 + 1)
    join('c', threw)
    const reply = await serve(own, right, [1])
    const words =
      '2 devices returned 2 different outputs. A function that does not return the same output each time cannot be verified.'
    expect([reply?.values, reply?.thrown.map(({ error }) => (error as Error).message), refused]).toEqual([
      [],
      [words],
      [],
    ])
  })

  test('refuses the device that served if its outputs cannot be compared, and asks no other', async () => {
    let deep: unknown = 1
    for (let k = 0; k < 20_000; k++) deep = [deep]
    const { join, serve, asked, refused } = roomOf(2)
    const own = join('a', () => deep)
    for (const life of ['b', 'c']) join(life, right)
    expect(await serve(own, (input) => (input === 2 ? deep : right(input)), [1, 2, 3])).toBeNull()
    expect([asked, refused]).toEqual([[], ['a sent an unreadable message']])
  })

  test('asks all the devices that it needs at once', async () => {
    const { join, serve, mostAtOnce, asked } = roomOf(4)
    const own = join('a', right)
    for (const life of ['b', 'c', 'd', 'e']) join(life, right)
    await serve(own, right, [1, 2])
    expect([mostAtOnce(), asked.length]).toEqual([3, 3])
  })

  test('asks the devices with the least to do, and none that cannot serve', async () => {
    const { join, serve, asked } = roomOf(3)
    const own = join('a', right)
    for (const [life, load] of [
      ['b', 2],
      ['c', 0],
      ['d', Infinity],
      ['e', 1],
    ] as const)
      join(life, right, () => load)
    await serve(own, right, [1])
    expect(asked.map(({ life }) => life)).toEqual(['c', 'e'])
  })

  test('never asks two threads of one device, nor one of the device that served', async () => {
    const { join, serve, asked } = roomOf(5)
    const own = join('a', right)
    for (const life of ['a', 'b', 'b', 'c']) join(life, right)
    await serve(own, right, [1])
    expect(asked.map(({ life }) => life)).toEqual(['b', 'c'])
  })

  test('asks only about the inputs that are open, each with its own value and its own try', async () => {
    const { join, serve, asked } = roomOf(1)
    const own = join('a', throwsAt(5, 8))
    join('b', right)
    await serve(own, throwsAt(5, 8), [4, 5, 7, 8], { tries: Uint8Array.of(1, 2, 3, 4) as never })
    expect(
      asked.map(({ batch }) => [
        [...batch.jobs],
        [...(batch.tries ?? [])],
        batch.values,
        batch.stage,
        batch.keep,
        batch.redo,
      ]),
    ).toEqual([[[15, 18], [2, 4], [5, 8], 3, false, null]])
  })

  test('has nothing checked that is made again from earlier stages', async () => {
    const { join, serve, asked } = roomOf(2)
    const own = join('a', right)
    join('b', right)
    const reply = await serve(own, right, [1], { redo: [] as never })
    expect([asked, reply?.values]).toEqual([[], [2]])
  })

  test('gives an output of another device no time of its own: it ends with the job before, or where the batch began', async () => {
    const { join, serve } = roomOf(1)
    const own = join('a', throwsAt(1, 3))
    join('b', right)
    const reply = await serve(own, throwsAt(1, 3), [1, 2, 3, 4])
    expect([reply?.values, Array.from(reply?.ended ?? [])]).toEqual([
      [2, 4, 6, 8],
      [50, 100, 100, 101],
    ])
  })
})

describe('a device whose errors others do not repeat', () => {
  test('may be alone with two of them', async () => {
    const { join, serve, refused } = roomOf(1)
    const own = join('a', threw)
    join('b', right)
    await serve(own, throwsAt(1, 2), [1, 2, 3])
    expect(refused).toEqual([])
    // The third is one too many.
    await serve(own, throwsAt(4), [4])
    expect(refused).toEqual([`a ${ALONE}`])
  })

  test('is not refused while others repeat as many of them', async () => {
    const { join, serve, refused } = roomOf(1)
    const own = join('a', threw)
    join('b', throwsAt(1, 2, 3))
    join('c', throwsAt(1, 2, 3))
    await serve(own, threw, [1, 2, 3])
    await serve(own, threw, [4, 5, 6])
    expect(refused).toEqual([])
    await serve(own, threw, [7])
    expect(refused).toEqual([`a ${ALONE}`])
  })

  test('finds no help in errors that counted only because no other device was there', async () => {
    const { join, serve, refused } = roomOf(2)
    const own = join('a', threw)
    join('b', right)
    // One against one: the inputs have failed.
    expect((await serve(own, threw, [1, 2, 3]))?.thrown).toHaveLength(3)
    for (const life of ['c', 'd']) join(life, right)
    expect((await serve(own, threw, [4, 5, 6]))?.thrown).toEqual([])
    expect(refused).toEqual([`a ${ALONE}`])
  })
})
