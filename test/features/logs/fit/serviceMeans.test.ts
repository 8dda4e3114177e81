import { describe, expect, test } from 'vitest'
import { evenBounds, joined, type Stretch, serviceMeans } from '../../../../src/features/logs/fit/stretches.ts'
import { stageFrom, unevenQueue } from './stages.ts'

const counter = (each: readonly number[]) => each.map((_, k) => each.slice(1, k + 1).reduce((sum, jobs) => sum + jobs, 0))
const noise = (length: number, seed: number, base: number) => unevenQueue(length, seed, 90_000).map((extra) => base + extra)

describe('mean service times', () => {
  test('are the means over all services that were counted: a sample with many counts for many', () => {
    const service = [900_000, 100_000, 400_000, 700_000]
    const [{ from, to, value, variance }, ...more] = serviceMeans(stageFrom([0, 0, 0, 0], { service, completed: [0, 1, 7, 9] }))
    // One service of 0.1 s, six of 0.4 and two of 0.7; the first sample counts none.
    const mean = (1 * 100_000 + 6 * 400_000 + 2 * 700_000) / 9
    const square = ((100_000 - mean) ** 2 + 6 * (400_000 - mean) ** 2 + 2 * (700_000 - mean) ** 2) / 9
    expect([from, to, value, more]).toEqual([0, 3, mean, []])
    expect(variance / (square / 4)).toBeCloseTo(1, 9)
  })

  test('are plain means where services were not counted, or none was', () => {
    const service = [200_000, 100_000, 300_000, 600_000]
    const plain = { from: 0, to: 3, value: 300_000, variance: (1e10 + 4e10 + 0 + 9e10) / 4 / 4 }
    for (const completed of [null, 0]) expect(serviceMeans(stageFrom([0, 0, 0, 0], { service, completed }))).toEqual([plain])
  })

  test('are one where they hardly change, and several where they clearly do', () => {
    const steady = stageFrom(unevenQueue(240, 1, 9), { service: noise(240, 1, 500_000) })
    expect(serviceMeans(steady).map(({ from, to }) => [from, to])).toEqual([[0, 239]])
    const slower = { ...steady, service: steady.service.map((time, k) => (k < 120 ? time : 3 * time)) }
    const [before, after] = serviceMeans(slower)
    expect(serviceMeans(slower)).toHaveLength(2)
    expect([before.to, Math.round(after.value / before.value)]).toEqual([120, 3])
  })

  test('change also after a stretch in which nothing was served', () => {
    // 200 ms until the hundredth second, nothing for forty, then 600 ms.
    const done = Array.from({ length: 240 }, (_, k) => (k > 100 && k <= 140 ? 0 : 2))
    const service = done.map((_, k) => (k <= 140 ? 200_000 : 600_000) + 1000 * (k % 7))
    const means = serviceMeans(stageFrom(done, { service, completed: counter(done) }))
    expect(means.map(({ from, to, value }) => [from, to, Math.round(value / 1e5)])).toEqual([
      [0, 120, 2],
      [120, 239, 6],
    ])
  })

  test('of a stretch without services are those of the piece after it, and at the end those of the last', () => {
    const done = Array.from({ length: 60 }, (_, k) => (k > 20 && k < 38 ? 3 : 0))
    const service = noise(60, 3, 100_000)
    const [{ from, to, value }, ...more] = serviceMeans(stageFrom(done, { service, completed: counter(done) }))
    const mean = service.slice(21, 38).reduce((sum, each) => sum + each, 0) / 17
    expect([from, to, more.length]).toEqual([0, 59, 0])
    expect(Math.abs(value / mean - 1)).toBeLessThan(1e-9)
  })

  test('are looked at in at most twelve stretches of twenty samples or more', () => {
    for (const [length, pieces] of [
      [12, 1],
      [39, 1],
      [40, 2],
      [100, 5],
      [400, 12],
    ]) {
      const bounds = evenBounds(length, pieces)
      const service = noise(length, 4, 100_000).map((time, k) => time * (1 + (k % 50 > 25 ? 1 : 0)))
      const done = unevenQueue(length, 8, 9)
      const all = bounds.slice(1).map((to, k): Stretch => {
        const from = bounds[k]
        const at = Array.from({ length: to - from + 1 }, (_, i) => from + i)
        const weight = (i: number) => (i === 0 ? 0 : done[i])
        const sum = (of: (i: number) => number) => at.reduce((so, i) => so + of(i), 0)
        const value = sum((i) => weight(i) * service[i]) / sum(weight)
        return { from, to, value, variance: sum((i) => weight(i) * (service[i] - value) ** 2) / sum(weight) / at.length }
      })
      const found = serviceMeans(stageFrom(done, { service, completed: counter(done) }))
      const expected = joined(all, { errors: 4, least: 0.1, most: 12 })
      expect(found.map(({ from, to }) => [from, to])).toEqual(expected.map(({ from, to }) => [from, to]))
      for (const [k, { value, variance }] of expected.entries()) {
        expect(found[k].value / value).toBeCloseTo(1, 9)
        expect(found[k].variance / variance).toBeCloseTo(1, 9)
      }
    }
  })
})
