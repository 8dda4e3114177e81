import { describe, expect, test } from 'vitest'
import { columnAt } from '../../../src/views/plots/columnPlotLayout.ts'
import { type SweepColumn, sweepPlotLayout } from '../../../src/views/plots/sweepPlotLayout.ts'

const column = (value: number, known = true): SweepColumn => ({
  value,
  run: known ? { makespan: 12e6 / value, utilisation: 1 / value, seats: [value / 4, (3 * value) / 4] } : null,
})
const layoutOf = (columns: readonly SweepColumn[], baseline: number | null = 15e6) => sweepPlotLayout(columns, [1, 0], baseline, String, 600)

describe('the plot of a sweep', () => {
  test('draws what is known, at even distances and to scale, and nothing of what is not', () => {
    const { bands, x } = layoutOf([column(1), column(2, false), column(4)])
    expect(x[1] - x[0]).toBeCloseTo(x[2] - x[1])
    const [makespan, busy] = bands
    expect(makespan.most).toBe('20 s')
    expect(makespan.dots.map(([place]) => place)).toEqual([x[0], x[2]])
    const foot = makespan.y + makespan.height
    expect(foot - makespan.dots[0][1]).toBeCloseTo((12 / 20) * makespan.height)
    expect(foot - (makespan.baseline ?? 0)).toBeCloseTo((15 / 20) * makespan.height)
    expect(busy.dots[0][1]).toBe(busy.y)
    expect(layoutOf([column(1)], null).bands[0].baseline).toBeNull()
  })

  test('stacks the seats in the order of the line, the first stage at the foot, together as high as there are', () => {
    const { bands } = layoutOf([column(4), column(12)])
    expect(bands[2].most).toBe('12')
    const [low, high] = bands[2].areas
    expect([low.stage, high.stage]).toEqual([1, 0])
    const foot = bands[2].y + bands[2].height
    const heights = (path: string) => [...path.matchAll(/,(-?[\d.]+)/g)].map(([, y]) => foot - Number(y))
    const unit = bands[2].height / Number(bands[2].most)
    expect(heights(low.path).map((each) => Math.round(each / unit))).toEqual([3, 9, 0, 0])
    expect(heights(high.path).map((each) => Math.round(each / unit))).toEqual([4, 12, 9, 3])
  })

  test('shows a single value too, and an empty plot before any', () => {
    expect(layoutOf([column(3)]).bands[2].areas[0].path).toMatch(/^M.*h8V.*Z$/)
    expect(layoutOf([column(3, false)]).bands[2].areas[0].path).toBe('')
  })

  test('finds the nearest value, and names as many as have room', () => {
    const layout = layoutOf(Array.from({ length: 60 }, (_, k) => column(1000 + k)))
    expect(columnAt(layout.x, 0)).toBe(0)
    expect(columnAt(layout.x, 600)).toBe(59)
    expect(columnAt(layout.x, layout.x[17] + 1)).toBe(17)
    expect(layout.named.length).toBeLessThan(25)
    expect(layout.named[0]).toBe(0)
  })
})
