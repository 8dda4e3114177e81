import { describe, expect, test } from 'vitest'
import { isInside } from '../../src/measures/figures/comparison.ts'
import { hires } from '../../src/scenario/model/defaults.ts'
import { policies, policyKinds } from '../../src/scenario/model/policies.ts'
import { inFull } from '../fixtures/extent.ts'
import { figuresFor, forecastOf, network, queue, steadyFor } from './cases.ts'
import { pairsOf } from './table.ts'

test.runIf(inFull)('a network is what the simulation comes to as well', async () => {
  const pairs = pairsOf(forecastOf(network), await steadyFor(network))
  expect(pairs).toHaveLength(16)
  expect(pairs.filter(([predicted, measured]) => isInside(measured, predicted)).length).toBeGreaterThanOrEqual(14)
})

describe('at one stage', () => {
  const small = { source: { kind: 'poisson', rate: 2700, jobs: 300 } }
  const kinds = policyKinds.filter(
    (kind) =>
      !hires(kind) &&
      policies[kind].group !== 'known' &&
      !['onePerStage', 'fixed', 'single', 'perJob', 'greenThreads', 'byHand', 'code'].includes(kind),
  )

  test.each(kinds.map((kind) => ({ kind })))(
    'the policy $kind keeps all workers at their stages, with or without lending, as the laws assume',
    async ({ kind }) => {
      const pinned = await figuresFor(
        queue(0.9, 3, undefined, { ...small, policy: { kind: 'fixed', allocation: { A: 3 } } }),
      )
      for (const lend of [true, false]) {
        const scenario = queue(0.9, 3, undefined, {
          ...small,
          policy: kind === 'power' ? { kind, p: 3, lend } : { kind, lend },
        })
        expect(forecastOf(scenario).law).toBe('M/M/c')
        expect((await figuresFor(scenario)).meanFlowTime).toBe(pinned.meanFlowTime)
      }
    },
  )
})
