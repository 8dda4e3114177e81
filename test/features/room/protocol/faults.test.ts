import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../../engine/threads/runRecording.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { MadeUpRoom, type MadeUpRun, type MadeUpRoom as Room } from './madeUpRoom.ts'
import { expectServedOnce } from './servedOnce.ts'

const second = 1_000_000

/** Two stages of this many milliseconds. */
const scenario = (jobs: number, workers: number, mean = 40, more: object = {}) =>
  scenarioWith({
    source: { kind: 'batch', jobs },
    stages: ['A', 'B'].map((id) => ({ id, work: 'wait', service: { kind: 'constant', mean: mean * 1000 } })),
    workers,
    ...more,
  })

function roomOf(...devices: string[]): Room {
  const room = new MadeUpRoom()
  for (const device of devices) room.join(device)
  return room
}

/** Why workers were lost. */
const reasons = ({ failures }: MadeUpRun) => failures.map(({ reason }) => reason)
/** When, in microseconds, and which. */
const lost = ({ trace }: MadeUpRun) => rowsOf(trace, 'lost').map(({ time, worker }) => [time, worker])
const joined = ({ trace }: MadeUpRun) => rowsOf(trace, 'joined').map(({ worker }) => worker)
const within = (time: number, from: number, to: number) =>
  expect([time, time >= from && time <= to]).toEqual([time, true])

describe('a device that goes', () => {
  test.each([
    ['is killed, as soon as its will comes', (room: Room) => room.kill('b')],
    ['says goodbye', (room: Room) => room.device('b').lender.leave()],
  ])('is lost when it %s, and its jobs go to others', async (_, goes) => {
    const room = roomOf('a', 'b', 'c')
    const run = await room.play(scenario(100, 3), [[second, () => goes(room)]])
    expectServedOnce(run, 100)
    expect(reasons(run)).toEqual(['has left the room'])
    const [[time]] = lost(run)
    // One way from the broker.
    within(time, second, second + 2 * room.way)
  })
})

describe('a device that is frozen', () => {
  test('is lost after the patience, gets nothing until it sends a message, and then works again', async () => {
    const room = roomOf('a', 'b')
    const run = room.begin(scenario(600, 2), [
      [second, () => room.device('b').freeze()],
      [20 * second, () => room.device('b').thaw()],
    ])
    await room.until(() => room.time.passed - run.startedAt() > 19 * second)
    // An offer would be given up by now.
    expect(reasons(run)).toEqual(['has not answered and is given up'])
    expect(room.device('b').threads).toHaveLength(1)
    await room.until(run.over)
    expectServedOnce(run, 600)
    expect(lost(run)).toHaveLength(1)
    // The least patience, and the time in which a lost connection may go unnoticed.
    within(lost(run)[0][0], 5.9 * second, 6.5 * second)
    expect(joined(run)).toEqual([1])
    await room.pass(second)
    expect(room.device('b').threads.map(({ ended }) => ended)).toEqual([true, true])
  })
})

describe('a conductor that is cut off', () => {
  test('loses no worker, asks again for pending work, and counts each answer once', async () => {
    const room = roomOf('a', 'b', 'c')
    const run = await room.play(scenario(200, 3), [
      [second, () => room.host?.cut()],
      [31 * second, () => room.host?.comeBack()],
    ])
    expectServedOnce(run, 200)
    expect([lost(run), reasons(run)]).toEqual([[], []])
    // Each device worked once at what it was asked for twice.
    const worked = [...room.devices.values()].flatMap(({ threads }) => threads.flatMap(({ parcels }) => parcels))
    expect(worked.reduce((sum, { jobs }) => sum + jobs.length, 0)).toBe(400)
  })
})

describe('a device that returns', () => {
  test('keeps its loans if it was not reported as gone: work finished meanwhile counts once', async () => {
    const room = roomOf('a', 'b')
    const { carrier, states } = room.device('b')
    const run = await room.play(scenario(100, 2), [
      [second, () => carrier.cut()],
      [2 * second, () => carrier.comeBack(false)],
    ])
    expectServedOnce(run, 100)
    expect([lost(run), reasons(run)]).toEqual([[], []])
    expect(states.at(-1)?.done).toBe(rowsOf(run.trace, 'finished').filter(({ worker }) => worker === 1).length)
    expect(room.device('b').threads).toHaveLength(1)
  })

  test('after a reload holds nothing any more', async () => {
    const room = roomOf('a', 'b')
    const run = await room.play(scenario(100, 2), [
      [second, () => room.device('b').carrier.cut()],
      [second, () => void room.join('b')],
    ])
    expectServedOnce(run, 100)
    expect([reasons(run), joined(run)]).toEqual([['has started again'], [1]])
  })
})

describe('a broker that dies and comes back', () => {
  const restart = (room: Room, back: Record<string, number>): [number, () => void][] => [
    [second, () => room.broker.restart()],
    [2 * second, () => room.host?.comeBack()],
    ...Object.entries(back).map(([device, at]): [number, () => void] => [
      at * second,
      () => room.device(device).carrier.comeBack(),
    ]),
  ]

  test('loses no worker: all return and continue where they were', async () => {
    const room = roomOf('a', 'b', 'c')
    const run = await room.play(scenario(200, 3), restart(room, { a: 1.8, b: 2, c: 9 }))
    expectServedOnce(run, 200)
    expect([lost(run), reasons(run)]).toEqual([[], []])
    // A returning device is asked again at once.
    const after = rowsOf(run.trace, 'finished').find(({ time, worker }) => worker === 2 && time > 3 * second)
    within(after?.time ?? 0, 9 * second, 9.1 * second)
  })
})

describe('who comes', () => {
  test('takes the lowest free number; an extra worker waits until one is free', async () => {
    const room = roomOf('a', 'b')
    const run = await room.play(scenario(300, 4), [
      [second, () => void room.join('c')],
      [2 * second, () => void room.join('d')],
      [3 * second, () => void room.join('e')],
      [4 * second, () => expect(room.device('e').states.at(-1)?.workers).toEqual([])],
      [4 * second, () => room.kill('b')],
    ])
    expectServedOnce(run, 300)
    expect(joined(run)).toEqual([2, 3, 1])
    expect(room.device('e').states.some(({ workers }) => workers.includes(1))).toBe(true)
  })

  test('and never answers is not lost twice: its number is free again for the next', async () => {
    const room = roomOf('a', 'b')
    const run = await room.play(scenario(400, 2), [
      [second, () => room.kill('b')],
      [2 * second, () => void room.join('c', 1, { defect: 'never starts' })],
      [11 * second, () => void room.kill('c')],
      [12 * second, () => void room.join('d')],
    ])
    expectServedOnce(run, 400)
    expect(lost(run).map(([, worker]) => worker)).toEqual([1])
    expect(joined(run)).toEqual([1])
    expect(reasons(run)).toContain('has not answered and is given up')
  })
})

describe('a run whose last worker is gone', () => {
  test('continues if a device joins within 10 s', async () => {
    const room = roomOf('a')
    const run = await room.play(scenario(60, 2), [
      [second, () => room.kill('a')],
      [10.5 * second, () => void room.join('b')],
    ])
    expectServedOnce(run, 60)
  })

  test('is stuck after 10 s if no device joins', async () => {
    const room = roomOf('a')
    const run = await room.play(scenario(60, 1), [[second, () => room.kill('a')]])
    expect(run.endings).toEqual(['stuck'])
    within(room.time.passed - run.startedAt(), 11 * second, 11.3 * second)
  })

  test('does not wait longer for devices that join and never serve', async () => {
    const room = roomOf('a')
    const come = (name: string) => () => void room.join(name, 1, { defect: 'never starts' })
    const run = await room.play(scenario(60, 1), [
      [second, () => room.kill('a')],
      ...['b', 'c', 'd', 'e', 'f'].map((name, k): [number, () => void] => [(2 + 4 * k) * second, come(name)]),
    ])
    expect(run.endings).toEqual(['stuck'])
    within(room.time.passed - run.startedAt(), 11 * second, 20 * second)
  })
})
