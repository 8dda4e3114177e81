/** Functions of + - x / only, alike in every engine, since one bit gives another trace: power series on a reduced argument, good to a few last units. */

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
/** Index of the upper half of a double: 1 on little-endian machines, 0 on others. */
const UPPER = new Int32Array(Float64Array.of(1).buffer)[0] === 0 ? 1 : 0

const MIN_EXPONENT = -1074
const powersOfTwo = allPowersOfTwo()

/** Returns 2^k for every exponent of a double, by doubling and halving: exact in every engine. */
function allPowersOfTwo(): Float64Array {
  const powers = new Float64Array(1023 - MIN_EXPONENT + 1)
  powers[-MIN_EXPONENT] = 1
  for (let k = 1; k <= 1023; k++) powers[k - MIN_EXPONENT] = powers[k - 1 - MIN_EXPONENT] * 2
  for (let k = -1; k >= MIN_EXPONENT; k--) powers[k - MIN_EXPONENT] = powers[k + 1 - MIN_EXPONENT] / 2
  return powers
}

/** 2^k for a whole k in -1074..1023. */
export const twoTo = (k: number): number => powersOfTwo[k - MIN_EXPONENT]

// Hexadecimal digits of ln 2 and pi/2, in pieces so short that a whole number times a piece is exact.
const LN2_HIGH = 0xb17217f7 * twoTo(-32)
const LN2_LOW = 0xd1cf79abc9e3b * twoTo(-84)
const PER_LN2 = 1 / LN2_HIGH
const HALF_PI_1 = 0x1921fb * twoTo(-20)
const HALF_PI_2 = 0x54442 * twoTo(-40)
const HALF_PI_3 = 0xd1846 * twoTo(-60)
const HALF_PI_4 = 0x9898c * twoTo(-80)
const HALF_PI_5 = 0xc5170 * twoTo(-100)
const PER_HALF_PI = 1 / (HALF_PI_1 + HALF_PI_2)

/** Upper half of sqrt(1/2). Mantissas are from [sqrt(1/2), sqrt(2)), so that numbers near 1 lose nothing to cancellation. */
const SQRT_HALF_UPPER = 0x3fe6a09e

/** Natural logarithm of x > 0: x = 2^k m, ln m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1), |s| < 0.172. */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x > 0 ? Infinity : NaN
  if (x < twoTo(-1022)) return log(x * twoTo(54)) - 54 * LN2_HIGH - 54 * LN2_LOW
  double[0] = x
  const k = (halves[UPPER] - SQRT_HALF_UPPER) >> 20
  const m = x * powersOfTwo[-k - MIN_EXPONENT]
  const s = (m - 1) / (m + 1)
  const z = s * s
  const w = z * z
  // Odd and even terms are separate: the processor calculates two short chains at once.
  const even = w * (1 / 5 + w * (1 / 9 + w * (1 / 13 + w * (1 / 17 + w * (1 / 21)))))
  const odd = z * (1 / 3 + w * (1 / 7 + w * (1 / 11 + w * (1 / 15 + w * (1 / 19 + w * (1 / 23))))))
  const tail = s * (even + odd)
  return k * LN2_HIGH + (2 * s + (2 * tail + k * LN2_LOW))
}

/** e^x: x = k ln 2 + r with |r| < 0.347, and the power series of e^r. */
export function exp(x: number): number {
  if (!(x > -746)) return x <= -746 ? 0 : NaN
  if (x > 710) return Infinity
  const k = Math.floor(x * PER_LN2 + 0.5)
  const high = x - k * LN2_HIGH
  const r = high - k * LN2_LOW
  const w = r * r
  const even = w * (1 / 2 + w * (1 / 24 + w * (1 / 720 + w * (1 / 40320 + w * (1 / 3628800 + w * (1 / 479001600))))))
  const odd = w * (1 / 6 + w * (1 / 120 + w * (1 / 5040 + w * (1 / 362880 + w * (1 / 39916800 + w * (1 / 6227020800))))))
  const power = 1 + (r + (even + r * odd))
  // In two steps, since 2^1024 does not exist and 2^-1074 has no digits left.
  const half = k >> 1
  return power * twoTo(half) * twoTo(k - half)
}

/** base^exponent for base > 0, good to about 2e-16 x (1 + |exponent ln base|). */
export function power(base: number, exponent: number): number {
  return exp(exponent * log(base))
}

/** Sine of x radians, within 1e-15 for |x| up to 6e9 (2^52 microseconds, the longest clock, are 4.6e9 seconds); NaN beyond. */
export function sin(x: number): number {
  if (!(x >= -6e9 && x <= 6e9)) return NaN
  const n = Math.floor(x * PER_HALF_PI + 0.5)
  const r = x - n * HALF_PI_1 - n * HALF_PI_2 - n * HALF_PI_3 - n * HALF_PI_4 - n * HALF_PI_5
  const quarter = n - 4 * Math.floor(n / 4)
  const value = quarter === 0 || quarter === 2 ? sinOfSmall(r) : cosOfSmall(r)
  return quarter < 2 ? value : -value
}

/** |r| <= pi/4: the power series up to r^17. */
function sinOfSmall(r: number): number {
  const z = r * r
  return (
    r -
    r *
      z *
      (1 / 6 -
        z * (1 / 120 - z * (1 / 5040 - z * (1 / 362880 - z * (1 / 39916800 - z * (1 / 6227020800 - z * (1 / 1307674368000 - z * (1 / 355687428096000))))))))
  )
}

/** |r| <= pi/4: the power series up to r^18. */
function cosOfSmall(r: number): number {
  const z = r * r
  return (
    1 -
    z *
      (1 / 2 -
        z *
          (1 / 24 -
            z *
              (1 / 720 -
                z * (1 / 40320 - z * (1 / 3628800 - z * (1 / 479001600 - z * (1 / 87178291200 - z * (1 / 20922789888000 - z * (1 / 6402373705728000)))))))))
  )
}

/** Two polynomials of degree 7, by their coefficients from the constant on. */
type Ratio = { readonly above: readonly number[]; readonly below: readonly number[] }

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

/** Returns the standard normal quantile, 0 < p < 1, to about 1e-16: Wichura, AS 241 (PPND16), Applied Statistics 37 (1988). */
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
