import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Residual,
  type ResidualPartName,
  residualInSteps,
  residualPartNames,
  residualRefusal,
  residualSentence,
} from '../../../../src/features/reality/measure/residual.ts'
import { ARRIVED, EXHAUSTED, FINISHED, NONE, RELEASED, STARTED } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import type { EngineName } from '../../../../src/scenario/model/engines.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { runToEnd } from '../../../../src/trace/follow.ts'
import type { Trace } from '../../../../src/trace/trace.ts'
import { clock, duration, timeChange } from '../../../../src/views/drawing/format.ts'
import { anyScenario } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { type Noted, traceOf } from '../../../measures/notedTrace.ts'
import { scenarios } from '../../../measures/scenarios.ts'

/** One worker serves one stage: each job is ordered when the one before is reported, and takes what it takes. */
function served(scenario: Scenario, { order = 0, longer = 0, report = 0, arrival = 0 }, engine?: EngineName): Trace {
  const rows: Noted[] = [...[0, 1, 2].map((job): Noted => [arrival, ARRIVED, NONE, NONE, job]), [arrival, EXHAUSTED]]
  let time = arrival
  for (const job of [0, 1, 2]) {
    const began = time + order
    const ended = began + 1000 + longer
    rows.push([time, STARTED, 0, 0, job])
    time = ended + report
    rows.push([time, FINISHED, 0, 0, job, began, ended], [time, RELEASED, NONE, NONE, job])
  }
  return traceOf(scenario, rows, engine)
}

const differences = ({ parts }: Residual) =>
  Object.fromEntries(
    parts.filter(({ difference }) => difference !== 0).map(({ name, difference }) => [name, difference]),
  )

function expectSum({ real, simulated, parts }: Residual): void {
  expect(parts.map(({ name }) => name)).toEqual(residualPartNames)
  expect(parts.reduce((sum, { difference }) => sum + difference, 0)).toBe(real - simulated)
  expect(parts.reduce((sum, part) => sum + part.real, 0)).toBe(real)
  expect(parts.reduce((sum, part) => sum + part.simulated, 0)).toBe(simulated)
  for (const { difference, byStage } of parts) expect(byStage.reduce((sum, each) => sum + each, 0)).toBe(difference)
}

const constant = (id: string, mean: number, more: object = {}) => ({ id, service: { kind: 'constant', mean }, ...more })
const three = (more: object = {}, over: object = {}) =>
  scenarioWith({ source: { kind: 'batch', jobs: 3 }, stages: [constant('A', 1000, more)], workers: 1, ...over })

describe('the residual of a real run', () => {
  test('is nothing, in every part and at every stage, of a simulation against itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(scenarios, anyScenario({ graphs: true })), async (scenario) => {
        const residual = runToEnd(residualInSteps(await playSimulation(scenario, 0), await playSimulation(scenario, 1)))
        expectSum(residual)
        for (const { difference, byStage } of residual.parts)
          expect([difference, ...byStage].every((each) => each === 0)).toBe(true)
      }),
      { numRuns: repeats(60) },
    )
  })

  test('adds up to the difference of any two runs of one scenario under any policies and cores', async () => {
    let apart = 0
    await fc.assert(
      fc.asyncProperty(
        anyScenario({ workers: 6, graphs: true }),
        anyScenario({ graphs: true }),
        async (scenario, other) => {
          const { cores, batch, switchCost } = other
          const residual = runToEnd(
            residualInSteps(
              await playSimulation({ ...scenario, cores, batch, switchCost }, 0),
              await playSimulation(scenario, 0),
            ),
          )
          expectSum(residual)
          if (residual.real !== residual.simulated) apart++
        },
      ),
      { numRuns: repeats(80) },
    )
    expect(apart).toBeGreaterThan(repeats(10) / 2)
  })

  const causes: [string, Trace, Partial<Record<ResidualPartName, number>>][] = [
    ['an order that is late', served(three(), { order: 20 }), { message: 60 }],
    ['a report that is late', served(three(), { report: 30 }), { message: 90 }],
    ['a service that lasts longer', served(three(), { longer: 300 }), { contention: 900 }],
    ['real work that lasts longer than declared', served(three({ work: 'sha256' }), { longer: 300 }), { belief: 900 }],
    [
      'messages to a stage with code',
      served(three({ work: { code: 'export default (n) => n' } }), { order: 20, report: 30, longer: 5 }),
      { frame: 150, belief: 15 },
    ],
    ['real work that is quicker', served(three({ work: 'sha256' }), { longer: -300 }), { belief: -900 }],
    ['what the network of a room takes', served(three(), { order: 20, report: 30 }, 'room'), { network: 150 }],
    [
      'an arrival that a room hears late',
      served(three(), { order: 20, arrival: 7 }, 'room'),
      { network: 60, message: 7 },
    ],
    ['a slow device of a room', served(three(), { order: 20, longer: 300 }, 'room'), { network: 60, contention: 900 }],
    [
      'what is left of the network that was predicted',
      served(three({}, { network: { roundTrip: 20 } }), { order: 10, report: 30 }, 'room'),
      { network: 60 },
    ],
    ['all at once', served(three(), { order: 20, longer: 300, report: 30 }), { message: 150, contention: 900 }],
  ]
  test.each(causes)('has %s under its own name', async (_, real, expected) => {
    const residual = runToEnd(residualInSteps(real, await playSimulation(real.scenario, 0)))
    expectSum(residual)
    expect(differences(residual)).toEqual(expected)
  })

  test('counts waiting for a batch under batch, and an arrival that was reported late under messages', async () => {
    const stages = [constant('A', 1000), constant('B', 5000)]
    const scenario = scenarioWith({
      source: { kind: 'times', at: [0, 100] },
      stages,
      workers: 2,
      batch: { size: 2 },
      policy: { kind: 'onePerStage' },
    })
    const real = traceOf(scenario, [
      [100, ARRIVED, NONE, NONE, 0],
      [100, ARRIVED, NONE, NONE, 1],
      [100, EXHAUSTED],
      [100, STARTED, 0, 0, 0],
      [100, STARTED, 0, 0, 1],
      [2100, FINISHED, 0, 0, 0, 100, 1100],
      [2100, FINISHED, 0, 0, 1, 1100, 2100],
      [2100, STARTED, 1, 1, 0],
      [2100, STARTED, 1, 1, 1],
      [12_100, FINISHED, 1, 1, 0, 2100, 7100],
      [12_100, FINISHED, 1, 1, 1, 7100, 12_100],
      [12_100, RELEASED, NONE, NONE, 0],
      [12_100, RELEASED, NONE, NONE, 1],
    ])
    const residual = runToEnd(residualInSteps(real, await playSimulation(scenario, 0)))
    expectSum(residual)
    expect(differences(residual)).toEqual({ batch: 1000, message: 100 })
    expect(residual.parts.find(({ name }) => name === 'batch')?.byStage).toEqual([1000, 0, 0])
  })

  test('counts other orders as other decisions, also if they were better', async () => {
    const changes = [{ from: 2, service: { kind: 'constant', mean: 3000 } }]
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 3 },
      stages: [constant('A', 1000, { changes })],
      workers: 2,
    })
    const real = traceOf(scenario, [
      ...[0, 1, 2].map((job): Noted => [0, ARRIVED, NONE, NONE, job]),
      [0, EXHAUSTED],
      [0, STARTED, 0, 0, 2],
      [0, STARTED, 0, 1, 0],
      [1000, FINISHED, 0, 1, 0, 0, 1000],
      [1000, RELEASED, NONE, NONE, 0],
      [1000, STARTED, 0, 1, 1],
      [2000, FINISHED, 0, 1, 1, 1000, 2000],
      [2000, RELEASED, NONE, NONE, 1],
      [3000, FINISHED, 0, 0, 2, 0, 3000],
      [3000, RELEASED, NONE, NONE, 2],
    ])
    const residual = runToEnd(residualInSteps(real, await playSimulation(scenario, 0)))
    expectSum(residual)
    expect(residual).toMatchObject({ real: 3000, simulated: 4000 })
    expect(differences(residual)).toEqual({ other: -1000 })
  })

  test('is not computed for a run that did not finish, with the reason', async () => {
    const trace = await playSimulation(three(), 0)
    expect(residualRefusal(trace)).toBeNull()
    for (const [ending, words] of [
      ['stopped', /stopped before its end/],
      ['stuck', /no worker was left/],
      [null, /ends before the run did/],
    ] as const)
      expect(residualRefusal({ ...trace, ending })).toMatch(words)
  })
})

describe('the sentence of a residual', () => {
  const say = { instant: clock, duration, change: timeChange }
  const residual = (
    real: number,
    simulated: number,
    some: Partial<Record<ResidualPartName, number>>,
    engine: EngineName = 'threads',
  ): Residual => ({
    engine,
    real,
    simulated,
    parts: residualPartNames.map((name) => ({ name, real: 0, simulated: 0, difference: some[name] ?? 0, byStage: [] })),
  })

  test('names the parts, the greatest first, and subtracts parts that made the run shorter', () => {
    expect(
      residualSentence(residual(1_283_000, 1_269_000, { message: 9000, contention: 3000, batch: 2000 }), say),
    ).toBe(
      'It took 1.283 s on Web Workers, 14 ms longer than predicted (+1.1%): Messages 9 ms, Contention for cores 3 ms, Batches 2 ms.',
    )
    expect(residualSentence(residual(1_006_000, 1_000_000, { message: 9000, other: -3000 }), say)).toBe(
      'It took 1.006 s on Web Workers, 6 ms longer than predicted (+0.6%): Messages 9 ms, other decisions −3 ms.',
    )
  })
})
