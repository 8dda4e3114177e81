import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arcThrough, pointOn } from '../../../src/views/pipeline/flowPaths.ts'
import { dotsPerRow, laneLayout } from '../../../src/views/pipeline/lane.ts'
import { dotPath, queueMarks } from '../../../src/views/pipeline/queueDots.ts'
import { placeOnCard, shapePaths, workerOnCard } from '../../../src/views/pipeline/stageCard.ts'
import { discRow } from '../../../src/views/pipeline/workerDiscs.ts'

describe('a queue', () => {
  test('is dots that can be counted in three rows, then a bar', () => {
    expect(queueMarks(40, null, 100, 158)).toEqual({ kind: 'dots', perRow: 20, full: 40, free: 0 })
    expect(queueMarks(60, null, 100, 158).kind).toBe('dots')
    expect(queueMarks(61, null, 122, 158)).toEqual({ kind: 'bar', share: 0.5 })
    expect(queueMarks(500, null, 122, 158)).toEqual({ kind: 'bar', share: 1 })
  })

  test('with a bound shows its free places, or a bar relative to the bound', () => {
    expect(queueMarks(4, 10, 4, 158)).toMatchObject({ full: 4, free: 6 })
    expect(queueMarks(4, 5000, 4, 158)).toMatchObject({ full: 4, free: 0 })
    expect(queueMarks(1000, 4000, 1000, 158)).toEqual({ kind: 'bar', share: 0.25 })
  })

  test('adds dot after dot, row by row', () => {
    expect(dotPath(0, 3, 2)).toBe('M3 3h.01M11 3h.01M3 12h.01')
    expect(dotPath(3, 3, 2)).toBe('')
  })
})

describe('the workers of a stage', () => {
  test('are separate, then overlap, then are counted', () => {
    expect(discRow(3, 0, 1, 158)).toEqual({ workers: 3, lost: 0, open: 1, pitch: 31, more: 0 })
    expect(discRow(6, 0, 0, 158)).toMatchObject({ workers: 6, pitch: 25.8, more: 0 })
    // Of many seats one is drawn, with their number.
    expect(discRow(1, 0, 9, 158)).toEqual({ workers: 1, lost: 0, open: 1, pitch: 31, more: 0 })
    expect(discRow(64, 0, 3, 158)).toMatchObject({ workers: 4, open: 1, more: 60 })
    expect(discRow(1, 0, 0, 20)).toMatchObject({ workers: 1, more: 0 })
    expect(discRow(0, 0, 0, 158)).toMatchObject({ workers: 0, open: 0, more: 0 })
  })

  test('are all drawn or counted, and stay in their width', () => {
    for (let width = 90; width < 300; width += 7)
      for (let hands = 0; hands < 70; hands++)
        for (const [lost, open] of [
          [0, 0],
          [0, 2],
          [2, 0],
          [1, 9],
        ]) {
          const row = discRow(hands, lost, open, width)
          expect(row.workers + row.more).toBe(hands)
          for (const [marks, all] of [
            [row.lost, lost],
            [row.open, open],
          ])
            expect([all, Math.min(1, all)]).toContain(marks)
          const drawn = row.workers + row.lost + row.open
          if (drawn > 0)
            expect(29 + (drawn - 1) * row.pitch).toBeLessThanOrEqual(width + 0.01 - (row.more > 0 ? 28 : 0))
        }
  })
})

describe('the shape of a distribution', () => {
  const numbers = (path: string) => (path.match(/-?[\d.]+/g) ?? []).map(Number)

  test('fills its box and touches its bottom', () => {
    const curve = [0, 1, 4, 2, 0].map((y, x) => ({ x, y }))
    const paths = shapePaths({ curve, masses: [] }, 74, 16)
    expect(numbers(paths.line).slice(0, 2)).toEqual([1, 15.25])
    for (const n of numbers(paths.line)) expect(n).toBeGreaterThanOrEqual(0)
    expect(Math.min(...numbers(paths.line).filter((_, k) => k % 2 === 1))).toBeCloseTo(1.25, 2)
    expect(paths.masses).toBe('')
  })

  test('is a peak in the middle for a constant', () => {
    expect(shapePaths({ curve: [], masses: [{ x: 5, y: 1 }] }, 74, 16)).toEqual({
      area: '',
      line: '',
      masses: 'M37.00 15.25V2.25M1 15.25H73',
    })
  })
})

describe('the path of a worker', () => {
  test('begins and ends at its stages and hangs below both', () => {
    const arc = arcThrough({ x1: 10, y1: 50, x2: 210, y2: 60, under: 0 })
    expect(pointOn(arc, 0)).toEqual({ x: 10, y: 50 })
    expect(pointOn(arc, 1)).toEqual({ x: 210, y: 60 })
    expect(pointOn(arc, 0.5).y).toBeGreaterThan(75)
    expect(pointOn(arc, 7)).toEqual({ x: 210, y: 60 })
    // Below a card between them, with its disc.
    expect(pointOn(arcThrough({ x1: 10, y1: 50, x2: 210, y2: 60, under: 150 }), 0.5).y).toBeCloseTo(163)
  })
})

const card = (count: number, openSeats: number, low: boolean) => ({
  low,
  openSeats,
  workers: Array.from({ length: count }, (_, k) => ({
    worker: 3 * k + 1,
    progress: null,
    waits: false,
    followed: false,
  })),
})

test('a worker is found at its disc, on full and on compact cards; counted workers have the place of their number', () => {
  for (const low of [false, true])
    for (const count of [1, 3, 6, 40])
      for (const open of [0, 2]) {
        const data = card(count, open, low)
        const places = data.workers.map(({ worker }) => placeOnCard(data, 158, worker - 1))
        const drawn = places.filter(
          (at, k) => at !== null && workerOnCard(data, 158, at.x, at.y) === data.workers[k].worker - 1,
        )
        expect(drawn.length).toBeGreaterThanOrEqual(Math.min(count, 4))
        if (count < 6) expect(drawn).toHaveLength(count)
        for (const at of places) expect(at?.x).toBeLessThan(158)
        const last = placeOnCard(data, 158, data.workers[drawn.length - 1].worker - 1)
        const beside = last && workerOnCard(data, 158, last.x + 31, last.y)
        if (count < 5) expect(beside).toBe(open > 0 ? 'open' : null)
      }
  expect(placeOnCard(card(2, 0, false), 158, 99)).toBeNull()
})

test('a lane has room for every dot and every worker on each of its cards, from a phone to a wide screen', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 320, max: 1600 }),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 12 }),
      (width, most, workers) => {
        const layout = laneLayout(width, 4, most, workers)
        const last = layout.cards[3]
        expect(last.x + last.width).toBeLessThanOrEqual(width + 1e-6)
        const inner = last.width - 2 * layout.pad
        const rows = Math.ceil(most / dotsPerRow(inner, layout.dots))
        expect(layout.queueY + rows * 9 * layout.dots).toBeLessThanOrEqual(layout.workersY)
        const discRows = Math.ceil(workers / layout.discsPerRow)
        expect(layout.workersY + discRows * 29 * layout.discs).toBeLessThanOrEqual(layout.height)
      },
    ),
  )
})

test('dots get smaller only if they would not fit', () => {
  expect(laneLayout(1120, 4, 130, 8).dots).toBe(1)
  expect(laneLayout(358, 4, 9, 8).dots).toBe(1)
  expect(laneLayout(358, 4, 130, 8).dots).toBeLessThan(1)
})
