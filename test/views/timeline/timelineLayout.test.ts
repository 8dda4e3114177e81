import { describe, expect, test } from 'vitest'
import { leastHeight, type TimelineLayout, timelineLayout } from '../../../src/views/timeline/timelineLayout.ts'
import { plotOf, timeAtX, xOf } from '../../../src/views/timeline/timelinePlot.ts'
import { fitRange, liveRange, panRange, zoomRange } from '../../../src/views/timeline/timelineRange.ts'

/** The bands from top to bottom. */
function bands({ pill, decisions, notes, queues, seats, workers, foot }: TimelineLayout) {
  return [pill, decisions, notes, queues, seats, workers, { y: foot, height: 0 }]
}

describe('the timeline', () => {
  test.each([
    [1057, 460, 4, 8, false],
    [1057, 460, 4, 8, true],
    [390, 420, 4, 8, false],
    [390, 420, 4, 8, true],
    [390, 300, 12, 16, false],
    [1440, 480, 256, 256, false],
    [1440, 300, 1, 1, true],
    [700, 240, 20, 64, false],
  ])(
    '%i x %i with %i stages and %i workers, with notes: %s, has every band in its place and inside',
    (width, height, stages, workers, noted) => {
      const layout = timelineLayout(width, height, stages, workers, noted)
      const all = bands(layout)
      for (let k = 1; k < all.length; k++)
        expect(all[k].y).toBeGreaterThanOrEqual(all[k - 1].y + all[k - 1].height - 0.5)
      expect(layout.notes.height > 0).toBe(noted)
      expect(layout.foot + layout.axis - 5).toBeLessThanOrEqual(height + 1)
      expect(layout.plot.x + layout.plot.width).toBeLessThanOrEqual(width)
      expect(layout.queues.row).toBeLessThanOrEqual(layout.queues.pitch + 0.01)
      expect(layout.workers.row).toBeLessThanOrEqual(layout.workers.pitch + 0.01)
      expect(layout.queues.labelEvery * layout.queues.pitch).toBeGreaterThanOrEqual(14)
      expect(layout.workers.labelEvery * layout.workers.pitch).toBeGreaterThanOrEqual(12)
    },
  )

  test('with enough room gives queues 36 pixels, lanes 13 and names to all', () => {
    const { queues, workers, seats } = timelineLayout(1057, 449, 4, 8)
    expect([queues.row, queues.labelEvery, workers.row, workers.labelEvery, seats.height]).toEqual([36, 1, 13, 1, 40])
  })

  test.each([
    [1057, 4, 8, false],
    [1057, 4, 32, true],
    [1057, 1, 40, false],
    [390, 12, 64, true],
    [360, 2, 256, false],
    [390, 40, 1, true],
  ])(
    '%i wide, at its least height for %i stages and %i workers, with notes: %s, still tells lanes apart and names queues',
    (width, stages, workers, noted) => {
      const least = leastHeight(width, stages, workers, undefined, noted)
      const layout = timelineLayout(width, least, stages, workers, noted)
      expect(layout.workers.pitch).toBeGreaterThanOrEqual(4)
      expect(layout.queues.pitch).toBeGreaterThanOrEqual(15)
      expect(layout.foot + layout.axis).toBeLessThanOrEqual(least + 1)
    },
  )

  test('puts names into the plots if it is narrow', () => {
    const layout = timelineLayout(390, 420, 4, 8)
    expect(layout.narrow).toBe(true)
    expect(layout.plot.width).toBeGreaterThan(340)
    for (const [heading, band] of [
      [layout.headings.queues, layout.queues],
      [layout.headings.seats, layout.seats],
      [layout.headings.workers, layout.workers],
    ] as const)
      expect(heading).toBeLessThan(band.y)
  })

  test('finds the time at a place and the place of a time', () => {
    const layout = timelineLayout(1057, 460, 4, 8)
    for (const time of [100, 137, 300])
      expect(timeAtX(layout, [100, 300], xOf(layout, [100, 300], time))).toBeCloseTo(time, 9)
    expect(timeAtX(layout, [100, 300], 0)).toBe(100)
    expect(timeAtX(layout, [100, 300], 5000)).toBe(300)
  })

  test('draws no column beyond the end of the run', () => {
    const layout = timelineLayout(1057, 460, 4, 8)
    const plot = plotOf(layout, [0, 1000], 250, 2)
    expect(plot.columns).toBe(Math.round(layout.plot.width * 2))
    expect(plot.used / plot.columns).toBeCloseTo(0.25, 2)
    expect(plot.t1).toBeCloseTo(250, 0)
    expect(plotOf(layout, [500, 1000], 250, 2).used).toBe(0)
    expect(plotOf(layout, [0, 1000], 5000, 1).used).toBe(plotOf(layout, [0, 1000], 5000, 1).columns)
  })
})

describe('the visible range', () => {
  test('zooms about a time that stays in place', () => {
    const [from, to] = zoomRange([0, 1000], 0.5, 250, 1000)
    expect([from, to]).toEqual([125, 625])
    expect((250 - from) / (to - from)).toBe(0.25)
  })

  test('stays within the run and at least 20 microseconds long', () => {
    expect(zoomRange([400, 600], 100, 500, 1000)).toEqual([0, 1000])
    expect(zoomRange([0, 1000], 1e-9, 1000, 1000)).toEqual([980, 1000])
    expect(panRange([100, 300], -500, 1000)).toEqual([0, 200])
    expect(panRange([100, 300], 5000, 1000)).toEqual([800, 1000])
    expect(fitRange(0)).toEqual([0, 20])
  })

  test('of an unfinished run ends at a round number ahead of it and seldom moves', () => {
    const edges = new Set<number>()
    for (let end = 0; end < 10_000_000; end += 16_667) {
      const [from, to] = liveRange(end)
      expect(from).toBe(0)
      expect(to).toBeGreaterThan(end)
      if (end > 100_000) expect(to / end).toBeLessThan(1.35)
      edges.add(to)
    }
    expect(edges.size).toBeLessThan(24)
  })
})
