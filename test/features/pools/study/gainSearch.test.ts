import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poolCost, poolUse } from '../../../../src/features/pools/measure/tuning.ts'
import {
  type Bounded,
  bounded,
  coarseToFine,
  findUltimate,
  gainGrid,
  isPid,
  type PidScenario,
  playSwing,
  roundedGain,
  type Swing,
  tidyGains,
  withGains,
} from '../../../../src/features/pools/study/gainSearch.ts'
import { playMetrics } from '../../../../src/runs/play/play.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { inFull } from '../../../fixtures/extent.ts'

function pool(patch: object = {}, policy: object = {}): PidScenario {
  const scenario = valid({
    version: 1,
    source: { kind: 'regular', rate: 100, jobs: 50 },
    stages: [{ id: 'A', service: { kind: 'constant', mean: 25_000 } }],
    workers: 20,
    policy: { kind: 'pid', kp: 1, ki: 0.05, kd: 0.5, every: 10_000, setpoint: 0, up: -20, down: -4, ...policy },
    ...patch,
  })
  if (!isPid(scenario)) throw new Error('not PID')
  return scenario
}

function pidPreset(key: string): PidScenario {
  const scenario = presetOf(key)?.scenario
  if (scenario === undefined || !isPid(scenario)) throw new Error(`${key} is no preset with a PID controller`)
  return scenario
}

const asked = (more: Partial<Bounded> = {}): Bounded => ({
  scenario: pool(),
  jobs: 50,
  of: 50,
  from: 1000,
  to: 491_000,
  ...more,
})

/** A loop that oscillates from some gain on. It logs the runs. */
function loopThatSwings(from: number, workers = 3) {
  const played: { gain: number; scenario: PidScenario; from: number; to: number }[] = []
  const swing = async (scenario: Scenario, start: number, end: number): Promise<Swing> => {
    if (!isPid(scenario)) throw new Error('not PID')
    const { kp } = scenario.policy
    played.push({ gain: kp, scenario, from: start, to: end })
    return { steady: kp >= from, period: 7 * kp, rounds: 5, most: 4, least: 1, stage: 0, workers }
  }
  return { played, swing, gains: () => played.map(({ gain }) => gain) }
}

describe('the search for the ultimate gain', () => {
  test('finds where the loop begins to swing, to 2%, and tries no gain twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0.001, max: 25, noNaN: true }), async (from) => {
        const loop = loopThatSwings(from)
        const found = await findUltimate(asked(), loop.swing)
        if (found.kind !== 'found') throw new Error(found.reason)
        const { gain, steady } = found.ultimate
        expect(steady).toBe(true)
        expect(gain).toBeGreaterThanOrEqual(from)
        // 0.4 is the least gain that is tried.
        expect(gain).toBeLessThanOrEqual(Math.max(0.4, 1.02 * from))
        const gains = loop.gains()
        expect(new Set(gains).size).toBe(gains.length)
        expect(gains.length).toBeLessThanOrEqual(7 + 6)
      }),
    )
  })

  test('plays jobs at equal intervals and services at their means, without faults, and measures the last two thirds', async () => {
    const loop = loopThatSwings(0.1)
    const scenario = pool(
      {
        stages: [
          {
            id: 'A',
            service: { kind: 'exponential', mean: 25_000 },
            changes: [{ from: 3, service: { kind: 'constant', mean: 1 } }],
            fails: { jobs: [2], tries: 2 },
          },
          { id: 'B', service: { kind: 'uniform', min: 1, max: 4 } },
          { id: 'C', service: { kind: 'bimodal', fast: 1, slow: 2, pSlow: 0.1 } },
        ],
        later: [
          { at: 10, switchCost: 5 },
          { at: 20, policy: { ...pool().policy, kp: 9 } },
        ],
      },
      {},
    )
    await findUltimate(
      asked({
        scenario: { ...scenario, workerEvents: [{ at: 5, kind: 'leave', worker: 0 }] as PidScenario['workerEvents'] },
      }),
      loop.swing,
    )
    const [first] = loop.played
    const constant = (mean: number) => ({ kind: 'constant', mean })
    expect(first.scenario).toEqual({
      ...scenario,
      source: { kind: 'regular', rate: 100, jobs: 50 },
      stages: scenario.stages.map((stage, s) => ({
        ...stage,
        service: constant([25_000, 3, 1][s]),
        changes: [],
        fails: null,
      })),
      workerEvents: [],
      policy: { ...scenario.policy, kp: 0.4, ki: 0, kd: 0 },
      later: [{ at: 10, switchCost: 5 }],
    })
    expect([first.from, first.to]).toEqual([490_000 / 3, 490_000])
  })

  test.each([
    [{ up: -20, down: -4 }, 50, 0.4, 40],
    [{ up: -0.5, down: 8 }, 50, 0.01, 16],
    [{ up: 0, down: 0.25 }, 50, 0.02, 2],
    [{ up: -1, down: 1 }, 1e9, 1e-6, 2],
    [{ up: -1e6, down: 1 }, 50, 20_000, 1e6],
  ])('with thresholds %j and %i jobs it goes from %d to at most %d', async (policy, jobs, least, most) => {
    const loop = loopThatSwings(Infinity)
    const found = await findUltimate(asked({ scenario: pool({}, policy), jobs }), loop.swing)
    const gains = loop.gains()
    expect(gains[0]).toBeCloseTo(least, 12)
    expect(gains.every((gain, k) => k === 0 || gain === 2 * gains[k - 1])).toBe(true)
    expect(gains[gains.length - 1]).toBeLessThanOrEqual(most)
    expect(2 * gains[gains.length - 1]).toBeGreaterThan(most)
    expect(found.kind).toBe('never')
  })

  test('has a reason if there is none', async () => {
    const reasonOf = async (workers: (gain: number) => number, scenario = pool()) => {
      const swing = async (at: Scenario): Promise<Swing> => ({
        ...{ steady: false, period: 0, rounds: 0, most: 0, least: 0, stage: 0 },
        workers: isPid(at) ? workers(at.policy.kp) : -1,
      })
      const found = await findUltimate(asked({ scenario }), swing)
      return found.kind === 'never' ? found.reason : 'found'
    }
    expect(await reasonOf(() => 0)).toBe('No gain of 0.40 – 26 hires a worker.')
    const saturates = (most: number) =>
      `It never oscillates: with gains of 0.40 – 26 the pool grows to its maximum, ${most}.`
    expect(await reasonOf((gain) => (gain > 3 ? 20 : 0))).toBe(saturates(20))
    expect(await reasonOf(() => 20)).toBe(saturates(20))
    expect(await reasonOf(() => 7, pool({}, { max: 7 }))).toBe(saturates(7))
    expect(await reasonOf(() => 7, pool({ workers: 6 }, { max: 30 }))).toBe(saturates(6))
    const swings = 'It never oscillates steadily with gains of 0.40 – 26.'
    expect(await reasonOf((gain) => (gain > 3 ? 19 : 20))).toBe(swings)
    expect(await reasonOf((gain) => (gain > 3 ? 19 : 0))).toBe(swings)
    // No worker could ever be hired, but the greatest gain is still tried.
    expect(await reasonOf(() => 0, pool({}, { up: -1_000_000_000 }))).toBe('No gain of 1.0e+6 – 1.0e+6 hires a worker.')
  })

  test.runIf(inFull)('finds the gain from which on the queue of the published pool goes round steadily', async () => {
    const asked = bounded(pidPreset('elastic-pid'))
    const found = await findUltimate(asked, playSwing)
    if (found.kind !== 'found') throw new Error(found.reason)
    const { ultimate } = found
    expect(ultimate.gain).toBeGreaterThan(0.1)
    expect(ultimate.gain).toBeLessThan(1)
    expect(ultimate).toMatchObject({ steady: true, stage: 0 })
    expect(ultimate.rounds).toBeGreaterThanOrEqual(4)
  })

  test('does not start if all jobs come at once, or if there is only one', async () => {
    const never = { kind: 'never', reason: 'All jobs come at once: the load cannot be held steady.' }
    const loop = loopThatSwings(0.1)
    expect(await findUltimate(asked({ to: 1000 }), loop.swing)).toEqual(never)
    expect(await findUltimate(asked({ jobs: 1 }), loop.swing)).toEqual(never)
    expect(loop.played).toEqual([])
    expect(await findUltimate(asked({ jobs: 2, to: 1001 }), loop.swing)).toMatchObject({ kind: 'found' })
  })
})

describe('the part of a long scenario that the search plays', () => {
  test('has at most 40,000 services, and 20,000 ticks from its first job on', () => {
    const two = { stages: [{ id: 'A' }, { id: 'B' }] }
    const most = pool({ ...two, source: { kind: 'batch', jobs: 20_000 } })
    expect(bounded(most)).toEqual({ scenario: most, jobs: 20_000, of: 20_000, from: 0, to: 0 })
    expect(bounded(pool({ ...two, source: { kind: 'batch', jobs: 20_001 } }))).toMatchObject({
      jobs: 20_000,
      of: 20_001,
      scenario: { source: { jobs: 20_000 } },
    })
    const late = (last: number) => pool({ source: { kind: 'times', at: [700, 800, last] } })
    const whole = late(700 + 200_000_000)
    expect(bounded(whole)).toEqual({ scenario: whole, jobs: 3, of: 3, from: 700, to: 700 + 200_000_000 })
    expect(bounded(late(701 + 200_000_000))).toMatchObject({
      scenario: { source: { kind: 'times', at: [700, 800] } },
      jobs: 2,
      of: 3,
      from: 700,
      to: 800,
    })
  })

  test('takes the same share of each group, and as many tiles of a picture', () => {
    const groups = bounded(pool({ source: { kind: 'groups', groups: [30_001, 50_000] } }))
    expect(groups.scenario.source).toMatchObject({ kind: 'groups', groups: [15_000, 24_999] })
    expect([groups.jobs, groups.of]).toEqual([39_999, 80_001])
    const picture = bounded(pool({ source: { kind: 'image', width: 2400, height: 1600, tile: 8 } }))
    expect([picture.scenario.source, picture.jobs, picture.of]).toEqual([
      { kind: 'batch', jobs: 40_000 },
      40_000,
      60_000,
    ])
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

  test.runIf(inFull)(
    'has a least for the published gains of P, PI and PID that costs no more than they do',
    async () => {
      for (const key of ['elastic-p', 'elastic-pi', 'elastic-pid']) {
        const { scenario, jobs, of } = bounded(pidPreset(key))
        expect([key, jobs]).toEqual([key, of])
        const present = poolCost(poolUse(await playMetrics(scenario)), 1)
        const { kp, ki } = gainGrid(scenario.policy)
        const cheaper = poolCost(
          poolUse(await playMetrics(withGains(scenario, { kp: kp[10], ki: ki[8], kd: scenario.policy.kd }))),
          1,
        )
        expect(cheaper).toBeLessThan(present)
      }
    },
  )

  test('has gains of three digits, and none that may not be played', () => {
    expect([roundedGain(1.23456), roundedGain(0.000123456), roundedGain(123_456)]).toEqual([1.23, 0.000123, 123_000])
    expect(tidyGains({ kp: 1.2345, ki: 0.012345, kd: 7.7777 })).toEqual({ kp: 1.23, ki: 0.0123, kd: 7.78 })
    expect(tidyGains({ kp: 2e6, ki: 3e6, kd: 4e6 })).toEqual({ kp: 1e6, ki: 1e6, kd: 1e6 })
  })
})
