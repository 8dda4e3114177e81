import { describe, expect, test } from 'vitest'
import { replay } from '../../../../src/features/replay/study/replay.ts'
import { startRun } from '../../../../src/runs/remote/remoteRun.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { readTraceJson } from '../../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { append, createTrace, type Trace } from '../../../../src/trace/trace.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

/** A real run on Web Workers. */
async function onThreads(scenario: Scenario): Promise<Trace> {
  const trace = createTrace(scenario, 'threads', 0)
  await startRun('threads', scenario, null, {
    journal: (journal) => append(trace, journal),
    failure: (failure) => trace.failures.push(failure),
    ended: (ending) => {
      trace.ending = ending
    },
  }).finished
  return trace
}

const short = { service: { kind: 'uniform', min: 1, max: 400 } }
const lively = scenarioWith({
  stages: [
    { id: 'A', ...short },
    { id: 'B', ...short, fails: { jobs: [3, 40], tries: 2 }, capacity: 9 },
    { id: 'C', ...short, work: 'wait' },
  ],
  source: { kind: 'poisson', rate: 3000, jobs: 400 },
  workers: 4,
  batch: { size: 2 },
  order: { kind: 'buffer', slots: 32 },
  workerEvents: [{ at: 60_000, kind: 'crash', worker: 1 }],
})
const elastic = scenarioWith({
  stages: [
    { id: 'A', ...short },
    { id: 'B', ...short },
  ],
  source: { kind: 'poisson', rate: 2000, jobs: 300 },
  workers: 5,
  policy: { kind: 'threshold', high: 4, idle: 20_000, every: 5000 },
})

describe('a real run on Web Workers goes through the scheduler’s core again', () => {
  test.each([
    ['with failures, batches, order and a crash', lively],
    ['with pools that are hired and dismissed', elastic],
  ])('and every decision is reproduced: %s', async (_, scenario) => {
    const trace = await onThreads(scenario)
    expect(trace.decisions.length).toBeGreaterThan(1)
    const result = replay(trace)
    expect(result).toMatchObject({
      difference: null,
      decisions: trace.decisions.length,
      reproduced: trace.decisions.length,
    })
    // The same from the file that was downloaded.
    const file = readTraceJson([...writeTraceJson(trace)].join(''))
    if ('problems' in file) throw new Error(JSON.stringify(file.problems))
    expect(replay(file.trace)).toEqual(result)
  })
})
