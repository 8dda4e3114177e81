import type { Size } from '../../base/page/useSize.ts'
import { type Arrangement, EASY, zoomFor } from './places.ts'
import { type Inset, roomIn } from './view.ts'

/** The column at the side for the half circle of seats, in pixels. page.css puts it there. */
const COLUMN: Inset = { top: 0, right: 124 }

export interface Docked {
  readonly arrangement: Arrangement
  /** What covers the canvas: `above`, or the column. */
  readonly inset: Inset
  readonly docked: boolean
}

/** Lays out the pipeline below the half circle of seats; beside it if the cards would be hard to read below, and are larger beside. */
export function besideSeats(size: Size, above: Inset, layOut: (room: Size) => Arrangement): Docked {
  const [below, beside] = [above, COLUMN].map((inset) => {
    const room = roomIn(size, inset)
    const arrangement = layOut(room)
    return { arrangement, inset, zoom: zoomFor(arrangement.bounds, room) }
  })
  const docked = below.zoom < EASY && beside.zoom > below.zoom
  const { arrangement, inset } = docked ? beside : below
  return { arrangement, inset, docked }
}
