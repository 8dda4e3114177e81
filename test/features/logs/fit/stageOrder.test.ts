import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { samplesOf } from '../../../../src/features/logs/fit/samples.ts'
import { stageOrderOf } from '../../../../src/features/logs/fit/stageOrder.ts'
import type { SystemLog } from '../../../../src/features/logs/read/log.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { asCsv, asExposition, asRangeQuery, etl, type Watched, watched } from '../etl.ts'
import { soundLog } from '../read/logFiles.ts'

const pipeline = ['fetch', 'parse', 'enrich', 'store']
const orderIn = (log: SystemLog) => {
  const samples = samplesOf(log, null)
  const { order, certain } = stageOrderOf(samples, log)
  return { names: order.map((s) => samples.stages[s].name), certain }
}

let system: Watched
beforeAll(async () => {
  system = await watched(etl())
})

describe('the order of the stages of a system that is watched every second', () => {
  test('is certain from the counters of Prometheus and of a CSV, though both list the stages by the alphabet', () => {
    for (const text of [asRangeQuery(system), asRangeQuery(system, null), asExposition(system), asCsv(system)]) {
      const log = soundLog(text, 1 << 20)
      expect(log.stages).toEqual(['enrich', 'fetch', 'parse', 'store'])
      expect(orderIn(log)).toEqual({ names: pipeline, certain: true })
    }
  })

  test('is certain also from the middle of a run on, or is not said to be', () => {
    const from = 100
    const later = (values: Watched['queue']) => values.slice(from)
    const part = {
      ...system,
      seconds: system.seconds - from,
      queue: later(system.queue),
      completed: later(system.completed),
      took: later(system.took),
    }
    expect(orderIn(soundLog(asRangeQuery(part), 1 << 20))).toEqual({ names: pipeline, certain: true })
    const { names, certain } = orderIn(soundLog(asCsv(part, true), 1 << 20))
    if (certain) expect(names).toEqual(pipeline)
  })

  test('of any pipeline is right where it is certain, and mostly certain with counters', async () => {
    const stage = fc.record({
      mean: fc.integer({ min: 20_000, max: 900_000 }),
      workers: fc.integer({ min: 1, max: 4 }),
    })
    const any = fc.record({
      stages: fc.array(stage, { minLength: 2, maxLength: 5 }),
      names: fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 5 }),
      load: fc.double({ min: 0.2, max: 1.1, noNaN: true }),
      seed: fc.nat(10_000),
    })
    let [all, sure] = [0, 0]
    await fc.assert(
      fc.asyncProperty(any, async ({ stages, names, load, seed }) => {
        const ids = stages.map((_, s) => names[s])
        const slowest = Math.min(...stages.map(({ mean, workers }) => (1e6 * workers) / mean))
        const run = await watched(
          scenarioWith({
            seed,
            source: { kind: 'poisson', rate: load * slowest, jobs: Math.ceil(60 * load * slowest) },
            stages: stages.map(({ mean }, s) => ({ id: ids[s], service: { kind: 'exponential', mean } })),
            workers: stages.reduce((sum, { workers }) => sum + workers, 0),
            policy: {
              kind: 'fixed',
              allocation: Object.fromEntries(stages.map(({ workers }, s) => [ids[s], workers])),
            },
          }),
        )
        if (run.seconds < 15) return
        const counters = orderIn(soundLog(asCsv(run), 1 << 20))
        const increments = orderIn(soundLog(asCsv(run, true), 1 << 20))
        all++
        if (counters.certain) sure++
        if (counters.certain) expect(counters.names).toEqual(ids)
        if (increments.certain) expect(increments.names).toEqual(ids)
      }),
      { numRuns: repeats(240) },
    )
    expect(sure / all).toBeGreaterThan(0.5)
  })
})
