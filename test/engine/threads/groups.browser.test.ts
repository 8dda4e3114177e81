import { describe, expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { groupsIn } from '../../../src/measures/frame/frame.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { listen, rowsOf } from './runRecording.ts'

async function play(asked: object) {
  const scenario = scenarioWith(asked)
  const recording = listen(scenario)
  await createConductor(pageEnvironment()).start(scenario, recording.listener)
  return { ...recording, figures: metricsOf(recording.trace) }
}

const stage = (more: object) => ({
  id: 'A',
  service: { kind: 'constant', mean: 20_000 },
  work: 'wait',
  resource: 'group',
  ...more,
})
const groups = (sizes: readonly number[], more: object = {}) => ({ kind: 'groups', groups: sizes, ...more })

/** Pairs of services of one group that overlap. */
function overlaps(trace: Trace): number {
  const group = groupsIn(trace) ?? []
  const rows = rowsOf(trace, 'finished').sort((a, b) => a.began - b.began)
  return rows.filter((row, i) =>
    rows.slice(0, i).some((before) => group[before.job] === group[row.job] && before.ended > row.began),
  ).length
}

describe('jobs of one group on real workers', () => {
  test('wait for each other in the order produced, and start no job before its resource is granted', async () => {
    const { trace, figures, endings } = await play({ source: groups([3, 3]), stages: [stage({})], workers: 2 })
    expect(endings).toEqual(['drained'])
    expect(overlaps(trace)).toBe(0)
    expect(figures.completed).toBe(6)
    // Three jobs of 20 ms one after the other; the second waits at its worker from the beginning.
    expect(figures.makespan).toBeGreaterThanOrEqual(60_000)
    expect(figures.contendedTime).toBeGreaterThanOrEqual(20_000)
  })

  test('start in parallel where two feeders spread them', async () => {
    const { trace, figures } = await play({
      source: groups([3, 3], { order: 'spread', feeders: 2 }),
      stages: [stage({})],
      workers: 2,
    })
    expect(overlaps(trace)).toBe(0)
    expect(figures.makespan).toBeGreaterThanOrEqual(60_000)
    const [first, second] = rowsOf(trace, 'started')
    expect(second.time).toBe(first.time)
    const group = groupsIn(trace) ?? []
    expect(group[first.job]).not.toBe(group[second.job])
  })

  test('are skipped while their group is taken, and no worker waits', async () => {
    const { trace, figures } = await play({
      source: groups([3, 3]),
      stages: [stage({ whenTaken: 'skip' })],
      workers: 2,
    })
    expect(overlaps(trace)).toBe(0)
    expect(figures.contendedTime).toBe(0)
  })

  test('never overlap with eight workers on uneven groups and services', async () => {
    const service = { kind: 'exponential', mean: 2000 }
    const asked = { source: groups([40, 7, 21, 3, 1], { order: 'shuffled' }), workers: 8, groupSwitchCost: 300 }
    for (const whenTaken of ['wait', 'skip']) {
      const { trace, endings, figures } = await play({ ...asked, stages: [stage({ service, whenTaken })] })
      expect(endings).toEqual(['drained'])
      expect(figures.completed).toBe(72)
      expect(overlaps(trace)).toBe(0)
    }
  })

  test('are free again when a worker that serves one crashes', async () => {
    const { trace, endings } = await play({
      source: groups([3]),
      stages: [stage({ service: { kind: 'constant', mean: 500_000 } })],
      workers: 2,
      workerEvents: [{ at: 20_000, kind: 'crash', worker: 0 }],
    })
    expect(endings).toEqual(['drained'])
    const [lost] = rowsOf(trace, 'lost')
    const [first] = rowsOf(trace, 'finished')
    expect([lost.worker, first.worker]).toEqual([0, 1])
    expect(first.began).toBeGreaterThanOrEqual(lost.time)
    expect(overlaps(trace)).toBe(0)
  })

  test('and when it hangs: only the serving worker is given up, however long the other has waited', async () => {
    const { trace, endings } = await play({
      source: groups([2]),
      stages: [stage({})],
      workers: 2,
      workerEvents: [{ at: 5000, kind: 'hang', worker: 0 }],
    })
    expect(endings).toEqual(['drained'])
    expect(rowsOf(trace, 'lost').map(({ worker }) => worker)).toEqual([0])
    expect(metricsOf(trace).contendedTime).toBeGreaterThan(1_750_000)
    expect(rowsOf(trace, 'released')).toHaveLength(2)
  })

  test('and a waiting worker that should leave does so at once', async () => {
    const { trace, endings } = await play({
      source: groups([2]),
      stages: [stage({ service: { kind: 'constant', mean: 1_000_000 }, fails: { jobs: [], tries: 1 } })],
      workers: 2,
      workerEvents: [{ at: 10_000, kind: 'leave', worker: 1 }],
    })
    expect(endings).toEqual(['drained'])
    const [lost] = rowsOf(trace, 'lost')
    expect(lost.worker).toBe(1)
    expect(lost.time).toBeLessThan(rowsOf(trace, 'finished')[0].time)
    expect(rowsOf(trace, 'failed')).toEqual([])
    expect(rowsOf(trace, 'released')).toHaveLength(2)
  })
})

test('the presets show the same on real workers as in the simulation', async () => {
  const played = async (key: string) => (await play(presetOf(key)?.scenario ?? {})).figures
  const contend = await played('jobs-contend')
  const spread = await played('jobs-spread')
  const skip = await played('skip-the-taken')
  const scattered = await played('cache-locality')
  expect([contend, spread, skip, scattered].map(({ completed }) => completed)).toEqual([240, 240, 240, 240])
  expect(spread.contendedTime).toBeLessThan(contend.contendedTime)
  expect([skip.contendedTime, scattered.contendedTime]).toEqual([0, 0])
  // 1.51 s in the simulation, against 0.82 without the cost.
  expect(scattered.makespan).toBeGreaterThan(1_400_000)
})

test('a change of group also takes time within a batch, and is not service time', async () => {
  const { trace, figures } = await play({
    source: groups([3, 3], { order: 'spread', feeders: 2 }),
    stages: [{ id: 'A', service: { kind: 'constant', mean: 4000 }, work: 'wait' }],
    workers: 1,
    batch: { size: 6 },
    groupSwitchCost: 200_000,
  })
  expect(figures.makespan).toBeGreaterThanOrEqual(6 * 4000 + 5 * 200_000)
  expect(figures.stages[0].meanService).toBeGreaterThanOrEqual(3000)
  expect(figures.stages[0].meanService).toBeLessThan(200_000)
  expect(rowsOf(trace, 'finished')).toHaveLength(6)
})
