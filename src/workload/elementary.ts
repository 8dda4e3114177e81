/**
 * Logarithm, exponential, power and sine made of + - x / only. Every engine rounds these operations (and sqrt) alike, but library functions
 * differ in their last bits between browsers, and one bit gives another trace. Power series on a reduced argument, exact to a few units in
 * the last place.
 */

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)
/** Index of the upper half of a double: 1 on little-endian machines, 0 on others. */
const UPPER = new Int32Array(Float64Array.of(1).buffer)[0] === 0 ? 1 : 0

const LEAST_EXPONENT = -1074
const powersOfTwo = allPowersOfTwo()

/** Returns 2^k for every exponent of a double, by doubling and halving: exact in every engine. */
function allPowersOfTwo(): Float64Array {
  const powers = new Float64Array(1023 - LEAST_EXPONENT + 1)
  powers[-LEAST_EXPONENT] = 1
  for (let k = 1; k <= 1023; k++) powers[k - LEAST_EXPONENT] = powers[k - 1 - LEAST_EXPONENT] * 2
  for (let k = -1; k >= LEAST_EXPONENT; k--) powers[k - LEAST_EXPONENT] = powers[k + 1 - LEAST_EXPONENT] / 2
  return powers
}

/** 2^k for a whole k in -1074..1023. */
export const twoTo = (k: number): number => powersOfTwo[k - LEAST_EXPONENT]

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
  const m = x * powersOfTwo[-k - LEAST_EXPONENT]
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
