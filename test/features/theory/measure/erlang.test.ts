import { describe, expect, test } from 'vitest'
import { erlangB, erlangC } from '../../../../src/features/theory/measure/formulas.ts'

/** The formulas as they are written in books, with powers and factorials. */
function plainly(servers: number, load: number) {
  const term = (k: number): number => (k === 0 ? 1 : (term(k - 1) * load) / k)
  const before = Array.from({ length: servers }, (_, k) => term(k)).reduce((sum, each) => sum + each, 0)
  const waiting = (term(servers) * servers) / (servers - load)
  return { blocked: term(servers) / (before + term(servers)), waits: waiting / (before + waiting) }
}

describe("Erlang's formulas", () => {
  test('give the values in the tables', () => {
    expect(erlangB(1, 1)).toBeCloseTo(0.5, 12)
    expect(erlangB(2, 1)).toBeCloseTo(0.2, 12)
    expect(erlangB(5, 3)).toBeCloseTo(0.110054, 6)
    expect(erlangB(10, 5)).toBeCloseTo(0.018385, 6)
    expect(erlangC(2, 1)).toBeCloseTo(1 / 3, 12)
    expect(erlangC(4, 4)).toBe(1)
    expect(erlangC(5, 4)).toBeCloseTo(0.55411, 5)
    expect(erlangC(10, 8)).toBeCloseTo(0.40918, 5)
  })

  test('agree with their sums of powers and factorials', () => {
    for (const servers of [1, 2, 3, 7, 20, 60])
      for (const share of [0.05, 0.5, 0.9, 0.99]) {
        const { blocked, waits } = plainly(servers, share * servers)
        expect(erlangB(servers, share * servers)).toBeCloseTo(blocked, 10)
        expect(erlangC(servers, share * servers)).toBeCloseTo(waits, 10)
      }
  })
})
