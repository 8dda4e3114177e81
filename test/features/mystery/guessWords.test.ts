import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policyAnswer, policyHints, serviceAnswer, serviceHints } from '../../../src/features/mystery/MysteryPanel.tsx'
import { metricsOf, stageLoadOf } from '../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { policyGroups, policyKinds } from '../../../src/scenario/model/policies.ts'
import { duration } from '../../../src/views/drawing/format.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

describe('the answer to a guess', () => {
  test('tells the direction of the error, and whether the guess is near or far', () => {
    expect(serviceAnswer(3500, 4000, null)).toBe('3.5 ms is close, but too low.')
    expect(serviceAnswer(5000, 4000, null)).toBe('5 ms is close, but too high.')
    expect(serviceAnswer(3000, 4000, null)).toBe('3 ms is too low.')
    expect(serviceAnswer(6000, 4000, null)).toBe('6 ms is too high.')
    expect(serviceAnswer(40_000, 4000, null)).toBe('40 ms is far too high.')
    expect(serviceAnswer(500, 4000, null)).toBe('500 µs is far too low.')
  })

  test('contains only the number of the guess, so that one wrong guess does not reveal the value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 1e9 }), fc.integer({ min: 1000, max: 1e9 }), (guess, mean) => {
        const words = serviceAnswer(guess, mean, null)
        fc.pre(!words.startsWith('Right'))
        expect(words.replace(duration(guess), '')).not.toMatch(/\d/)
      }),
    )
  })

  test('is right near the declared mean, and near the mean of the run, which is the only visible one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 1e9 }), fc.integer({ min: 300, max: 3000 }), (mean, thousandths) => {
        const guess = Math.round((mean * thousandths) / 1000)
        const words = serviceAnswer(guess, mean, null)
        const off = guess / mean - 1
        expect(words.startsWith('Right')).toBe(Math.abs(off) <= 0.02)
        if (Math.abs(off) > 0.02) expect(words).toContain(off < 0 ? 'too low' : 'too high')
        expect(serviceAnswer(guess, mean, guess)).toMatch(/^Right/)
      }),
    )
  })

  test('about a policy is right for that policy alone, and names the group of the guess and of the hint', () => {
    const groupOf = (kind: string) => policyGroups.findIndex(({ kinds }) => (kinds as readonly string[]).includes(kind))
    for (const truth of policyKinds)
      for (const guess of policyKinds) {
        const words = policyAnswer(guess, truth)
        expect(words.startsWith('Right')).toBe(guess === truth)
        if (guess !== truth)
          expect(words.includes('but a policy of the same group')).toBe(groupOf(guess) === groupOf(truth))
      }
    expect(policyHints('dean', null)[1]).toContain(policyGroups[groupOf('dean')].title())
  })
})

describe('the hints', () => {
  test('lead to the mean service time of any run: busy workers divided by jobs per second', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ fails: false, workerEvents: true }), async (scenario) => {
        const metrics = metricsOf(await playSimulation(scenario, 0))
        metrics.stages.forEach(({ meanService }, s) => {
          if (meanService === 0) return
          const { busy, finished } = stageLoadOf(metrics, s)
          expect((busy * metrics.makespan) / finished / meanService).toBeCloseTo(1, 6)
        })
      }),
      { numRuns: repeats(60) },
    )
  })

  test('ask for a run if there is none', () => {
    expect(serviceHints('Cut', 0, null)).toHaveLength(2)
    expect(serviceHints('Cut', 0, null)[1]).toMatch(/^Run it to the end/)
  })
})
