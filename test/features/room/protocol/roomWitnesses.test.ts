import { beforeEach, describe, expect, test } from 'vitest'
import type { BatchAnswer, BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import { kernelFunctions } from '../../../../src/engine/work/kernels.ts'
import { tileOf } from '../../../../src/engine/work/mandelbrot.ts'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import type { Loan } from '../../../../src/features/room/protocol/loan.ts'
import {
  type Addressed,
  type Down,
  packPresence,
  packUp,
  type Up,
} from '../../../../src/features/room/protocol/messages.ts'
import { readDown } from '../../../../src/features/room/protocol/readMessages.ts'
import { createRoomThreads } from '../../../../src/features/room/protocol/roomThreads.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { MemoryBroker, type MemoryCarrier } from '../../../fixtures/memoryBroker.ts'
import { MadeUpTime } from '../../../seeds/madeUpTime.ts'

const second = 1_000_000
const picture = { kind: 'image', width: 32, height: 16, tile: 16, x: -0.6, y: 0.1, span: 3.2, iterations: 20 } as const
const bare = tileOf(picture, 1)
const counted = kernelFunctions.mandelbrot(bare) as typeof bare
const order: BatchOrder = {
  work: 'mandelbrot',
  stage: 0,
  switchCosts: [0],
  jobs: [4],
  services: [10],
  failing: [],
  payloads: [bare],
}
const reply: Reply = { began: 5, ended: [15], threw: null, payloads: [counted] }
const forged: Reply = { ...reply, payloads: [{ ...counted, counts: counted.counts?.map((n) => n + 1) ?? null }] }

let time: MadeUpTime
let host: MemoryCarrier
let devices: MemoryCarrier
let sent: [device: string, message: Addressed<Down>][]
let lost: string[]
let rung: number
let threads: ReturnType<typeof createRoomThreads>

const settled = () => new Promise((resolve) => setTimeout(resolve))

function pass(micros: number): void {
  let over = false
  time.later(micros, () => {
    over = true
  })
  while (!over) time.step()
}

function opened(verify: number): void {
  time = new MadeUpTime(createChance(1))
  const broker = new MemoryBroker({ later: (micros, call) => time.later(micros, call), ways: () => [0] })
  sent = []
  lost = []
  rung = 0
  devices = broker.connect({ clientId: 'devices' })
  devices.subscribe(deviceTopic('R', '+', 'down'), (topic, bytes) => {
    const message = readDown(bytes)
    if (message !== null) sent.push([topic.split('/')[4], message])
  })
  host = broker.connect({ clientId: 'host' })
  threads = createRoomThreads(host, 'R', [], { now: time.now, every: time.every }, verify)
  threads.newWorkers.onNewWorker(() => rung++)
}

function come(device: string, lends: number, { life = 'x', name = '', connection = 1 } = {}): void {
  devices.publish(
    deviceTopic('R', device, 'is'),
    packPresence({ life, connection, name, build: 'b', threads: lends, lacks: [], roundTrip: null }),
  )
  pass(1)
}

function say(device: string, message: Up): void {
  devices.publish(deviceTopic('R', device, 'up'), packUp({ ...message, conductor: sent[0][1].conductor }))
  pass(1)
}

interface Taken {
  readonly loan: Loan
  readonly device: string
  readonly number: number
  readonly answers: BatchAnswer[]
}

/** Takes a thread on loan, which serves. */
function take(): Taken {
  const answers: BatchAnswer[] = []
  const loan = threads.start(0, { error: () => {}, lost: (reason) => lost.push(reason) })
  loan.port.onmessage = ({ data }) => answers.push(data)
  void loan.hello()
  pass(1)
  const [device, { seat }] = sent[sent.length - 1]
  say(device, { kind: 'hello', seat })
  return { loan, device, number: seat, answers }
}

const batches = (from = 0) =>
  sent
    .slice(from)
    .flatMap(([device, message]) => (message.kind === 'batch' ? [`${device} ${message.seat} ${message.number}`] : []))
const answer = ({ device, number }: Taken, batch: number, given: Reply) =>
  say(device, { kind: 'answer', seat: number, number: batch, reply: given })
const ask = (taken: Taken, batch = order) => {
  taken.loan.port.postMessage({ number: 0, batch })
  pass(1)
}

/** Devices that lend a thread each, all of which are on loan. */
function lending(names: readonly string[]): Taken[] {
  for (const name of names) come(name, 1, { name })
  return names.map(take)
}

describe('where two devices are to make a picture', () => {
  beforeEach(() => opened(2))

  test('one other is asked, and its answer lets the first one count', async () => {
    const [a, b] = lending(['a', 'b', 'c'])
    ask(a)
    answer(a, 0, reply)
    await settled()
    pass(1)
    expect([batches(), a.answers.length]).toEqual([['a 0 0', 'b 1 0'], 0])
    answer(b, 0, reply)
    await settled()
    expect([batches().length, a.answers, lost]).toEqual([2, [{ number: 0, reply }], []])
  })

  test('the one that has the least to do is asked, and never the device itself', async () => {
    for (const name of ['a', 'b', 'c']) come(name, 2)
    const [a, b, c] = [take(), take(), take()]
    const [a2, b2] = [take(), take()]
    expect([a, b, c, a2, b2].map(({ device }) => device)).toEqual(['a', 'b', 'c', 'a', 'b'])
    for (const busy of [b, c]) ask(busy, { ...order, work: 'wait', payloads: null })
    ask(a)
    const from = sent.length
    answer(a, 0, reply)
    await settled()
    pass(1)
    expect(batches(from)).toEqual([`b ${b2.number} 0`])
  })

  test('one that did not answer, and one that was not heard since the connection was lost, are not asked', async () => {
    const [a, b, c] = lending(['a', 'b', 'c'])
    come('b', 2, { name: 'b' })
    const b2 = take()
    expect(b2.device).toBe('b')
    // It ends with something that was asked again.
    ask(b, { ...order, work: 'wait', payloads: null })
    pass(3 * second)
    b.loan.end()
    ask(a)
    const from = sent.length
    answer(a, 0, reply)
    await settled()
    pass(1)
    expect(batches(from)).toEqual([`c ${c.number} 0`])
    host.cut()
    pass(second)
    host.comeBack()
    pass(1)
    come('a', 1, { name: 'a' })
    come('b', 2, { name: 'b' })
    ask(a)
    const back = sent.length
    answer(a, 1, reply)
    await settled()
    pass(1)
    // c has said nothing yet.
    expect(batches(back).filter((batch) => !batch.endsWith(' 0') || batch.startsWith('b'))).toEqual([
      `b ${b2.number} 0`,
    ])
  })

  test('no device is asked that has not been heard since the connection came back', async () => {
    const [a] = lending(['a', 'b'])
    ask(a)
    host.cut()
    host.comeBack()
    pass(1)
    const from = sent.length
    answer(a, 0, reply)
    await settled()
    pass(1)
    expect([batches(from).filter((batch) => batch.startsWith('b')), a.answers.length]).toEqual([[], 1])
  })

  test('a device with another picture is lost by name, whether it was asked or asks', async () => {
    const [a, b] = lending(['a', 'b'])
    ask(a)
    answer(a, 0, reply)
    await settled()
    pass(1)
    answer(b, 0, forged)
    await settled()
    expect([a.answers.length, lost]).toEqual([1, ['gave a wrong result: b']])
    opened(2)
    const [first, second] = lending(['first', 'second'])
    ask(first)
    answer(first, 0, forged)
    await settled()
    pass(1)
    answer(second, 0, reply)
    await settled()
    expect([first.answers, lost]).toEqual([[], ['gave a wrong result: first']])
  })

  test('no device is asked about a job that was to fail, or about other work', async () => {
    const [a] = lending(['a', 'b'])
    ask(a, { ...order, failing: [4] })
    answer(a, 0, { began: 5, ended: [], threw: { job: 4, reason: 'as declared' }, payloads: null })
    ask(a, { ...order, work: 'wait', payloads: null })
    answer(a, 1, { ...reply, payloads: null })
    await settled()
    pass(1)
    expect([batches(), a.answers.length, lost]).toEqual([['a 0 0', 'a 0 1'], 2, []])
  })

  test('a device that is alone serves alone', async () => {
    const [a] = lending(['a'])
    ask(a)
    answer(a, 0, forged)
    await settled()
    expect([batches(), a.answers.length]).toEqual([['a 0 0'], 1])
  })
})

test('where one device is enough, no other is asked', async () => {
  opened(1)
  const [a] = lending(['a', 'b'])
  ask(a)
  answer(a, 0, forged)
  await settled()
  pass(1)
  expect([batches(), a.answers.length]).toEqual([['a 0 0'], 1])
})

describe('the devices of a room', () => {
  test.each([
    ['by name', 'Liar', 'sent an unreadable message: Liar'],
    ['without a name if it has none', '', 'sent an unreadable message'],
  ])('are lost %s', (_, name, reason) => {
    opened(1)
    come('a', 1, { name })
    threads.start(0, { error: () => {}, lost: (reason) => lost.push(reason) })
    devices.publish(deviceTopic('R', 'a', 'up'), Uint8Array.of(1))
    pass(1)
    expect(lost).toEqual([reason])
  })

  test('have as many free threads as they say now, and never fewer than none', () => {
    opened(1)
    come('a', 2)
    come('b', 1)
    const taken = [take(), take(), take()]
    expect([taken.map(({ device }) => device).sort(), threads.newWorkers.free()]).toEqual([['a', 'a', 'b'], 0])
    come('b', 4)
    expect(threads.newWorkers.free()).toBe(3)
    // It lends fewer than are on loan.
    come('a', 1)
    expect(threads.newWorkers.free()).toBe(3)
  })

  test('that introduced themselves unreadably stay refused, until they start again', () => {
    opened(1)
    come('a', 2)
    devices.publish(deviceTopic('R', 'a', 'is'), Uint8Array.of(1, 2, 3))
    pass(1)
    come('a', 2)
    come('a', 2, { connection: 2 })
    expect(threads.newWorkers.free()).toBe(0)
    come('a', 2, { life: 'y' })
    expect(threads.newWorkers.free()).toBe(2)
  })

  test('are looked at again from time to time, and whenever one comes or says that it is there', () => {
    opened(1)
    come('a', 1)
    expect(rung).toBeGreaterThan(0)
    const [before, again] = [rung, () => rung]
    come('a', 1)
    const heard = again()
    pass(second)
    expect([heard > before, again() > heard]).toEqual([true, true])
  })

  test('without a connection offer nothing, and the time that passes does not count as waiting', () => {
    opened(1)
    come('a', 1)
    pass(second)
    const before = threads.newWorkers.waited()
    pass(second / 10)
    host.cut()
    // What passed until then counts, and what passes from now on does not.
    pass(9 * second)
    expect([threads.newWorkers.free(), threads.newWorkers.waited() - before]).toEqual([
      0,
      expect.closeTo(second / 10, -2),
    ])
    host.comeBack()
    pass(second / 10)
    expect(threads.newWorkers.waited() - before).toBeCloseTo(second / 5, -2)
  })
})
