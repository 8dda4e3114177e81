import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChainDraws, drawScenario, mutated } from '../../../src/features/finder/finderDraw.ts'
import { shrunk } from '../../../src/features/finder/finderShrink.ts'
import { serviceMean } from '../../../src/scenario/model/distributions.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** Scenarios of the finder after some changes: with faults, costs, batches and services of every kind. */
const drawn = fc.integer({ min: 0, max: 1_000_000 }).map((seed) => {
  const draw = createChainDraws(seed, 0, 0)
  let scenario = drawScenario(draw)
  for (let step = 0; step < 12; step++) {
    const next = mutated(scenario, draw, false)
    if ('scenario' in parse(next)) scenario = next
  }
  return scenario
})

/** Shrinks a scenario whose ratio is 2, with a trial that logs its questions. */
async function shrinking(scenario: Scenario, ratioOf: (simpler: Scenario) => number, most = Infinity) {
  const tried: Scenario[] = []
  const result = await shrunk({ scenario, ratio: 2 }, most, async (simpler) => {
    tried.push(simpler)
    return ratioOf(simpler)
  })
  return { ...result, tried }
}

describe('a simplified result', () => {
  test('ends, loses at most a hundredth of the ratio, and takes the reported and allowed number of trials', async () => {
    await fc.assert(
      fc.asyncProperty(
        drawn,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 40 }),
        async (scenario, divisor, most) => {
          // A trial that depends on the whole scenario like a hash.
          const ratioOf = (simpler: Scenario) => (JSON.stringify(simpler).length % divisor === 0 ? 1.98 : 1.9799)
          const whole = await shrinking(scenario, ratioOf)
          expect(whole.runs).toBe(whole.tried.length)
          expect(whole.found.scenario === scenario || ratioOf(whole.found.scenario) >= 1.98).toBe(true)
          for (const simpler of whole.tried) expect(parse(simpler)).toHaveProperty('scenario')
          const cut = await shrinking(scenario, ratioOf, most)
          expect(cut.runs).toBe(Math.min(most, whole.runs))
          expect(cut.tried).toEqual(whole.tried.slice(0, cut.runs))
        },
      ),
      { numRuns: repeats(40) },
    )
  })

  test('keeps one job, one stage of constant services and one worker if every trial succeeds: no fault, cost, batch or change', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (scenario) => {
        const { scenario: left } = (await shrinking(scenario, () => 2)).found
        expect([countJobs(left.source), left.stages.length, left.workers, left.seed]).toEqual([1, 1, 1, 1])
        expect([left.workerEvents, left.switchCost, left.batch]).toEqual([[], 0, { size: 1, inHand: 1 }])
        const [{ service, changes, fails }] = left.stages
        expect([service.kind, changes, fails]).toEqual(['constant', [], null])
        // One digit and zeros.
        expect(String(serviceMean(service))).toMatch(/^\d0*$/)
      }),
      { numRuns: repeats(40) },
    )
  })

  test('keeps what matters, with rounder numbers', async () => {
    const stages = ['A', 'B', 'C'].map((id, k) => ({ id, service: { kind: 'exponential', mean: 1234 * (k + 1) } }))
    const scenario = scenarioWith({ stages, source: { kind: 'times', at: [0, 11, 23, 37, 59] }, workers: 6, seed: 3 })
    /** Enough jobs and workers, and a last stage that takes long enough. */
    const matters = ({ source, stages, workers }: Scenario) =>
      source.kind === 'times' &&
      source.at.length >= 3 &&
      workers >= 2 &&
      serviceMean(stages[stages.length - 1].service) >= 2000
        ? 1.98
        : 1.9799
    const { found } = await shrinking(scenario, matters)
    expect(found).toMatchObject({
      ratio: 1.98,
      scenario: { source: { kind: 'times', at: [0, 0, 0] }, workers: 2, seed: 1 },
    })
    expect(found.scenario.stages).toMatchObject([{ id: 'C', service: { kind: 'constant', mean: 4000 } }])
  })

  test('can always be played, and is never the scenario itself', async () => {
    const scenario = scenarioWith({
      stages: [{ id: 'A' }, { id: 'B' }],
      workers: 2,
      source: { kind: 'times', at: [0] },
      policy: { kind: 'onePerStage' },
    })
    const { found, tried } = await shrinking(scenario, () => 0)
    expect(found.scenario).toBe(scenario)
    expect(tried.map(({ stages }) => stages.map(({ id }) => id))).toEqual([['B'], ['A']])
  })
})
