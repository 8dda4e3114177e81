import { scaleLinear } from 'd3-scale'
import { describe, expect, test } from 'vitest'
import { appendStep, createSteps, type Steps } from '../../../src/measures/series/steps.ts'
import { meanPath, rangePath, samplePath, type TimePlot, valuePoints } from '../../../src/views/plots/timePlot.ts'

function steps(...pairs: readonly (readonly [time: number, value: number])[]): Steps {
  const made = createSteps()
  for (const [time, value] of pairs) appendStep(made, time, value)
  return made
}

/** Ten pixels for ten seconds, values from 0 at y = 20 to 10 at y = 0. */
const plot: TimePlot = { x: scaleLinear([0, 10_000_000], [100, 110]).clamp(true), y: scaleLinear([0, 10], [20, 0]) }

describe('a trajectory', () => {
  test('is drawn as the mean in every pixel column, up to the end of the run', () => {
    const path = meanPath(steps([0, 10], [1_500_000, 0]), plot, 3_000_000)
    expect(path).toBe('M100.5,0L101.5,10L102.5,20')
    expect(meanPath(steps([0, 10]), plot, 0)).toBe('')
  })

  test('shows the range of values in a column', () => {
    expect(rangePath(steps([0, 10], [1_500_000, 0]), plot, 2_000_000)).toBe('M100.5,0L101.5,0L101.5,20L100.5,0Z')
  })

  test('has samples on top that are joined by lines', () => {
    expect(samplePath([0, 10, 5], 5_000_000, plot)).toBe('M100,20L105,0L110,10')
  })
})

const wide = { x: scaleLinear([0, 1000], [40, 240]).clamp(true), y: scaleLinear([-100, 400], [60, 10]) }

test('values over time are points, and those that share a pixel show their smallest and largest', () => {
  expect(valuePoints([], [], wide)).toEqual([])
  expect(valuePoints([0, 500], [0, 400], wide)).toEqual([
    [40.5, 50],
    [140.5, 10],
  ])
  expect(valuePoints([0, 1, 2, 3], [0, 400, -100, 50], wide)).toEqual([
    [40.5, 50],
    [40.5, 60],
    [40.5, 10],
    [40.5, 45],
  ])
  expect(valuePoints([1000], [0], wide)).toEqual([[239.5, 50]])
})
