import { parliamentLayout } from './parliamentLayout.ts'

/** A seat of a small parliament, in pixels from the corner of its picture. */
export interface SmallSeat {
  readonly x: number
  readonly y: number
  /** The stage that has it; -1 where nobody has. */
  readonly stage: number
}

export interface SmallParliament {
  readonly seats: readonly SmallSeat[]
  readonly radius: number
}

/**
 * The seats of one verdict as a half circle that stands still: stage by stage in the order given, from left to right.
 *
 * @param workers how many seats there are; those that no stage has stand last
 * @param order the stages from left to right
 */
export function smallParliament(workers: number, seats: readonly number[], order: readonly number[], width: number, height: number): SmallParliament {
  const layout = parliamentLayout(Math.max(1, workers), width, height)
  const owners = order.flatMap((stage) => Array.from({ length: seats[stage] }, () => stage))
  return { seats: layout.seats.slice(0, workers).map(({ x, y }, i) => ({ x, y, stage: owners[i] ?? -1 })), radius: layout.seatRadius }
}
