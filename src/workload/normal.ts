import { log } from './elementary.ts'

/** Two polynomials of degree 7, by their coefficients from the constant on. */
interface Ratio {
  readonly above: readonly number[]
  readonly below: readonly number[]
}

/** z / (p - 1/2) for p within 0.075..0.925, r = 0.425^2 - (p - 1/2)^2. */
const middle: Ratio = {
  above: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  below: [1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854],
}

/** p or 1 - p down to e^-25, r = sqrt(-ln p) - 1.6. */
const shoulder: Ratio = {
  above: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506, 0.022723844989269184,
    0.0007745450142783414,
  ],
  below: [1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-9],
}

/** p or 1 - p below e^-25, r = sqrt(-ln p) - 5. */
const tail: Ratio = {
  above: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124, 0.0012426609473880784, 0.000027115555687434876,
    2.0103343992922881e-7,
  ],
  below: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548, 1.421511758316446e-7,
    2.0442631033899397e-15,
  ],
}

/**
 * Returns the standard normal quantile: the z below which a share `p` of the population lies; 0 < p < 1. Rational approximations good to
 * about 1e-16: Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37 (1988), PPND16.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (q >= -0.425 && q <= 0.425) return q * ratio(middle, 0.180625 - q * q)
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p))
  const z = r <= 5 ? ratio(shoulder, r - 1.6) : ratio(tail, r - 5)
  return q < 0 ? -z : z
}

function ratio({ above, below }: Ratio, r: number): number {
  return polynomial(r, above) / polynomial(r, below)
}

/** Written out, since service times are drawn with it. */
function polynomial(x: number, c: readonly number[]): number {
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * (c[5] + x * (c[6] + x * c[7]))))))
}
