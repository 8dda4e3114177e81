import { describe, expect, test } from 'vitest'
import { appendStep, createSteps, type Steps } from '../../../src/measures/series/steps.ts'
import { roundUp } from '../../../src/views/drawing/round.ts'
import { meanPath, plotMaximum, rangePath, samplePath, secondTicks, type TimePlot } from '../../../src/views/plots/trajectoryLayout.ts'

function steps(...pairs: readonly (readonly [time: number, value: number])[]): Steps {
  const made = createSteps()
  for (const [time, value] of pairs) appendStep(made, time, value)
  return made
}

/** Ten pixels for ten seconds, values from 0 at y = 20 to 10 at y = 0. */
const plot: TimePlot = { x: 100, y: 0, width: 10, height: 20, most: 10, end: 10_000_000 }

describe('a trajectory', () => {
  test('has a round number at its rim that no value exceeds', () => {
    expect([0.4, 1, 3, 7, 10, 11, 123, 501].map(roundUp)).toEqual([1, 1, 5, 10, 10, 20, 200, 1000])
    expect(plotMaximum([steps([0, 3], [5, 12], [9, 1])], [17, 4])).toBe(20)
    expect(plotMaximum([])).toBe(1)
  })

  test('is drawn as the mean in every pixel column, as far as the run has come', () => {
    const path = meanPath(steps([0, 10], [1_500_000, 0]), plot, 3_000_000)
    expect(path).toBe('M100.5,0.0L101.5,10.0L102.5,20.0')
    expect(meanPath(steps([0, 10]), plot, 0)).toBe('')
  })

  test('shows from where to where a column swings', () => {
    expect(rangePath(steps([0, 10], [1_500_000, 0]), plot, 2_000_000)).toBe('M100.5,0.0L101.5,0.0L101.5,20.0L100.5,0.0Z')
  })

  test('lies over samples joined by lines', () => {
    expect(samplePath([0, 10, 5], 5_000_000, plot)).toBe('M100.0,20.0L105.0,0.0L110.0,10.0')
  })

  test('marks at most seven round seconds', () => {
    expect(secondTicks(62_000_000)).toEqual([0, 20, 40, 60])
    expect(secondTicks(6_000_000)).toEqual([0, 1, 2, 3, 4, 5, 6])
    for (const end of [1, 900_000, 13_000_000, 6e9]) expect(secondTicks(end).length).toBeLessThanOrEqual(7)
  })
})
