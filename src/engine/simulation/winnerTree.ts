import type { Micros } from '../../scenario/model/scenario.ts'

/**
 * When each worker is due, as a tournament: each match is won by the worker that is due first, of equals by the lower number.
 * A new time costs one match a level. Used where every worker has at most one time and none is taken back (see `Calendar`).
 *
 *            1           the winner of all
 *         2     3
 *        4 5   6 7       workers 0 to 3
 */
export class WinnerTree {
  /** By worker; Infinity: not due. */
  readonly due: Float64Array
  private readonly winners: Uint16Array
  private readonly leaves: number

  constructor(workers: number) {
    let leaves = 1
    while (leaves < workers) leaves *= 2
    this.leaves = leaves
    this.due = new Float64Array(leaves).fill(Infinity)
    this.winners = new Uint16Array(2 * leaves)
    for (let worker = 0; worker < leaves; worker++) this.winners[leaves + worker] = worker
    for (let match = leaves - 1; match > 0; match--) this.winners[match] = this.winners[2 * match]
  }

  /** The worker that is due first. */
  get first(): number {
    return this.winners[1]
  }

  /** When it is due; Infinity: none is. */
  get next(): Micros {
    return this.due[this.winners[1]]
  }

  /** Whether no other worker is due when the first is. */
  get isFirstAlone(): boolean {
    const { due, winners } = this
    const first = winners[1]
    for (let match = this.leaves + first; match > 1; match >>= 1) if (due[winners[match ^ 1]] === due[first]) return false
    return true
  }

  /** Sets when a worker is due, Infinity for not at all. */
  set(worker: number, time: Micros): void {
    const { due, winners } = this
    due[worker] = time
    for (let match = (this.leaves + worker) >> 1; match > 0; match >>= 1) {
      const left = winners[2 * match]
      const right = winners[2 * match + 1]
      winners[match] = due[left] <= due[right] ? left : right
    }
  }
}
