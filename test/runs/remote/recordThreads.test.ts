import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { controllersOf } from '../../../src/features/replay/study/controllers.ts'
import { createReplaying, journalPieces } from '../../../src/features/replay/study/replay.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { Cancelled } from '../../../src/runs/remote/jobThreads.ts'
import { openTraceFile } from '../../../src/runs/remote/openTraceFile.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { threadsHere } from '../../fixtures/threadsHere.ts'
import { digestOf } from '../../trace/digestOf.ts'

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

describe('a record that is replayed through the scheduler on a thread', () => {
  test('reports the state of its controllers', async () => {
    const trace = await playSimulation(elastic, 0)
    const here = createReplaying()
    let head: typeof trace | null = trace
    for (const piece of journalPieces(trace)) {
      await here.replayPiece(head, piece)
      head = null
    }
    const shares: number[] = []
    const found = await controllersOf(trace, { progress: (share) => shares.push(share) })
    expect([shares.at(-1), threads.open.size]).toEqual([1, 0])
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
    await expect(
      controllersOf(await playSimulation(long, 0), { signal: page.signal, progress }),
    ).rejects.toBeInstanceOf(Cancelled)
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
