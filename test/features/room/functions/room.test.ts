import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  FUNCTIONS_BUILD,
  functionsAddress,
  MAX_VALUE,
  problemOf,
  type RoomOptions,
  room,
} from '../../../../src/features/room/functions/room.ts'
import { packValue } from '../../../../src/features/room/functions/structured.ts'
import type { CarrierOptions } from '../../../../src/features/room/protocol/carrier.ts'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { packUp } from '../../../../src/features/room/protocol/messages.ts'
import type { FromThread, ThreadReply, ToThread } from '../../../../src/features/runner/protocol.ts'
import type { ThreadSource } from '../../../../src/features/runner/threads.ts'
import type { RemoteWorker } from '../../../../src/features/runner/workerThread.ts'
import type { RoomAddress } from '../../../../src/runs/remote/remoteEngine.ts'
import { MemoryBroker, type MemoryCarrier } from '../../../fixtures/memoryBroker.ts'
import { often } from '../../../fixtures/often.ts'
import { type Batch, type DeviceOptions, madeUpDevice, replyTo } from './madeUpDevice.ts'

const client = '../../../../src/features/room/brokerClient/openCarrier.ts'
const opened: { readonly address: RoomAddress; readonly options: CarrierOptions; readonly carrier: MemoryCarrier }[] =
  []
/** Why connections are refused, in order; null: this one is not. `wait`: resolves when it is there. */
const refusals: (string | null)[] = []
let connecting: Promise<void> = Promise.resolve()
let begun = 0
let broker: MemoryBroker

const openCarrier = async (address: RoomAddress, options: CarrierOptions) => {
  begun++
  await connecting
  const refusal = refusals.shift() ?? null
  if (refusal !== null) throw new Error(refusal)
  const carrier = broker.connect(options)
  opened.push({ address, options, carrier })
  return carrier
}
beforeAll(async () => {
  vi.doMock(client, () => ({ openCarrier }))
  // Loaded now, so that it takes no time later.
  await import(client)
})
afterAll(() => void vi.doUnmock(client))

const sources: ThreadSource[] = []
beforeEach(() => {
  vi.useFakeTimers()
  broker = new MemoryBroker({ later: (_, call) => void setTimeout(call), ways: () => [0] })
})
afterEach(() => {
  for (const source of sources.splice(0)) source.close()
  opened.length = 0
  begun = 0
  refusals.length = 0
  connecting = Promise.resolve()
  vi.useRealTimers()
})

const TOKEN = 'abcdefghijklmnop'
const LINK = `http://h:1/join.html#room=R.${TOKEN}`
const settled = (milliseconds = 10) => vi.advanceTimersByTimeAsync(milliseconds)

function sourceOf(options: RoomOptions = {}, link = LINK): ThreadSource {
  const source = room(link, options)
  sources.push(source)
  return source
}

async function openSource(
  options: RoomOptions = {},
  trouble: (error: Error) => void = () => {},
  link = LINK,
): Promise<ThreadSource> {
  const source = sourceOf(options, link)
  const open = source.open(['first', 'second'], trouble)
  await vi.dynamicImportSettled()
  await settled(400)
  await open
  return source
}

/** Takes a thread, and notes all that it tells. */
function take(source: ThreadSource, worker = 0) {
  const thread: RemoteWorker = source.start(worker)
  const heard: FromThread[] = []
  const errors: string[] = []
  const lost: string[] = []
  const order: string[] = []
  thread.on('message', (message: FromThread) => {
    heard.push(message)
    order.push(message.apportion === 'done' ? `${message.number}` : message.apportion)
  })
  thread.on('error', (error: Error) => errors.push(error.message))
  thread.on('lost', (reason: string) => {
    lost.push(reason)
    order.push('lost')
  })
  return {
    thread,
    heard,
    errors,
    lost,
    order,
    replies: () => heard.filter((message): message is ThreadReply => message.apportion === 'done'),
  }
}

const hello: ToThread = { apportion: 'hello', stages: [] }
const batchOf = (number: number, values: readonly unknown[], more: Partial<Batch> = {}): Batch => ({
  ...{
    apportion: 'batch',
    number,
    stage: 0,
    jobs: Int32Array.from(values, (_, k) => 10 * number + k),
    tries: null,
    values,
  },
  ...{ redo: null, keep: false, through: [], forget: [], ...more },
})
const device = (id: string, options?: DeviceOptions) => madeUpDevice(broker, id, options)
const increments = (batch: Batch) => replyTo(batch, (n: number) => n + 1)

describe('the link of a room for functions', () => {
  test.each([
    ['ws://mq:1883/x', { broker: 'ws://mq:1883/x', room: 'functions', token: '' }],
    ['wss://mq/x#room=Lab', { broker: 'wss://mq/x', room: 'Lab', token: '' }],
    ['mqtt://mq:1883#room=Lab.s-e_cret', { broker: 'mqtt://mq:1883', room: 'Lab', token: 's-e_cret' }],
    ['mqtts://user@mq', { broker: 'mqtts://user@mq', room: 'functions', token: '' }],
    [
      `wss://mq/x?a=1#room=${'R'.repeat(40)}.${'t'.repeat(86)}`,
      { broker: 'wss://mq/x?a=1', room: 'R'.repeat(40), token: 't'.repeat(86) },
    ],
  ])('may be the address of a broker: %s', (link, address) => {
    expect(functionsAddress(link)).toEqual({ ...address, role: 'join' })
  })

  test.each([
    ['ws://mq/#room=', '"#room=" is not a room. Allowed: #room=NAME or #room=NAME.TOKEN.'],
    ['ws://mq/#room=a.', '"#room=a." is not a room.'],
    ['ws://mq/#room=a.b.c', '"#room=a.b.c" is not a room.'],
    ['ws://mq/#room=a/b', '"#room=a/b" is not a room.'],
    ['ws://mq/#host=a', '"#host=a" is not a room.'],
    ['ws://mq/#x#room=a', 'is not a room.'],
    [`ws://mq/#room=${'R'.repeat(41)}`, 'is not a room.'],
    [`ws://mq/#room=R.${'t'.repeat(87)}`, 'is not a room.'],
    ['ws://', '"ws://" is not a link. Copy the whole link and try again.'],
    ['http://h/join.html', '"http://h/join.html" is not a link of a room. Copy the whole link and try again.'],
    ['xws://mq', '"xws://mq" is not a link of a room.'],
    ['http://h/join.html#room=R.short', 'The token of the room is incomplete.'],
    [`http://h/#host=R.${TOKEN}.short`, 'The token of the room is incomplete.'],
  ])('is refused with a reason: %s', (link, words) => {
    const address = functionsAddress(link)
    expect(address instanceof Error && address.message).toContain(words)
    expect(() => room(link)).toThrow(TypeError)
    expect(() => room(link)).toThrow(words)
  })

  test('may be that of a device or of a host, and says on how many devices outputs are computed unless the code does', () => {
    const verifyOf = (link: string, options: RoomOptions = {}) => room(link, options).verify
    expect(functionsAddress(LINK)).toEqual({ broker: 'ws://h:1/mqtt', room: 'R', role: 'join', token: TOKEN })
    expect(functionsAddress(`http://h:1/#host=R.${TOKEN}`)).toMatchObject({ role: 'host', token: TOKEN })
    expect([
      verifyOf(LINK),
      verifyOf(`${LINK}&verify=3`),
      verifyOf(`${LINK}&verify=3`, { verify: 2 }),
      verifyOf(LINK, { verify: 9 }),
    ]).toEqual([1, 3, 2, 9])
    expect(verifyOf(`${LINK}&verify=3`, { verify: 1 })).toBe(1)
    for (const verify of [0, 10, 2.5, Number.NaN, '2' as never])
      expect(() => room(LINK, { verify })).toThrow(RangeError)
  })
})

describe('a room', () => {
  test('says how long a run waits: for a device ten seconds, unless the code says otherwise; for a lost connection three more', () => {
    expect([
      sourceOf().newWorkers.patience,
      sourceOf({ patience: 1500 }).newWorkers.patience,
      sourceOf({ patience: 0 }).newWorkers.patience,
    ]).toEqual([10_000_000, 1_500_000, 0])
    expect(sourceOf().unnoticed).toBe(3_000_000)
  })

  test('has no threads before a run begins, and none after it is closed', async () => {
    device('a', { threads: 3 })
    const source = sourceOf()
    expect([source.newWorkers.free(), source.newWorkers.waited(), opened.length]).toEqual([0, 0, 0])
    expect(() => source.start(0)).toThrow('no device in the room is free')
    const open = source.open(['first'], () => {})
    await vi.dynamicImportSettled()
    await settled(400)
    await open
    expect([source.newWorkers.free(), opened.length]).toEqual([3, 1])
    source.close()
    expect([source.newWorkers.free(), source.newWorkers.waited()]).toEqual([0, 0])
    expect(() => source.start(0)).toThrow('no device in the room is free')
    await settled()
    expect(opened[0].carrier.ended).toBe(true)
  })

  test('waits a third of a second until the broker has listed the devices', async () => {
    device('a')
    const source = sourceOf()
    let open = false
    void source
      .open(['first'], () => {})
      .then(() => {
        open = true
      })
    await settled(299)
    expect([open, source.newWorkers.free()]).toEqual([false, 0])
    await settled(1)
    expect([open, source.newWorkers.free()]).toEqual([true, 1])
  })

  test('connects as a client for functions, or as a host with the link of a host, under a new name each time', async () => {
    await openSource()
    await openSource({}, () => {}, `http://h:1/#host=R.${TOKEN}`)
    await openSource()
    const names = opened.map(({ options }) => options.clientId)
    expect(names.map((name) => /^(fn|host)[a-z0-9]{5,}$/.exec(name)?.[1])).toEqual(['fn', 'host', 'fn'])
    expect(new Set(names).size).toBe(3)
    expect(opened.map(({ address, options }) => [address.role, address.token, options.willTopic])).toEqual([
      ['join', TOKEN, undefined],
      ['host', TOKEN, undefined],
      ['join', TOKEN, undefined],
    ])
  })

  test('connects once for several runs, and again after it was closed or could not connect', async () => {
    const source = await openSource()
    await source.open(['first'], () => {})
    expect(opened).toHaveLength(1)
    source.close()
    const again = source.open(['first'], () => {})
    await vi.dynamicImportSettled()
    await settled(400)
    await again
    expect(opened).toHaveLength(2)
    expect(opened.map(({ carrier }) => carrier.ended)).toEqual([true, false])
    source.close()
    refusals.push('the room is full')
    await expect(source.open(['first'], () => {})).rejects.toThrow('the room is full')
    const third = source.open(['first'], () => {})
    await vi.dynamicImportSettled()
    await settled(400)
    await third
    expect(opened).toHaveLength(3)
  })

  test('that is closed while it connects gives the connection back, and is not open then', async () => {
    device('a')
    let there = () => {}
    connecting = new Promise((resolve) => {
      there = resolve
    })
    const source = sourceOf()
    const open = source.open(['first'], () => {})
    source.close()
    await vi.dynamicImportSettled()
    there()
    await settled(400)
    await open
    await settled()
    expect([opened.map(({ carrier }) => carrier.ended), source.newWorkers.free()]).toEqual([[true], 0])
    expect(() => source.start(0)).toThrow('no device in the room is free')
    expect(source.newWorkers.waited()).toBe(0)
  })

  test('that is closed while it connects, and opened again, has the later connection alone', async () => {
    device('a')
    let there = () => {}
    connecting = new Promise((resolve) => {
      there = resolve
    })
    const source = sourceOf()
    const first = source.open(['first'], () => {})
    await expect.poll(() => begun, often).toBe(1)
    source.close()
    refusals.push('no place', null)
    const second = source.open(['first'], () => {})
    await expect.poll(() => begun, often).toBe(2)
    there()
    await expect(first).rejects.toThrow('no place')
    await expect.poll(() => opened.length, often).toBe(1)
    await settled(400)
    await second
    expect([opened.map(({ carrier }) => carrier.ended), source.newWorkers.free()]).toEqual([[false], 1])
    // The failure of the first one does not make it connect a third time.
    await source.open(['first'], () => {})
    expect(opened).toHaveLength(1)
  })

  test('reports new threads to listeners that were added before it was open, and to later ones', async () => {
    const source = sourceOf()
    const rung: string[] = []
    source.newWorkers.onNewWorker(() => rung.push('before'))
    const open = source.open(['first'], () => {})
    await vi.dynamicImportSettled()
    await settled(400)
    await open
    device('a')
    await settled()
    expect(new Set(rung)).toEqual(new Set(['before']))
    source.newWorkers.onNewWorker(() => rung.push('later'))
    const count = rung.length
    device('b')
    await settled()
    expect([rung.length > count, new Set(rung.slice(count))]).toEqual([true, new Set(['later'])])
  })

  test('counts the time in which devices could have come', async () => {
    const source = await openSource()
    const before = source.newWorkers.waited()
    await settled(2000)
    expect(source.newWorkers.waited() - before).toBeGreaterThan(1_900_000)
  })
})

describe('a broker that does not answer', () => {
  const troubleAfter = async (options: RoomOptions, milliseconds: number) => {
    const troubles: string[] = []
    await openSource(options, ({ message }) => troubles.push(message))
    opened[0].carrier.cut()
    await settled(milliseconds)
    return troubles
  }

  test('ends the run after a minute, or after the time that the code says', async () => {
    expect(await troubleAfter({}, 59_000)).toEqual([])
    await settled(3000)
    for (const source of sources.splice(0)) source.close()
    opened.length = 0
    expect((await troubleAfter({}, 61_000))[0]).toBe('The broker of the room has not answered for 60 s.')
    for (const source of sources.splice(0)) source.close()
    opened.length = 0
    expect((await troubleAfter({ patience: 2500 }, 4000))[0]).toBe('The broker of the room has not answered for 2.5 s.')
  })

  test('does no harm if it answers again: the next silence counts from its own beginning', async () => {
    const troubles: string[] = []
    await openSource({ patience: 3000 }, ({ message }) => troubles.push(message))
    const [{ carrier }] = opened
    for (let k = 0; k < 4; k++) {
      carrier.cut()
      await settled(2000)
      carrier.comeBack()
      await settled(5000)
    }
    expect(troubles).toEqual([])
    carrier.cut()
    await settled(2000)
    expect(troubles).toEqual([])
    await settled(2000)
    expect(troubles.length).toBeGreaterThan(0)
  })

  test('is told to the latest run, and to none once the room is closed', async () => {
    const troubles: string[] = []
    const source = await openSource({ patience: 1000 }, () => troubles.push('first'))
    await source.open(['first'], () => troubles.push('second'))
    opened[0].carrier.cut()
    await settled(1100)
    expect(new Set(troubles)).toEqual(new Set(['second']))
    source.close()
    await settled()
    const count = troubles.length
    await settled(10_000)
    expect(troubles).toHaveLength(count)
  })
})

describe('a thread of a device', () => {
  test('is asked for with the names of the stages, and told everything in order once it has started', async () => {
    const a = device('a', { starts: false })
    const { thread } = take(await openSource(), 4)
    expect(a.sent).toEqual([])
    thread.postMessage(hello)
    thread.postMessage(batchOf(0, [1]))
    await settled(100)
    expect(a.sent).toMatchObject([
      {
        kind: 'hello',
        seat: 0,
        worker: 4,
        stages: [
          { name: 'first', colour: 0 },
          { name: 'second', colour: 1 },
        ],
      },
    ])
    expect(a.told).toEqual([])
    a.begin(0)
    await settled()
    thread.postMessage(batchOf(1, [2]))
    await settled()
    expect(a.told.map((message) => (message.apportion === 'batch' ? message.number : message.apportion))).toEqual([
      'hello',
      0,
      1,
    ])
    expect(a.sent.filter(({ kind }) => kind === 'hello')).toHaveLength(1)
  })

  test('is heard: that it is ready and alive, and its replies, each once', async () => {
    const a = device('a', { serve: increments })
    const { thread, heard } = take(await openSource())
    thread.postMessage(hello)
    await settled()
    a.say({ apportion: 'ready', names: ['first'], clock: 5 })
    a.say({ apportion: 'alive' })
    thread.postMessage(batchOf(3, [1, 2]))
    await settled()
    expect(heard.slice(0, 2)).toEqual([{ apportion: 'ready', names: ['first'], clock: 5 }, { apportion: 'alive' }])
    expect(heard.slice(2)).toMatchObject([{ apportion: 'done', number: 3, values: [2, 3], kept: false }])
  })

  test.each<[string, unknown]>([
    ['a time that is none', { apportion: 'ready', names: [], clock: Number.NaN }],
    ['no time', { apportion: 'ready', names: [] }],
    ['no names', { apportion: 'ready', names: 'first', clock: 1 }],
    ['no kind', { names: [], clock: 1 }],
    ['nothing', null],
    ['a text', 'ready'],
    ['another kind', { apportion: 'hello', stages: [] }],
  ])('that says it is ready with %s is lost by the name of its device', async (_, message) => {
    const a = device('a', { name: 'Lab 3' })
    const { thread, lost, heard } = take(await openSource())
    thread.postMessage(hello)
    await settled()
    a.say(message)
    await settled()
    expect([lost, heard]).toEqual([['the device "Lab 3" sent an unreadable message'], []])
  })

  test.each<[string, (reply: ThreadReply) => unknown]>([
    ['a set-up that took no time at all', (reply) => ({ ...reply, setUp: Number.NaN })],
    ['a set-up of words', (reply) => ({ ...reply, setUp: '5' })],
    ['no beginning', (reply) => ({ ...reply, began: undefined })],
    ['one time that is none', (reply) => ({ ...reply, ended: Float64Array.of(100, Infinity) })],
    ['no list of errors', (reply) => ({ ...reply, thrown: null })],
    ['no list of outputs', (reply) => ({ ...reply, values: null })],
    ['no list of what was moved', (reply) => ({ ...reply, moved: undefined })],
    ['times of single precision', (reply) => ({ ...reply, ended: Float32Array.of(100, 101) })],
    ['outputs, though it kept them', (reply) => ({ ...reply, kept: true })],
    ['an output too few', (reply) => ({ ...reply, values: [2] })],
    ['an output too many', (reply) => ({ ...reply, values: [2, 3, 4] })],
    ['one error and all outputs', (reply) => ({ ...reply, thrown: [{ job: 0, error: 1 }] })],
    [
      'an error of a job that it did not get',
      (reply) => ({ ...reply, ended: Float64Array.of(100), values: [2], thrown: [{ job: 7, error: 1 }] }),
    ],
    [
      'errors of a job of its own and of another',
      (reply) => ({ ...reply, ended: Float64Array.of(), values: [], thrown: [0, 7].map((job) => ({ job, error: 1 })) }),
    ],
    [
      'two errors of one job',
      (reply) => ({ ...reply, ended: Float64Array.of(), values: [], thrown: [0, 0].map((job) => ({ job, error: 1 })) }),
    ],
    ['the number of no batch', (reply) => ({ ...reply, number: 1 })],
  ])('that replies with %s is lost, and the reply counts for nothing', async (_, alter) => {
    device('a', { serve: (batch) => alter(increments(batch)) })
    const { thread, lost, heard } = take(await openSource())
    thread.postMessage(hello)
    thread.postMessage(batchOf(0, [1, 2]))
    await settled()
    expect([lost, heard]).toEqual([['the device "a" sent an unreadable message'], []])
  })

  test.each<[string, (reply: ThreadReply) => unknown]>([
    ['a set-up', (reply) => ({ ...reply, setUp: 12.5 })],
    [
      'errors of some jobs',
      (reply) => ({ ...reply, ended: Float64Array.of(100), values: [2], thrown: [{ job: 1, error: 'no' }] }),
    ],
    [
      'errors of all jobs',
      (reply) => ({
        ...reply,
        ended: Float64Array.of(),
        values: [],
        thrown: [1, 0].map((job) => ({ job, error: null })),
      }),
    ],
  ])('may reply with %s', async (_, alter) => {
    let made: unknown
    device('a', {
      serve(batch) {
        made = alter(increments(batch))
        return made
      },
    })
    const { thread, lost, heard } = take(await openSource())
    thread.postMessage(hello)
    thread.postMessage(batchOf(0, [1, 2]))
    await settled()
    expect([lost, heard]).toEqual([[], [made]])
  })

  test('may keep its outputs if it was asked to, and only then; one that was asked to must', async () => {
    for (const [keep, kept, fine] of [
      [true, true, true],
      [true, false, false],
      [false, true, false],
    ] as const) {
      const a = device(`k${keep}${kept}`, { serve: (batch) => replyTo({ ...batch, keep: kept }, (n: number) => n) })
      const source = await openSource()
      const { thread, lost, replies } = take(source)
      thread.postMessage(hello)
      thread.postMessage(batchOf(0, [1], { keep }))
      await settled()
      expect([replies().length, lost.length], `${keep} ${kept}`).toEqual(fine ? [1, 0] : [0, 1])
      a.leave()
      await settled()
    }
  })

  test('that answers one batch twice has broken the rules', async () => {
    const a = device('a', { serve: increments })
    const { thread, lost, replies } = take(await openSource())
    thread.postMessage(hello)
    thread.postMessage(batchOf(0, [1]))
    await settled()
    a.say(increments(batchOf(0, [1])))
    await settled()
    expect([replies().length, lost]).toEqual([1, ['the device "a" sent an unreadable message']])
  })

  test('is lost with its device, after its last reply was heard', async () => {
    const a = device('a', { name: '' })
    const { thread, order, lost } = take(await openSource())
    thread.postMessage(hello)
    thread.postMessage(batchOf(0, [1]))
    await settled()
    a.say(increments(batchOf(0, [1])))
    a.leave()
    await settled()
    expect(order).toEqual(['0', 'lost'])
    expect(lost).toEqual(['a device has left the room'])
  })

  test('that reports an error is named with it', async () => {
    const a = device('a', { name: 'Ada “1”' })
    const { thread, errors } = take(await openSource())
    thread.postMessage(hello)
    await settled()
    a.up({ kind: 'error', seat: 0, words: 'out of memory' })
    await settled()
    expect(errors).toEqual(['the device "Ada “1”": out of memory'])
  })

  test('gets its device back when it is told to end', async () => {
    const a = device('a')
    const source = await openSource()
    const { thread } = take(source)
    thread.postMessage(hello)
    await settled()
    expect(source.newWorkers.free()).toBe(0)
    thread.terminate()
    await settled()
    expect([a.sent.at(-1)?.kind, source.newWorkers.free()]).toEqual(['end', 1])
  })

  test('goes back to its device when the room is closed', async () => {
    const devices = [device('a'), device('b')]
    const source = await openSource()
    for (const worker of [0, 1]) take(source, worker).thread.postMessage(hello)
    await settled()
    source.close()
    await settled()
    expect(devices.map(({ sent }) => sent.at(-1)?.kind)).toEqual(['end', 'end'])
  })

  test('is cut off while the connection is down', async () => {
    const a = device('a')
    const { thread } = take(await openSource())
    thread.postMessage(hello)
    await settled()
    expect(thread.isCutOff()).toBe(false)
    opened[0].carrier.cut()
    expect(thread.isCutOff()).toBe(true)
    opened[0].carrier.comeBack()
    a.present()
    await settled()
    expect(thread.isCutOff()).toBe(false)
  })

  test('is told again what it has not confirmed: after half a second, and at once when it has come back', async () => {
    const a = device('a')
    const { thread } = take(await openSource())
    thread.postMessage(hello)
    await settled(400)
    const count = () => a.sent.length
    a.carrier.cut()
    thread.postMessage(batchOf(0, [1]))
    await settled(100)
    a.carrier.comeBack(false)
    expect(a.batches()).toHaveLength(0)
    await settled(1500)
    expect(a.batches()).toHaveLength(1)
    const before = count()
    a.carrier.cut()
    thread.postMessage(batchOf(1, [1]))
    await settled(10)
    a.carrier.comeBack(false)
    // It says that this is another connection, so nothing is awaited.
    a.present({ connection: 2 })
    await settled(5)
    expect([a.batches().length, count() >= before]).toEqual([2, true])
  })

  test('asks again to be started, if the first request is lost', async () => {
    const a = device('a')
    const source = await openSource()
    a.carrier.cut()
    const { thread } = take(source)
    thread.postMessage(hello)
    await settled(10)
    a.carrier.comeBack(false)
    expect(a.sent).toEqual([])
    await settled(2000)
    expect(a.told).toEqual([hello])
  })

  test('asks again at once when its device has come back', async () => {
    const a = device('a')
    const source = await openSource()
    a.carrier.cut()
    take(source).thread.postMessage(hello)
    await settled(10)
    a.carrier.comeBack(false)
    a.present({ connection: 2 })
    await settled(10)
    expect([a.sent.map(({ kind }) => kind), a.told]).toEqual([['hello'], [hello]])
  })

  test('is lost if its device sends what is no part of a message', async () => {
    const a = device('a')
    const { thread, lost } = take(await openSource())
    thread.postMessage(hello)
    await settled()
    // The confirmation of what was never sent.
    a.up({ kind: 'tell', seat: 0, piece: { number: 0, upTo: 99, last: false, bytes: null } })
    await settled()
    expect(lost).toEqual(['the device "a" sent an unreadable message'])
  })

  test('hears its own replies alone, not those of another device', async () => {
    device('a', { serve: increments })
    device('b', { serve: (batch) => replyTo(batch, (n: number) => n + 100) })
    const source = await openSource()
    const threads = [take(source, 0), take(source, 1)]
    for (const [k, { thread }] of threads.entries()) {
      thread.postMessage(hello)
      thread.postMessage(batchOf(0, [k]))
    }
    await settled()
    expect(threads.map(({ replies }) => replies().map(({ values }) => values))).toEqual([[[1]], [[101]]])
  })
})

describe('a device of another version', () => {
  const words = `runs another version of apportion ("functions 0", here "${FUNCTIONS_BUILD}"). Install the same on both.`

  test('ends the run if no thread has served it yet, and is asked for nothing', async () => {
    const a = device('a', { build: 'functions 0' })
    const { thread, errors, lost } = take(await openSource())
    thread.postMessage(hello)
    await settled(3000)
    expect([errors, lost, a.sent.filter(({ kind }) => kind !== 'keep'), a.told]).toEqual([
      [`the device "a" ${words}`],
      [],
      [],
      [],
    ])
    expect(thread.refuse('too old')).toBe(false)
  })

  test('is left out if another one serves', async () => {
    device('a', { serve: increments })
    const source = await openSource()
    const first = take(source)
    first.thread.postMessage(hello)
    first.thread.postMessage(batchOf(0, [1]))
    await settled()
    device('old', { build: 'functions 0' })
    await settled()
    const { thread, errors, lost } = take(source, 1)
    thread.postMessage(hello)
    await settled()
    expect([errors, lost]).toEqual([[], [`the device "old" ${words}`]])
    expect(source.newWorkers.free()).toBe(0)
  })

  test('is the only one that is: the same version serves', async () => {
    const a = device('a', { build: 'functions 1' })
    const { thread, errors } = take(await openSource())
    thread.postMessage(hello)
    await settled()
    expect([errors, a.told]).toEqual([[], [hello]])
  })
})

test('a thread that came after the first reply can be refused, with the reason; one that came before cannot', async () => {
  device('a', { serve: increments })
  device('b')
  const source = await openSource()
  const early = [take(source), take(source, 1)]
  for (const { thread } of early) thread.postMessage(hello)
  early[0].thread.postMessage(batchOf(0, [1]))
  early[1].thread.postMessage(batchOf(0, [1]))
  await settled()
  expect(early.map(({ thread }) => thread.refuse('lacks a function'))).toEqual([false, false])
  device('c')
  await settled()
  const late = take(source, 2)
  late.thread.postMessage(hello)
  await settled()
  expect([late.thread.refuse('lacks a function'), late.lost]).toEqual([true, []])
  await settled()
  expect(late.lost).toEqual(['the device "c" lacks a function'])
})

describe('a value', () => {
  test('may have four million bytes on its way, and not one more', async () => {
    const rest = packValue(new Uint8Array(0)).length
    const fitting = (length: number) => packValue(new Uint8Array(length)).length
    let length = MAX_VALUE - rest - 10
    while (fitting(length) < MAX_VALUE) length++
    expect([MAX_VALUE, fitting(length)]).toEqual([4_000_000, MAX_VALUE])
    expect(problemOf(new Uint8Array(length))).toBeNull()
    expect(problemOf(new Uint8Array(length + 1))).toBe('it has 4000001 bytes; a room carries 4000000 at most.')
    expect(problemOf(() => 1)).toBe('a function cannot be sent to another machine')
    const thrower = {
      get bad() {
        throw 'just words'
      },
    }
    expect(problemOf(thrower)).toBe('just words')
    device('a')
    expect(take(await openSource()).thread.problemOf(new Uint8Array(length + 1))).toContain(
      'a room carries 4000000 at most',
    )
  })

  test('that is too long is refused with its batch, which then counts for nothing; several that are long together are sent', async () => {
    const a = device('a')
    const { thread, lost } = take(await openSource())
    thread.postMessage(hello)
    await settled()
    expect(() => thread.postMessage(batchOf(0, [1, new Uint8Array(MAX_VALUE)]))).toThrow(RangeError)
    // One object that came twice would travel once.
    const halves = [0, 1, 2].map(() => new Uint8Array(MAX_VALUE / 2))
    expect(() => thread.postMessage(batchOf(1, halves))).not.toThrow()
    await settled(2000)
    expect(a.batches().map(({ number }) => number)).toEqual([1])
    // The reply to a batch that was not sent is a reply to nothing.
    a.say(increments(batchOf(0, [1, 2])))
    await settled()
    expect(lost).toHaveLength(1)
  })

  test('that cannot be copied is refused at once', async () => {
    device('a')
    const { thread } = take(await openSource())
    expect(() => thread.postMessage(batchOf(0, [() => 1]))).toThrow('a function cannot be sent to another machine')
  })
})

describe('where each output comes from two devices', () => {
  const doubled = (batch: Batch) => replyTo(batch, (n: number) => 2 * n)

  /** Two devices whose threads are started. */
  async function two(first: DeviceOptions = {}, second: DeviceOptions = {}, options: RoomOptions = { verify: 2 }) {
    const devices = [device('a', first), device('b', second)]
    const source = await openSource(options)
    const threads = [take(source, 0), take(source, 1)]
    for (const { thread } of threads) thread.postMessage(hello)
    await settled()
    const of = (k: number) =>
      devices.findIndex(({ sent }) => sent.some((message) => message.kind === 'hello' && message.worker === k))
    return { source, threads, devices: [devices[of(0)], devices[of(1)]] }
  }

  test('the other one gets the inputs, and the reply is told when it agrees', async () => {
    const { threads, devices } = await two()
    threads[0].thread.postMessage(batchOf(0, [3, 4]))
    await settled()
    devices[0].say(doubled(devices[0].batches()[0]))
    await settled()
    expect(threads[0].replies()).toEqual([])
    const [asked] = devices[1].batches()
    expect([asked.values, asked.keep, asked.redo, asked.number >= 2 ** 40]).toEqual([[3, 4], false, null, true])
    devices[1].say(doubled(asked))
    await settled()
    expect([threads[0].replies().map(({ values }) => values), threads[1].replies()]).toEqual([[[6, 8]], []])
  })

  test('two devices may have one name', async () => {
    const { threads, devices } = await two({ name: 'Lab' }, { name: 'Lab' })
    threads[0].thread.postMessage(batchOf(0, [3]))
    await settled()
    devices[0].say(doubled(devices[0].batches()[0]))
    await settled()
    expect(devices[1].batches().map(({ values }) => values)).toEqual([[3]])
  })

  test('no device keeps outputs, whatever the pipeline asks for', async () => {
    const { threads, devices } = await two()
    threads[0].thread.postMessage(batchOf(0, [3], { keep: true }))
    await settled()
    expect(devices[0].batches().map(({ keep }) => keep)).toEqual([false])
  })

  test('elsewhere a device keeps outputs if the pipeline asks for it', async () => {
    const a = device('a')
    const { thread } = take(await openSource({ verify: 1 }))
    thread.postMessage(hello)
    thread.postMessage(batchOf(0, [3], { keep: true }))
    await settled()
    expect(a.batches().map(({ keep }) => keep)).toEqual([true])
  })

  test('replies are told in the order in which they came, though a later one needs no help', async () => {
    const { threads, devices } = await two()
    threads[0].thread.postMessage(batchOf(0, [3]))
    threads[0].thread.postMessage(batchOf(1, [4], { redo: [{ stages: [0], tries: 1 }] }))
    await settled()
    const [first, second] = devices[0].batches()
    devices[0].say(doubled(first))
    devices[0].say(doubled(second))
    await settled()
    expect(threads[0].replies()).toEqual([])
    devices[1].say(doubled(devices[1].batches()[0]))
    await settled()
    expect(threads[0].replies().map(({ number }) => number)).toEqual([0, 1])
    // And nothing waits any more.
    threads[0].thread.postMessage(batchOf(2, [5], { redo: [{ stages: [0], tries: 1 }] }))
    await settled()
    devices[0].say(doubled(devices[0].batches()[2]))
    await settled()
    expect(threads[0].replies().map(({ number }) => number)).toEqual([0, 1, 2])
  })

  test('both say that they are alive while one waits for the other, and no longer', async () => {
    const { threads, devices } = await two()
    const alive = () => threads.map(({ heard }) => heard.filter(({ apportion }) => apportion === 'alive').length)
    await settled(3000)
    expect(alive()).toEqual([0, 0])
    threads[0].thread.postMessage(batchOf(0, [3]))
    await settled()
    devices[0].say(doubled(devices[0].batches()[0]))
    await settled(3000)
    expect(alive().every((count) => count > 0)).toBe(true)
    devices[1].say(doubled(devices[1].batches()[0]))
    await settled()
    const before = alive()
    await settled(3000)
    expect(alive()).toEqual(before)
  })

  test('one that does not help within a minute is not waited for, and its late reply changes nothing', async () => {
    const { threads, devices } = await two()
    threads[0].thread.postMessage(batchOf(0, [3]))
    await settled()
    devices[0].say(doubled(devices[0].batches()[0]))
    for (let second = 0; second < 58; second++) {
      for (const each of devices) each.present()
      await settled(1000)
    }
    expect(threads[0].replies()).toEqual([])
    for (let second = 0; second < 4; second++) {
      for (const each of devices) each.present()
      await settled(1000)
    }
    expect(threads[0].replies().map(({ values }) => values)).toEqual([[6]])
    const { length } = threads[1].heard
    await settled(3000)
    // It is not said to be alive for this any more.
    expect(threads[1].heard).toHaveLength(length)
    devices[1].say(doubled(devices[1].batches()[0]))
    await settled()
    expect([threads[0].replies().length, threads[1].lost, threads[1].replies()]).toEqual([1, [], []])
  })

  test.each([
    ['leaves', ([, b]: readonly { leave(): void }[]) => b.leave()],
    ['is given back', (_: unknown, thread: RemoteWorker) => thread.terminate()],
  ])('one that %s is not waited for, and not asked again', async (_, goes) => {
    const { threads, devices } = await two()
    threads[0].thread.postMessage(batchOf(0, [3]))
    await settled()
    devices[0].say(doubled(devices[0].batches()[0]))
    await settled()
    expect(threads[0].replies()).toEqual([])
    goes(devices, threads[1].thread)
    await settled()
    expect(threads[0].replies().map(({ values }) => values)).toEqual([[6]])
    threads[0].thread.postMessage(batchOf(1, [5]))
    await settled()
    devices[0].say(doubled(devices[0].batches()[1]))
    await settled()
    expect([devices[1].batches().length, threads[0].replies().length]).toEqual([1, 2])
  })

  test('the one with the least to do is asked, and none that has not started yet', async () => {
    const devices = ['slow', 'busy', 'idle', 'own'].map((id) => device(id, { starts: id !== 'slow' }))
    const source = await openSource({ verify: 2 })
    const threads = devices.map((_, worker) => take(source, worker))
    for (const { thread } of threads) thread.postMessage(hello)
    await settled()
    const [slow, busy, idle, own] = devices
    threads[1].thread.postMessage(batchOf(0, [1]))
    threads[3].thread.postMessage(batchOf(0, [3]))
    await settled()
    own.say(doubled(own.batches()[0]))
    await settled()
    expect([slow, busy, idle, own].map((each) => each.batches().map(({ values }) => values))).toEqual([
      [],
      [[1]],
      [[3]],
      [[3]],
    ])
    idle.say(doubled(idle.batches()[0]))
    await settled()
    expect(threads[3].replies().map(({ values }) => values)).toEqual([[6]])
  })

  test('inputs of several batches are not confused, in whatever order they are served', async () => {
    const { threads, devices } = await two()
    for (const number of [0, 1, 2]) threads[0].thread.postMessage(batchOf(number, [number]))
    await settled()
    for (const batch of devices[0].batches()) devices[0].say(doubled(batch))
    await settled()
    const asked = devices[1].batches()
    expect([asked.length, new Set(asked.map(({ number }) => number)).size]).toEqual([3, 3])
    for (const batch of [...asked].reverse()) devices[1].say(doubled(batch))
    await settled()
    expect(threads[0].replies().map(({ number, values }) => [number, values])).toEqual([
      [0, [0]],
      [1, [2]],
      [2, [4]],
    ])
    expect(threads.flatMap(({ lost }) => lost)).toEqual([])
  })

  test('a device that gives another output than two others is lost by name, and its reply counts for nothing', async () => {
    const wrong = (batch: Batch) => replyTo(batch, (n: number) => 2 * n + 1)
    device('liar', { serve: wrong })
    const source = await openSource({ verify: 2 })
    const liar = take(source)
    liar.thread.postMessage(hello)
    await settled()
    for (const id of ['b', 'c']) device(id, { serve: doubled })
    await settled()
    const others = [take(source, 1), take(source, 2)]
    for (const { thread } of others) thread.postMessage(hello)
    await settled()
    liar.thread.postMessage(batchOf(0, [3]))
    await settled(50)
    expect([liar.replies(), liar.lost, others.flatMap(({ lost }) => lost)]).toEqual([
      [],
      ['the device "liar" gave a wrong result'],
      [],
    ])
  })

  test('a device that was asked may be the one that lies', async () => {
    const { threads, devices } = await two()
    device('c', { serve: doubled })
    await settled()
    const third = take(sources[0], 2)
    third.thread.postMessage(hello)
    await settled()
    threads[0].thread.postMessage(batchOf(0, [3]))
    await settled()
    devices[0].say(doubled(devices[0].batches()[0]))
    await settled(50)
    const asked = devices[1].batches()[0]
    if (asked !== undefined) devices[1].say(replyTo(asked, () => 'wrong'))
    await settled(50)
    expect(threads[0].replies().map(({ values }) => values)).toEqual([[6]])
  })
})

test('messages from outside that name no seat of ours end nothing', async () => {
  device('a', { serve: increments })
  const { thread, lost, replies } = take(await openSource())
  thread.postMessage(hello)
  await settled()
  const stranger = broker.connect({ clientId: 'x' })
  stranger.publish(
    deviceTopic('R', 'a', 'up', 'f'),
    packUp({ kind: 'gone', seat: 0, words: 'ended', conductor: 'another' }),
  )
  stranger.publish(deviceTopic('R', 'a', 'up'), packUp({ kind: 'gone', seat: 0, words: 'ended', conductor: 'another' }))
  thread.postMessage(batchOf(0, [1]))
  await settled()
  expect([lost, replies().length]).toEqual([[], 1])
})
