import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replay } from '../../../src/features/replay/study/replay.ts'
import { ARRIVED, FAILED, FINISHED, RELEASED, ROUTED, STARTED } from '../../../src/pipeline/rows.ts'
import { scenarioAtPhase } from '../../../src/scenario/model/schedule.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { digestOf } from '../../../src/trace/digest.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { constant, noted, play, playTrace } from './play.ts'

const links = (text: string) => text.split(' ').map((link) => link.split('>'))
const diamond = links('source>A A>B A>C B>D C>D D>sink')
const batch = (jobs: number) => ({ kind: 'batch', jobs })

describe('a published example', () => {
  const ideal = [
    ['side-by-side', 'onePerStage', 1_750_000],
    ['side-by-side', 'single', 5_000_000],
    ['six-through-three', 'onePerStage', 1_600_000],
    ['six-through-three', 'single', 3_600_000],
  ] as const
  test.each(ideal)('%s under %s takes %i us to the last digit', async (key, kind, makespan) => {
    expect(endOf(await playTrace({ ...presetOf(key)?.scenario, policy: { kind } }))).toBe(makespan)
  })
})

describe('a graph', () => {
  test('gives each stage behind a copy, and a job leaves the join when all its parts have come', async () => {
    const { trace, rows } = await play({
      source: batch(2),
      stages: [constant('A', 10), constant('B', 5), constant('C', 20), constant('D', 1, { join: 'all' })],
      links: diamond,
      workers: 4,
      policy: { kind: 'onePerStage' },
    })
    expect(noted(rows, trace, 'finished', 'gathered', 'released')).toEqual([
      '10 finished A w0 j0 (0-10)',
      '15 finished B w1 j0 (10-15)',
      '20 finished A w0 j1 (10-20)',
      '25 finished B w1 j1 (20-25)',
      '30 finished C w2 j0 (10-30)',
      '30 gathered D j0',
      '31 finished D w3 j0 (30-31)',
      '31 released j0',
      '50 finished C w2 j1 (30-50)',
      '50 gathered D j1',
      '51 finished D w3 j1 (50-51)',
      '51 released j1',
    ])
    const { counts } = stateAt(trace, 25)
    expect([...counts.gathering]).toEqual([0, 0, 0, 2])
  })

  test('lets a job out at the sink when its last part has come', async () => {
    const { trace, rows } = await play({
      source: batch(1),
      stages: [constant('A', 10), constant('B', 5), constant('C', 20)],
      links: links('source>A A>B A>C B>sink C>sink'),
      workers: 2,
    })
    expect(noted(rows, trace, 'finished', 'gathered', 'released')).toEqual([
      '10 finished A w0 j0 (0-10)',
      '15 finished B w0 j0 (10-15)',
      '30 finished C w1 j0 (10-30)',
      '30 gathered j0',
      '30 released j0',
    ])
  })

  test('routes jobs in proportion to the weights, the same jobs under every policy and with any number of workers', async () => {
    const routed = async (more: object) => {
      const { rows, trace } = await play({
        source: batch(2000),
        stages: [constant('A', 10, { fanOut: { route: { B: 3, C: 1 } } }), constant('B', 5), constant('C', 20), constant('D', 1)],
        links: diamond,
        workers: 3,
        ...more,
      })
      expect(stateAt(trace, Infinity).counts.released).toBe(2000)
      return rows
        .filter(({ kind }) => kind === ROUTED)
        .sort((a, b) => a.job - b.job)
        .map(({ stage }) => stage)
    }
    const ways = await routed({})
    expect(ways).toHaveLength(2000)
    // Three quarters, within four standard deviations.
    expect(Math.abs(ways.filter((way) => way === 1).length - 1500)).toBeLessThan(4 * Math.sqrt(2000 * 0.75 * 0.25))
    expect(await routed({ policy: { kind: 'backpressure' }, workers: 7 })).toEqual(ways)
    expect(await routed({ seed: 2 })).not.toEqual(ways)
  })

  test('fails a job as a whole: its parts that wait are removed at once, those in hands when they come out of them', async () => {
    const { trace, rows } = await play({
      source: batch(2),
      stages: [constant('A', 10), constant('B', 5, { fails: { jobs: [0], tries: 1 } }), constant('C', 20), constant('D', 1, { join: 'all' })],
      links: diamond,
      workers: 4,
      policy: { kind: 'onePerStage' },
      order: { kind: 'buffer', slots: 4 },
    })
    expect(noted(rows, trace, 'threw', 'failed', 'withdrawn', 'discarded', 'gathered', 'released')).toEqual([
      '15 threw B w1 j0',
      '15 failed B j0',
      '30 discarded D j0',
      '50 gathered D j1',
      '51 released j1',
    ])
    expect(trace.ending).toBe('drained')
  })

  test('gathers more parts before a join than its queue may hold: they count against no bound', async () => {
    // The one worker does all of B first: its votes are the greater.
    const { trace } = await play({
      source: batch(6),
      stages: [constant('A', 1), constant('B', 100), constant('C', 1), constant('D', 1, { join: 'all', capacity: 1 })],
      links: diamond,
      workers: 1,
      estimator: { kind: 'mean', prior: 'declared' },
    })
    const states = Array.from({ length: endOf(trace) + 1 }, (_, t) => stateAt(trace, t).counts)
    expect(Math.max(...states.map(({ gathering }) => gathering[3]))).toBeGreaterThan(4)
    expect(Math.max(...states.map(({ waiting }) => waiting[3]))).toBe(1)
    expect(trace.ending).toBe('drained')
  })

  test('starts nothing unless there is room in every queue behind, whatever else feeds it', async () => {
    const { rows } = await play({
      source: batch(12),
      stages: [constant('A', 1), constant('B', 3, { capacity: 1 }), constant('C', 5, { capacity: 2 }), constant('D', 40, { join: 'all', capacity: 1 })],
      links: diamond,
      workers: 6,
    })
    let [atD, toD] = [0, 0]
    for (const { kind, stage, job } of rows) {
      if (kind === STARTED && stage === 3) atD--
      if (kind === STARTED && (stage === 1 || stage === 2)) toD++
      if (kind === FINISHED && (stage === 1 || stage === 2)) toD--
      if (kind === 15) atD++
      expect(atD + toD, `job ${job}`).toBeLessThanOrEqual(1)
    }
    expect(rows.filter(({ kind }) => kind === RELEASED)).toHaveLength(12)
  })
})

describe('any graph', () => {
  test('comes to its end, loses no job and no part, reads its trace again from a file, and is the same when replayed', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true, jobs: 40 }), async (scenario) => {
        const { trace, rows } = await play(scenario)
        const { counts } = stateAt(trace, Infinity)
        const count = (kind: number) => rows.filter((row) => row.kind === kind).length
        expect([counts.arrived, counts.released, counts.failed]).toEqual([count(ARRIVED), count(RELEASED), count(FAILED)])
        expect([...counts.waiting, ...counts.inHands, ...counts.gathering].every((jobs) => jobs >= 0)).toBe(true)
        const mayStick = !scenarioAtPhase(scenario, counts.phase).policy.lend || counts.live === 0
        expect(mayStick || trace.ending === 'drained').toBe(true)
        if (trace.ending === 'drained') {
          expect(counts.released + counts.failed).toBe(counts.arrived)
          expect([...counts.waiting, ...counts.inHands, ...counts.gathering].every((jobs) => jobs === 0)).toBe(true)
        }
        const read = readTraceJson([...writeTraceJson(trace)].join(''))
        expect('problems' in read ? read.problems : digestOf(read.trace)).toEqual(digestOf(trace))
        expect(replay(trace).difference).toBeNull()
      }),
      { numRuns: repeats(120) },
    )
  })
})
