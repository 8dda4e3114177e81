import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { jobsForIntervals } from '../../src/features/theory/measure/forecast.ts'
import { isInside } from '../../src/measures/figures/comparison.ts'
import { metricsOf } from '../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { hires } from '../../src/scenario/model/defaults.ts'
import { policies, policyKinds } from '../../src/scenario/model/policies.ts'
import { inFull } from '../fixtures/extent.ts'
import { cases, forecastOf, JOBS, queue, steadyFor } from './cases.ts'
import { theoryTable } from './table.ts'

describe('the simulation agrees with theory', () => {
  test('in cases of 60,000 jobs, whose 95% intervals hold nine theoretical values in ten, as docs/theory.md shows', async () => {
    const { text, inside, all } = await theoryTable(inFull ? 1 : 6)
    expect(inside / all).toBeGreaterThan(0.85)
    const printed = readFileSync('docs/theory.md', 'utf8')
    for (const line of inFull ? [`${text}\n`] : text.split('\n').filter((line) => line.startsWith('|')))
      expect(printed).toContain(line)
  })

  test('and every case is long enough for intervals', () => {
    for (const { scenario } of cases) expect(jobsForIntervals(forecastOf(scenario))).toBeLessThanOrEqual(JOBS)
    // A queue at load 0.9 has a correlation time of 271 services; 100 times as long, 24,412 jobs arrive.
    expect(jobsForIntervals(forecastOf(queue(0.9, 1)))).toBe(24_412)
  })

  test('with intervals that hold in nine runs of ten (load 0.6, seeds 101 on)', async () => {
    const seeds = inFull ? 60 : 15
    let held = 0
    for (let seed = 101; seed < 101 + seeds; seed++) {
      const scenario = queue(0.6, 1, undefined, { seed, source: { kind: 'poisson', rate: 600, jobs: 5000 } })
      const { meanWait, meanJobsInSystem } = await steadyFor(scenario)
      if (isInside(meanWait, 1500)) held++
      if (isInside(meanJobsInSystem, 1.5)) held++
    }
    expect(held / seeds / 2).toBeGreaterThan(0.85)
  })

  test('and a service 10% longer than declared lies outside (60,000 jobs)', async () => {
    const source = { kind: 'poisson', rate: 800, jobs: JOBS }
    const steady = await steadyFor(queue(0.8, 1, { kind: 'exponential', mean: 1100 }, { source }))
    expect(isInside(steady.meanWait, 4000)).toBe(false)
    expect(isInside(steady.utilisation, 0.8)).toBe(false)
  })
})

describe('at one stage', () => {
  const source = { kind: 'poisson', rate: 2700, jobs: 300 }
  const kinds = policyKinds.filter(
    (kind) =>
      !hires(kind) &&
      policies[kind].group !== 'known' &&
      !['onePerStage', 'fixed', 'single', 'perJob', 'byHand', 'code'].includes(kind),
  )
  const flowTimeOf = async (policy: object) =>
    metricsOf(await playSimulation(queue(0.9, 3, undefined, { source, policy }), 0)).meanFlowTime

  test.each(kinds)('%s keeps all workers at their stage, with or without lending, as the laws assume', async (kind) => {
    const pinned = await flowTimeOf({ kind: 'fixed', allocation: { A: 3 } })
    for (const lend of [true, false]) {
      const policy = { kind, lend, ...(kind === 'power' && { p: 3 }) }
      expect(forecastOf(queue(0.9, 3, undefined, { source, policy })).law).toBe('M/M/c')
      expect(await flowTimeOf(policy)).toBe(pinned)
    }
  })
})
