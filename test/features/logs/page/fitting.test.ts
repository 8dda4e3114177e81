import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Change } from '../../../../src/features/logs/fit/changes.ts'
import { changesOf, firstToShow, type WhatIfs } from '../../../../src/features/logs/page/fitting.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

const scenario = scenarioWith({
  source: { kind: 'batch', jobs: 9 },
  stages: ['A', 'B', 'C'].map((id) => ({ id })),
  workers: 6,
  policy: { kind: 'fixed', allocation: { A: 3, B: 2, C: 1 } },
})
const stages = [5, 40, 1].map((logged) => ({ logged })) as never
const asked = { from: 0, more: 1, quicker: 20, own: [] }
const changes = changesOf({ scenario, stages }, asked)
const kindsOf = (each: readonly Change[]) => each.map(({ kind }) => kind).join()
const isBought = (each: readonly Change[]) => each.length === 1 && each[0].kind !== 'policy'

test('a policy and the place of a worker are tried before a worker is bought, and a change of the user before all', () => {
  const first = changes.findIndex(isBought)
  expect(first).toBeGreaterThan(0)
  expect(changes.slice(first).every(isBought)).toBe(true)
  expect(changes[first - 1]).toEqual([
    { kind: 'workers', stage: 0, more: -1 },
    { kind: 'workers', stage: 1, more: 1 },
  ])
  const capacity: Change[] = [{ kind: 'capacity', stage: 0, capacity: 9 }]
  expect(changesOf({ scenario, stages }, { ...asked, own: capacity }).map(kindsOf)).toEqual([
    'capacity',
    ...changes.map(kindsOf),
  ])
})

test('the answer that is shown first is the best that costs nothing if it saves enough, else the best of all', () => {
  const days = (meanFlowTime: number) => [{ peaks: [1, 1, 1], meanFlowTime }]
  const times = fc.array(fc.integer({ min: 50, max: 120 }), { minLength: changes.length, maxLength: changes.length })
  fc.assert(
    fc.property(times, (flow) => {
      const answers = changes.map((each, k) => ({ changes: each, answer: { days: days(flow[k]) } }))
      const shown = firstToShow({ base: { days: days(100) }, answers } as unknown as WhatIfs, [])
      const free = flow.filter((_, k) => !isBought(changes[k]))
      const bestAnswer = Math.min(...free) <= 95 ? Math.min(...free) : Math.min(100, ...flow)
      if (bestAnswer < 100) expect(flow[shown]).toBe(bestAnswer)
    }),
  )
})
