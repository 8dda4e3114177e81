import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createChannel } from '../../../../src/features/room/functions/channel.ts'
import { functionsIn, lendFunctions } from '../../../../src/features/room/functions/lendFunctions.ts'
import { MAX_VALUE } from '../../../../src/features/room/functions/room.ts'
import { packValue, unpackValue } from '../../../../src/features/room/functions/structured.ts'
import type { LentThreadListener } from '../../../../src/features/room/protocol/lentThread.ts'
import type { ChannelPiece } from '../../../../src/features/room/protocol/messages.ts'
import type { ThreadReply, ToThread } from '../../../../src/features/runner/protocol.ts'
import { type Batch, replyTo } from './madeUpDevice.ts'

/** A thread that the test speaks for. */
class MadeUpThread extends EventEmitter {
  readonly module: URL
  readonly posted: ToThread[] = []
  terminated = 0

  constructor(module: URL) {
    super()
    this.module = module
    started.push(this)
  }

  postMessage(message: ToThread): void {
    this.posted.push(message)
  }

  async terminate(): Promise<number> {
    this.terminated++
    return 0
  }
}

const started: MadeUpThread[] = []
const { Worker } = threads
beforeAll(() => {
  threads.Worker = MadeUpThread as unknown as typeof Worker
  syncBuiltinESMExports()
})
afterAll(() => {
  threads.Worker = Worker
  syncBuiltinESMExports()
})
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  started.length = 0
  vi.useRealTimers()
})

const module = new URL('file:///stages.mjs')
const batchOf = (number: number, values: readonly unknown[], more: Partial<Batch> = {}): Batch => ({
  ...{
    apportion: 'batch',
    number,
    stage: 2,
    jobs: Int32Array.from(values, (_, k) => 10 * number + k),
    tries: null,
    values,
  },
  ...{ redo: null, keep: false, through: [], forget: [], ...more },
})

/** A thread on loan. The test is the conductor, and the thread itself. */
function lentHere() {
  const noted: string[] = []
  const heard: unknown[] = []
  const pieces: ChannelPiece[] = []
  const listener: LentThreadListener = {
    send(message) {
      if (message.kind !== 'tell') noted.push(`${message.kind}${'words' in message ? ` ${message.words}` : ''}`)
      else {
        pieces.push(message.piece)
        conductor.take(message.piece)
      }
    },
    working: (stage) => noted.push(`works at ${stage}`),
    served: (jobs) => noted.push(`served ${jobs}`),
    gone: (words) => noted.push(`gone: ${words}`),
  }
  const lent = lendFunctions(module).begin(3, listener)
  const conductor = createChannel(
    (piece) => lent.take({ kind: 'tell', seat: 0, piece }),
    (bytes) => heard.push(unpackValue(bytes)),
  )
  const thread = started.at(-1) as MadeUpThread
  return {
    lent,
    thread,
    noted,
    heard,
    pieces,
    order: (message: unknown) => conductor.post(packValue(message)),
    confirm: () => conductor.tick(1),
  }
}

describe('a thread that lends functions', () => {
  test('loads the module, says that it is there, and passes on what it is told', () => {
    const { lent, thread, noted, order } = lentHere()
    expect([lent.worker, thread.module, started.length]).toEqual([3, module, 1])
    lent.hello()
    lent.hello()
    expect(noted).toEqual(['hello', 'hello'])
    const hello: ToThread = { apportion: 'hello', stages: [] }
    order(hello)
    order(batchOf(4, [1, 2]))
    expect(thread.posted).toEqual([hello, batchOf(4, [1, 2])])
    expect(noted.slice(2)).toEqual(['works at 2'])
  })

  test('passes on what the thread says, and counts the jobs that it served without errors', () => {
    const { thread, noted, heard, order } = lentHere()
    order(batchOf(0, [1, 2, 3]))
    thread.emit('message', { apportion: 'ready', names: ['first'], clock: 7 })
    thread.emit('message', { apportion: 'alive' })
    const reply = replyTo(batchOf(0, [1, 2, 3]), (n: number) => {
      if (n === 2) throw new Error('two')
      return n + 1
    })
    thread.emit('message', reply)
    expect(heard).toEqual([{ apportion: 'ready', names: ['first'], clock: 7 }, { apportion: 'alive' }, reply])
    expect(noted).toEqual(['works at 2', 'served 2'])
  })

  test('sends copies of buffers that the thread has moved', () => {
    const { thread, heard, order } = lentHere()
    order(batchOf(0, [1]))
    const { buffer } = Uint8Array.of(1, 2)
    thread.emit(
      'message',
      replyTo(batchOf(0, [1]), () => buffer, { moved: [[0, [buffer]]] }),
    )
    expect(heard).toMatchObject([{ moved: [], values: [buffer] }])
  })

  test.each([
    ['what no thread is told', { some: 'object' }],
    ['a text', 'hello'],
    ['nothing', null],
  ])('ends its loan at %s', (_, message) => {
    const { thread, noted, order } = lentHere()
    order(message)
    expect([noted, thread.posted]).toEqual([['gone: sent an unreadable message'], []])
  })

  test('ends its loan at a confirmation of what it has not sent', () => {
    const { lent, noted } = lentHere()
    lent.take({ kind: 'tell', seat: 0, piece: { number: 0, upTo: 5, last: false, bytes: null } })
    expect(noted).toEqual(['gone: sent an unreadable message'])
  })

  test('does nothing for messages to threads of another kind', () => {
    const { lent, thread, noted, pieces } = lentHere()
    for (const message of [
      { kind: 'clock', seat: 0, trip: 1 },
      { kind: 'hang', seat: 0, at: 5 },
    ] as const)
      lent.take(message)
    expect([noted, thread.posted, pieces]).toEqual([[], [], []])
  })

  test('does not pass on what the code of a module says by itself', () => {
    const { thread, heard, noted } = lentHere()
    for (const message of [undefined, null, 'text', 5, { kind: 'done' }, []]) thread.emit('message', message)
    expect([heard, noted]).toEqual([[], []])
  })

  test('reports an error outside its work, and its end with the code', () => {
    const { thread, noted } = lentHere()
    thread.emit('error', new Error('no such file'))
    thread.emit('error', 'just words')
    thread.emit('exit', 7)
    expect(noted).toEqual(['error no such file', 'error just words', 'gone: ended a thread with code 7'])
  })

  test('sends again every quarter of a second what is not confirmed: after half a second first', () => {
    const { thread, pieces, order } = lentHere()
    order({ apportion: 'hello', stages: [] })
    const before = pieces.length
    thread.emit('message', { apportion: 'alive' })
    expect(pieces.length).toBe(before + 1)
    vi.advanceTimersByTime(250)
    const unconfirmed = pieces.length
    vi.advanceTimersByTime(250)
    // Only the conductor's tick confirms it, and the conductor is the test.
    expect([unconfirmed - before, pieces.length - unconfirmed]).toEqual([1, 1])
    expect(pieces.at(-1)).toMatchObject({ number: 0, last: true })
  })

  test('confirms within a quarter of a second what came', () => {
    const { pieces, order } = lentHere()
    order({ apportion: 'hello', stages: [] })
    expect(pieces).toEqual([])
    vi.advanceTimersByTime(250)
    expect(pieces).toMatchObject([{ upTo: 1, bytes: null }])
    vi.advanceTimersByTime(2000)
    expect(pieces).toHaveLength(1)
  })

  describe('that has ended', () => {
    test('is told to stop, has twenty milliseconds for it, and is no longer heard', () => {
      const { lent, thread, noted, heard, order } = lentHere()
      order(batchOf(0, [1]))
      noted.length = 0
      lent.end()
      expect([thread.posted.at(-1), thread.terminated]).toEqual([{ apportion: 'end' }, 0])
      vi.advanceTimersByTime(19)
      expect(thread.terminated).toBe(0)
      thread.emit(
        'message',
        replyTo(batchOf(0, [1]), (n: number) => n),
      )
      thread.emit('error', new Error('late'))
      vi.advanceTimersByTime(1)
      thread.emit('exit', 1)
      expect([thread.terminated, noted, heard]).toEqual([1, [], []])
    })

    test('ends once, and leaves no timer', () => {
      const { lent, thread, pieces, order } = lentHere()
      order(batchOf(0, [1]))
      lent.end()
      lent.end()
      vi.advanceTimersByTime(1000)
      expect([
        thread.posted.filter(({ apportion }) => apportion === 'end').length,
        thread.terminated,
        vi.getTimerCount(),
      ]).toEqual([1, 1, 0])
      expect(pieces).toEqual([])
    })
  })
})

describe('an output that cannot travel', () => {
  const served = (alter: (reply: ThreadReply) => ThreadReply, ...inputs: readonly number[]) => {
    const { thread, heard, noted, order } = lentHere()
    order(batchOf(1, inputs))
    thread.emit('message', alter(replyTo(batchOf(1, inputs), (n: number) => n)))
    expect(noted.at(-1)).toBe(`served ${inputs.length}`)
    const [{ values, thrown, ended }] = heard as ThreadReply[]
    return { values, ended: [...ended], thrown: thrown.map(({ job, error }) => [job, (error as Error).message]) }
  }
  const withValue = (at: number, value: unknown) => (reply: ThreadReply) => ({
    ...reply,
    values: reply.values.map((each, k) => (k === at ? value : each)),
  })
  const long = new Uint8Array(MAX_VALUE)

  test('has failed in words, with the number of its job; the others have their outputs and times', () => {
    expect(
      served(
        withValue(1, () => 1),
        7,
        8,
        9,
      ),
    ).toEqual({
      values: [7, 9],
      ended: [100, 102],
      thrown: [[11, 'The result cannot be sent to another thread: a function cannot be sent to another machine']],
    })
    const { values, ended, thrown } = served(withValue(0, long), 7, 8)
    expect([values, ended]).toEqual([[8], [101]])
    expect(thrown).toEqual([
      [
        10,
        expect.stringMatching(
          /^The result cannot be sent to another thread: it has 40000\d\d bytes; a room carries 4000000 at most\.$/,
        ),
      ],
    ])
  })

  test('is not one of several outputs that are too long only together', () => {
    const part = new Uint8Array(MAX_VALUE / 2)
    const { values, thrown } = served((reply) => ({ ...reply, values: [part, part.slice(), part.slice()] }), 1, 2, 3)
    expect([values.map((value) => (value as Uint8Array).length), thrown]).toEqual([
      [part, part, part].map(({ length }) => length),
      [],
    ])
  })

  test('may have been thrown: then its text is sent', () => {
    const { thread, heard, order } = lentHere()
    order(batchOf(1, [5, 6]))
    const error = Object.assign(new Error('as it was'), { cause: () => 1 })
    thread.emit('message', { ...replyTo(batchOf(1, [6]), (n: number) => n), thrown: [{ job: 10, error }] })
    expect(heard).toMatchObject([{ values: [6], thrown: [{ job: 10, error: { message: 'as it was' } }] }])
    expect((heard[0] as ThreadReply).thrown[0].error).not.toHaveProperty('cause')
  })
})

describe('the functions of a module', () => {
  test('are what it says when it is asked; then its thread ends', async () => {
    const names = functionsIn(module)
    const [thread] = started
    expect([thread.module, thread.posted]).toEqual([module, [{ apportion: 'hello', stages: [] }]])
    for (const message of [
      'text',
      { apportion: 'alive' },
      { names: ['not', 'these'] },
      { apportion: 'done', names: ['nor', 'these'] },
    ])
      thread.emit('message', message)
    expect(thread.terminated).toBe(0)
    thread.emit('message', { apportion: 'ready', names: ['first', 'second'], clock: 1 })
    expect(await names).toEqual(['first', 'second'])
    expect(thread.terminated).toBe(1)
  })

  test.each<[string, string, (thread: MadeUpThread) => unknown]>([
    ['cannot be loaded', 'no such file', (thread) => thread.emit('error', new Error('no such file'))],
    ['ends by itself', 'it does not call serve() of apportion/worker', (thread) => thread.emit('exit', 0)],
    [
      'says nothing for half a minute',
      'it does not call serve() of apportion/worker',
      () => vi.advanceTimersByTime(30_000),
    ],
  ])('are not known of one that %s', async (_, words, happens) => {
    const names = functionsIn(module)
    const outcome = expect(names).rejects.toThrow(words)
    happens(started[0])
    await outcome
    expect(started[0].terminated).toBe(1)
  })

  test('may take up to half a minute to load', async () => {
    const names = functionsIn(module)
    vi.advanceTimersByTime(29_999)
    started[0].emit('message', { apportion: 'ready', names: [], clock: 1 })
    expect(await names).toEqual([])
  })
})
