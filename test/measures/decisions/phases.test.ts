import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { testVectorOf, writeDecisionsCsv } from '../../../src/measures/decisions/decisionExports.ts'
import { sentenceOf } from '../../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { writeTraceEvents } from '../../../src/measures/profile/traceEvents.ts'
import { PHASE } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { scenarioAtPhase } from '../../../src/scenario/model/schedule.ts'
import { rowsUntil, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const decisionsOf = (trace: Trace) => {
  const estimateHistory = createEstimateHistory(trace)
  return Array.from({ length: trace.decisions.length }, (_, d) => decisionAt(trace, estimateHistory, d))
}

/** A batch of 900 ms of work for A and 100 ms for each of three others: the rules differ most. */
const contest = {
  source: { kind: 'batch', jobs: 100 },
  stages: [9000, 1000, 1000, 1000].map((mean, s) => ({ id: 'ABCD'[s], service: { kind: 'constant', mean } })),
  links: ['A', 'B', 'C', 'D'].flatMap((id) => [
    ['source', id],
    [id, 'sink'],
  ]),
  workers: 8,
  estimator: { kind: 'mean', prior: 'declared' },
}

describe('a decision', () => {
  test('is explained by the phase in which it was taken', async () => {
    let afterATurn = 0
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true }), async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const turnRows = Array.from({ length: trace.length }, (_, i) => i).filter(
          (i) => traceRow(trace, i).kind === PHASE,
        )
        for (const { policy, phase: turns, verified, rounds, stages, row } of decisionsOf(trace)) {
          const due = turnRows.filter((turned) => turned < row).length
          expect([turns, policy, verified]).toEqual([due, scenarioAtPhase(scenario, due).policy.kind, true])
          // The winners of the rounds have the seats.
          if (rounds.length > 0)
            expect(stages.map((_, s) => rounds.filter(({ winner }) => winner === s).length)).toEqual(
              stages.map(({ seatsAfter }) => seatsAfter),
            )
          if (turns > 0) afterATurn++
        }
      }),
      { numRuns: repeats(100) },
    )
    expect(afterATurn).toBeGreaterThan(repeats(100) / 2)
  })

  test('names the phase that led to it, in the sentence, the CSV and the test vector', async () => {
    const scenario = scenarioWith({
      ...contest,
      later: [{ at: 500, policy: { kind: 'power', p: 3 }, batch: { size: 2 } }],
    })
    const trace = await playSimulation(scenario, 0)
    const decisions = decisionsOf(trace)
    // No worker is idle when the phase begins, so the next one asks.
    const [before, first] = [decisions[0], decisions.find(({ phase: turns }) => turns === 1)]
    if (first === undefined) throw new Error('no decision after the turn')
    expect([before.rule, first.rule]).toEqual(['leastScore', 'power'])
    expect(testVectorOf(scenario, before)).not.toHaveProperty('power')
    expect(testVectorOf(scenario, first)).toMatchObject({ policy: 'power', power: 3 })
    const stopped = {
      ...scenario,
      policy: { kind: 'fixed', allocation: { A: 1, B: 0, C: 0, D: 0 }, lend: false } as const,
    }
    const idle = await playSimulation(stopped, 0)
    const turned = decisionsOf(idle).findIndex(({ time }) => time === 500)
    const sentence = sentenceText(sentenceOf(stopped, decisionsOf(idle)[turned]))
    expect(sentence).toMatch(/^Policy changed and Batches changed\. /)
    expect([...writeDecisionsCsv(idle, createEstimateHistory(idle))].join('').split('\r\n')[turned + 1]).toContain(
      sentence,
    )
  })
})

test('the bound of the cores uses the largest number of cores of any phase', () => {
  const cores = (later: object[]) => lowerBoundOf(scenarioWith({ ...contest, cores: 1, later }))
  expect(cores([])).toMatchObject({ name: 'cores', by: 1 })
  expect(cores([{ at: 5, cores: 3 }])).toMatchObject({ name: 'cores', by: 3 })
  expect(cores([{ at: 5, cores: 8 }])).toMatchObject({ name: 'work', by: 8 })
})

test('Perfetto shows a phase on the track of the scheduler, with its text', async () => {
  const trace = await playSimulation(scenarioWith({ ...contest, later: [{ at: 700, cores: 3 }] }), 0)
  const { traceEvents } = JSON.parse([...writeTraceEvents(trace)].join('')) as {
    traceEvents: readonly { name: string }[]
  }
  expect(traceEvents.filter(({ name }) => name === 'turned')).toEqual([
    { ph: 'i', name: 'turned', pid: 1, tid: 0, ts: 700, s: 'p', args: { at: 700, cores: 3 } },
  ])
  expect(traceRow(trace, rowsUntil(trace, 699)).kind).toBe(PHASE)
})
