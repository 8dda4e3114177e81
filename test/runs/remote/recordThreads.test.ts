import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createReplaying, journalPieces, replay } from '../../../src/features/replay/study/replay.ts'
import { controllersOf, replayTrace } from '../../../src/features/replay/study/replayTrace.ts'
import { STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { Cancelled } from '../../../src/runs/remote/jobThreads.ts'
import { openTraceFile } from '../../../src/runs/remote/openTraceFile.ts'
import { digestOf } from '../../../src/trace/digest.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { eachRow, type Trace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { threadsHere } from '../../fixtures/threadsHere.ts'

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const service = { kind: 'uniform', min: 1, max: 400 }
const failing = scenarioWith({
  stages: [
    { id: 'A', service },
    { id: 'B', service, fails: { jobs: [3, 40], tries: 2 } },
  ],
  source: { kind: 'poisson', rate: 3000, jobs: 90 },
  workers: 4,
})
/** Has more rows than one piece. */
const long = scenarioWith({ stages: [{ id: 'A' }, { id: 'B' }], source: { kind: 'batch', jobs: 8000 }, workers: 3 })
const elastic = scenarioWith({
  stages: [
    { id: 'A', service },
    { id: 'B', service },
  ],
  source: { kind: 'poisson', rate: 2000, jobs: 300 },
  workers: 5,
  policy: { kind: 'pid', every: 5000, setpoint: 2, up: -1, down: 1, kp: 0.4, ki: 0.1, kd: 0 },
})

const blobOf = (trace: Trace) => new Blob([...writeTraceJson(trace)])

/** Changes the stage of one order. */
function spoil(trace: Trace) {
  const orders: number[] = []
  eachRow(trace, 0, trace.length, (rows, i, row) => {
    if (rows.kind[i] === STARTED) orders.push(row)
  })
  const row = orders[orders.length >> 2]
  eachRow(trace, row, row + 1, (rows, i) => {
    rows.stage[i] = 1 - rows.stage[i]
  })
}

describe('a record that is replayed through the scheduler on a thread', () => {
  test('is reproduced as on the page, and reports after each piece how much is done', async () => {
    const trace = await playSimulation(long, 0)
    const pieces = [...journalPieces(trace)].map(({ rows }) => rows.length)
    expect(pieces.length).toBeGreaterThan(1)
    const shares: number[] = []
    const found = await replayTrace(trace, { progress: (share) => shares.push(share) })
    expect(found).toEqual(replay(trace))
    expect(found).toMatchObject({ difference: null, reproduced: trace.decisions.length })
    expect(shares).toEqual(
      pieces.map((_, k) => pieces.slice(0, k + 1).reduce((sum, rows) => sum + rows, 0) / trace.length),
    )
    expect(threads.open.size).toBe(0)
    expect(await replayTrace(trace)).toEqual(found)
  })

  test('is replayed only up to its first difference', async () => {
    const trace = await playSimulation(long, 0)
    spoil(trace)
    const shares: number[] = []
    const found = await replayTrace(trace, { progress: (share) => shares.push(share) })
    expect(found.difference).not.toBe(null)
    expect([found, shares.length]).toEqual([replay(trace), 1])
  })

  test('without rows has no difference', async () => {
    const trace = { ...(await playSimulation(failing, 0)), length: 0 }
    expect(await replayTrace(trace)).toEqual({
      decisions: trace.decisions.length,
      reproduced: 0,
      answers: 0,
      difference: null,
    })
  })

  test('reports the state of its controllers', async () => {
    const trace = await playSimulation(elastic, 0)
    const here = createReplaying()
    let head: typeof trace | null = trace
    for (const piece of journalPieces(trace)) {
      await here.replayPiece(head, piece)
      head = null
    }
    const found = await controllersOf(trace)
    expect(found.times.length).toBeGreaterThan(3)
    expect(found).toEqual(here.controllers())
  })

  test('can be stopped, which ends its thread', async () => {
    const page = new AbortController()
    const reports: number[] = []
    const progress = (share: number) => {
      reports.push(share)
      page.abort()
    }
    await expect(replayTrace(await playSimulation(long, 0), { signal: page.signal, progress })).rejects.toBeInstanceOf(
      Cancelled,
    )
    expect([reports.length, threads.open.size]).toEqual([1, 0])
  })
})

describe('a trace file that is opened on a thread', () => {
  test('gives the trace with its end and its failures', async () => {
    const trace = await playSimulation(failing, 1234)
    expect(trace.failures.length).toBe(4)
    const read = await openTraceFile(blobOf(trace))
    if ('problems' in read) throw new Error(JSON.stringify(read.problems))
    const { scenario, engine, startedAt, ending, failures } = read.trace
    expect([digestOf(read.trace), scenario, engine, startedAt, ending, failures]).toEqual([
      digestOf(trace),
      failing,
      'simulation',
      1234,
      'drained',
      trace.failures,
    ])
    expect(threads.open.size).toBe(0)
  })

  test('gives its problems, and its progress', async () => {
    const shares: number[] = []
    const read = await openTraceFile(new Blob(['?'.repeat(9)]), { progress: (share) => shares.push(share) })
    expect(read).toEqual({ problems: [{ path: '', message: expect.stringContaining('this is not a trace') }] })
    expect(shares).toEqual([0])
  })

  test('gives nothing when it is cancelled, even after its thread has finished', async () => {
    const file = blobOf(await playSimulation(failing, 0))
    const page = new AbortController()
    let took = 0
    const signal = Object.create(page.signal, { aborted: { get: () => took++ > 0 } }) as AbortSignal
    Object.assign(signal, { addEventListener() {}, removeEventListener() {} })
    await expect(openTraceFile(file, { signal })).rejects.toBeInstanceOf(Cancelled)
    expect(took).toBe(2)
  })
})
