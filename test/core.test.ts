import { expect, test } from 'vitest'
import * as core from '../src/core.ts'

const stages = [{ id: 'A', waiting: 1 }]
const view = { workers: 2, stages }

test.each<[call: string, given: readonly unknown[], words: RegExp]>([
  ['createEstimator', [], /number of stages/],
  ['createEstimator', [['a']], /number of stages/],
  ['createEstimator', [2, 'mean'], /kind: found "mean"/],
  ['createEstimator', [2, null], /kind: found null/],
  ['createEstimator', [2, undefined, 'none'], /prior.*neighbours/],
  ['seatsUnder', [], /policy: found nothing/],
  ['seatsUnder', ['leastScore', view], /policy: found "leastScore"/],
  ['seatsUnder', [view, { kind: 'leastScore' }], /view\.stages/],
  ['webster', [], /view: found nothing/],
  ['webster', [stages], /view: found a list/],
  ['webster', [{ workers: 2, stages: { A: 1 } }], /view\.stages: found an object/],
  ['webster', [{ workers: 2, stages: ['A'] }], /view\.stages\[0\]: found "A"/],
  ['power', [view, 3], /params: found 3/],
  ['spread', [undefined, 2], /groups/],
  ['spread', ['abc', 2], /groups/],
])('%s with wrong arguments says which one, and what to write: %j', (name, given, words) => {
  const { [name]: called } = { ...core.policies, ...core } as unknown as Record<string, (...given: unknown[]) => object>
  const call = () => Array.from(called(...given) as Iterable<unknown>)
  expect(call).toThrow(TypeError)
  expect(call).toThrow(words)
})

test('a measurement that is a text is refused', () => {
  expect(() => core.createEstimator(1).observe(0, '5' as never)).toThrow(/microseconds/)
})
