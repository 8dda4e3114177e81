import { exp, sin } from '../../../workload/elementary.ts'

const PI = 3.141592653589793
/** First steps towards a root, which always lead nearer, and the most steps of Newton's method after them. */
const FIRST_STEPS = 20
const MOST_STEPS = 60

/** How long jobs wait for one of several servers with constant services. */
export interface ConstantWait {
  /** The share of jobs that have to wait. */
  readonly waits: number
  /** Over the service time. */
  readonly mean: number
}

/**
 * Returns the mean wait of M/D/c over the service time, and the share of jobs that wait; `load` is a = arrival rate x service time, below the number of
 * servers. With the c - 1 roots z of z^c = e^(a (z - 1)) within the unit circle (Crommelin 1932):
 *
 *     queue = a x wait = (a^2 - c (c - 1)) / (2 (c - a)) + sum of 1 / (1 - z)       nobody waits with probability (c - a) / product of (1 - z)
 */
export function constantWait(servers: number, load: number): ConstantWait {
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
  let re = 0
  let im = 0
  for (let step = 0; step < FIRST_STEPS + MOST_STEPS; step++) {
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
