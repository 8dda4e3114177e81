import { describe, expect, test } from 'vitest'
import { failureOf, report } from './failing.ts'
import { pinned } from './pinned.ts'
import type { Plan } from './plans.ts'

/** SEEDS=20000 plays more, FIRST_SEED=5000 begins elsewhere. */
const games = Number(import.meta.env?.SEEDS ?? 2400)
const first = Number(import.meta.env?.FIRST_SEED ?? 0)
const ALL = 1_000_000

function playAll(plans: readonly Plan[]): string {
  const broken = plans.find((plan) => failureOf(plan) !== null)
  return broken === undefined ? '' : report(broken)
}

describe('the scheduler core keeps its promises in a hostile world', () => {
  test('in every game that went wrong once', () => {
    expect(playAll(pinned)).toBe('')
  })

  // In parts, so that one can see how far it has come.
  const part = Math.ceil(games / 4)
  test.each([0, 1, 2, 3])('in games of random lines, policies, faults and Stop, part %i', (k) => {
    expect(playAll(Array.from({ length: part }, (_, i) => ({ seed: first + k * part + i, jobs: ALL, faults: ALL })))).toBe('')
  })

  test.each([0, 1, 2, 3])('in games of random graphs that copy, route and join, part %i', (k) => {
    expect(playAll(Array.from({ length: part }, (_, i) => ({ seed: first + k * part + i, jobs: ALL, faults: ALL, graph: true })))).toBe('')
  })

  test.each([0, 1, 2, 3])('in games of lines and graphs that shards keep in order, part %i', (k) => {
    expect(
      playAll(Array.from({ length: part / 2 }, (_, i) => ({ seed: first + k * part + i, jobs: ALL, faults: ALL, graph: i % 2 === 1, shards: true }))),
    ).toBe('')
  })
})
