import { expect, test } from 'vitest'
import { ladders } from '../../../src/features/lessons/content/ladders.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'

const rungs = Object.values(ladders).flat()

test('the gallery has every preset once, but for the one that has nothing to run without a file', () => {
  expect([...rungs].sort()).toEqual(
    presets
      .filter(({ scenario }) => scenario.source.kind !== 'lines')
      .map(({ key }) => key)
      .sort(),
  )
  expect(rungs.length).toBeGreaterThanOrEqual(16)
})
