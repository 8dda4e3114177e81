import { describe, expect, test } from 'vitest'
import { createQuorum, type Member } from '../../../../src/features/room/functions/quorum.ts'
import { comparable } from '../../../../src/features/room/functions/structured.ts'
import type { ThreadReply, ToThread } from '../../../../src/features/runner/protocol.ts'
import { type Chance, createChance } from '../../../fixtures/chance.ts'
import { inFull } from '../../../fixtures/extent.ts'

type Batch = Extract<ToThread, { apportion: 'batch' }>
/** What a device does with an input: returns an output, or throws. */
type Nature = (input: number, chance: Chance) => unknown
/** Stands for a device that does not answer. */
const gone: Nature = () => null
const right: Nature = (input) => ({ a: input * 2, b: [input] })
const threw: Nature = (input) => {
  throw new Error(`no ${input}`)
}

const batchOf = (count: number, more: Partial<Batch> = {}): Batch => ({
  ...{
    apportion: 'batch',
    number: 0,
    stage: 0,
    jobs: Int32Array.from({ length: count }, (_, k) => 10 + k),
    tries: null,
  },
  ...{ values: Array.from({ length: count }, (_, k) => k), redo: null, keep: false, through: [], forget: [], ...more },
})

function replyOf(batch: Omit<Batch, 'number'>, nature: Nature, chance: Chance): ThreadReply {
  const values: unknown[] = []
  const thrown: { job: number; error: unknown }[] = []
  for (const [k, job] of batch.jobs.entries())
    try {
      values.push(nature(batch.values?.[k] as number, chance))
    } catch (error) {
      thrown.push({ job, error })
    }
  const ended = Float64Array.from(values, (_, k) => 100 + k)
  return { apportion: 'done', number: 0, stage: 0, began: 50, ended, kept: false, values, moved: [], thrown }
}

/** Devices of one thread each. The first of them serves a batch, and the others are asked about it. */
function roomOf(verify: number, natures: readonly Nature[], chance = createChance(1)) {
  const quorum = createQuorum(verify)
  const refused = new Map<string, string>()
  const served: string[] = []
  const members = natures.map((nature, k): Member => {
    const life = `d${k}`
    return {
      life,
      load: () => (refused.has(life) ? Infinity : 0),
      async help(batch) {
        served.push(...Array.from(batch.jobs, (job) => `${life} ${job}`))
        await null
        if (chance.percent(20)) await null
        return nature === gone || refused.has(life) ? null : replyOf(batch, nature, chance)
      },
      refuse(reason) {
        if (refused.has(life)) return
        refused.set(life, reason)
        quorum.leave(members[k])
      },
    }
  })
  for (const member of members) quorum.join(member)
  const check = (batch: Batch) => quorum.replyOf(members[0], batch, replyOf(batch, natures[0], chance))
  return { check, refused, served }
}

const wordsOf = (reply: ThreadReply | null) => reply?.thrown.map(({ error }) => (error as Error).message)
const WRONG = 'gave a wrong result'
const lying: Nature = (input) => ({ a: input * 2 + 1, b: [input] })

describe('with a quorum', () => {
  test('outputs that agree are the reply as it came, and each input is served by as many devices', async () => {
    for (const verify of [2, 3, 4]) {
      const { check, served, refused } = roomOf(verify, [right, right, right, right, right])
      const reply = await check(batchOf(3))
      expect([reply?.values.length, Array.from(reply?.ended ?? []), served.length, refused.size]).toEqual([
        3,
        [100, 101, 102],
        3 * (verify - 1),
        0,
      ])
    }
  })

  test('the order of fields and the stack of an error are no difference; the order of a list and -0 are', () => {
    const error = (stack: string) => Object.assign(new Error('x'), { stack })
    const same = (one: unknown, other: unknown) => expect(Buffer.compare(comparable(one), comparable(other))).toBe(0)
    const different = (one: unknown, other: unknown) =>
      expect(Buffer.compare(comparable(one), comparable(other))).not.toBe(0)
    same({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })
    same({ '': 1, b: 2 }, { b: 2, '': 1 })
    same([error('at a')], [error('at b')])
    different([1, 2], [2, 1])
    different(0, -0)
    different(new Uint8Array([1, 2]), new Uint8Array([1, 3]))
    different(new Uint8Array([1, 2]), new Uint8Array([1, 2, 0]))
  })

  test('the output of most devices counts, and one with another is refused, whether it served the batch or was asked', async () => {
    const asked = roomOf(2, [right, lying, right])
    expect((await asked.check(batchOf(3)))?.values).toEqual([0, 1, 2].map((input) => right(input, createChance(1))))
    expect([...asked.refused]).toEqual([['d1', WRONG]])
    const own = roomOf(2, [lying, right, right])
    expect([await own.check(batchOf(3)), [...own.refused]]).toEqual([null, [['d0', WRONG]]])
  })

  test('with as many against as for, one more device is asked', async () => {
    const { check, refused, served } = roomOf(2, [right, lying, right, right])
    await check(batchOf(1))
    expect([served.length, [...refused.keys()]]).toEqual([2, ['d1']])
  })

  test('without a majority an input has failed, in words, and no device is refused', async () => {
    const { check, refused } = roomOf(2, [right, lying])
    const reply = await check(batchOf(2))
    expect(wordsOf(reply)).toEqual(
      Array(2).fill(
        '2 devices returned 2 different outputs. A function that does not return the same output each time cannot be verified.',
      ),
    )
    expect([reply?.values, reply?.ended.length, refused.size]).toEqual([[], 0, 0])
    const three = roomOf(4, [right, lying, right, lying])
    expect(wordsOf(await three.check(batchOf(1)))).toEqual(['4 devices returned 2 different outputs.'])
  })

  test('a function that returns something else each time fails on every input, whatever the number of devices', async () => {
    for (let devices = 2; devices <= 9; devices++) {
      let count = 0
      const { check, refused } = roomOf(
        2,
        Array(devices).fill(() => count++),
      )
      expect(wordsOf(await check(batchOf(3)))).toEqual(
        Array(3).fill(
          expect.stringContaining(`${devices} devices returned ${devices} different outputs. A function that`),
        ),
      )
      expect(refused.size).toBe(0)
    }
  })

  test('only some inputs in doubt: the others keep their outputs and times', async () => {
    const { check } = roomOf(2, [right, (input, chance) => (input === 1 ? lying : right)(input, chance)])
    const reply = await check(batchOf(3))
    expect([reply?.thrown.map(({ job }) => job), Array.from(reply?.ended ?? []), reply?.values.length]).toEqual([
      [11],
      [100, 102],
      2,
    ])
  })

  test('one error does not stop others: it counts as a try of the device alone', async () => {
    const { check, refused } = roomOf(2, [threw, right, right])
    const reply = await check(batchOf(3))
    expect([reply?.values.length, reply?.thrown, [...refused]]).toEqual([
      3,
      [],
      [['d0', 'failed at inputs that others can do']],
    ])
    const asked = roomOf(2, [right, threw, right])
    expect((await asked.check(batchOf(1)))?.thrown).toEqual([])
  })

  test('an output alone against errors has not been verified: the input has failed', async () => {
    const { check, refused } = roomOf(2, [lying, threw, threw])
    expect([wordsOf(await check(batchOf(1))), refused.size]).toEqual([['no 0'], 0])
    expect(wordsOf(await roomOf(2, [right, threw]).check(batchOf(1)))).toEqual(['no 0'])
  })

  test('fewer devices than asked for are enough, also where the others are gone', async () => {
    for (const natures of [[right], [right, right], [right, gone, right]]) {
      const { check, refused } = roomOf(5, natures)
      expect([(await check(batchOf(2)))?.values.length, refused.size]).toEqual([2, 0])
    }
  })

  test('values that stay on their machine are not compared', async () => {
    const { check, served } = roomOf(2, [right, right])
    await check(batchOf(2, { keep: true }))
    await check(batchOf(2, { values: null }))
    expect(served).toEqual([])
  })
})

test('a device that is refused for what cannot be compared takes no part', async () => {
  let deep: unknown = 1
  for (let k = 0; k < 20_000; k++) deep = [deep]
  const { check, refused } = roomOf(2, [right, () => deep, right])
  expect((await check(batchOf(1)))?.values.length).toBe(1)
  expect([...refused]).toEqual([['d1', 'sent an unreadable message']])
})

test('in random rooms where at most half of n devices lie, no wrong output counts, and no honest device is refused', async () => {
  const games = inFull ? 3000 : 300
  for (let seed = 0; seed < games; seed++) {
    const chance = createChance(seed)
    const verify = chance.between(2, 5)
    // Even together they are never most of at least n.
    const liars = chance.below(Math.floor(verify / 2) + 1)
    const honest = Math.max(verify, liars + 1) + chance.below(3)
    const together = chance.percent(50)
    const kinds = [...Array(liars).keys()].map(
      (k): Nature =>
        (input, drawn) =>
          drawn.percent(30)
            ? threw(input, drawn)
            : drawn.percent(40)
              ? right(input, drawn)
              : { a: together ? -1 : -k - 2, b: [input] },
    )
    const natures: Nature[] = [...kinds, ...Array(honest).fill(right)]
    const first = chance.below(natures.length)
    ;[natures[0], natures[first]] = [natures[first], natures[0]]
    const { check, refused } = roomOf(verify, natures, chance)
    const reply = await check(batchOf(chance.between(1, 4)))
    for (const life of refused.keys()) expect([seed, natures[Number(life.slice(1))] === right]).toEqual([seed, false])
    if (reply === null) expect([seed, natures[0] === right]).toEqual([seed, false])
    for (const value of reply?.values ?? []) expect([seed, (value as { a: number }).a >= 0]).toEqual([seed, true])
  }
})
