import { expect, test } from 'vitest'
import { diamond } from '../fixtures/scenarios.ts'
import { scriptedCore } from './scriptedCore.ts'

/** A leads to B and C, whose parts meet at D. */
const fork = (more: object = {}, b: object = {}) => ({
  workers: 3,
  source: { kind: 'batch', jobs: 2 },
  stages: [
    { id: 'A' },
    { id: 'B', fails: { jobs: [], tries: 1 }, ...b },
    { id: 'C', fails: { jobs: [], tries: 1 } },
    { id: 'D', join: 'all' },
  ],
  links: diamond,
  policy: { kind: 'sinkFirst' },
  ...more,
})

test('a job whose parts are given up at two stages at once fails once, at the first', () => {
  const core = scriptedCore(fork())
  core(0, 'arrived 0', 'exhausted')
  expect(core(10, 'finished w0 A 0')).toEqual(['started w0 B 0', 'started w1 C 0'])
  expect(core(20, 'threw w0 B 0', 'threw w1 C 0')).toEqual(['failed B 0', 'withdrawn C 0'])
})

test('a stage that copies starts no job unless all the next queues have space', () => {
  const core = scriptedCore(
    fork({ workers: 2, policy: { kind: 'fixed', allocation: { A: 1, B: 1 } } }, { capacity: 1 }),
  )
  expect(core(0, 'arrived 0', 'arrived 1', 'arrived 2', 'exhausted')).toEqual(['started w0 A 0'])
  expect(core(10, 'finished w0 A 0')).toEqual(['started w1 B 0', 'started w0 A 1'])
  // B is full now, even if C has space.
  expect(core(20, 'finished w0 A 1')).toEqual([])
})
