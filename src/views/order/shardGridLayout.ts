/** One shard in the grid, in pixels. */
export interface ShardCell {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface ShardRow {
  /** Where the name of the stage stands. */
  readonly baseline: number
  readonly cells: readonly ShardCell[]
  /** Whether a cell has room for its ticket, and for more words below. */
  readonly ticket: boolean
  readonly words: boolean
}

export interface ShardGrid {
  readonly height: number
  readonly rows: readonly ShardRow[]
}

const GAP = 4
const NAME = 18
const BETWEEN = 10
/** A cell with words, with a ticket of up to five digits, and with nothing but its colour. */
const WIDE = 70
const TICKET = { width: 40, height: 34 }
const BARE = { width: 13, height: 13 }
const WIDEST = 132
/** More lines of cells with tickets than this in one stage would make the grid too long. */
const LINES = 2

/** The shards of every stage in lines below its name. Room is kept for the most that a stage has had, so that nothing moves when there are fewer for a while. */
export function shardGrid(width: number, stages: readonly { readonly shards: number; readonly most: number }[]): ShardGrid {
  let top = 0
  const rows = stages.map(({ shards, most }): ShardRow => {
    const room = fitting(width, TICKET.width)
    const ticket = most <= room * LINES
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
    return { baseline, cells, ticket, words: ticket && each >= WIDE }
  })
  return { height: Math.max(0, top - BETWEEN), rows }
}

function fitting(width: number, each: number): number {
  return Math.max(1, Math.floor((width + GAP) / (each + GAP)))
}
