import { describe, expect, test } from 'vitest'
import { silenceLimit } from '../../../src/engine/engine.ts'
import { createSimulation } from '../../../src/engine/simulation/simulation.ts'
import type { Failure } from '../../../src/pipeline/journal.ts'
import { events, scenarioWith } from '../../fixtures/scenarios.ts'
import { constant, noted, play } from './play.ts'

const line = (jobs: number, mean: number, more: object = {}) => ({
  source: { kind: 'batch', jobs },
  stages: [constant('A', mean)],
  workers: 2,
  ...more,
})

async function rowsOf(input: object, ...kinds: Parameters<typeof noted>[2][]): Promise<string[]> {
  const { rows, trace } = await play(input)
  return noted(rows, trace, ...kinds)
}

async function failuresOf(input: object): Promise<Failure[]> {
  const failures: Failure[] = []
  await createSimulation().start(scenarioWith(input), {
    journal: () => {},
    failure: (failure) => void failures.push(failure),
    ended: () => {},
  })
  return failures
}

describe('a crash', () => {
  test('an idle worker is lost at once; the job of a busy one starts again at another worker', async () => {
    const input = line(3, 10, { workerEvents: events([4, 'crash', 0]) })
    expect(await rowsOf(input, 'lost', 'finished')).toEqual([
      '4 lost w0',
      '10 finished A w1 j1 (0-10)',
      '20 finished A w1 j0 (10-20)',
      '30 finished A w1 j2 (20-30)',
    ])
    expect(await rowsOf(line(1, 10, { workerEvents: events([4, 'crash', 1]) }), 'lost', 'finished')).toEqual([
      '4 lost w1',
      '10 finished A w0 j0 (0-10)',
    ])
  })

  test('is reported to the listener with its worker, time and reason; a worker that leaves is not', async () => {
    const input = line(2, 10, {
      workerEvents: events([4, 'crash', 1], [5, 'leave', 0]),
      source: { kind: 'batch', jobs: 1 },
    })
    expect(await failuresOf(input)).toEqual([expect.objectContaining({ time: 4, kind: 'worker', worker: 1 })])
  })
})

describe('a worker that leaves', () => {
  test('leaves at once if it is idle, and after its batch if it is busy', async () => {
    expect(
      await rowsOf(line(1, 10, { workerEvents: events([4, 'leave', 0], [5, 'leave', 1]) }), 'lost', 'finished'),
    ).toEqual(['5 lost w1', '10 finished A w0 j0 (0-10)', '10 lost w0'])
  })
})

describe('a worker that joins', () => {
  test('works from then on', async () => {
    expect(
      await rowsOf(line(3, 10, { workers: 1, cores: 2, workerEvents: events([4, 'join', 1]) }), 'joined', 'finished'),
    ).toEqual([
      '4 joined w1',
      '10 finished A w0 j0 (0-10)',
      '14 finished A w1 j1 (4-14)',
      '20 finished A w0 j2 (10-20)',
    ])
  })
})

describe('a worker that hangs', () => {
  test('is given up when its silence over a batch reaches the limit, counted from when it got the batch', async () => {
    // The limit is ten times the expected 300 ms, counted from 0, not from the hang at 100 ms.
    expect(await rowsOf(line(2, 300_000, { workerEvents: events([100_000, 'hang', 1]) }), 'lost', 'finished')).toEqual([
      '300000 finished A w0 j0 (0-300000)',
      `${silenceLimit(300_000, 0)} lost w1`,
      `${silenceLimit(300_000, 0) + 300_000} finished A w0 j1 (${silenceLimit(300_000, 0)}-${silenceLimit(300_000, 0) + 300_000})`,
    ])
  })
})

describe('a batch that throws', () => {
  test('reports the first of its jobs that fails', async () => {
    const stages = [constant('A', 10, { fails: { jobs: [2, 1], tries: 1 } })]
    const input = { source: { kind: 'batch', jobs: 4 }, stages, workers: 1, batch: { size: 4 } }
    expect((await rowsOf(input, 'threw'))[0]).toBe('20 threw A w0 j1')
    expect((await failuresOf(input))[0]).toMatchObject({ time: 20, kind: 'job', stage: 0, worker: 0, job: 1 })
  })
})
