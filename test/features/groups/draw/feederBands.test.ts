import { expect, test } from 'vitest'
import { feederBands } from '../../../../src/features/groups/draw/feederBands.ts'
import type { FeederPoint } from '../../../../src/features/groups/measure/feederGaps.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'
import { columnPlotLayout } from '../../../../src/views/plots/columnPlot.ts'

const gap = (least: number) => ({ least, median: least })
const fed = (feeders: number, known = true): FeederPoint => ({
  feeders,
  gaps: known ? { jobs: 100, whole: gap(1), tail: 100 - feeders } : null,
  wait: known ? { makespan: 1e6 / feeders, contendedTime: 5e5 / feeders, switchLoss: feeders * 100 } : null,
  skip: known ? { makespan: 1e5, contendedTime: 0, switchLoss: 50 } : null,
})

test('the plot over feeders has no contention without a resource, and no loss if changing groups is free', () => {
  const free = { ...fed(2), wait: { makespan: 1, contendedTime: 0, switchLoss: 0 } }
  expect(feederBands([fed(1), fed(2)], true)).toHaveLength(5)
  expect(feederBands([free], true)).toHaveLength(4)
  expect(feederBands([free], false)).toHaveLength(3)
})

test('the plot over feeders draws every curve inside its band, with a key where there are several', () => {
  const points = (path: string) =>
    [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
  const shown = {
    palette: defaultPalette('light'),
    values: [1, 2, 8],
    bands: feederBands([fed(1), fed(2, false), fed(8)], true),
    now: null,
    focus: -1,
    write: String,
  }
  const { bands, x } = columnPlotLayout(shown, 600)
  for (const { series, y } of bands)
    for (const { d, fill } of series) {
      expect(fill).toBeUndefined()
      for (const [across, down] of points(d)) {
        expect([x[0], x[2]]).toContain(across)
        expect(down >= y.range()[1] && down <= y.range()[0]).toBe(true)
      }
    }
  const before = bands[0].series.find(({ name }) => name === 'before the tail')
  const [[, first], [, last]] = points(before?.d ?? '')
  expect(first).toBeGreaterThan(last)
  expect(bands[1].series.every(({ name }) => name === undefined)).toBe(true)
})
