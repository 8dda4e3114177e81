/** What Jefferson's rule minimises: the greatest votes / (seats + 1) of any stage. */
export function greatestLoad(votes: ArrayLike<number>, seats: ArrayLike<number>): number {
  return Array.from(votes).reduce((greatest, v, s) => Math.max(greatest, v / (seats[s] + 1)), 0)
}
