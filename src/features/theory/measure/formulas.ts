import type { Service } from '../../../scenario/model/scenario.ts'
import { exp, sin } from '../../../workload/elementary.ts'
import { quantileOf } from '../../../workload/laws.ts'

/** Returns Erlang B (1917): the share of arrivals that find all `servers` busy where no job waits. `load` is arrival rate x mean service time. */
export function erlangB(servers: number, load: number): number {
  let blocked = 1
  for (let k = 1; k <= servers; k++) blocked = (load * blocked) / (k + load * blocked)
  return blocked
}

/** Returns Erlang C: the share of arrivals that must wait. Returns 1 if `load` is at least `servers`: the queue then grows without end. */
export function erlangC(servers: number, load: number): number {
  if (load >= servers) return 1
  const blocked = erlangB(servers, load)
  return (servers * blocked) / (servers - load * (1 - blocked))
}

/** The sum below has at most this many terms: more than any that counts, since they fall where more than patience x rate jobs wait. */
const MAX_TERMS = 20_000_000

/**
 * Returns Erlang A, M/M/c+M: the share of jobs that wait, the share that their clients give up, and the mean wait of all jobs. With n jobs there, they
 * leave at the rate min(n, c) / mean + max(0, n - c) / patience (Palm 1957; Garnett, Mandelbaum and Reiman 2002; Zeltyn and Mandelbaum 2005):
 *
 *     A = sum over k of the products for j = 1..k of rate / (c / mean + j / patience)       waits = A B / (1 - B + A B), B = Erlang B
 *     queue = the same sum with each term k times, over that sum, x waits                     wait = queue / rate, given up = wait / patience
 */
export function erlangA(servers: number, rate: number, mean: number, patience: number) {
  let below = 1 / erlangB(servers, rate * mean) - 1
  let [term, sum, queue] = [1, 1, 0]
  for (let k = 1; k < MAX_TERMS && (term > 1e-17 * sum || term * k > 1e-17 * queue); k++) {
    term *= rate / (servers / mean + k / patience)
    sum += term
    queue += k * term
    if (sum < 1e200) continue
    // Only ratios count.
    ;[term, sum, queue, below] = [term / 1e200, sum / 1e200, queue / 1e200, below / 1e200]
  }
  const meanWait = queue / (below + sum) / rate
  return { waits: sum / (below + sum), gaveUp: meanWait / patience, meanWait }
}

const PI = 3.141592653589793
/** The number of first steps, which always approach the root, and the maximum number of steps of Newton's method after them. */
const FIRST_STEPS = 20
const MAX_STEPS = 60

/**
 * Returns the share of jobs that wait in M/D/c and the mean wait over the service time; `load` is a = arrival rate x service time, below the number of
 * servers. With the c - 1 roots z of z^c = e^(a (z - 1)) within the unit circle (Crommelin 1932):
 *
 *     queue = a x wait = (a^2 - c (c - 1)) / (2 (c - a)) + sum of 1 / (1 - z)       no job waits with probability (c - a) / product of (1 - z)
 */
export function constantWait(servers: number, load: number) {
  let sum = 0
  let product = 1
  // Roots come in pairs of conjugates, of which the sum is real and so is the product; with an even number of servers there is a real one.
  for (let k = 1; 2 * k <= servers; k++) {
    const [re, im] = rootOf(servers, load, k)
    const square = (1 - re) * (1 - re) + im * im
    sum += ((2 * k < servers ? 2 : 1) * (1 - re)) / square
    product *= 2 * k < servers ? square : 1 - re
  }
  const queue = (load * load - servers * (servers - 1)) / (2 * (servers - load)) + sum
  return { waits: Math.max(0, 1 - (servers - load) / product), mean: Math.max(0, queue / load) }
}

/** Returns the root z = w e^(load (z - 1) / servers), w the k-th root of unity: first as a fixed point, then by Newton's method. */
function rootOf(servers: number, load: number, k: number): readonly [re: number, im: number] {
  const share = load / servers
  const angle = (2 * PI * k) / servers
  let [re, im] = [0, 0]
  for (let step = 0; step < FIRST_STEPS + MAX_STEPS; step++) {
    const size = exp(share * (re - 1))
    const turn = angle + share * im
    const [x, y] = [size * sin(turn + PI / 2), size * sin(turn)]
    if (step < FIRST_STEPS) {
      re = x
      im = y
      continue
    }
    // (z - g) / (1 - share g)
    const [up, down] = [1 - share * x, -share * y]
    const square = up * up + down * down
    const [dx, dy] = [((re - x) * up + (im - y) * down) / square, ((im - y) * up - (re - x) * down) / square]
    re -= dx
    im -= dy
    if (dx * dx + dy * dy < 1e-30) break
  }
  return [re, im]
}

/** The number of classes of equal shares into which the services are cut. */
const CLASSES = 20_000
/** The class of the longest services is cut again into this number: with a heavy tail it holds most of the work. */
const FINER = 1000

/**
 * Returns the factor by which the mean wait of M/G/1 changes if the shortest job goes first and no service is interrupted; `load` < 1. A job of size x
 * waits W0 / (1 - load of what is shorter than x)^2 (Phipps 1956, after Cobham 1954), here over classes of neighbouring sizes, where the square is
 * (1 - load below the class)(1 - load up to it).
 */
export function shortestFirstFactor(service: Service, load: number): number {
  const shares = Array.from({ length: CLASSES - 1 + FINER }, (_, k) =>
    k < CLASSES - 1 ? 1 / CLASSES : 1 / CLASSES / FINER,
  )
  let from = 0
  const work = shares.map((share) => {
    const middle = quantileOf(service, from + share / 2)
    from += share
    return share * middle
  })
  // What the classes lack of the mean lies in the tail and in the rounding.
  const whole = work.reduce((sum, each) => sum + each, 0)
  let [below, factor] = [0, 0]
  for (const [k, each] of work.entries()) {
    const upTo = below + (load * each) / whole
    factor += shares[k] / ((1 - below) * (1 - upTo))
    below = upTo
  }
  return factor * (1 - load)
}
