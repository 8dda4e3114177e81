import type { ParliamentLayout } from './parliamentLayout.ts'

/** The seats of one stage in a small parliament, as the path of an SVG; stage -1: seats that nobody has. */
export interface SmallBloc {
  readonly stage: number
  readonly seats: number
  readonly path: string
}

/**
 * The seats of one verdict as a half circle that stands still: bloc by bloc in the order given, from left to right. One path a
 * bloc and not one circle a seat: ten parliaments of 256 stand beside each other.
 *
 * @param layout where the seats stand
 * @param order the stages from left to right; seats that none of them has stand last
 */
export function smallParliament(layout: ParliamentLayout, seats: readonly number[], order: readonly number[]): SmallBloc[] {
  let taken = 0
  const bloc = (stage: number, count: number): SmallBloc => {
    const places = layout.seats.slice(taken, taken + count)
    taken += places.length
    return { stage, seats: places.length, path: places.map(({ x, y }) => circle(x, y, layout.seatRadius)).join('') }
  }
  const blocs = order.map((stage) => bloc(stage, seats[stage]))
  return [...blocs, bloc(-1, layout.seats.length)].filter((each) => each.seats > 0)
}

function circle(x: number, y: number, r: number): string {
  const [d, left] = [(2 * r).toFixed(2), (x - r).toFixed(2)]
  return `M${left} ${y.toFixed(2)}a${r.toFixed(2)} ${r.toFixed(2)} 0 1 0 ${d} 0a${r.toFixed(2)} ${r.toFixed(2)} 0 1 0-${d} 0z`
}
