import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { digestOf } from '../../trace/digestOf.ts'
import { play } from './play.ts'

describe('whatever the scenario', () => {
  test('the same scenario gives the same run', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true }), async (scenario) => {
        expect(digestOf((await play(scenario)).trace)).toBe(digestOf((await play(scenario)).trace))
      }),
      { numRuns: 30 },
    )
  })
})
