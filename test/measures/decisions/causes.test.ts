import { expect, test } from 'vitest'
import type { Fact } from '../../../src/measures/decisions/decisionContext.ts'
import { causesOf } from '../../../src/measures/decisions/decisionWords.ts'
import { createSpeech, enumerated, sentenceText } from '../../../src/measures/decisions/speech.ts'
import type { RowKind } from '../../../src/pipeline/rows.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const scenario = scenarioWith({
  source: { kind: 'batch', jobs: 40 },
  stages: [
    { id: 'A', name: 'Parse' },
    { id: 'B', name: 'Write' },
  ],
  workers: 4,
  later: [
    { at: 10, policy: { kind: 'jefferson' }, batch: { size: 2 } },
    { at: 20, estimator: { kind: 'window', n: 3 } },
    { at: 30, switchCost: 5, groupSwitchCost: 5, cores: 1 },
  ],
})

const fact = (kind: RowKind, worker = -1, jobs = 1, more: Partial<Fact> = {}): Fact => ({
  kind,
  worker,
  stage: worker < 0 ? -1 : 1,
  jobs,
  job: 0,
  ...more,
})
const causesText = (...facts: Fact[]) => sentenceText(enumerated(causesOf(scenario, facts, createSpeech(scenario)), 20))

test('workers that finish are named together: with the number of jobs if it is one worker', () => {
  expect(causesText(fact('finished', 2))).toBe('worker 3 finished')
  expect(causesText(fact('finished', 2, 4))).toBe('worker 3 finished')
  expect(causesText(fact('finished', 2), fact('finished', 0))).toBe('workers 3 and 1 finished')
  expect(causesText(fact('finished', 2), fact('finished', 0, 3))).toBe('workers 3 and 1 finished')
})

test('faults, joining workers and arrivals are named, but only the first throw', () => {
  expect(causesText(fact('threw', 1), fact('threw', 0))).toBe('a job of worker 2 threw at Write')
  expect(causesText(fact('lost', 1))).toBe('lost: worker 2')
  expect(causesText(fact('lost', 1), fact('lost', 3))).toBe('lost: workers 2 and 4')
  expect(causesText(fact('joined', 1))).toBe('worker 2 joined')
  expect(causesText(fact('joined', 1), fact('joined', 3))).toBe('workers 2 and 4 joined')
  expect(causesText(fact('arrived'))).toBe('1 job arrived')
  expect(causesText(fact('arrived', -1, 3), fact('arrived', -1, 2))).toBe('5 jobs arrived')
  expect(causesText(fact('finished', 0), fact('arrived'))).toBe('worker 1 finished and 1 job arrived')
})

test('a new phase is described by its changes', () => {
  expect(causesText(fact('turned', -1, 1, { job: 0 }))).toBe('Policy changed and Batches changed')
  expect(causesText(fact('turned', -1, 1, { job: 1 }))).toBe('Estimate changed')
  expect(causesText(fact('turned', -1, 2, { job: 0 }))).toBe('Policy changed, Estimate changed and Batches changed')
  expect(causesText(fact('turned', -1, 1, { job: 2 }))).toBe(
    'Switch cost changed, Group switch cost changed and Cores changed',
  )
})

test('the end of the source and a tick are named only if nothing else happened', () => {
  expect(causesText(fact('exhausted'))).toBe('the source ran dry')
  expect(causesText(fact('tick', -1, 1, { stage: 0 }))).toBe('a controller measured its queue')
  expect(causesText(fact('exhausted'), fact('arrived'))).toBe('1 job arrived')
  expect(causesText(fact('tick'), fact('arrived'))).toBe('1 job arrived')
  expect(causesText(fact('started', 0), fact('routed', -1))).toBe('')
  expect(causesText()).toBe('')
})
