import { expect, test } from 'vitest'
import { figuresOf } from '../../src/measures/figures.ts'
import { compareOrder } from '../../src/runs/orderCost.ts'
import { playSimulation } from '../../src/runs/play.ts'
import { playFigures } from '../../src/runs/trial.ts'
import { presetOf } from '../../src/scenario/presets.ts'

const preset = presetOf('price-of-order')

test('the price of order is plain in its preset: the same jobs take ten times as long when all must leave in turn', async () => {
  if (preset === undefined) throw new Error('no such preset')
  const heard: number[] = []
  const { ordered, free } = await compareOrder(preset.scenario, playFigures, (share) => heard.push(share))
  expect(ordered).toEqual(figuresOf(await playSimulation(preset.scenario, 0)))
  expect([ordered.jobs, ordered.completed, free.completed]).toEqual([600, 600, 600])
  expect(ordered.reordered).toBe(0)
  expect(free.reordered).toBeGreaterThan(0)
  expect(ordered.meanFlowTime).toBeGreaterThan(10 * free.meanFlowTime)
  expect(heard.every((share, i) => share <= 1 && (i === 0 || share >= heard[i - 1]))).toBe(true)
  expect(heard.at(-1)).toBe(1)
})
