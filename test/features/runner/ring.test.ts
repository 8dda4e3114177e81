import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pipeline } from '../../../src/features/runner/pipeline.ts'
import { createRing } from '../../../src/features/runner/ring.ts'
import {
  createRangeIndex,
  extendRangeIndex,
  type RangeStats,
  statsWithin,
} from '../../../src/measures/figures/rangeStats.ts'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { endOf, stateBefore, type Trace } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { threadsOfNode } from './threadsOfNode.ts'

function statsFrom(trace: Trace, from: number): RangeStats {
  const chart = createChart(trace)
  extendChart(chart)
  const rangeIndex = createRangeIndex(trace)
  extendRangeIndex(rangeIndex)
  const end = endOf(trace)
  return statsWithin(rangeIndex, chart, from, end, end)
}

/** A run in the simulation: whole, and its last rows. */
async function played(scenario: Trace['scenario'], rows: number) {
  const ring = createRing(scenario, rows)
  const whole = await playSimulation(scenario, 0, (journal) => ring.take(journal))
  return { whole, last: { ...ring.trace(scenario, 0), ending: whole.ending } }
}

test('the figures of the last rows of a random run are those of the whole run over the same time', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyScenario({ jobs: 80, fails: true, graphs: true, capacity: false }),
      fc.integer({ min: 1, max: 300 }),
      async (scenario, rows) => {
        const { whole, last } = await played(scenario, rows)
        const { begins } = last
        if (begins === null) return
        // Every row since, and the same state before it.
        const cut = whole.length - (last.length - begins.row)
        expect(last.length - begins.row).toBeGreaterThanOrEqual(Math.min(rows, whole.length))
        const [a, b] = [stateBefore(whole, cut), stateBefore(last, begins.row)]
        for (const key of ['waiting', 'inHands', 'gathering', 'busy', 'jobsInHand', 'status'] as const)
          expect([key, ...b.counts[key]]).toEqual([key, ...a.counts[key]])
        for (const key of ['outside', 'parked', 'live', 'exhausted'] as const)
          expect([key, b.counts[key]]).toEqual([key, a.counts[key]])
        expect([begins.arrived, begins.released, begins.failed]).toEqual([
          a.counts.arrived,
          a.counts.released,
          a.counts.failed,
        ])
        const shift = endOf(whole) - endOf(last)
        const [full, part] = [statsFrom(whole, begins.time + shift), statsFrom(last, begins.time)]
        const { from: _, to: __, ...expected } = full
        expect(part).toMatchObject(expected)
        // It can be written and read again.
        const read = readTraceJson([...writeTraceJson(last)].join(''))
        if ('problems' in read) expect.fail(JSON.stringify(read.problems))
        expect(read.trace.begins).toEqual(begins)
      },
    ),
    { numRuns: repeats(100) },
  )
})

test('a record of the last rows begins with what was inside, and holds the rest of the run', async () => {
  const threads = await threadsOfNode()
  const pipeline = new Pipeline({
    worker: threads.worker,
    workers: 2,
    stages: ['parse', 'fussy', 'text'],
    onError: 'skip',
    record: { rows: 300 },
    highWaterMark: 20,
  })
  let out = 0
  let early: string | null = null
  for await (const _ of pipeline.run(Array.from({ length: 600 }, (_, k) => JSON.stringify({ n: 650 + k })))) {
    if (++out === 5) early = await (await pipeline.trace()).text()
    if (out === 100) pipeline.setPolicy('sinkFirst')
  }
  const text = await (await pipeline.trace()).text()
  await pipeline.close()
  rmSync(threads.folder, { recursive: true, force: true })
  const whole = readTraceJson(early ?? '')
  const read = readTraceJson(text)
  if ('problems' in whole || 'problems' in read) expect.fail(JSON.stringify([whole, read]))
  expect(whole.trace.begins).toBeNull()
  const { begins, failures, length, ending, scenario } = read.trace
  if (begins === null) expect.fail()
  expect(length - begins.row).toBeGreaterThanOrEqual(300)
  expect(length).toBeLessThan(800)
  expect([ending, scenario.policy.kind, scenario.later]).toEqual(['drained', 'sinkFirst', []])
  const { arrivals, completed, failed } = statsFrom(read.trace, begins.time)
  expect([begins.arrived + arrivals, begins.released + begins.failed + completed + failed]).toEqual([600, 600])
  // Input 584 failed: the record names it by its place among those that it holds.
  expect(failures.map(({ reason }) => reason)).toEqual(['cannot bear 1234'])
  expect(failed).toBe(1)
  expect(JSON.stringify(JSON.parse(text).begins)).toBe(JSON.stringify(begins))
})

test('a record that begins where it cannot is refused', async () => {
  const { last } = await played(anyOne, 100)
  const file = JSON.parse([...writeTraceJson(last)].join(''))
  const problemOf = (begins: object) => {
    const read = readTraceJson(JSON.stringify({ ...file, begins: { ...file.begins, ...begins } }))
    return 'problems' in read ? read.problems[0].path : null
  }
  expect(problemOf({})).toBeNull()
  expect(problemOf({ row: last.length + 1 })).toBe('begins.row')
  expect(problemOf({ time: file.begins.time + 1 })).toBe('begins.time')
  expect(problemOf({ arrived: -1 })).toBe('begins.arrived')
  expect(problemOf({ more: 1 })).toBe('begins.more')
})

const anyOne = scenarioWith({
  source: { kind: 'regular', rate: 1000, jobs: 100 },
  stages: [{ id: 'A' }, { id: 'B' }],
  workers: 2,
})
