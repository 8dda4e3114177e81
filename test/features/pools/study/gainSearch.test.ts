import { describe, expect, test } from 'vitest'
import { poolCost, poolUse } from '../../../../src/features/pools/measure/tuning.ts'
import { bounded, coarseToFine, findUltimate, gainGrid, isPid, type PidScenario, withGains } from '../../../../src/features/pools/study/gainSearch.ts'
import { playSwing } from '../../../../src/features/pools/study/poolTrials.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { playMetrics } from '../../../../src/runs/play/trial.ts'
import { countJobs } from '../../../../src/scenario/model/sources.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { inFull } from '../../../fixtures/extent.ts'

function pidPreset(key: string): PidScenario {
  const scenario = presetOf(key)?.scenario
  if (scenario === undefined || !isPid(scenario)) throw new Error(`${key} is no preset with a PID controller`)
  return scenario
}

function pool(patch: object = {}, policy: object = {}): PidScenario {
  const scenario = valid({
    version: 1,
    source: { kind: 'sine', max: 24, every: 100_000, duration: 7_000_000 },
    stages: [{ id: 'A', service: { kind: 'constant', mean: 25_000 } }],
    workers: 20,
    policy: { kind: 'pid', kp: 1, ki: 0.05, kd: 0, every: 10_000, setpoint: 0, up: -20, down: -4, ...policy },
    ...patch,
  })
  if (!isPid(scenario)) throw new Error('not PID')
  return scenario
}

describe('the ultimate gain', () => {
  test.runIf(inFull)('of the published pool is that from which on its queue goes round steadily, and 2% below it does not', async () => {
    const asked = bounded(pidPreset('elastic-pid'))
    const found = await findUltimate(asked, playSwing)
    if (found.kind !== 'found') throw new Error(found.reason)
    const { ultimate, at, before } = found
    expect(ultimate.gain).toBeGreaterThan(0.1)
    expect(ultimate.gain).toBeLessThan(1)
    expect(at).toMatchObject({ steady: true, stage: 0, gain: ultimate.gain, period: ultimate.period })
    expect(at.rounds).toBeGreaterThanOrEqual(4)
    expect(before?.steady).toBe(false)
    expect(ultimate.gain / (before?.gain ?? 0)).toBeLessThanOrEqual(1.02)
  })

  test('is the same for P, PI and PID: the search leaves the integral and the derivative part out', async () => {
    const gains = [{ ki: 0 }, { ki: 0.05 }, { ki: 0.05, kd: 0.05 }]
    const found = await Promise.all(gains.map((each) => findUltimate(bounded(pool({}, each)), playSwing)))
    expect(found[0].kind).toBe('found')
    expect(found[1]).toEqual(found[0])
    expect(found[2]).toEqual(found[0])
  })

  test('of an adaptive controller tuned at half the service time is half as high, since it doubles its gains', async () => {
    const known = { estimator: { kind: 'mean', prior: 'declared' } }
    const plain = await findUltimate(bounded(pool(known)), playSwing)
    const adaptive = await findUltimate(bounded(pool(known, { kind: 'adaptive', tunedAt: 12_500 })), playSwing)
    if (plain.kind !== 'found' || adaptive.kind !== 'found') throw new Error('it never oscillates')
    expect(adaptive.ultimate.gain / plain.ultimate.gain).toBeCloseTo(0.5, 9)
  })

  test('is said not to exist in words: all at once, nobody ever hired, a pool that saturates', async () => {
    const reason = async (scenario: PidScenario) => {
      const found = await findUltimate(bounded(scenario), playSwing)
      return found.kind === 'never' ? found.reason : 'found'
    }
    expect(await reason(pool({ source: { kind: 'batch', jobs: 50 } }))).toMatch(/^All jobs come at once/)
    expect(await reason(pool({ source: { kind: 'regular', rate: 100, jobs: 300 } }, { setpoint: 1000, up: -100, down: 0 }))).toMatch(/hires anybody\.$/)
    expect(await reason(pool({ workers: 1 }))).toMatch(/the pool goes to its most, 1, and stays; it saturates\.$/)
  })
})

describe('what the search plays', () => {
  test('is the scenario itself where it is short, and else its first jobs, which meet the luck they have there', async () => {
    const short = pool()
    expect(bounded(short).scenario).toBe(short)
    const long = pool({ source: { kind: 'poisson', rate: 1000, jobs: 300_000 }, stages: [{ id: 'A', service: { kind: 'exponential', mean: 5000 } }] })
    const { scenario, jobs, of } = bounded(long)
    expect([jobs, of, countJobs(scenario.source)]).toEqual([40_000, 300_000, 40_000])
    expect(scenario).toEqual({ ...long, source: { ...long.source, jobs: 40_000 } })
    const slow = bounded(pool({ source: { kind: 'regular', rate: 1, jobs: 1000 } }))
    expect(slow.jobs).toBeLessThanOrEqual(201)
    expect(slow.to).toBeLessThanOrEqual(200_000_000)
    const times = bounded(pool({ source: { kind: 'times', at: [5, 10, 900_000_000] } }))
    expect(times.scenario.source).toEqual({ kind: 'times', at: [5, 10] })
    expect([times.from, times.to]).toEqual([5, 10])
  })
})

describe('the map of gains', () => {
  test('has the present gains and P alone as cells, three columns a decade, and reaches out to others', () => {
    const grid = gainGrid({ kp: 1, ki: 0.05, kd: 0 })
    expect(grid.kp).toEqual([0.01, 0.0215, 0.0464, 0.1, 0.215, 0.464, 1, 2.15, 4.64, 10, 21.5, 46.4, 100])
    expect(grid.ki.slice(0, 3)).toEqual([0, 0.0005, 0.00108])
    expect(grid.ki).toContain(0.05)
    expect(gainGrid({ kp: 1, ki: 0, kd: 0 }, [{ kp: 0.004, ki: 3, kd: 0 }]).kp[0]).toBe(0.00215)
    expect(gainGrid({ kp: 1e6, ki: 0, kd: 0 }).kp.at(-1)).toBe(1e6)
    expect(gainGrid({ kp: 0, ki: 0, kd: 0 }).kp).toContain(1)
  })

  test('is played from coarse to fine, every cell once', () => {
    const order = coarseToFine(13, 14)
    expect(new Set(order).size).toBe(13 * 14)
    expect(order.slice(0, 4)).toEqual([0, 4, 8, 12])
  })

  test('says of every cell what a run of the scenario with these gains costs, and its least is no more than the cost at the present gains', async () => {
    const scenario = pool()
    const grid = gainGrid(scenario.policy)
    const costs: number[] = []
    const prices = { worker: 1, wait: 1 }
    for (const kp of grid.kp.filter((_, i) => i % 2 === 0))
      for (const ki of grid.ki.filter((each, i) => i % 3 === 0 || each === 0.05)) {
        const cell = withGains(bounded(scenario).scenario, { kp, ki, kd: 0 })
        const cost = poolCost(poolUse(await playMetrics(cell)), prices)
        costs.push(cost)
        if (kp !== 1 || ki !== 0.05) continue
        expect(cell).toEqual(scenario)
        expect(cost).toBe(poolCost(poolUse(metricsOf(await playSimulation(scenario, 0))), prices))
      }
    const present = poolCost(poolUse(await playMetrics(scenario)), prices)
    expect(Number.isFinite(present)).toBe(true)
    expect(costs).toContain(present)
    expect(Math.min(...costs)).toBeLessThan(present)
  })

  test('has a least for the published gains of P, PI and PID that costs no more than they do', async () => {
    const prices = { worker: 1, wait: 1 }
    for (const key of ['elastic-p', 'elastic-pi', 'elastic-pid']) {
      const { scenario, jobs, of } = bounded(pidPreset(key))
      expect([key, jobs]).toEqual([key, of])
      const present = poolCost(poolUse(await playMetrics(scenario)), prices)
      const { kp, ki } = gainGrid(scenario.policy)
      const cheaper = poolCost(poolUse(await playMetrics(withGains(scenario, { kp: kp[10], ki: ki[8], kd: scenario.policy.kd }))), prices)
      expect(cheaper).toBeLessThan(present)
    }
  })
})
