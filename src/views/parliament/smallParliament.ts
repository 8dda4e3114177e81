import { circlePath } from '../drawing/svg.ts'
import type { ParliamentLayout } from './parliamentLayout.ts'

/** The seats of one stage in a small parliament, as an SVG path; stage -1: seats that no stage has. */
export interface SmallBloc {
  readonly stage: number
  readonly seats: number
  readonly path: string
}

/**
 * Returns the seats that one policy gives as a half circle, stage by stage in `order` from left to right; seats of no stage come last.
 * A stage is one path, not a circle a seat, since ten parliaments of 256 seats stand side by side.
 */
export function smallParliament(layout: ParliamentLayout, seats: readonly number[], order: readonly number[]): SmallBloc[] {
  let taken = 0
  const bloc = (stage: number, count: number): SmallBloc => {
    const places = layout.seats.slice(taken, taken + count)
    taken += places.length
    return { stage, seats: places.length, path: places.map(({ x, y }) => circlePath(x, y, layout.seatRadius)).join('') }
  }
  const blocs = order.map((stage) => bloc(stage, seats[stage]))
  return [...blocs, bloc(-1, layout.seats.length)].filter((each) => each.seats > 0)
}
