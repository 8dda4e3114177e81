import { beforeEach, describe, expect, test } from 'vitest'
import type { BatchAnswer, BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import { clockOffset } from '../../../../src/engine/conductor/environment.ts'
import { createLoan, type Loan } from '../../../../src/features/room/protocol/loan.ts'
import type { Down } from '../../../../src/features/room/protocol/messages.ts'

const batch = (services: readonly number[], switchCosts = services.map(() => 0)): BatchOrder => ({
  ...{ work: 'wait', stage: 0, failing: [], payloads: null },
  ...{ services, switchCosts, jobs: services.map((_, job) => job) },
})

let now: number
let sent: Down[]
let reports: string[]
let loan: Loan
let answers: BatchAnswer[]
const kinds = () => sent.map(({ kind }) => kind)
const reading: BatchOrder = { ...batch([10]), work: 'parseJson', payloads: ['[1]'] }
const answer = (number: number, payloads: Reply['payloads']) =>
  loan.receive({ kind: 'answer', seat: 4, number, reply: { began: 5, ended: [15], threw: null, payloads } })
const checked = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  now = 0
  sent = []
  reports = []
  answers = []
  loan = createLoan(
    4,
    1,
    {
      error: (words) => reports.push(`error ${words}`),
      lost: (words) => reports.push(`lost ${words}`),
      alive: () => reports.push('alive'),
    },
    {
      now: () => now,
      send: (message) => sent.push(message),
      keep: () => [3, 4],
      stages: [],
      isCutOff: () => false,
      refuse: (reason) => reports.push(`refused ${reason}`),
      ended: (overdue) => reports.push(overdue ? 'ended, overdue' : 'ended'),
    },
  )
  loan.port.onmessage = ({ data }) => answers.push(data)
})

describe('a loan of a room', () => {
  test('asks for its thread with the loans to keep, and again after twice as long each time, up to four seconds', async () => {
    const hello = loan.hello()
    const times: number[] = []
    for (let time = 0; time < 20; time += 0.5) {
      const before = sent.length
      loan.tick(500_000)
      if (sent.length > before) times.push(time)
    }
    // The first tick after a question is shorter and does not count.
    expect(times).toEqual([0.5, 2, 4.5, 9, 13.5, 18])
    expect(sent[0]).toEqual({ kind: 'hello', seat: 4, worker: 1, keep: [3, 4], stages: [] })
    loan.receive({ kind: 'hello', seat: 4 })
    expect(await hello).toBe(false)
    loan.sendAgain()
    expect(sent).toHaveLength(7)
  })

  test('sets its clock by the quickest of five trips, ignoring a repeated one', async () => {
    const done = loan.clock()
    const ahead = 1_000_000
    const trip = (way: number, back: number) => {
      const { trip } = sent.at(-1) as Extract<Down, { kind: 'clock' }>
      const reading = now + way + ahead
      now += way + back
      loan.receive({ kind: 'clock', seat: 4, trip, reading })
    }
    trip(900, 100)
    loan.sendAgain()
    trip(1, 1)
    for (const way of [50, 10, 300, 400]) trip(way, way)
    expect(await done).toBe(now)
    expect(sent).toHaveLength(7)
    void loan.hangAt(500)
    expect(sent.at(-1)).toEqual({ kind: 'hang', seat: 4, at: 500 - clockOffset(0, 10 + ahead, 20) })
  })

  test('asks again for a batch only when it and those before it are overdue by half as much again', () => {
    loan.port.postMessage({ number: 0, batch: batch([1_000_000, 500_000], [0, 500_000]) })
    loan.port.postMessage({ number: 1, batch: batch([1_000_000]) })
    loan.tick(100)
    loan.tick(3_499_999)
    expect(sent).toHaveLength(2)
    loan.tick(1)
    expect(sent.slice(2)).toMatchObject([{ number: 0 }])
    loan.tick(1_500_000)
    expect(sent.slice(3)).toMatchObject([{ number: 1 }])
  })

  test('waits for all batches that are out before it asks again for the last of them', () => {
    for (const [number, services] of [[400_000], [800_000], [200_000]].entries())
      loan.port.postMessage({ number, batch: batch(services) })
    const asked = () => sent.slice(3).map((message) => ('number' in message ? message.number : null))
    loan.tick(1)
    // Half a second, and one and a half times the work up to its end.
    for (const [elapsed, numbers] of [
      [1_099_999, []],
      [1, [0]],
      [1_199_999, [0]],
      [1, [0, 1]],
      [299_999, [0, 1]],
      [1, [0, 1, 2]],
    ] as const) {
      loan.tick(elapsed)
      expect([...new Set(asked())], String(elapsed)).toEqual(numbers)
    }
  })

  test('reports an answer once, on our clock; a device whose batch broke is refused', () => {
    for (const number of [0, 1]) loan.port.postMessage({ number, batch: batch([10]) })
    const reply = { began: 5, ended: [15], threw: null, payloads: null }
    for (let i = 0; i < 2; i++) loan.receive({ kind: 'answer', seat: 4, number: 0, reply })
    loan.receive({ kind: 'broken', seat: 4, number: 1, words: 'out of memory' })
    expect([answers, reports]).toEqual([[{ number: 0, reply }], ['refused failed at work that others can do']])
  })

  test('is lost with the reason of its device, or as ended of its own accord, and reports its end once', () => {
    loan.receive({ kind: 'error', seat: 4, words: 'odd' })
    loan.receive({ kind: 'gone', seat: 4, words: '' })
    loan.receive({ kind: 'gone', seat: 4, words: 'again' })
    loan.end()
    expect([reports, kinds()]).toEqual([['error odd', 'lost has ended', 'ended'], ['end']])
    loan.port.postMessage({ number: 0, batch: batch([10]) })
    expect(kinds()).toEqual(['end'])
  })

  test('reports a repeated request that was unanswered at its end', () => {
    void loan.hello()
    loan.sendAgain()
    loan.lose('has left the room')
    expect(reports).toEqual(['lost has left the room', 'ended, overdue'])
  })

  test('gives signs of life while its answer is checked', async () => {
    const alive = () => reports.filter((report) => report === 'alive').length
    loan.port.postMessage({ number: 0, batch: reading })
    loan.tick(1)
    expect(alive()).toBe(0)
    answer(0, [{ record: [1] }])
    loan.tick(1)
    expect(alive()).toBe(1)
    await checked()
    loan.tick(1)
    expect([alive(), answers.length]).toEqual([1, 1])
  })

  test('reports answers in the order in which they came, after all checks before them', async () => {
    for (const [number, order] of [reading, reading, batch([10])].entries())
      loan.port.postMessage({ number, batch: order })
    for (const number of [0, 1]) answer(number, [{ record: [1] }])
    answer(2, null)
    expect(answers).toEqual([])
    await checked()
    expect(answers.map(({ number }) => number)).toEqual([0, 1, 2])
  })

  test('does not report a wrong answer, and refuses its device; after the end of the loan neither happens', async () => {
    loan.port.postMessage({ number: 0, batch: reading })
    answer(0, [{ record: [2] }])
    await checked()
    expect([answers, reports]).toEqual([[], ['refused gave a wrong result']])
    for (const record of [[1], [2]]) {
      loan.port.postMessage({ number: 1, batch: reading })
      answer(1, [{ record }])
    }
    loan.end()
    reports = []
    await checked()
    expect([answers, reports]).toEqual([[], []])
  })
})
