import { describe, expect, test } from 'vitest'
import { columnAt } from '../../../src/views/plots/columnPlotLayout.ts'
import { type FeederColumn, feederPlotLayout, xOfFeeders } from '../../../src/views/plots/feederPlotLayout.ts'

const gap = (least: number) => ({ count: 9, least, median: least })
const column = (feeders: number, known = true): FeederColumn => ({
  feeders,
  gaps: known ? { jobs: 100, whole: gap(1), beforeTail: gap(feeders), tail: 100 - feeders } : null,
  wait: known ? { makespan: 1e6 / feeders, contendedTime: 5e5 / feeders, switchLoss: feeders * 100 } : null,
  skip: known ? { makespan: 1e5, contendedTime: 0, switchLoss: 50 } : null,
})

describe('the plot over the number of feeders', () => {
  test('leaves out what cannot be: no contention without a resource, no loss where changing groups is free', () => {
    const titles = (columns: readonly FeederColumn[], resource: boolean) => feederPlotLayout(columns, resource, 290).bands.map(({ title }) => title)
    const free = { ...column(2), wait: { makespan: 1, contendedTime: 0, switchLoss: 0 } }
    expect(titles([column(1), column(2)], true)).toHaveLength(5)
    expect(titles([free], true)).toHaveLength(4)
    expect(titles([free], false)).toHaveLength(3)
  })

  test('draws what is known, at even distances, and nothing of what is not', () => {
    const { bands, x } = feederPlotLayout([column(1), column(2, false), column(8)], true, 290)
    expect(x[1] - x[0]).toBeCloseTo(x[2] - x[1])
    for (const { curves, y, height } of bands) {
      for (const { dots } of curves) {
        expect(dots.map(([place]) => place)).toEqual([x[0], x[2]])
        for (const [, at] of dots) expect(at >= y && at <= y + height).toBe(true)
      }
    }
    const before = bands[0].curves.find(({ name }) => name === 'before the tail')
    expect(before?.dots[0][1]).toBeGreaterThan(before?.dots[1][1] ?? 0)
  })

  test('finds the nearest number of feeders, and names as many as have room, the last one always', () => {
    const layout = feederPlotLayout(
      Array.from({ length: 20 }, (_, k) => column(k + 1)),
      true,
      290,
    )
    expect(columnAt(layout.x, 0)).toBe(0)
    expect(columnAt(layout.x, 9999)).toBe(19)
    expect(columnAt(layout.x, layout.x[7] + 3)).toBe(7)
    expect(layout.named.at(-1)).toBe(19)
    expect(layout.named.every((k, n) => n === 0 || layout.x[k] - layout.x[layout.named[n - 1]] >= 22)).toBe(true)
  })

  test('has a place for a number between two that were played, and none outside', () => {
    const columns = [column(2), column(4), column(8)]
    const layout = feederPlotLayout(columns, true, 290)
    expect(xOfFeeders(layout, columns, 4)).toBe(layout.x[1])
    expect(xOfFeeders(layout, columns, 6)).toBeCloseTo((layout.x[1] + layout.x[2]) / 2)
    expect([xOfFeeders(layout, columns, 1), xOfFeeders(layout, columns, 9)]).toEqual([null, null])
  })
})
