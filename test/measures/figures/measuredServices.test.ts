import { expect, test } from 'vitest'
import { measuredServices } from '../../../src/measures/figures/serviceCosts.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { serviceMean } from '../../../src/scenario/model/distributions.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const stages = [
  { id: 'A', service: { kind: 'bimodal', fast: 100, slow: 9000, pSlow: 0.25 } },
  { id: 'B', service: { kind: 'constant', mean: 700 } },
]

test('measured services keep the mean, in at most 32 ascending values', async () => {
  const trace = await playSimulation(valid({ version: 1, source: { kind: 'batch', jobs: 640 }, stages, workers: 3 }), 0)
  const [a, b] = measuredServices(trace)
  if (a?.kind !== 'empirical' || b?.kind !== 'empirical') throw new Error('both stages have served')
  expect(a.values).toHaveLength(32)
  expect([...a.values]).toEqual([...a.values].sort((x, y) => x - y))
  expect([a.values[0], a.values.at(-1)]).toEqual([100, 9000])
  expect(serviceMean(a)).toBeCloseTo(stateAt(trace, Infinity).counts.serviceSum[0] / 640, -1)
  expect(new Set(b.values)).toEqual(new Set([700]))
})

test('a stage that served few jobs has as few values, and one without services has no distribution', async () => {
  const scenario = valid({
    version: 1,
    source: { kind: 'batch', jobs: 3 },
    stages: [{ ...stages[0], fails: { jobs: [0, 1, 2], tries: 1 } }, stages[1]],
    workers: 1,
  })
  expect(measuredServices(await playSimulation(scenario, 0))).toEqual([null, null])
  const three = measuredServices(
    await playSimulation({ ...scenario, stages: scenario.stages.map((stage) => ({ ...stage, fails: null })) }, 0),
  )
  expect(three[1]).toEqual({ kind: 'empirical', values: [700, 700, 700] })
})
