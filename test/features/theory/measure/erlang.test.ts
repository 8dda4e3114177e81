import { describe, expect, test } from 'vitest'
import { erlangA, erlangB, erlangC } from '../../../../src/features/theory/measure/formulas.ts'

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

  test('give Erlang A as the equations of the numbers of jobs do', () => {
    for (const [servers, rate, mean, patience] of [
      [1, 0.5, 1, 2],
      [4, 100, 0.04, 0.05],
      [20, 3, 10, 0.5],
      [3, 8, 1, 40],
    ]) {
      const shares = [1]
      for (let n = 1; n < 20_000; n++)
        shares.push((shares[n - 1] * rate) / (Math.min(n, servers) / mean + Math.max(0, n - servers) / patience))
      const all = shares.reduce((sum, each) => sum + each, 0)
      const queue = shares.reduce((sum, each, n) => sum + Math.max(0, n - servers) * each, 0) / all
      const found = erlangA(servers, rate, mean, patience)
      expect(found.waits).toBeCloseTo(shares.slice(servers).reduce((sum, each) => sum + each, 0) / all, 9)
      expect(found.meanWait / (queue / rate)).toBeCloseTo(1, 9)
      expect(found.gaveUp).toBeCloseTo(queue / rate / patience, 9)
    }
  })

  test('lead from Erlang A to Erlang C with endless patience, and to the overflow of work with too much of it', () => {
    expect(erlangA(4, 3, 1, 1e5).waits).toBeCloseTo(erlangC(4, 3), 3)
    // Four servers do four of ten jobs, however patient the others are.
    expect(erlangA(4, 10, 1, 1e4).gaveUp).toBeCloseTo(0.6, 9)
    expect(erlangA(4, 10, 1, 1e4).waits).toBeCloseTo(1, 9)
  })
})
