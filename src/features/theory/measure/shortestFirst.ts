import type { Service } from '../../../scenario/model/scenario.ts'
import { quantileOf } from '../../../workload/laws.ts'

/** Into so many classes of equal shares the services are cut. */
const CLASSES = 20_000
/** The longest ones, of which the first server of a heavy tail sees most work, once more into so many. */
const FINER = 1000

/**
 * Returns by what the mean wait of M/G/1 is multiplied where the shortest job goes first and no service is interrupted; `load` < 1. A job of size x waits
 * for the rest of the service under way and for all that is shorter (Phipps 1956, after Cobham 1954):
 *
 *     W(x) = W0 / (1 - load of what is shorter than x)^2        W0 = rate E[S^2] / 2, which first come first served divides by 1 - load
 *
 * With classes of neighbouring sizes the square is (1 - load below the class)(1 - load up to it), exact where all sizes of a class are equal.
 */
export function shortestFirstFactor(service: Service, load: number): number {
  const shares: number[] = []
  for (let k = 0; k < CLASSES - 1; k++) shares.push(1 / CLASSES)
  for (let k = 0; k < FINER; k++) shares.push(1 / CLASSES / FINER)
  let from = 0
  const work = shares.map((share) => {
    const middle = quantileOf(service, from + share / 2)
    from += share
    return share * middle
  })
  // What the classes lack of the mean lies in the tail and in the rounding.
  const whole = work.reduce((sum, each) => sum + each, 0)
  let below = 0
  let factor = 0
  for (const [k, each] of work.entries()) {
    const upTo = below + (load * each) / whole
    factor += shares[k] / ((1 - below) * (1 - upTo))
    below = upTo
  }
  return factor * (1 - load)
}
