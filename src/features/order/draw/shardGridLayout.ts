/** The cell of a shard, in pixels. */
export interface ShardCell {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ShardRow {
  /** The baseline of the stage's name. */
  readonly baseline: number
  readonly cells: readonly ShardCell[]
  /** Whether a cell has room for its ticket, and for a text below it. */
  readonly ticket: boolean
  readonly detail: boolean
}

export interface ShardGrid {
  readonly height: number
  readonly rows: readonly ShardRow[]
}

const GAP = 4
const NAME = 18
const BETWEEN = 10
/** The least width of a cell with a text, and the sizes of one with a ticket of five digits and of one with only a colour. */
const DETAILED = 70
const TICKET = { width: 40, height: 34 }
const BARE = { width: 13, height: 13 }
const WIDEST = 132
/** At most so many rows of cells with tickets a stage, or the grid would be too long. */
const MOST_ROWS = 2

/** Returns the cells of every stage in rows below its name. A stage keeps room for the most shards it has had, so that nothing moves. */
export function shardGrid(width: number, stages: readonly { readonly shards: number; readonly most: number }[]): ShardGrid {
  let top = 0
  const rows = stages.map(({ shards, most }): ShardRow => {
    const room = fitting(width, TICKET.width)
    const ticket = most <= room * MOST_ROWS
    const least = ticket ? TICKET : BARE
    const abreast = Math.min(Math.max(most, shards), fitting(width, least.width))
    const each = ticket ? Math.min(WIDEST, (width + GAP) / abreast - GAP) : BARE.width
    const baseline = top + 12
    const first = top + NAME
    top = first + Math.ceil(Math.max(most, shards) / abreast) * (least.height + GAP) - GAP + BETWEEN
    const cells = Array.from({ length: shards }, (_, k) => ({
      x: (k % abreast) * (each + GAP),
      y: first + Math.floor(k / abreast) * (least.height + GAP),
      width: each,
      height: least.height,
    }))
    return { baseline, cells, ticket, detail: ticket && each >= DETAILED }
  })
  return { height: Math.max(0, top - BETWEEN), rows }
}

function fitting(width: number, each: number): number {
  return Math.max(1, Math.floor((width + GAP) / (each + GAP)))
}
