import { describe, expect, test } from 'vitest'
import { shardGrid } from '../../../../src/features/order/draw/shardGrid.ts'

const widths = (width: number, shards: number, maxShards = shards) => shardGrid(width, [{ shards, maxShards }]).rows[0]

describe('the grid of the shards', () => {
  test('puts the shards of a stage beside each other, with a text if there is room', () => {
    const { cells, ticket, detail } = widths(300, 3)
    expect(cells.map(({ y }) => y)).toEqual([18, 18, 18])
    expect(cells.map(({ x, width }) => Math.round(x + width))).toEqual([97, 199, 300])
    expect([ticket, detail]).toEqual([true, true])
    expect(widths(300, 6).detail).toBe(false)
  })

  test('begins another line when a line is full, and omits the tickets if there would be many', () => {
    expect(widths(300, 8).cells.map(({ y }) => y)).toEqual([18, 18, 18, 18, 18, 18, 56, 56])
    const { cells, ticket } = widths(300, 64)
    expect(ticket).toBe(false)
    expect(Math.max(...cells.map(({ x, width }) => x + width))).toBeLessThanOrEqual(300)
    expect(new Set(cells.map(({ x, y }) => `${x} ${y}`)).size).toBe(64)
  })

  test('keeps the height of the most shards so far, so that the stages below do not move', () => {
    const below = (shards: number) => {
      const { rows, height } = shardGrid(300, [
        { shards, maxShards: 9 },
        { shards: 2, maxShards: 2 },
      ])
      return [rows[1].baseline, height]
    }
    expect(below(1)).toEqual(below(9))
    expect(widths(300, 1, 9).cells[0].width).toBe(widths(300, 9, 9).cells[0].width)
  })

  test('is not stretched on a wide panel', () => {
    expect(widths(900, 2).cells[0].width).toBe(132)
    expect(shardGrid(300, [])).toEqual({ height: 0, rows: [] })
  })
})
