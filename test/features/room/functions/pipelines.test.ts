import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { wallMicros } from '../../../../src/engine/conductor/environment.ts'
import { createChannel } from '../../../../src/features/room/functions/channel.ts'
import { room } from '../../../../src/features/room/functions/room.ts'
import { packValue, unpackValue } from '../../../../src/features/room/functions/structured.ts'
import type { LentThread, LentThreadListener } from '../../../../src/features/room/protocol/lentThread.ts'
import { Pipeline } from '../../../../src/features/runner/pipeline.ts'
import type { ThreadReply, ToThread } from '../../../../src/features/runner/protocol.ts'
import type { PipelineOptions } from '../../../../src/features/runner/settings.ts'
import { inFull } from '../../../fixtures/extent.ts'
import { hostToken, joinToken, type RoomHere, roomHere } from '../broker/roomHere.ts'
import { lendersHere } from './lenders.ts'

const testInFull = test.runIf(inFull)
const lenders = await lendersHere()
let here: RoomHere
let link = ''
let open: Pipeline | null = null

beforeAll(async () => {
  here = await roomHere()
  link = `${here.page}join.html#room=R.${joinToken}`
})
afterEach(async () => {
  await open?.close()
  open = null
  lenders.end()
})
afterAll(() => here.end())

function pipelineOf(stages: PipelineOptions['stages'], more: Partial<PipelineOptions> = {}): Pipeline {
  open = new Pipeline({ threads: room(link), stages, workers: 6, ...more })
  return open
}

/** The reasons of the ends of threads. */
function endsOf(pipeline: Pipeline): string[] {
  const ends: string[] = []
  pipeline.addEventListener('threadEnd', (event) => ends.push((event as CustomEvent<{ reason: string }>).detail.reason))
  return ends
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const expected = (count: number) => numbers(count).map((n) => `n${(n + 1) * 2}`)

/** Reads all results, and calls `midway` after as many. */
async function read(
  pipeline: Pipeline,
  inputs: Iterable<unknown>,
  after = -1,
  midway: () => unknown = () => {},
): Promise<unknown[]> {
  const results: unknown[] = []
  for await (const result of pipeline.run(inputs)) if (results.push(result) === after) await midway()
  return results
}

testInFull(
  'three processes lend two threads each, one is killed in mid-run: 1,000 inputs come out once, in order',
  async () => {
    const children = await Promise.all(['a', 'b', 'c'].map((name) => lenders.process(link, { name })))
    const pipeline = pipelineOf(['first', 'second', 'third'])
    const ends = endsOf(pipeline)
    expect(await read(pipeline, numbers(1000), 300, () => children[1].kill('SIGKILL'))).toEqual(expected(1000))
    expect(ends).toEqual(Array.from({ length: 2 }, () => 'the device "b" has left the room'))
  },
  60_000,
)

testInFull('a lender leaves in mid-run and another comes: every input comes out once, in order', async () => {
  const [first] = await Promise.all([lenders.here(link, { name: 'first' }), lenders.here(link)])
  const pipeline = pipelineOf(['first', 'second', 'third'])
  const ends = endsOf(pipeline)
  const results = await read(pipeline, numbers(400), 100, async () => {
    first.leave()
    await lenders.here(link, { name: 'third', threads: 4 })
  })
  expect(results).toEqual(expected(400))
  expect(ends).toHaveLength(2)
  expect(pipeline.stats().stages.map(({ done }) => done)).toEqual([400, 400, 400])
})

test('the broker is killed in mid-run and is back after a second: every input comes out once, and no thread ends', async () => {
  await Promise.all([lenders.here(link), lenders.here(link)])
  const pipeline = pipelineOf(['first', 'second', 'third'])
  const ends = endsOf(pipeline)
  expect(await read(pipeline, numbers(1000), 200, () => here.restart(1000))).toEqual(expected(1000))
  expect(ends).toEqual([])
})

testInFull('under perJob values stay on the machines, and those of a lender that leaves are made again', async () => {
  const [first] = await Promise.all([lenders.here(link), lenders.here(link)])
  const pipeline = pipelineOf(['first', 'second', 'third'], { policy: 'perJob' })
  expect(await read(pipeline, numbers(400), 100, first.leave)).toEqual(expected(400))
})

testInFull('a broker that does not come back ends the run after the patience', async () => {
  const gone = await roomHere()
  const there = `${gone.page}join.html#room=R.${joinToken}`
  await lenders.here(there)
  const pipeline = pipelineOf(['first', 'second', 'third'], { threads: room(there, { patience: 1000 }) })
  await expect(read(pipeline, numbers(1000), 100, () => void gone.end())).rejects.toThrow('has not answered for 1 s')
})

describe('what throws on one lender', () => {
  test('is tried by another: where one of four lies, no input fails, and it is left out by name', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => lenders.here(link, { name })))
    await lenders.here(link, { name: 'liar', module: 'liar.mjs' })
    const pipeline = pipelineOf(['first', 'second', 'third'], { workers: 8, onError: 'skip' })
    const ends = endsOf(pipeline)
    const skipped: unknown[] = []
    pipeline.addEventListener('skip', (event) => skipped.push(event))
    expect(await read(pipeline, numbers(200))).toEqual(expected(200))
    expect(skipped).toEqual([])
    expect([...new Set(ends)]).toEqual(['the device "liar" failed at inputs that others can do'])
  })

  test('has failed if others throw at it too, and no lender is left out', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => lenders.here(link, { name })))
    const pipeline = pipelineOf(['odd'], { onError: 'skip' })
    const ends = endsOf(pipeline)
    const skipped: string[] = []
    pipeline.addEventListener('skip', (event) => skipped.push((event as CustomEvent<Error>).detail.message))
    expect(await read(pipeline, numbers(60))).toEqual(numbers(60).filter((n) => n % 2 === 1))
    expect(skipped).toHaveLength(30)
    expect(skipped[0]).toMatch(/^Stage "odd" failed at input \d+: even: \d+$/)
    expect(ends).toEqual([])
  })

  testInFull('has failed where there is no other lender', async () => {
    await lenders.here(link)
    await expect(read(pipelineOf(['odd']), [1, 2])).rejects.toThrow('Stage "odd" failed at input 1: even: 2')
  })
})

describe('where outputs are to come from several lenders', () => {
  const verified = (n: number) => `${link}&verify=${n}`

  testInFull(
    'of four processes one lies: no wrong output counts, and it is left out by name',
    async () => {
      await Promise.all(['a', 'b', 'c'].map((name) => lenders.process(link, { name })))
      await lenders.process(link, { name: 'liar', module: 'wrong.mjs' })
      const pipeline = pipelineOf(['first', 'second', 'third'], { threads: room(verified(2)), workers: 8 })
      const ends = endsOf(pipeline)
      expect(await read(pipeline, numbers(300))).toEqual(expected(300))
      expect([...new Set(ends)]).toEqual(['the device "liar" gave a wrong result'])
    },
    60_000,
  )

  test('one of three lies, under perJob as well: every output is right, and it is left out, by name also in the record', async () => {
    await Promise.all(['a', 'b'].map((name) => lenders.here(link, { name })))
    await lenders.here(link, { name: 'liar', module: 'wrong.mjs' })
    for (const policy of ['leastScore', 'perJob'] as const) {
      const pipeline = pipelineOf(['first', 'second', 'third'], {
        threads: room(link, { verify: 2 }),
        policy,
        record: true,
      })
      const ends = endsOf(pipeline)
      expect(await read(pipeline, numbers(200))).toEqual(expected(200))
      expect([...new Set(ends)]).toEqual(['the device "liar" gave a wrong result'])
      const { verify, failures } = JSON.parse(await (await pipeline.trace()).text())
      expect([verify, failures[0].reason]).toEqual([2, 'the device "liar" gave a wrong result'])
      await pipeline.close()
    }
  })

  test('a function that returns something else each time has failed, in words, and no lender is left out', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => lenders.here(link, { name, module: 'random.mjs' })))
    const pipeline = pipelineOf(['first'], { threads: room(verified(3)), onError: 'skip' })
    const ends = endsOf(pipeline)
    const skipped: string[] = []
    pipeline.addEventListener('skip', (event) => skipped.push((event as CustomEvent<Error>).detail.message))
    expect(await read(pipeline, numbers(10))).toEqual([])
    expect(skipped).toContain(
      'Stage "first" failed at input 0: 3 devices returned 3 different outputs. A function that does not return the same output each time cannot be verified.',
    )
    expect([skipped.length, ends]).toEqual([10, []])
  })

  test('a lender leaves in mid-run: every output still comes out once, in order', async () => {
    const [first] = await Promise.all(['a', 'b', 'c'].map((name) => lenders.here(link, { name })))
    const pipeline = pipelineOf(['first', 'second', 'third'], { threads: room(link, { verify: 3 }) })
    expect(await read(pipeline, numbers(300), 100, first.leave)).toEqual(expected(300))
  })

  test('a number of lenders that is not allowed is an error at once', () => {
    for (const verify of [0, 10, 1.5, Number.NaN])
      expect(() => room(link, { verify })).toThrow(`verify: found ${verify}; allowed: a whole number from 1 to 9`)
  })
})

test('a lender that repeats all it has said, in this run and in an earlier one, changes nothing', async () => {
  const recorded: (readonly [string, Uint8Array])[] = []
  const [, replayer] = await Promise.all([
    lenders.here(link),
    lenders.here(link, { published: (topic, bytes) => topic.endsWith('/up') && recorded.push([topic, bytes]) }),
  ])
  const replayAll = () => {
    for (const [topic, bytes] of recorded.slice()) replayer.publish(topic, bytes)
  }
  for (const threads of [link, link, `${link}&verify=2`]) {
    const pipeline = pipelineOf(['first', 'second', 'third'], { threads: room(threads) })
    const ends = endsOf(pipeline)
    expect(await read(pipeline, numbers(300), 100, replayAll)).toEqual(expected(300))
    expect(ends).toEqual([])
    await pipeline.close()
  }
  expect(recorded.length).toBeGreaterThan(30)
})

describe('a lender that sends what no thread would say', () => {
  /** A device whose thread adds 1, and changes its replies. Each batch has two inputs at least. */
  async function liar(alter: (reply: ThreadReply, jobs: Int32Array) => unknown): Promise<void> {
    const start = {
      begin(worker: number, listener: LentThreadListener): LentThread {
        const channel = createChannel((piece) => listener.send({ kind: 'tell', piece }), hear)
        const timer = setInterval(() => channel.tick(50_000), 50)
        function hear(bytes: Uint8Array): void {
          const message = unpackValue(bytes) as ToThread
          if (message.apportion === 'hello') channel.post(packValue({ apportion: 'ready', names: ['first'], clock: 0 }))
          if (message.apportion !== 'batch') return
          const { number, stage, jobs, values } = message
          const now = wallMicros()
          const reply = {
            apportion: 'done',
            number,
            stage,
            began: now,
            ended: Float64Array.from(jobs, (_, k) => now + 1 + k),
            kept: false,
          } as const
          channel.post(
            packValue(
              alter({ ...reply, values: (values ?? []).map((n) => Number(n) + 1), moved: [], thrown: [] }, jobs),
            ),
          )
        }
        return {
          worker,
          hello: () => listener.send({ kind: 'hello' }),
          take: (message) => message.kind === 'tell' && channel.take(message.piece),
          end: () => clearInterval(timer),
        }
      },
    }
    await lenders.here(link, { name: 'liar', threads: 1, start })
  }
  const at = (reply: ThreadReply, k: number, values: number) => ({
    ...reply,
    ended: reply.ended.subarray(0, k),
    values: reply.values.slice(0, values),
  })

  test.each<[string, (reply: ThreadReply, jobs: Int32Array) => unknown]>([
    ['an output too few', (reply) => ({ ...reply, values: reply.values.slice(1) })],
    ['an output too many', (reply) => ({ ...reply, values: [...reply.values, 1] })],
    ['a time too few', (reply) => at(reply, reply.ended.length - 1, reply.values.length - 1)],
    ['a time that is none', (reply) => ({ ...reply, ended: reply.ended.map(() => Number.NaN) })],
    ['no times', (reply) => ({ ...reply, ended: Array.from(reply.ended) })],
    ['a beginning that is none', (reply) => ({ ...reply, began: Infinity })],
    [
      'an error of a job that it did not get',
      (reply) => ({
        ...at(reply, reply.ended.length - 1, reply.values.length - 1),
        thrown: [{ job: 99_999, error: 1 }],
      }),
    ],
    [
      'two errors of one job',
      (reply, jobs) => ({ ...at(reply, 0, 0), thrown: reply.values.map(() => ({ job: jobs[0], error: 1 })) }),
    ],
    ['that outputs have stayed there', (reply) => ({ ...reply, kept: true, values: [] })],
    ['buffers that were moved', (reply) => ({ ...reply, moved: [[0, [new ArrayBuffer(1)]]] })],
    ['a reply to nothing', (reply) => ({ ...reply, number: reply.number + 1000 })],
    ['no message', () => ({ apportion: 'done' })],
  ])('%s, is left out by name, and the run goes on', async (_, alter) => {
    await Promise.all([lenders.here(link), liar(alter)])
    const pipeline = pipelineOf(['first'], { workers: 3, batch: { size: 2 } })
    const ends = endsOf(pipeline)
    expect(await read(pipeline, numbers(40))).toEqual(numbers(40).map((n) => n + 1))
    expect(ends).toEqual(['the device "liar" sent an unreadable message'])
  })
})

describe('what travels', () => {
  testInFull('inputs and outputs are what structured clone would make of them, large ones too', async () => {
    await lenders.here(link)
    const cyclic: { self?: unknown; when: Date } = { when: new Date(7) }
    cyclic.self = cyclic
    const inputs = [
      undefined,
      -0,
      12n ** 30n,
      new Map([[{ a: 1 }, new Set([/x/gi])]]),
      new Float32Array([1.5, Number.NaN]),
      cyclic,
    ]
    const results = await read(pipelineOf(['same']), [...inputs, new Uint8Array(3_900_000).fill(3)])
    const large = results.pop() as Uint8Array
    expect([large.length, large.every((byte) => byte === 3)]).toEqual([3_900_000, true])
    expect(results).toEqual(inputs)
    expect((results[5] as typeof cyclic).self).toBe(results[5])
  })

  test('an input, or an output, above the limit has failed, with its bytes and the limit; the others go on', async () => {
    await lenders.here(link)
    const pipeline = pipelineOf(['long', 'sum'], { onError: 'skip' })
    const skipped: unknown[] = []
    pipeline.addEventListener('skip', (event) => {
      const { stage, job, message } = (event as CustomEvent).detail
      skipped.push([stage, job, message])
    })
    expect(await read(pipeline, [10, 4_100_000, 20])).toEqual([70, 140])
    expect(skipped).toEqual([
      [
        'long',
        1,
        expect.stringMatching(
          /^Stage "long" failed at input 1: .*it has 4100\d{3} bytes; a room carries 4000000 at most/,
        ),
      ],
    ])
    await pipeline.close()
    const sums = pipelineOf(['sum'])
    await expect(read(sums, [new Uint8Array(1), new Uint8Array(5_000_000)])).rejects.toThrow(
      /^Stage "sum" failed at input 1: .*it has 50000\d\d bytes/,
    )
  })

  testInFull('a function as input is an error at once, and what a stage throws keeps its kind', async () => {
    await lenders.here(link)
    await expect(read(pipelineOf(['same']), [() => 1])).rejects.toThrow(
      /^Stage "same" failed at input 0: .*a function cannot be sent to another machine/,
    )
    const { cause } = await read(pipelineOf(['throws']), [1]).catch((error) => error)
    expect([cause instanceof RangeError, cause.message]).toEqual([true, 'cannot bear it'])
  })
})

describe('said at once', () => {
  test('a lender whose module lacks the function of a stage', async () => {
    await lenders.here(link, { module: 'other.mjs' })
    await expect(read(pipelineOf(['first', 'second']), [1])).rejects.toThrow(
      'Stage "second" needs the function "second"; the threads serve "first".',
    )
  })

  testInFull('a lender that comes in mid-run and lacks one is left out, and the run goes on', async () => {
    await lenders.here(link)
    const pipeline = pipelineOf(['first', 'second', 'third'])
    const ends = endsOf(pipeline)
    // However long the other needs to come, inputs are there for it.
    function* inputs() {
      for (let n = 0; n < 400 || (ends.length === 0 && n < 100_000); n++) yield n
    }
    const results = await read(pipeline, inputs(), 50, () => lenders.here(link, { module: 'other.mjs' }))
    expect(results).toEqual(expected(results.length))
    expect(ends[0]).toMatch(/^the device "here" .*Stage "second" needs the function "second"/)
  })

  testInFull('a lender of another version', async () => {
    await lenders.here(link, { name: 'old', build: 'functions 0' })
    await expect(read(pipelineOf(['first']), [1])).rejects.toThrow(
      'the device "old" runs another version of apportion ("functions 0", here "functions 1")',
    )
  })

  testInFull('a wrong link, a wrong token, and a room in which no device lends', async () => {
    expect(() => room('somewhere')).toThrow('"somewhere" is not a link')
    expect(() => room(`${here.page}join.html#room=R.x`)).toThrow('token of the room is incomplete')
    const wrong = pipelineOf(['first'], { threads: room(`${here.page}join.html#room=R.${joinToken}x`) })
    await expect(read(wrong, [1])).rejects.toThrow('The room does not accept this link')
    await expect(read(pipelineOf(['first'], { threads: room(link, { patience: 300 }) }), [1])).rejects.toThrow(
      'no device lends it a thread',
    )
  })
})

test('a thread that exits at an input is replaced, and the input served again', async () => {
  await lenders.here(link)
  const pipeline = pipelineOf(['exits'])
  const ends = endsOf(pipeline)
  expect(await read(pipeline, numbers(20))).toEqual(numbers(20))
  expect(ends).toEqual(['the device "here" ended a thread with code 3'])
})

testInFull(
  'the link of the host works too; threads go back when the run is over, and when the loop is left',
  async () => {
    const { states } = await lenders.here(link, { threads: 3 })
    const pipeline = pipelineOf(['first', 'second'], { threads: room(`${here.page}#host=R.${hostToken}`), idle: 0 })
    expect(await read(pipeline, numbers(20))).toHaveLength(20)
    await expect.poll(() => states.at(-1)?.workers).toEqual([])
    expect(states.some(({ workers }) => workers.length === 3)).toBe(true)
    for await (const result of pipeline.run(numbers(1000))) if (result === 8) break
    await expect.poll(() => states.at(-1)?.workers).toEqual([])
  },
)
