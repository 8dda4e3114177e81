import { expect, test } from 'vitest'
import { appendStep, createSteps, longestHeld, valueAt } from '../../../src/measures/series/steps.ts'
import { createChance } from '../../fixtures/chance.ts'

test('the value shown for a stretch of time is the one that lasted longest in it', () => {
  for (let k = 0; k < 200; k++) {
    const { below, between } = createChance(k)
    const series = [createSteps(), createSteps()]
    for (let time = 0; time < 100; time += between(1, 20)) appendStep(series[below(2)], time, below(3))
    const from = below(60)
    const to = from + between(1, 40)
    const held = new Map<string, number>()
    for (let time = from; time < to; time++) {
      const key = `${series.map((steps) => valueAt(steps, time))}`
      held.set(key, (held.get(key) ?? 0) + 1)
    }
    expect(held.get(`${longestHeld(series, from, to).values}`)).toBe(Math.max(...held.values()))
  }
})
