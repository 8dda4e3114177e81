import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Wire, wireOf, wireValue } from '../../../src/features/stageCode/threads/wire.ts'
import { serveStageCode } from './quickJsThread.ts'

interface Head {
  readonly stage?: number
  readonly jobs?: readonly number[]
  readonly tries?: readonly number[]
  readonly failing?: readonly number[]
  readonly costs?: readonly number[]
  readonly worker?: number
}
interface Reply {
  readonly number: number
  readonly began: number
  readonly ended: readonly number[]
  readonly values: readonly (readonly [text: string, at: number, length: number])[]
  readonly thrown: readonly (readonly [job: number, words: string, place: string])[]
}

const closing: (() => void)[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) close()
})

/** A thread with the code of these stages, by number. */
async function opened(codes: readonly string[], seed = 5) {
  const { port1, port2 } = new MessageChannel()
  const heard: unknown[] = []
  let wake = () => {}
  port1.onmessage = ({ data }) => {
    heard.push(data)
    wake()
  }
  closing.push(() => port1.close())
  const next = async () => {
    while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return heard.shift()
  }
  await serveStageCode({ port: port2, codes: codes.map((code, stage) => [stage, code]), seed })
  expect(await next()).toBe('{"ready":true}')
  let number = 0
  const post = (values: readonly unknown[], head: Head = {}) => {
    const wires = values.map((value) =>
      wireOf(value instanceof Uint8Array || typeof value === 'string' ? value : { record: value as never }),
    )
    const jobs = head.jobs ?? values.map((_, job) => job)
    const none = jobs.map(() => 0)
    const bases: number[] = []
    const all: number[] = []
    for (const { bytes } of wires) {
      bases.push(bytes === null ? -1 : all.length)
      all.push(...(bytes ?? []))
    }
    const whole = {
      number: ++number,
      stage: 0,
      jobs,
      worker: 1,
      tries: jobs.map(() => 1),
      bases,
      costs: none,
      failing: none,
      ...head,
    }
    const message: unknown[] = [JSON.stringify(whole), ...wires.map(({ text }) => text)]
    port1.postMessage(all.length === 0 ? message : [...message, new Uint8Array(all).buffer])
  }
  const reply = async () => {
    const data = await next()
    const [text, buffer] = (Array.isArray(data) ? data : [data, null]) as [string, ArrayBuffer | null]
    const read = JSON.parse(text) as Reply
    const wires = read.values.map(
      ([text, at, length]): Wire => ({
        text,
        bytes: at < 0 || buffer === null ? null : new Uint8Array(buffer.slice(at, at + length)),
      }),
    )
    return {
      ...read,
      results: wires.map(wireValue),
      reasons: read.thrown.map(([job, words]) => `${job} ${words}`),
      size: buffer?.byteLength ?? 0,
    }
  }
  return {
    ...{ post, reply, next, say: (head: object) => port1.postMessage([JSON.stringify(head)]) },
    async ask(values: readonly unknown[], head: Head = {}) {
      post(values, head)
      return reply()
    },
  }
}

const resultsOf = async (code: string, values: readonly unknown[], head: Head = {}) =>
  (await (await opened([code])).ask(values, head)).results

describe('what the code of a stage returns', () => {
  test('keeps its typed arrays wherever they stand, and what JSON leaves out is left out beside them too', async () => {
    const code =
      'export default () => ({ a: { b: [{ c: { d: [new Uint16Array([1, 2])] } }] }, none: undefined, list: [undefined, new Int8Array([-1]), () => {}], s: Symbol() })'
    expect(await resultsOf(code, [1])).toEqual([
      { a: { b: [{ c: { d: [Uint16Array.of(1, 2)] } }] }, list: [null, Int8Array.of(-1), null] },
    ])
  })

  test('may have its only typed array deep inside', async () => {
    const deep = (depth: number): unknown =>
      depth === 0 ? Int16Array.of(-7) : depth % 2 === 0 ? [deep(depth - 1)] : { a: deep(depth - 1) }
    const code =
      'const deep = (n) => (n === 0 ? new Int16Array([-7]) : n % 2 === 0 ? [deep(n - 1)] : { a: deep(n - 1) })\nexport default deep'
    expect(await resultsOf(code, [1, 2, 5, 20])).toEqual([1, 2, 5, 20].map(deep))
  })

  test('has at most 1,000,000 bytes in all its arrays together, and what was refused takes no place among the others', async () => {
    const code = 'export default (lengths) => lengths.map((length) => new Uint8Array(length).fill(length % 7))'
    const thread = await opened([code])
    const { reasons, results, size } = await thread.ask([[600_000, 400_001], [3, 4], [600_000, 400_000], [5]])
    expect(reasons).toEqual(['0 TypeError: a value has at most 1,000,000 bytes'])
    expect(size).toBe(1_000_012)
    expect(
      results.map((arrays) => (arrays as Uint8Array[]).map((array) => [array.length, array[0], array.at(-1)])),
    ).toEqual([
      [
        [3, 3, 3],
        [4, 4, 4],
      ],
      [
        [600_000, 600_000 % 7, 600_000 % 7],
        [400_000, 400_000 % 7, 400_000 % 7],
      ],
      [[5, 5, 5]],
    ])
  })

  test('has at most 1,000,000 characters, as a text and as JSON', async () => {
    const code = 'export default ([length, wrapped]) => (wrapped ? ["x".repeat(length - 4)] : "x".repeat(length))'
    const { reasons, values } = await (await opened([code])).ask([
      [1_000_000, false],
      [1_000_001, false],
      [1_000_002, true],
      [1_000_003, true],
    ])
    expect(reasons).toEqual([1, 3].map((job) => `${job} TypeError: a value has at most 1,000,000 characters`))
    expect(values.map(([text]) => text.length)).toEqual([1_000_002, 1_000_002])
  })

  test.each([
    ['nothing', 'undefined', 'the function returned nothing; it has to return a value, or null'],
    ['a function', '() => 1', 'the function returned what JSON cannot say'],
    ['a symbol', 'Symbol()', 'the function returned what JSON cannot say'],
    [
      'a view that is no array',
      'new DataView(new ArrayBuffer(2))',
      'a value may hold typed arrays, and no other views of bytes',
    ],
    [
      'the name that is kept for arrays',
      '({ "\\u0000": ["Uint8Array", 0, 1], a: new Uint8Array(1) })',
      'this field name is reserved for typed arrays',
    ],
  ])('is refused with a reason if it is %s', async (_, value, words) => {
    const { reasons, results } = await (await opened([`export default (n) => (n === 1 ? (${value}) : n)`])).ask([1, 2])
    expect([reasons, results]).toEqual([[`0 TypeError: ${words}`], [2]])
  })

  test('is copied at once: one array for all jobs gives each its own bytes', async () => {
    expect(
      await resultsOf(
        'const one = new Uint8Array(4)\nexport default (n) => { one[1] = n; return one.subarray(1, 3) }',
        [7, 8, 9],
      ),
    ).toEqual([7, 8, 9].map((n) => Uint8Array.of(n, 0)))
  })

  test('null, an empty text and an empty array are values', async () => {
    expect(await resultsOf('export default (n) => [null, "", new Uint8Array(0)][n]', [0, 1, 2])).toEqual([
      null,
      '',
      expect.anything(),
    ])
  })
})

describe('what the code of a stage gets', () => {
  test('are the bytes of its own input, and what it does to them reaches no other', async () => {
    const code =
      'export default (bytes) => { const sum = bytes.reduce((a, b) => a + b, 0); bytes.fill(99); return [sum, bytes.length] }'
    expect(await resultsOf(code, [Uint8Array.of(1, 2), Uint8Array.of(3), Uint8Array.of(4, 5, 6)])).toEqual([
      [3, 2],
      [3, 1],
      [15, 3],
    ])
  })

  test('is which job it is, at which try, and at which worker', async () => {
    const code = 'export default (_, { job, tries, worker }) => [job, tries, worker]'
    expect(await resultsOf(code, [0, 0, 0], { jobs: [40, 7, 9], tries: [1, 3, 2], worker: 6 })).toEqual([
      [40, 1, 6],
      [7, 3, 6],
      [9, 2, 6],
    ])
  })

  test('are random numbers of the seed, the stage and the job: the same at every worker and every try', async () => {
    const code = 'export default (_, { random }) => [random(), random()]'
    const drawn = async (seed: number, head: Head) =>
      (await (await opened([code, code], seed)).ask([0, 0], head)).results as number[][]
    const [first, again, stage, seed] = [
      await drawn(5, { jobs: [3, 4] }),
      await drawn(5, { jobs: [4, 3], worker: 9, tries: [2, 2] }),
      await drawn(5, { jobs: [3, 4], stage: 1 }),
      await drawn(6, { jobs: [3, 4] }),
    ]
    expect(again).toEqual([...first].reverse())
    const all = [first, stage, seed].flat(2)
    expect(new Set(all).size).toBe(all.length)
    expect(all.every((x) => x >= 0 && x < 1)).toBe(true)
  })

  test('is a state that lasts as long as the worker stays at the stage, and is made again when it comes back', async () => {
    const counting = 'export default (_, { state }) => (state.n = (state.n ?? 0) + 1)'
    const thread = await opened([
      counting,
      `export const setUp = async ({ job, worker }) => ({ n: 100 * worker + job })\n${counting}`,
    ])
    const seen = async (stage: number, jobs: readonly number[]) =>
      (await thread.ask(jobs, { stage, jobs, worker: 2 })).results
    expect([
      await seen(0, [1, 2]),
      await seen(0, [3]),
      await seen(1, [7, 8]),
      await seen(1, [9]),
      await seen(0, [4]),
    ]).toEqual([[1, 2], [3], [208, 209], [210], [1]])
  })
})

describe('the code of a stage', () => {
  test('that throws, or cannot be read, tells the line', async () => {
    const throwing = 'export default (n) => {\n  if (n === 3)\n    throw new RangeError("no")\n  return n\n}'
    const { thrown, results } = await (await opened([throwing])).ask([1, 3])
    expect([results, thrown]).toEqual([[1], [[1, 'RangeError: no', expect.stringMatching(/^:3\b/)]]])
    const unreadable = await (await opened(['const one = 1\nexport default = one'])).ask([1])
    expect(unreadable.thrown).toEqual([[0, expect.stringMatching(/^SyntaxError/), expect.stringMatching(/^:2\b/)]])
  })

  test('that uses its state, or is slow to begin, is called once for each job', async () => {
    const code = 'let calls = 0\nexport default (n, context) => { context.state; return ++calls }'
    expect(await resultsOf(code, [0, 0, 0])).toEqual([1, 2, 3])
  })

  test('that throws at its first job is not asked again for it, and the others are served', async () => {
    const thread = await opened([
      'let calls = 0\nexport default (n) => { if (++calls === 1) throw new RangeError("first"); return calls }',
    ])
    const { reasons, results } = await thread.ask([0, 0, 0], { jobs: [5, 6, 7] })
    expect([reasons, results]).toEqual([['5 RangeError: first'], [2, 3]])
  })

  test('whose preparation throws fails every job of the batch, and prepares itself again for the next batch', async () => {
    const thread = await opened([
      'let times = 0\nexport const setUp = () => { if (++times < 3) throw new Error("no " + times); return times }\nexport default (_, { state }) => state',
    ])
    expect((await thread.ask([0, 0], { jobs: [4, 6] })).reasons).toEqual(['4 Error: no 1', '6 Error: no 1'])
    expect((await thread.ask([0], { jobs: [8] })).reasons).toEqual(['8 Error: no 2'])
    expect((await thread.ask([0, 0])).results).toEqual([3, 3])
    expect((await thread.ask([0])).results).toEqual([3])
  })

  test('fails where the scenario says so, and there alone', async () => {
    const { reasons, results } = await (await opened(['export default (n) => n'])).ask([10, 11, 12], {
      failing: [0, 1, 0],
    })
    expect([reasons, results]).toEqual([['1 TypeError: throws, as the scenario says'], [10, 12]])
  })

  test.each([
    ['exports nothing', 'const a = 1', 'TypeError: the code exports no function as its default'],
    ['exports no function', 'export default 7', 'TypeError: the code exports no function as its default'],
    ['throws when it is read', 'throw new RangeError("early")', 'RangeError: early'],
  ])('that %s fails every job with the reason', async (_, code, words) => {
    expect((await (await opened([code])).ask([1, 2])).reasons).toEqual([`0 ${words}`, `1 ${words}`])
  })

  test('may throw anything: its words are at most 500 characters', async () => {
    const code = `export default (n) => {
      if (n === 0) throw new Error("x".repeat(5000))
      if (n === 1) throw Symbol("s")
      if (n === 2) throw null
      if (n === 3) throw { name: 7, message: {} }
      if (n === 4) throw { get name() { throw 1 } }
      throw "a text"
    }`
    const { reasons } = await (await opened([code])).ask([0, 1, 2, 3, 4, 5])
    expect(reasons).toEqual([
      `0 ${`Error: ${'x'.repeat(500)}`.slice(0, 500)}`,
      '1 a symbol',
      '2 null',
      '3 Error',
      '4 ',
      '5 a text',
    ])
  })

  test('may patch what it likes: its values and those of others are told as they are', async () => {
    const lies = `
      JSON.stringify = () => '"lie"'; JSON.parse = () => 'lie'; Math.round = () => 1; Array.isArray = () => false
      Object.keys = () => []; Object.hasOwn = () => false; ArrayBuffer.isView = () => false
      String.prototype.slice = () => 'lie'; String.prototype.indexOf = () => 0
      Array.prototype.push = Array.prototype.join = Array.prototype.map = () => { throw 1 }
      Object.prototype.toJSON = () => 'lie'; delete Object.prototype.toJSON
      Object.defineProperty(Object.prototype, 'next', { get: () => null, set() {} })
      Uint8Array.prototype.set = () => {}; Promise.prototype.then = undefined
      export default (n) => { if (n === 1) throw new Error('true'); return n === 2 ? [new Uint8Array([5])] : { n } }`
    const thread = await opened([lies, 'export default (n) => [n]'])
    for (let again = 0; again < 2; again++) {
      const { reasons, results } = await thread.ask([0, 1, 2])
      expect([reasons, results]).toEqual([['1 Error: true'], [{ n: 0 }, [Uint8Array.of(5)]]])
      expect((await thread.ask([4], { stage: 1 })).results).toEqual([[4]])
    }
  })

  test.each([
    'self',
    'globalThis.onmessage',
    'globalThis.postMessage',
    'globalThis.port',
    'globalThis.MessageEvent',
    'globalThis.timeOrigin',
    'globalThis.performance',
    'globalThis.setTimeout',
  ])('finds no %s', async (name) => {
    expect(await resultsOf(`export default () => typeof ${name}`, [1])).toEqual(['undefined'])
  })
})

describe('a thread that runs the code of stages', () => {
  test('serves one batch after the other, also while one waits', async () => {
    const code =
      'let present = 0\nexport default async (n, { sleep, state }) => { present++; await sleep(1); const most = present; present--; return [n, most] }'
    const thread = await opened([code])
    for (const value of [1, 2, 3]) thread.post([value, value])
    const replies = [await thread.reply(), await thread.reply(), await thread.reply()]
    expect(replies.map(({ number, results }) => [number, results])).toEqual(
      [1, 2, 3].map((n) => [
        n,
        [
          [n, 1],
          [n, 1],
        ],
      ]),
    )
  })

  test('sleeps as long as the code says', async () => {
    const thread = await opened(['export default async (n, { sleep, state }) => { await sleep(n); return n }'])
    const asked = vi.spyOn(globalThis, 'setTimeout')
    await thread.ask([3, 1])
    expect(asked.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual([3, 1])
  })

  test('tells its clock in microseconds, and times that ascend even where its clock stands still', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(1000.25)
    const at = Math.round((performance.timeOrigin + 1000.25) * 1000)
    const thread = await opened(['export default (n, { state }) => n'])
    thread.say({ clock: true })
    expect(await thread.next()).toBe(`{"clock":${at}}`)
    const { began, ended } = await thread.ask([1, 2, 3])
    expect([began, ...ended]).toEqual([at, at + 1, at + 2, at + 3])
  })

  test('spends the cost of a change before the job that has it', async () => {
    let now = 1000
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 0.1
      return now
    })
    const thread = await opened(['export default (n, { state }) => n'])
    const from = Math.round((performance.timeOrigin + now) * 1000)
    const { began, ended } = await thread.ask([1, 2, 3], { costs: [20_000, 0, 50_000] })
    expect([
      began - from >= 20_000,
      ended[0] - began < 10_000,
      ended[1] - ended[0] < 10_000,
      ended[2] - ended[1] >= 50_000,
    ]).toEqual([true, true, true, true])
    expect((await thread.ask([1])).ended[0] - ended[2]).toBeLessThan(10_000)
  })
})
