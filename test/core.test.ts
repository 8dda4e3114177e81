import { expect, test } from 'vitest'
import * as core from '../src/core.ts'

const stages = [{ id: 'A', waiting: 1 }]
const view = { workers: 2, stages }
const leastScore = { kind: 'leastScore' }

test.each<[call: string, given: readonly unknown[], words: RegExp]>([
  ['createEstimator', [], /the number of stages/],
  ['createEstimator', [['a']], /the number of stages/],
  ['createEstimator', [1.5], /the number of stages/],
  ['createEstimator', [2, 'mean'], /argument 2: found "mean".*kind/],
  ['createEstimator', [2, null], /argument 2: found null/],
  ['createEstimator', [2, { kind: 'avg' }], /argument 2.*ewma/],
  ['createEstimator', [2, undefined, 'none'], /argument 3.*neighbours/],
  ['createEstimator', [2, undefined, 'declared', 5], /argument 4: found 5/],
  ['seatsUnder', [], /a policy/],
  ['seatsUnder', ['leastScore', view], /a policy/],
  ['seatsUnder', [view, leastScore], /argument 2, stages/],
  ['seatsUnder', [leastScore], /argument 2.*a view/],
  ['policies.webster', [], /a view/],
  ['policies.webster', [stages], /a view/],
  ['policies.webster', [{ workers: 2 }], /stages: found nothing/],
  ['policies.webster', [{ workers: 2, stages: { A: 1 } }], /stages: found an object/],
  ['policies.webster', [{ workers: 2, stages: ['A'] }], /stages\[0\]: found "A"/],
  ['policies.power', [view, 3], /argument 2: found 3.*parameters/],
  ['spread', [undefined, 2], /groups/],
  ['spread', ['abc', 2], /groups/],
  ['spread', [[1, 2], 2], /groups/],
])('%s says which argument is wrong, and what to write: %j', (name, given, words) => {
  const call = name.split('.').reduce((of: object, key) => Reflect.get(of, key), core) as (
    ...given: unknown[]
  ) => unknown
  expect(() => call(...given)).toThrow(TypeError)
  expect(() => call(...given)).toThrow(new RegExp(`^${name.replace('.', '\\.')}[^\\n]*${words.source}[^\\n]*$`))
})

test('arguments that may be left out are optional', () => {
  const estimator = core.createEstimator(1, undefined, 'declared', [7])
  expect(estimator.means()).toEqual([7])
  expect([...core.spread(new Set(['ab', 'cd']), 2)]).toEqual(['a', 'c', 'b', 'd'])
  expect(core.policies.webster(view)).toEqual([2])
})

test('a measurement that is a text is refused', () => {
  expect(() => core.createEstimator(1).observe(0, '5' as never)).toThrow(/microseconds/)
})
