import { describe, expect, test } from 'vitest'
import { allocateWorkers } from '../../../src/allocation/allocateWorkers.ts'
import { decisionAt } from '../../../src/measures/decisions/decision.ts'
import { testVectorOf, writeDecisionsCsv } from '../../../src/measures/decisions/decisionExports.ts'
import { sentenceOf } from '../../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { seededScenario } from '../../fixtures/seededScenarios.ts'
import { workedExample } from '../scenarios.ts'

const csvOf = async (scenario: Parameters<typeof playSimulation>[0]) => {
  const trace = await playSimulation(scenario, 0)
  return { trace, csv: [...writeDecisionsCsv(trace, createEstimateHistory(trace))].join('') }
}

describe('the decisions as CSV', () => {
  test('are the worked example, a line each', async () => {
    expect((await csvOf(workedExample)).csv.split('\r\n')).toEqual([
      'decision,time_us,workers,waiting:A,mean_us:A,done:A,seats:A,waiting:B,mean_us:B,done:B,seats:B,sentence',
      '1,0,2,3,1,0,2,0,1,0,0,"3 jobs arrived. Target for A: 0 to 2. All waiting jobs are at A. Workers 1 and 2 start at A."',
      '2,1000000,2,1,1000000,0,1,2,1000000,0,1,"Workers 1 and 2 finished. Targets: B 0 to 1 and A 2 to 1. By quotient, B comes before A. Worker 2 moves from A to B. Worker 1 stays at A."',
      '3,2000000,2,0,1000000,1,0,2,1000000,0,2,"Workers 1 and 2 finished. Targets: B 1 to 2 and A 1 to 0. A is done. Worker 2 stays at B. Worker 1 moves from A to B."',
      '',
    ])
  })

  test('have names in quotes only where needed, and are written in parts of many lines', async () => {
    const stages = ['Parse', 'Read, write', 'Say "hello"'].map((name, s) => ({
      id: 'ABC'[s],
      name,
      service: { kind: 'constant', mean: 1000 },
    }))
    const trace = await playSimulation(
      scenarioWith({ source: { kind: 'regular', rate: 50, jobs: 700 }, stages, workers: 1 }),
      0,
    )
    const [head, ...parts] = [...writeDecisionsCsv(trace, createEstimateHistory(trace))]
    const four = (name: string) => ['waiting', 'mean_us', 'done', 'seats'].map((what) => name.replace('#', what)).join()
    expect(head).toBe(
      `decision,time_us,workers,${four('#:Parse')},${four('"#:Read, write"')},${four('"#:Say ""hello"""')},sentence\r\n`,
    )
    expect(parts.length).toBe(Math.ceil(trace.decisions.length / 2048))
    expect(parts.length).toBe(2)
    expect(parts.every((part) => part.endsWith('\r\n'))).toBe(true)
    const lines = parts.join('').trimEnd().split('\r\n')
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(
      Array.from({ length: trace.decisions.length }, (_, d) => d + 1),
    )
    expect(lines.some((line) => line.endsWith('moves from Parse to Read, write."'))).toBe(true)
    expect(lines.some((line) => line.includes('to Say ""hello"".'))).toBe(true)
    const none = await csvOf(scenarioWith({ source: { kind: 'batch', jobs: 0 }, stages: [{ id: 'A' }], workers: 1 }))
    expect(none.csv.trimEnd().split('\r\n').length).toBe(1 + none.trace.decisions.length)
  })

  test('agree with the panel on every decision of any scenario', async () => {
    for (let k = 0; k < repeats(16); k++) {
      const { trace, csv } = await csvOf(seededScenario(k))
      const estimateHistory = createEstimateHistory(trace)
      const lines = csv.trimEnd().split('\r\n').slice(1)
      expect(lines.length).toBe(trace.decisions.length)
      for (let d = 0; d < lines.length; d += 7) {
        const decision = decisionAt(trace, estimateHistory, d)
        const { time, workers, stages } = decision
        const sentence = sentenceText(sentenceOf(trace.scenario, decision)).replaceAll('"', '""')
        const cells = stages.flatMap(({ waiting, mean, done, seatsAfter }) => [waiting, mean, done ? 1 : 0, seatsAfter])
        expect(lines[d], `scenario ${k}, decision ${d}`).toBe([d + 1, time, workers, ...cells, `"${sentence}"`].join())
      }
    }
  })
})

describe('a decision as a test vector', () => {
  test('is the input and output of the article’s function, for every decision of a run', async () => {
    const scenario = scenarioWith({
      stages: ['A', 'B', 'C'].map((id, s) => ({ id, service: { kind: 'exponential', mean: 1000 * (s + 1) } })),
      source: { kind: 'poisson', rate: 1500, jobs: 200 },
      workers: 7,
    })
    const trace = await playSimulation(scenario, 0)
    const estimateHistory = createEstimateHistory(trace)
    for (let d = 0; d < trace.decisions.length; d++) {
      const { cpus, stats, done, expected } = JSON.parse(
        JSON.stringify(testVectorOf(scenario, decisionAt(trace, estimateHistory, d))),
      )
      expect(
        Object.fromEntries(allocateWorkers(cpus, new Map(Object.entries(stats)), new Set(done)) ?? []),
        `decision ${d}`,
      ).toEqual(expected)
    }
  })

  test('names its policy and its power', async () => {
    const scenario = scenarioWith({
      stages: [{ id: 'A' }, { id: 'B' }],
      source: { kind: 'batch', jobs: 3 },
      workers: 2,
      policy: { kind: 'power', p: 8 },
    })
    const trace = await playSimulation(scenario, 0)
    expect(testVectorOf(scenario, decisionAt(trace, createEstimateHistory(trace), 0))).toMatchObject({
      format: 'apportion-decision',
      version: 1,
      policy: 'power',
      power: 8,
      time: 0,
      cpus: 2,
      stats: { A: { queueLength: 3 }, B: { queueLength: 0 } },
      done: [],
      expected: { A: 2, B: 0 },
    })
  })
})
