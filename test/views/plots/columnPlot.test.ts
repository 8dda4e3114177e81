import { describe, expect, test } from 'vitest'
import { defaultPalette, stageColour } from '../../../src/views/drawing/palette.ts'
import type { PlotBand, PlotSeries } from '../../../src/views/drawing/plot.ts'
import { type ColumnBand, columnPlotLayout, type SweepColumn, sweepBands } from '../../../src/views/plots/columnPlot.ts'

const palette = defaultPalette('light')
const layoutOf = (values: readonly number[], bands: readonly ColumnBand[], now: number | null = null, width = 600) =>
  columnPlotLayout({ palette, values, bands, now, focus: -1, write: String }, width)
/** The points of a path, and those of the dots in a band. */
const points = (path: string) => [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
const dotsIn = ({ series }: PlotBand) => points(series.find(({ cap }) => cap === 'round')?.d ?? '')
const footOf = ({ y }: PlotBand) => y.range()[0]
const topOf = ({ y }: PlotBand) => y.range()[1]

const swept = (value: number, known = true): SweepColumn => ({
  value,
  run: known ? { makespan: 12e6 / value, utilisation: 1 / value, seats: [value / 4, (3 * value) / 4] } : null,
})
const sweep = (columns: readonly SweepColumn[], baseline: number | null = 15e6, first = -1) =>
  layoutOf(
    columns.map(({ value }) => value),
    sweepBands(columns, [1, 0], baseline, first),
  )

describe('the plot of a sweep', () => {
  test('draws the known values at even distances and to scale, and leaves out the others', () => {
    const { bands, x } = sweep([swept(1), swept(2, false), swept(4)], 15e6, 2)
    expect(x[1] - x[0]).toBeCloseTo(x[2] - x[1])
    const [makespan, busy] = bands
    expect(makespan.write(makespan.y.domain()[1])).toBe('20 s')
    expect(dotsIn(makespan).map(([place]) => place)).toEqual([x[0], x[2]])
    const height = footOf(makespan) - topOf(makespan)
    expect(footOf(makespan) - dotsIn(makespan)[0][1]).toBeCloseTo((12 / 20) * height, 1)
    const baseline = (band: PlotBand) => band.series.find(({ dash }) => dash === '5 4')?.d
    expect(baseline(makespan)).toMatch(new RegExp(`,${footOf(makespan) - (15 / 20) * height}H`))
    expect(dotsIn(busy)[0][1]).toBe(topOf(busy))
    const ring = (band: PlotBand) => band.series.some(({ part }) => part === 'ring')
    expect(ring(makespan)).toBe(true)
    const [alone] = sweep([swept(1)], null, 0).bands
    expect([baseline(alone), ring(alone)]).toEqual([undefined, false])
  })

  test('stacks the seats in the order of the line, the first stage at the bottom, up to the height of all seats', () => {
    const [, , seats] = sweep([swept(4), swept(12)]).bands
    const [, most] = seats.y.domain()
    expect(most).toBe(12)
    const [low, high] = seats.series
    expect([low.fill, high.fill]).toEqual([1, 0].map((stage) => stageColour(palette, stage).fill))
    const unit = (footOf(seats) - topOf(seats)) / most
    const heights = ({ d }: PlotSeries) => points(d).map(([, y]) => Math.round((footOf(seats) - y) / unit))
    expect(heights(low)).toEqual([3, 9, 0, 0])
    expect(heights(high)).toEqual([4, 12, 9, 3])
  })

  test('shows a single value too, and an empty plot before any', () => {
    expect(sweep([swept(3)]).bands[2].series[0].d).toMatch(/^M315,.*L323,.*Z$/)
    expect(sweep([swept(3, false)]).bands[2].series[0].d).toBe('')
  })
})

describe('the values below the columns', () => {
  test('are as many as fit, and always include that of the scenario', () => {
    const values = Array.from({ length: 60 }, (_, k) => 1000 + k)
    const { names, x } = layoutOf(values, [], 1031)
    expect(names.size).toBeLessThan(25)
    expect(names.get(x[31])).toBe('1031')
    const sorted = [...names.keys()].sort((a, b) => a - b)
    expect(sorted.every((at, k) => k === 0 || at - sorted[k - 1] >= 4 * 6.5)).toBe(true)
  })

  test('have a place between two columns, and none outside', () => {
    const at = (now: number) => layoutOf([2, 4, 8], [], now)
    const { x } = at(4)
    expect(at(4).now).toBe(x[1])
    expect(at(6).now).toBeCloseTo((x[1] + x[2]) / 2)
    expect([at(1).now, at(9).now]).toEqual([null, null])
  })
})
