import { describe, expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { isDrained } from '../../../src/pipeline/counts.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { listen, rowsOf } from './runRecording.ts'

const ownWay = () => new Worker(new URL('../../../src/pool.worker.ts', import.meta.url), { type: 'module' })

/** Counts started and live threads. */
function counted(make: () => Worker = ownWay) {
  const threads = { started: 0, alive: 0, most: 0 }
  const spawn = () => {
    const worker = make()
    const end = worker.terminate.bind(worker)
    threads.started++
    threads.alive++
    threads.most = Math.max(threads.most, threads.alive)
    worker.terminate = () => {
      threads.alive--
      end()
    }
    return worker
  }
  return { threads, spawn }
}

/** Hires while jobs wait and dismisses when none waits, again and again; a job that waits long enough is served. */
const jumpy = { kind: 'pid', kp: 1, ki: 0.5, kd: 0, every: 10_000, setpoint: 0, up: -3, down: -2, clamp: 2 }

async function play(asked: object, make?: () => Worker) {
  const scenario = scenarioWith(asked)
  const recording = listen(scenario)
  const { threads, spawn } = counted(make)
  const stages = scenario.stages.length
  await createConductor(pageEnvironment(spawn)).start(scenario, recording.listener)
  return { ...recording, threads, stages }
}

describe('an elastic pool of real workers', () => {
  // It runs in parallel with the next test: it starts no thread and only waits.
  test.concurrent('is stuck when no controller has hired a worker for waiting jobs for 10 s', async () => {
    const { trace, endings, threads } = await play({
      source: { kind: 'batch', jobs: 2 },
      stages: [{ id: 'A' }],
      workers: 2,
      policy: { ...jumpy, ki: 0 },
    })
    expect(endings).toEqual(['stuck'])
    expect(threads.started).toBe(0)
    expect(stateAt(trace, Infinity).counts.waiting[0]).toBe(2)
  })

  test.concurrent('starts and stops real threads under a changing load, and loses no job', async () => {
    // Forty jobs at a time, and one after all workers were dismissed.
    const bursts = [0, 3_000_000, 6_000_000].flatMap((time) => new Array<number>(40).fill(time))
    const { trace, endings, threads } = await play({
      source: { kind: 'times', at: [...bursts, 10_000_000] },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 25_000 }, work: 'wait' }],
      workers: 16,
      policy: jumpy,
    })
    expect(endings).toEqual(['drained'])
    const hired = rowsOf(trace, 'hired')
    const dismissed = rowsOf(trace, 'dismissed')
    expect(threads.started).toBe(hired.length)
    expect(threads.most).toBeGreaterThan(1)
    expect(dismissed.length).toBeGreaterThan(0)
    expect(hired[hired.length - 1].time).toBeGreaterThan(dismissed[0].time)
    // No thread is left after the run.
    expect(threads.alive).toBe(0)
    const { counts } = stateAt(trace, Infinity)
    expect(isDrained(counts)).toBe(true)
    expect(counts.failed).toBe(0)
    expect(counts.released).toBe(121)
    expect(rowsOf(trace, 'lost')).toEqual([])
    expect(rowsOf(trace, 'joined')).toEqual([])
  })

  test('starts the actors of Ray Data up one after the other, and gives none a job before it is ready', async () => {
    const slow = 400_000
    const stages = [
      {
        id: 'A',
        service: { kind: 'constant', mean: 20_000 },
        work: 'wait',
        startUp: { kind: 'constant', mean: 30_000 },
      },
      { id: 'B', service: { kind: 'constant', mean: 25_000 }, work: 'wait', startUp: { kind: 'constant', mean: slow } },
    ]
    const policy = { kind: 'rayData', every: 20_000, op_resource_reservation_ratio: 0 }
    const { trace, endings, failures } = await play({ source: { kind: 'batch', jobs: 90 }, stages, workers: 9, policy })
    expect([endings, failures]).toEqual([['drained'], []])
    expect(stateAt(trace, Infinity).counts.released).toBe(90)
    const started = rowsOf(trace, 'started')
    const hired = rowsOf(trace, 'hired').filter(({ stage }) => stage === 1)
    for (const { time, worker } of hired) {
      const first = started.find((row) => row.worker === worker && row.time >= time)
      if (first !== undefined) expect(first.time - time).toBeGreaterThanOrEqual(slow)
    }
    // While one starts up, no other is hired.
    expect(hired.length).toBeGreaterThan(1)
    hired.slice(1).forEach(({ time }, k) => {
      expect(time - hired[k].time).toBeGreaterThanOrEqual(slow)
    })
    // The start-up is not measured as service.
    const estimate = started
      .filter(({ stage }) => stage === 1)
      .map(({ worker, time }) => {
        const end = rowsOf(trace, 'finished').find((row) => row.worker === worker && row.time >= time)
        return (end?.time ?? Infinity) - time
      })
    expect(Math.min(...estimate)).toBeLessThan(slow / 2)
  })

  test('lets a dismissed worker finish its current job', async () => {
    // One job of two seconds: within a few ticks no job waits and its worker is dismissed.
    const { trace, endings } = await play({
      source: { kind: 'batch', jobs: 1 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 2_000_000 }, work: 'wait' }],
      workers: 2,
      policy: { ...jumpy, ki: 0, up: -1, down: 0 },
    })
    expect(endings).toEqual(['drained'])
    const [dismissed] = rowsOf(trace, 'dismissed')
    const [finished] = rowsOf(trace, 'finished')
    expect(dismissed.worker).toBe(finished.worker)
    expect(dismissed.time).toBeLessThan(finished.time)
    expect(stateAt(trace, dismissed.time).counts.live).toBe(1)
    expect(stateAt(trace, finished.time).counts.live).toBe(0)
    expect(rowsOf(trace, 'threw')).toEqual([])
  })

  test('hires another worker where a thread does not start, and gives it the job', async () => {
    let first = true
    const stillborn = () => {
      if (!first) return ownWay()
      first = false
      throw new Error('no more threads')
    }
    const { trace, endings, failures } = await play(
      {
        source: { kind: 'batch', jobs: 3 },
        stages: [{ id: 'A', service: { kind: 'constant', mean: 20_000 }, work: 'wait' }],
        workers: 3,
        policy: { kind: 'threshold', high: 0, idle: 50_000, every: 10_000 },
      },
      stillborn,
    )
    expect(endings).toEqual(['drained'])
    expect(failures.map(({ reason }) => reason)).toEqual(['could not be started: no more threads'])
    expect(rowsOf(trace, 'lost').map(({ worker }) => worker)).toEqual([0])
    expect(stateAt(trace, Infinity).counts.released).toBe(3)
  })
})
