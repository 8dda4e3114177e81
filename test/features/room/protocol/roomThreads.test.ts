import { beforeEach, describe, expect, test } from 'vitest'
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

let time: MadeUpTime
let host: MemoryCarrier
let devices: MemoryCarrier
let threads: ReturnType<typeof createRoomThreads>
/** The messages to devices, each with its receiver. */
let sent: [device: string, message: Addressed<Down>][]
let rung: number
/** Why seats were lost, by worker. */
let lost: string[]

function pass(micros: number): void {
  let over = false
  time.later(micros, () => {
    over = true
  })
  while (!over) time.step()
}

function come(device: string, lends: number, life = 'x', connection = 1, name = ''): void {
  const presence = { life, connection, name, build: 'b', threads: lends, lacks: [], roundTrip: null }
  devices.publish(deviceTopic('R', device, 'is'), packPresence(presence))
  pass(1)
}

function go(device: string): void {
  devices.publish(deviceTopic('R', device, 'is'), new Uint8Array(0))
  pass(1)
}

function say(device: string, message: Up, conductor = sent[0][1].conductor): void {
  devices.publish(deviceTopic('R', device, 'up'), packUp({ ...message, conductor }))
  pass(1)
}

/** Takes a thread on loan, and returns the device that was asked for it. */
function take(worker: number): { readonly seat: Loan; readonly device: string; readonly number: number } {
  const seat = threads.start(worker, { error: () => {}, lost: (reason) => lost.push(`${worker} ${reason}`) }) as Loan
  void seat.hello()
  pass(1)
  const [device, message] = sent[sent.length - 1]
  return { seat, device, number: message.seat }
}

const kinds = (from = 0) => sent.slice(from).map(([device, { kind }]) => `${device} ${kind}`)

beforeEach(() => {
  time = new MadeUpTime(createChance(1))
  const broker = new MemoryBroker({ later: (micros, call) => time.later(micros, call), ways: () => [0] })
  sent = []
  lost = []
  rung = 0
  devices = broker.connect('devices')
  devices.subscribe(deviceTopic('R', '+', 'down'), (topic, bytes) => {
    const message = readDown(bytes)
    if (message !== null) sent.push([topic.split('/')[4], message])
  })
  host = broker.connect('host')
  const start = () => {
    throw new Error('the room starts the threads')
  }
  threads = createRoomThreads(host, 'R', [], { now: time.now, after: time.after, every: time.every, cores: 2, start })
  threads.newWorkers.onNewWorker(() => rung++)
})

describe('the threads of a room', () => {
  test('are taken from the device with the fewest loans, of equals the first that came, until none is free', () => {
    for (const [device, lends] of [
      ['a', 2],
      ['b', 1],
      ['c', 3],
    ] as const)
      come(device, lends)
    const taken = [0, 1, 2, 3, 4, 5].map(take)
    expect(taken.map(({ device }) => device)).toEqual(['a', 'b', 'c', 'a', 'c', 'c'])
    expect(() => take(6)).toThrow('no device in the room is free')
    taken[1].seat.end()
    expect([threads.newWorkers.free(), take(7).device]).toEqual([1, 'b'])
    go('a')
    expect([lost, threads.newWorkers.free()]).toEqual([['0 has left the room', '3 has left the room'], 0])
    // A device that begins again holds nothing any more, and has come last.
    come('b', 1, 'y')
    come('a', 1)
    expect([lost.at(-1), take(8).device, take(9).device]).toEqual(['7 has started again', 'b', 'a'])
  })

  test('of a device that refuses are asked for again after two seconds', () => {
    come('a', 2)
    const { number } = take(0)
    say('a', { kind: 'hello', seat: number })
    pass(1.1 * second)
    const from = time.passed
    say('a', { kind: 'gone', seat: number, words: 'lends no more threads' })
    expect(lost).toEqual(['0 lends no more threads'])
    while (time.passed < from + 2 * second - 3) {
      expect(threads.newWorkers.free()).toBe(0)
      pass(1000)
    }
    // The next tick sees it.
    pass(0.25 * second)
    expect(threads.newWorkers.free()).toBe(2)
  })

  test('that are not on loan are ended if they send a message to this conductor, and their last message needs no answer', () => {
    come('a', 1)
    take(0)
    const before = sent.length
    for (const kind of ['hello', 'hang'] as const) say('a', { kind, seat: 77 })
    say('a', { kind: 'hello', seat: 78 }, 'another')
    say('a', { kind: 'gone', seat: 79, words: '' })
    say('stranger', { kind: 'hello', seat: 80 })
    expect(sent.slice(before).map(([device, { kind, seat }]) => [device, kind, seat])).toEqual([
      ['a', 'end', 77],
      ['a', 'end', 77],
    ])
    expect(lost).toEqual([])
  })

  test('are told every three seconds which loans are kept, and the number of the last one', () => {
    come('a', 2)
    come('b', 2)
    const taken = [0, 1, 2].map(take)
    for (const { device, number } of taken) say(device, { kind: 'hello', seat: number })
    taken[0].seat.end()
    const before = sent.length
    pass(9 * second + 1000)
    const [, b, a] = taken
    const keeps = sent
      .slice(before)
      .map(([device, message]) => [device, message.kind === 'keep' && [message.seat, ...message.keep]])
    const once = [
      ['a', [2, a.number]],
      ['b', [2, b.number]],
    ]
    expect(keeps.filter(([, kept]) => kept !== false)).toEqual([...once, ...once, ...once])
  })

  test('are cut off while the connection is lost and until their device is heard, which they wait for ten seconds', () => {
    come('a', 1)
    come('b', 2)
    const seats = [0, 1].map((worker) => take(worker).seat)
    const cutOff = () => seats.map((seat) => seat.isCutOff?.())
    expect([cutOff(), threads.newWorkers.free()]).toEqual([[false, false], 1])
    host.cut()
    const waited = threads.newWorkers.waited()
    pass(60 * second)
    expect([cutOff(), threads.newWorkers.free(), threads.newWorkers.waited() - waited, lost]).toEqual([
      [true, true],
      0,
      0,
      [],
    ])
    const before = sent.length
    host.comeBack()
    pass(1)
    expect(kinds(before)).toEqual(['a hello', 'b hello'])
    expect(cutOff()).toEqual([true, true])
    come('b', 2)
    expect([cutOff(), threads.newWorkers.free()]).toEqual([[true, false], 1])
    pass(9.7 * second)
    expect(lost).toEqual([])
    pass(0.6 * second)
    expect(lost).toEqual(['0 has not come back since the connection was lost'])
    pass(20 * second)
    expect(lost).toHaveLength(1)
  })

  test('are asked again when their device has come by a new connection', () => {
    come('a', 1)
    take(0)
    const before = sent.length
    come('a', 1)
    expect(kinds(before)).toEqual([])
    come('a', 1, 'x', 2)
    expect(kinds(before)).toEqual(['a hello'])
  })
})

test('a device that was refused is not answered any more, whatever it says', () => {
  come('a', 2)
  const { number } = take(0)
  devices.publish(deviceTopic('R', 'a', 'up'), Uint8Array.of(1))
  pass(1)
  expect(lost).toHaveLength(1)
  const from = sent.length
  say('a', { kind: 'hello', seat: number })
  say('a', { kind: 'hang', seat: number + 7 })
  expect([kinds(from), threads.newWorkers.free()]).toEqual([[], 0])
})

test('a room has at most 20,000 devices', () => {
  const presence = packPresence({
    life: 'x',
    connection: 1,
    name: '',
    build: 'b',
    threads: 1,
    lacks: [],
    roundTrip: null,
  })
  for (let k = 0; k < 20_050; k++) devices.publish(deviceTopic('R', `d${k}`, 'is'), presence)
  pass(1)
  expect(threads.newWorkers.free()).toBe(20_000)
})

test.each([
  ['by name', 'Liar', 'sent an unreadable message: Liar'],
  ['without a name if it has none', '', 'sent an unreadable message'],
])('a device that cannot be read is lost %s, and stays refused until it starts again', (_, name, reason) => {
  come('a', 2, 'x', 1, name)
  take(0)
  devices.publish(deviceTopic('R', 'a', 'is'), Uint8Array.of(1, 2, 3))
  pass(1)
  expect(lost).toEqual([`0 ${reason}`])
  come('a', 2)
  come('a', 2, 'x', 2)
  expect(threads.newWorkers.free()).toBe(0)
  come('a', 2, 'y')
  expect(threads.newWorkers.free()).toBe(2)
})

test('a device has as many free threads as it says now, and never fewer than none', () => {
  come('a', 2)
  come('b', 1)
  for (const worker of [0, 1, 2]) take(worker)
  expect(threads.newWorkers.free()).toBe(0)
  come('b', 4)
  expect(threads.newWorkers.free()).toBe(3)
  // It lends fewer than are on loan.
  come('a', 1)
  expect(threads.newWorkers.free()).toBe(3)
})

test('the room is looked at again from time to time, and whenever a device says that it is there', () => {
  come('a', 1)
  const before = rung
  come('a', 1)
  const heard = rung
  pass(second)
  expect([before > 0, heard > before, rung > heard]).toEqual([true, true, true])
})
