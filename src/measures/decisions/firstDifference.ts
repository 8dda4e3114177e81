import { applySeats } from '../../pipeline/journal.ts'
import { sameRow } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { chunkOf, type Trace, timeOf } from '../../trace/trace.ts'

/**
 * The first difference of two runs of the same jobs. Until then all their rows and seats are the same.
 *
 *   seats    at the first decision after which some stage has more seats in one than in the other
 *   orders   at the first row that differs, the seats being the same: other workers were sent, hired or dismissed
 */
export interface FirstDifference {
  readonly by: 'seats' | 'orders'
  readonly time: Micros
  readonly row: number
  /** The latest decision of each, at or before the row; -1 if there is none. */
  readonly decisions: readonly [number, number]
  /** Whether both decided at this row and saw the same. */
  readonly sameBallot: boolean
  /** By stage: the seats of each, from then on. */
  readonly seats: readonly [readonly number[], readonly number[]]
}

/** Returns the first difference of two runs; null: they are equal. */
export function firstDifference(a: Trace, b: Trace): FirstDifference | null {
  const row = firstOtherRow(a, b)
  const mine = createSeats(a)
  const others = createSeats(b)
  for (;;) {
    const next = Math.min(mine.nextRow(), others.nextRow())
    if (next > row) break
    mine.take(next)
    others.take(next)
    if (mine.seats.some((seats, s) => seats !== others.seats[s]))
      return difference('seats', next, next > 0 ? timeOf(a, next - 1) : 0)
  }
  if (row === a.length && row === b.length) return null
  return difference(
    'orders',
    row,
    Math.min(...[a, b].filter(({ length }) => row < length).map((trace) => timeOf(trace, row))),
  )

  function difference(by: FirstDifference['by'], at: number, time: Micros): FirstDifference {
    const [d, e] = [mine.decision(), others.decision()]
    const bothDecided = d >= 0 && e >= 0 && a.decisions.row[d] === at && b.decisions.row[e] === at
    return {
      by,
      time,
      row: at,
      decisions: [d, e],
      sameBallot: bothDecided && a.decisions.hash[d] === b.decisions.hash[e],
      seats: [[...mine.seats], [...others.seats]],
    }
  }
}

/** The seats of a run as its decisions change them. */
function createSeats({ decisions, topology }: Trace) {
  const seats: number[] = new Array(topology.stages).fill(0)
  let d = 0
  return {
    seats,
    decision: () => d - 1,
    /** The row that follows the next decision. */
    nextRow: () => (d < decisions.length ? decisions.row[d] : Infinity),
    take(row: number): void {
      while (d < decisions.length && decisions.row[d] <= row) applySeats(decisions, d++, seats)
    },
  }
}

/** Returns the first row that differs, or the length of the shorter run. */
function firstOtherRow(a: Trace, b: Trace): number {
  const length = Math.min(a.length, b.length)
  for (let row = 0; row < length; row++) {
    const [one, other] = [chunkOf(a.chunks, row), chunkOf(b.chunks, row)]
    if (!sameRow(one.chunk, one.at, other.chunk, other.at)) return row
  }
  return length
}
