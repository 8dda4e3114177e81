import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { joinNotes, joinWords } from '../../../../src/features/room/join/JoinPage.tsx'
import { createJoin } from '../../../../src/features/room/join/joining.ts'
import type { Carrier } from '../../../../src/features/room/protocol/carrier.ts'
import type { LenderState } from '../../../../src/features/room/protocol/lender.ts'
import type { RoomAddress } from '../../../../src/runs/remote/remoteEngine.ts'

const room: RoomAddress = { broker: 'ws://h:1/mqtt', room: 'R', role: 'join', token: 'abcdefghijklmnop' }

/** A room that the test controls. */
function madeUpRoom(refusals: readonly string[] = [], address: RoomAddress | Error = room) {
  const left = [...refusals]
  const log: string[] = []
  const attended: string[] = []
  let tell = (_: LenderState) => {}
  let ids = 0
  const carrier: Carrier = { publish() {}, subscribe() {}, onState() {}, end: () => log.push('end') }
  const join = createJoin(
    address,
    { name: 'Ada', threads: 2 },
    {
      async open(_, id) {
        log.push(`open ${id}`)
        const refusal = left.shift()
        if (refusal !== undefined) throw new Error(refusal)
        return carrier
      },
      lend(_, { device, name, threads }, changed) {
        log.push(`lend ${device} ${name} ${threads}`)
        tell = changed
        return { leave: () => log.push('leave') }
      },
      answering: { attend: (_, room, device) => void attended.push(`${room} ${device}`) },
      newId: () => `d${ids++}`,
    },
  )
  const state = (more: Partial<LenderState>) => tell({ up: true, workers: [], stage: null, done: 0, ...more })
  return { join, log, attended, state, words: () => joinWords(join.store.getState()) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settled = () => vi.advanceTimersByTimeAsync(0)

test('a device reports its name, its place and its work', async () => {
  const { join, log, state, words } = madeUpRoom()
  join.enter()
  expect(words().who).toBe('Looking for the room.')
  await settled()
  expect(log).toEqual(['open d0', 'lend d0 Ada 2'])
  state({})
  expect(words()).toEqual({
    who: 'You are in the room.',
    where: 'You are waiting for work.',
    done: null,
  })
  state({ workers: [11] })
  expect(words()).toEqual({ who: 'You are worker 12.', where: 'You are waiting for work.', done: '0 jobs done.' })
  state({ workers: [3, 11], stage: { name: 'Enrich', colour: 2 }, done: 214 })
  expect(words()).toEqual({ who: 'You are workers 4 and 12.', where: 'You are at Enrich.', done: '214 jobs done.' })
})

test('a device that leaves keeps its count, and returns as another device', async () => {
  const { join, log, attended, state, words } = madeUpRoom()
  join.enter()
  await settled()
  state({ workers: [0], stage: { name: 'A', colour: 0 }, done: 7 })
  join.leave()
  expect(log.slice(2)).toEqual(['leave', 'end'])
  expect(words()).toEqual({ who: 'You have left the room.', where: null, done: '7 jobs done.' })
  // Late messages belong to the stay that has ended.
  state({ done: 100 })
  expect(words().done).toBe('7 jobs done.')
  join.enter()
  await settled()
  state({ workers: [4], done: 1 })
  expect(log.slice(4)).toEqual(['open d1', 'lend d1 Ada 2'])
  expect(attended).toEqual(['R d0', 'R d1'])
  expect(words()).toMatchObject({ who: 'You are worker 5.', done: '8 jobs done.' })
})

test('a device that leaves during the search for the room does not join later', async () => {
  const { join, log } = madeUpRoom(['No.'])
  join.enter()
  await settled()
  join.leave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(log).toHaveLength(1)
  join.enter()
  join.leave()
  await settled()
  expect(log.slice(1)).toEqual(['open d1', 'end'])
  expect(join.store.getState().phase).toBe('left')
})

test('a room is tried again every three seconds, each time as the same device, and a reason that is no error is shown too', async () => {
  const { join, log } = madeUpRoom(['One.', 'Two.'])
  join.enter()
  await settled()
  await vi.advanceTimersByTimeAsync(2999)
  expect([log.length, join.store.getState()]).toMatchObject([1, { phase: 'waiting', problem: 'One.' }])
  await vi.advanceTimersByTimeAsync(1)
  expect([log.length, join.store.getState().problem]).toEqual([2, 'Two.'])
  await vi.advanceTimersByTimeAsync(3000)
  expect(join.store.getState()).toMatchObject({ phase: 'in', problem: null })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(new Set(log)).toEqual(new Set(['open d0', 'lend d0 Ada 2']))
  expect(log).toHaveLength(4)
})

test('a device that leaves forgets why the room did not answer; one that changes its threads meanwhile tries at once, with them', async () => {
  const { join, log } = madeUpRoom(['No.', 'No.'])
  join.enter()
  await settled()
  expect(join.store.getState().problem).toBe('No.')
  join.change({ threads: 5 })
  expect(join.store.getState()).toMatchObject({ phase: 'waiting', problem: null, threads: 5 })
  await settled()
  expect(log).toEqual(['open d0', 'open d1'])
  join.leave()
  expect(join.store.getState()).toMatchObject({ phase: 'left', problem: null })
  join.change({ name: 'Bo' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([log.length, join.store.getState().name]).toEqual([2, 'Bo'])
})

test('a damaged link is refused with a reason', () => {
  const { join } = madeUpRoom([], new Error('Scan the code again.'))
  join.enter()
  join.leave()
  expect(joinWords(join.store.getState())).toEqual({
    who: 'This link does not lead to a room.',
    where: 'Scan the code again.',
    done: null,
  })
})

test('a lost connection and a screen that may go dark are reported, but only in a room', async () => {
  const { join, state } = madeUpRoom()
  join.enter()
  await settled()
  state({})
  expect(joinNotes(join.store.getState(), 'kept')).toEqual([])
  state({ up: false })
  expect(joinNotes(join.store.getState(), 'missing')).toEqual([
    'The connection is lost. Trying again.',
    'This browser does not let the page keep the screen awake. When the screen is dark, your work goes to others.',
  ])
  join.leave()
  expect(joinNotes(join.store.getState(), 'missing')).toEqual([])
})
