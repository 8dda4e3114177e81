import { cumsum, mean } from 'd3-array'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrivalsCounted, dispersionOf, wholeCounts } from '../../../../src/features/logs/fit/arrivalRates.ts'
import { capacityOfLog, following, serviceWithCv, spreadOfLog } from '../../../../src/features/logs/fit/facts.ts'
import { fitLog } from '../../../../src/features/logs/fit/fitLog.ts'
import { samplesOf } from '../../../../src/features/logs/fit/samples.ts'
import { arrivalTimes } from '../../../../src/features/logs/fit/whatIf.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { countJobs } from '../../../../src/scenario/model/sources.ts'
import { samplerOf } from '../../../../src/workload/laws.ts'
import { createRandom } from '../../../../src/workload/random.ts'
import { arrivedBy } from '../../../fixtures/arrivedBy.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { asCsv, watched } from '../etl.ts'
import { logOf } from './logs.ts'
import { stageFrom } from './stages.ts'

/** A line whose second stage is too slow for a while. Its queue holds `capacity` jobs, and its service times have this spread. */
function made({
  seed,
  capacity = null,
  cv = 1,
  at,
  jobs = 2400,
}: {
  seed: number
  capacity?: number | null
  cv?: number
  at?: readonly number[]
  jobs?: number
}) {
  return scenarioWith({
    seed,
    source: at === undefined ? { kind: 'poisson', rate: 8, jobs } : { kind: 'times', at },
    stages: [
      { id: 'fetch', service: { kind: 'exponential', mean: 200_000 } },
      {
        id: 'enrich',
        service: serviceWithCv(420_000, cv),
        capacity,
        changes: [
          { from: jobs / 3, service: serviceWithCv(700_000, cv) },
          { from: jobs * 0.6, service: serviceWithCv(420_000, cv) },
        ],
      },
      { id: 'store', service: { kind: 'exponential', mean: 90_000 } },
    ],
    workers: 8,
    policy: { kind: 'fixed', allocation: { fetch: 3, enrich: 4, store: 1 } },
  })
}

const samplesFrom = (text: string) => samplesOf(logOf(text), ['fetch', 'enrich', 'store'])

describe('what a log tells about its system', () => {
  test('is how many jobs a queue holds, within a tenth, where it was full; elsewhere nothing is bounded', async () => {
    let [runs, missed] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 5, max: 120 }),
        fc.integer({ min: 1, max: 10_000 }),
        async (capacity, seed) => {
          const { stages } = samplesFrom(asCsv(await watched(made({ seed, capacity }))))
          const found = capacityOfLog(stages[1])
          runs++
          if (found === null) missed++
          else expect(Math.abs(found.capacity / capacity - 1)).toBeLessThan(0.1)
          const free = samplesFrom(asCsv(await watched(made({ seed }))))
          expect(free.stages.slice(1).map((stage) => capacityOfLog(stage)?.clear ?? false)).toEqual([false, false])
        },
      ),
      { numRuns: repeats(8), seed: 7 },
    )
    expect(missed).toBeLessThan(0.25 * runs)
  })

  test('is the spread of the service times, from how much their counted means vary, within two fifths', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0.3, 0.5, 1, 1.8), fc.integer({ min: 1, max: 10_000 }), async (cv, seed) => {
        const [, stage] = samplesFrom(asCsv(await watched(made({ seed, cv })))).stages
        const found = spreadOfLog(stage)
        expect(found?.source).toBe('means')
        expect(Math.abs((found?.cv ?? 0) / cv - 1)).toBeLessThan(0.4)
      }),
      { numRuns: repeats(8), seed: 7 },
    )
  })

  test('is no spread where the means are one number, or are smoothed', async () => {
    const system = await watched(made({ seed: 3 }))
    const text = asCsv(system)
    const nominal = samplesFrom(text.replace(/^(\d+,\w+,\d+),[\d.]*,/gm, '$1,420,'))
    expect(nominal.stages.map(spreadOfLog)).toEqual([null, null, null])
    const [, stage] = samplesFrom(text).stages
    let last = stage.service[0]
    const smoothed = stage.service.map((each) => {
      last += 0.05 * (each - last)
      return last
    })
    expect(spreadOfLog({ ...stage, service: smoothed })).toBeNull()
  })

  test('is the spread of percentiles, if they stand in the log, with the unit of their names', () => {
    const rows = (head: string, of: string) => [
      `time,stage,queue,service_ms,workers,${head}`,
      ...Array.from({ length: 20 }, (_, k) => `${k},A,${k % 3},100,2,${of}`),
    ]
    const spread = (head: string, of: string) =>
      spreadOfLog(samplesOf(logOf(rows(head, of).join('\n')), null).stages[0])
    // Lognormal with σ = 0.6: the mean is exp(σ²/2), the quantiles exp(zσ), and the coefficient of variation 0.6583.
    const [p95, p99] = [1.645, 2.326].map((z) => 100 * Math.exp(0.6 * z - 0.18))
    expect(spread('service_p95_ms', p95.toFixed(3))).toMatchObject({ source: 'p95', cv: expect.closeTo(0.6583, 2) })
    expect(spread('p99_s', (p99 / 1000).toFixed(6))).toMatchObject({ source: 'p99', cv: expect.closeTo(0.6583, 2) })
    expect(spread('p95,p99', `${p95.toFixed(3)},${p99.toFixed(3)}`)).toMatchObject({
      source: 'p99',
      cv: expect.closeTo(0.6583, 2),
    })
    expect(serviceWithCv(1000, 0.5)).toEqual({ kind: 'erlang', mean: 1000, k: 4 })
  })

  test('is whether jobs come in bursts', async () => {
    const rates = [[0, 8]] as const
    for (const [dispersion, bursts] of [
      [1, false],
      [6, true],
    ] as const) {
      const at = arrivalTimes({ early: 0, rates, end: 600e6, dispersion, interval: 1e6 }, 5)
      const samples = samplesFrom(asCsv(await watched(made({ seed: 5, at }))))
      const came = wholeCounts(arrivalsCounted(samples.stages[0]) ?? new Float64Array(0))
      const found = dispersionOf(samples, came, (k) => (at.length * samples.time[k]) / 600e6)
      if (bursts) expect(found).toBeGreaterThan(3)
      else expect(found).toBe(1)
    }
  })

  test('is how many workers are busy, so that the arrivals are exact', () => {
    const text = [
      'time,stage,queue,service_ms,workers,completed,busy',
      ...Array.from({ length: 20 }, (_, k) => `${k},A,${k % 2},500,2,${k},${k % 3}`),
    ]
    const [stage] = samplesOf(logOf(text.join('\n')), null).stages
    expect(arrivalsCounted(stage)?.slice(0, 6)).toEqual(Float64Array.from([0, 3, 4, 4, 5, 8]))
  })
})

describe('service times that follow those of a log', () => {
  /** A stage that always has a queue, whose services of each second the log counts. */
  const stageOf = (seed: number) => {
    const drawn = samplerOf({ kind: 'lognormal', mean: 50_000, cv: 0.8 }, createRandom(seed, 1))
    const jobs = createChance(seed)
    const counts = Array.from({ length: 80 }, (_, k) => (k === 0 ? 0 : jobs.below(14)))
    const completed = cumsum(counts)
    const sum = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, j) => drawn(from + j)).reduce((all, each) => all + each, 0)
    const work = Float64Array.from(completed, (_, k) => sum(0, completed[k]))
    const service = counts.map((count, k) => (count === 0 ? 0 : (work[k] - work[k - 1]) / count))
    return {
      stage: stageFrom(
        counts.map(() => 5),
        { completed: Array.from(completed), service },
      ),
      work,
    }
  }
  const exponential = (mean: number) => ({ kind: 'exponential', mean: Math.round(mean) }) as const

  test('take as long as the log says, to within two jobs at most of its times, however the run draws them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(32, 64),
        (seed, passing, missing, most) => {
          const { stage, work } = stageOf(seed)
          const random = createRandom(seed + 1, 2)
          const found = following(stage, work, { passing, missing, most }, exponential, random) ?? []
          expect(found[0].from).toBe(passing)
          expect(found.length).toBeLessThanOrEqual(most)
          for (const [k, { from }] of found.entries())
            if (k > 0) expect(from - found[k - 1].from).toBeGreaterThanOrEqual(6)
          const lasted = (job: number) =>
            samplerOf(found.filter(({ from }) => from <= job).at(-1)?.service ?? exponential(1), random)(job)
          const done = Array.from(stage.completed ?? [], (jobs) => Math.max(0, jobs - missing))
          const first = done.lastIndexOf(0)
          let [job, sum] = [0, 0]
          const apart = done.map((jobs, k) => {
            for (; job < jobs; job++) sum += lasted(passing + job)
            return k < first ? 0 : Math.abs(sum - (work[k] - work[first])) / 50_000
          })
          expect(mean(apart)).toBeLessThan(2)
        },
      ),
      { numRuns: repeats(60) },
    )
  })

  test('are unknown if the run has hardly any of these jobs', () => {
    const { stage, work } = stageOf(3)
    const all = stage.completed?.at(-1) ?? 0
    const followed = (missing: number) =>
      following(stage, work, { passing: 0, missing, most: 8 }, exponential, createRandom(1, 1))
    expect(followed(all - 5)).toBe(null)
    expect(followed(all - 6)).toHaveLength(1)
  })
})

describe('a fit', () => {
  test('has the counted arrivals exactly between the times of the log, the capacity and the spread, and says so', async () => {
    const system = await watched(made({ seed: 11, capacity: 30, cv: 0.5, jobs: 1200 }))
    const log = logOf(asCsv(system))
    const { scenario, assumed, stages } = await fitLog(log, { order: ['fetch', 'enrich', 'store'] })
    const { stages: samples, time } = samplesOf(log, ['fetch', 'enrich', 'store'])
    const came = wholeCounts(arrivalsCounted(samples[0]) ?? new Float64Array(0))
    expect(countJobs(scenario.source)).toBe(came[came.length - 1])
    const played = arrivedBy(await playSimulation(scenario, 0), time)
    expect(played).toEqual(Array.from(came))
    expect(scenario.stages.map(({ capacity }) => capacity)).toEqual([null, 30, null])
    const service = scenario.stages[1].service
    expect(service.kind === 'erlang' && service.k).toBeGreaterThanOrEqual(3)
    expect(assumed.some((text) => text.startsWith('enrich: at most 30 jobs wait'))).toBe(true)
    expect(assumed.some((text) => text.startsWith('enrich: coefficient of variation of the service times 0.'))).toBe(
      true,
    )
    expect(stages[0].error).toBeLessThan(0.35)
  })
})
