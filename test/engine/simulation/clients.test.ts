import { expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { constant, noted, play } from './play.ts'

const clients = (retry: object, source: object = { kind: 'batch', jobs: 3 }, stage: object = {}) => ({
  source: { ...source, retry },
  stages: [constant('A', 100, stage)],
  workers: 1,
})
const acts = ['reneged', 'gaveUp', 'retried', 'started', 'released'] as const

test('a job that waits too long leaves, comes again after a wait that doubles, and is given up for good after the last try', async () => {
  const { trace, rows } = await play(clients({ after: 30, limit: 2, backoff: 10 }))
  expect(noted(rows, trace, ...acts)).toEqual([
    '0 started A w0 j0',
    '30 reneged A j1',
    '30 reneged A j2',
    '40 retried j1',
    '40 retried j2',
    '70 reneged A j1',
    '70 reneged A j2',
    '90 retried j1',
    '90 retried j2',
    '100 released j0',
    '100 started A w0 j1',
    '120 gaveUp A j2',
    '200 released j1',
  ])
  const { jobs, completed, failed, gaveUp, tries, meanWait, meanFlowTime, meanJobsInSystem, makespan } =
    metricsOf(trace)
  expect({ jobs, completed, failed, gaveUp, tries, makespan }).toEqual({
    jobs: 3,
    completed: 2,
    failed: 0,
    gaveUp: 1,
    tries: 7,
    makespan: 200,
  })
  // Job 1 waits 30 + 30 + 10, job 2 waits three times 30; between two tries they do not wait. Flow time is from the first try.
  expect(meanWait).toBeCloseTo((70 + 90) / 3, 9)
  expect(meanFlowTime).toBeCloseTo((100 + 200 + 120) / 3, 9)
  expect(meanJobsInSystem * makespan).toBeCloseTo(meanFlowTime * jobs, 6)
  expect([35, 95, 130].map((t) => frameAt(trace, t)).map(({ away, gaveUp }) => [away, gaveUp])).toEqual([
    [2, 0],
    [0, 0],
    [0, 1],
  ])
})

test('a job in a worker’s hands is not given up, nor one that was started and came back', async () => {
  const fails = { jobs: [0], tries: 2 }
  const { trace, rows } = await play(
    clients({ after: 30, limit: 0, backoff: 0 }, { kind: 'batch', jobs: 1 }, { fails }),
  )
  expect(noted(rows, trace, 'started', 'threw', 'gaveUp', 'failed')).toEqual([
    '0 started A w0 j0',
    '100 threw A w0 j0',
    '100 started A w0 j0',
    '200 threw A w0 j0',
    '200 failed A j0',
  ])
})
