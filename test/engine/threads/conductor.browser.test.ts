import { describe, expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { stateBefore } from '../../../src/trace/trace.ts'
import { events, scenarioWith } from '../../fixtures/scenarios.ts'
import { listen, makespan, rowsOf, seatsOf } from './runRecording.ts'

async function play(scenario: Scenario) {
  const recording = listen(scenario)
  const conductor = createConductor(pageEnvironment())
  await conductor.start(scenario, recording.listener)
  return { ...recording, figures: conductor.diagnostics }
}

const stage = (id: string, mean: number, more: object = {}) => ({ id, service: { kind: 'constant', mean }, ...more })
const batch = (jobs: number) => ({ kind: 'batch', jobs })

describe('real workers', () => {
  test('play the worked example: seats (2,0), (1,1), (0,2), and never less than 3 seconds', async () => {
    const { trace, endings } = await play(
      scenarioWith({ source: batch(3), stages: [stage('A', 1_000_000), stage('B', 1_000_000)], workers: 2 }),
    )
    expect(endings).toEqual(['drained'])
    expect(seatsOf(trace)).toEqual(['2,0', '1,1', '0,2'])
    expect(makespan(trace)).toBeGreaterThanOrEqual(3_000_000)
    // One after the other, the services would take longer.
    const spans = rowsOf(trace, 'finished').map(({ began, ended }) => ended - began)
    expect(makespan(trace)).toBeLessThan(spans.reduce((sum, span) => sum + span, 0))
  })

  test('burn for at least the requested time', async () => {
    const { trace, endings } = await play(scenarioWith({ source: batch(40), stages: [stage('A', 4000)], workers: 1 }))
    expect(endings).toEqual(['drained'])
    const services = rowsOf(trace, 'finished').map(({ began, ended }) => ended - began)
    expect(services).toHaveLength(40)
    // The clock steps by 5 us. A worker that loses its core for a while takes longer.
    for (const service of services) expect(service).toBeGreaterThanOrEqual(3994)
  })

  test('wait in parallel, without using a core', async () => {
    const stages = ['A', 'B', 'C'].map((id) => ({
      id,
      service: { kind: 'uniform', min: 20_000, max: 40_000 },
      work: 'wait',
    }))
    const { trace, endings } = await play(scenarioWith({ source: batch(24), stages, workers: 8 }))
    expect(endings).toEqual(['drained'])
    // Eight workers take 270 ms if nothing else runs; one after the other the services take eight times as long.
    const spans = rowsOf(trace, 'finished').map(({ began, ended }) => ended - began)
    expect(makespan(trace)).toBeLessThan(spans.reduce((sum, span) => sum + span, 0))
  })

  test('take no job before it arrives in real time', async () => {
    const at = [0, 20_000, 20_000, 70_000]
    const { trace } = await play(
      scenarioWith({ source: { kind: 'times', at }, stages: [stage('A', 1000, { work: 'wait' })], workers: 2 }),
    )
    const arrivals = rowsOf(trace, 'arrived').map(({ time }) => time)
    expect(arrivals).toHaveLength(4)
    for (const [job, time] of arrivals.entries()) expect(time).toBeGreaterThanOrEqual(at[job])
    expect(rowsOf(trace, 'released')).toHaveLength(4)
  })

  test('take jobs in batches and report when each was served', async () => {
    const { trace } = await play(
      scenarioWith({ source: batch(20), stages: [stage('A', 2000)], workers: 2, batch: { size: 5 } }),
    )
    const rows = rowsOf(trace, 'finished').filter(({ worker }) => worker === 0)
    for (let k = 1; k < rows.length; k++) expect(rows[k].began).toBeGreaterThanOrEqual(rows[k - 1].ended)
    for (const { began, ended, time } of rows) {
      expect(ended).toBeGreaterThan(began)
      expect(ended).toBeLessThanOrEqual(time)
    }
  })
})

describe('real workers with second batches', () => {
  const spansOf = (trace: Parameters<typeof rowsOf>[0], worker: number) =>
    rowsOf(trace, 'finished').filter((row) => row.worker === worker)

  test.each(['wait', 'burn', 'sha256', 'gzip'])(
    'serve a second batch after the first, never beside it: %s',
    async (work) => {
      const stages = [stage('A', 2000, { work }), stage('B', 1000, { work: 'wait' })]
      const { trace, endings, failures, figures } = await play(
        scenarioWith({ source: batch(60), stages, workers: 2, batch: { size: 3, inHand: 2 } }),
      )
      expect([endings, failures, figures.ignored]).toEqual([['drained'], [], 0])
      expect(rowsOf(trace, 'released')).toHaveLength(60)
      expect(rowsOf(trace, 'second').length).toBeGreaterThan(0)
      for (const worker of [0, 1]) {
        const spans = spansOf(trace, worker).sort((a, b) => a.began - b.began)
        for (let k = 1; k < spans.length; k++) expect(spans[k].began).toBeGreaterThanOrEqual(spans[k - 1].ended)
      }
    },
  )

  test('lose no job when one with two batches crashes, hangs or leaves', async () => {
    const workerEvents = events([10_000, 'crash', 0], [15_000, 'leave', 1], [20_000, 'hang', 2])
    const { trace, endings } = await play(
      scenarioWith({
        source: batch(40),
        stages: [stage('A', 4000, { work: 'wait' })],
        workers: 4,
        workerEvents,
        batch: { size: 2, inHand: 2 },
      }),
    )
    expect(endings).toEqual(['drained'])
    expect(new Set(rowsOf(trace, 'released').map(({ job }) => job)).size).toBe(40)
    expect(rowsOf(trace, 'failed')).toEqual([])
  })

  test('take adaptive batches: fewer batches than jobs, since the jobs are short', async () => {
    const { trace, endings } = await play(
      scenarioWith({ source: batch(600), stages: [stage('A', 100)], workers: 2, batch: { adaptive: true } }),
    )
    expect(endings).toEqual(['drained'])
    const jobs = rowsOf(trace, 'started')
    expect(jobs).toHaveLength(600)
    expect(new Set(jobs.map(({ time, worker }) => `${time} ${worker}`)).size).toBeLessThan(600)
  })
})

describe('when something goes wrong', () => {
  const two = (more: object) =>
    scenarioWith({ source: batch(12), stages: [stage('A', 5000, { work: 'wait' })], workers: 2, ...more })

  test('a worker that hangs is given up after two seconds and the other does its job', async () => {
    const { trace, failures, endings } = await play(two({ workerEvents: [{ at: 12_000, kind: 'hang', worker: 1 }] }))
    expect(endings).toEqual(['drained'])
    expect(rowsOf(trace, 'released')).toHaveLength(12)
    const [lost] = rowsOf(trace, 'lost')
    expect(lost.worker).toBe(1)
    // Two seconds of silence, counted in ticks of a quarter of a second.
    expect(lost.time).toBeGreaterThan(1_750_000)
    expect(failures).toEqual([expect.objectContaining({ kind: 'worker', worker: 1 })])
  })

  test('the job of a crashed worker goes to the others', async () => {
    const { trace, endings } = await play(two({ workerEvents: [{ at: 12_000, kind: 'crash', worker: 0 }] }))
    expect(endings).toEqual(['drained'])
    expect(rowsOf(trace, 'lost')).toHaveLength(1)
    expect(rowsOf(trace, 'released')).toHaveLength(12)
  })

  test('workers join and leave', async () => {
    const workerEvents = events([5000, 'join', 2], [20_000, 'leave', 0], [30_000, 'leave', 1])
    // Only the worker that joins can serve the last jobs, however long its thread takes to start.
    const { trace, endings, failures } = await play(
      scenarioWith({ source: batch(60), stages: [stage('A', 10_000, { work: 'wait' })], workers: 2, workerEvents }),
    )
    expect(endings).toEqual(['drained'])
    expect(failures).toEqual([])
    const [joined] = rowsOf(trace, 'joined')
    const lost = rowsOf(trace, 'lost')
    expect(joined.worker).toBe(2)
    expect(lost.map(({ worker }) => worker).sort()).toEqual([0, 1])
    expect(rowsOf(trace, 'started').some(({ worker }) => worker === 2)).toBe(true)
    for (const gone of lost)
      expect(rowsOf(trace, 'started').some(({ worker, time }) => worker === gone.worker && time >= gone.time)).toBe(
        false,
      )
    expect(rowsOf(trace, 'threw')).toEqual([])
  })

  test('when no worker is left the run ends as stuck', async () => {
    const { trace, endings } = await play(
      two({
        workerEvents: events([12_000, 'crash', 0], [12_000, 'crash', 1]),
      }),
    )
    expect(endings).toEqual(['stuck'])
    expect(stateBefore(trace, trace.length).counts.live).toBe(0)
  })

  test('a poisonous job is tried three times and fails, and its ticket lets the others pass in order', async () => {
    const asked = {
      source: batch(10),
      stages: [stage('A', 1000, { fails: { jobs: [3], tries: 3 } })],
      workers: 2,
      batch: { size: 2 },
      order: { kind: 'buffer', slots: 8 },
    }
    const { trace, failures, endings } = await play(scenarioWith(asked))
    expect(endings).toEqual(['drained'])
    expect(rowsOf(trace, 'released').map(({ job }) => job)).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9])
    expect(rowsOf(trace, 'failed').map(({ job }) => job)).toEqual([3])
    // Once in its batch, which does not count, and three times alone.
    expect(rowsOf(trace, 'threw').map(({ job }) => job)).toEqual([3, 3, 3, 3])
    expect(failures.map(({ kind, job }) => [kind, job])).toEqual([3, 3, 3, 3].map((job) => ['job', job]))
  })

  test('Stop before the workers have answered also ends the run', async () => {
    const scenario = two({})
    const recording = listen(scenario)
    const conductor = createConductor(pageEnvironment())
    const run = conductor.start(scenario, recording.listener)
    conductor.stop()
    await run
    expect(recording.endings).toEqual(['stopped'])
    expect(rowsOf(recording.trace, 'started')).toEqual([])
  })

  test('more services than threads may play are refused with a reason', async () => {
    await expect(
      play(scenarioWith({ source: batch(300_000), stages: [stage('A', 1000)], workers: 1 })),
    ).rejects.toThrow('A real run has at most 200,000 services')
  })
})
