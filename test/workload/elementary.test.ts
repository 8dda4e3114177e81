import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exp, log, normalQuantile, power, sin, twoTo } from '../../src/workload/elementary.ts'

/** The largest relative distance between our values and those of the library; 0 / 0 counts as 0. */
function worst(own: (x: number) => number, library: (x: number) => number, xs: Iterable<number>): number {
  let most = 0
  for (const x of xs) {
    const distance = Math.abs(own(x) - library(x))
    if (distance !== 0) most = Math.max(most, distance / Math.abs(library(x)))
  }
  return most
}

function* between(from: number, to: number, n: number): Generator<number> {
  for (let i = 0; i <= n; i++) yield from + ((to - from) * i) / n
}

describe('elementary functions', () => {
  test('the logarithm is within 1e-15 of the library’s, from the smallest double to the largest', () => {
    expect(worst(log, Math.log, between(0.25, 4, 200_000))).toBeLessThan(1e-15)
    expect(worst(log, Math.log, between(1 - 1e-6, 1 + 1e-6, 20_000))).toBeLessThan(1e-15)
    expect(
      worst(
        (k) => log(twoTo(k) * 1.37),
        (k) => Math.log(2 ** k * 1.37),
        between(-1070, 1023, 2093),
      ),
    ).toBeLessThan(1e-15)
    expect(log(1)).toBe(0)
    expect([log(0), log(Infinity)]).toEqual([-Infinity, Infinity])
    expect([log(-1), log(NaN)]).toEqual([NaN, NaN])
  })

  test('the exponential is within 1e-15 of the library’s and ends in 0 and infinity', () => {
    expect(worst(exp, Math.exp, between(-708, 709.5, 200_000))).toBeLessThan(1e-15)
    expect(worst(exp, Math.exp, between(-1, 1, 20_000))).toBeLessThan(1e-15)
    expect(exp(0)).toBe(1)
    expect([exp(-Infinity), exp(-746), exp(Infinity), exp(711)]).toEqual([0, 0, Infinity, Infinity])
    expect(exp(-745)).toBe(Math.exp(-745))
    expect(exp(NaN)).toBeNaN()
  })

  test('exponential and logarithm undo each other', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => Math.abs(exp(log(x)) / x - 1) < 2e-13),
    )
  })

  test('a power is within 1e-14 of the library’s over the ranges that distributions use', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 2 ** -53, max: 1, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        (base, exponent) => {
          expect(Math.abs(power(base, exponent) / base ** exponent - 1)).toBeLessThan(1e-14)
        },
      ),
    )
  })

  test('the sine is within 1e-15 of the library’s for a clock of up to 2^52 microseconds', () => {
    for (const reach of [1, 10, 1e4, 2 ** 52 / 1e6]) {
      for (const x of between(-reach, reach, 50_001)) {
        const distance = Math.abs(sin(x) - Math.sin(x))
        if (!(distance < 1e-15)) expect.fail(`sin(${x}) is off by ${distance}`)
      }
    }
    expect(sin(0)).toBe(0)
    expect([sin(1e10), sin(Infinity), sin(NaN)]).toEqual([NaN, NaN, NaN])
  })

  test('powers of two are exact', () => {
    for (let k = -1074; k <= 1023; k++) expect(twoTo(k)).toBe(2 ** k)
  })
})

describe('the normal quantile', () => {
  /** The share of a normal population below z <= 0: a series near the middle, a continued fraction in the tail. */
  function share(z: number): number {
    const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
    if (z > -3) {
      let term = z
      let sum = z
      for (let n = 1; n < 200; n++) {
        term *= (z * z) / (2 * n + 1)
        sum += term
      }
      return 0.5 + density * sum
    }
    let fraction = 0
    for (let n = 400; n >= 1; n--) fraction = n / (-z + fraction)
    return density / (-z + fraction)
  }

  test('the share of a normal population below the quantile of p is p', () => {
    for (const z of between(-8.2, -0.01, 2_000)) {
      const p = share(z)
      // An error of z in the quantile changes p by a relative error of about z^2 times it, so more in the tail.
      expect(Math.abs(share(normalQuantile(p)) / p - 1)).toBeLessThan(2e-13)
    }
  })

  test('it is symmetric about one half and has the well-known values', () => {
    expect(normalQuantile(0.5)).toBe(0)
    expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14)
    expect(normalQuantile(0.0013498980316300946)).toBeCloseTo(-3, 14)
    expect(normalQuantile(2 ** -53)).toBeCloseTo(-8.2095361516013874, 12)
    for (const p of between(1e-3, 0.499, 1_000)) expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 12)
  })
})
