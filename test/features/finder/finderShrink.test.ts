import { describe, expect, test } from 'vitest'
import { shrunk } from '../../../src/features/finder/finderShrink.ts'
import { serviceMean } from '../../../src/scenario/model/distributions.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { valid } from '../../fixtures/anyScenario.ts'

/** What a scenario has in another way than `before`, in short. */
function changesIn(before: Scenario, after: Scenario): string {
  const text = JSON.stringify
  const changed = (key: keyof Scenario) => text(before[key]) !== text(after[key])
  const ids = after.stages.map(({ id }) => id)
  if (ids.length < before.stages.length) return `stages ${ids.join(' ')}`
  const stages = after.stages.flatMap((stage, s) =>
    (['changes', 'fails', 'service'] as const)
      .filter((key) => text(stage[key]) !== text(before.stages[s][key]))
      .map((key) => `${stage.id} ${text(stage[key])}`),
  )
  const keys = (['source', 'workers', 'workerEvents', 'switchCost', 'batch', 'seed'] as const).filter(changed)
  return [
    ...keys.map((key) => (key === 'source' && after.source.kind === 'times' ? `at ${after.source.at.join(' ')}` : `${key} ${text(after[key])}`)),
    ...stages,
  ].join(' and ')
}

/** All scenarios that are tried where none will do, in order. */
async function tried(scenario: Scenario): Promise<string[]> {
  const seen: string[] = []
  const ratioIn = async (simpler: Scenario) => {
    seen.push(changesIn(scenario, simpler))
    return 0
  }
  const found = { scenario, ratio: 2 }
  expect(await shrunk(found, Infinity, ratioIn)).toEqual({ found, runs: seen.length })
  return seen
}

const scenarioOf = (more: object) => valid({ version: 1, stages: [{ id: 'A' }], workers: 1, source: { kind: 'times', at: [0] }, ...more })

describe('what is tried to make a scenario simpler', () => {
  test('fewer jobs, all at once, halves from their first job on, and without one', async () => {
    expect(await tried(scenarioOf({ source: { kind: 'times', at: [100, 200, 200, 400, 700] } }))).toEqual([
      'at 0 0 0 0 0',
      'at 0 100 100',
      'at 0 300',
      'at 0 0 200 500',
      'at 0 100 300 600',
      'at 0 100 300 600',
      'at 0 100 100 600',
      'at 0 100 100 300',
      // Rounder or equal times come last.
      'at 100 100 200 400 700',
      'at 100 200 200 200 700',
      'at 100 200 200 400 400',
    ])
    expect(await tried(scenarioOf({ source: { kind: 'times', at: [10, 20, 30] } }))).toEqual([
      'at 0 0 0',
      'at 0 10',
      'at 0 20',
      'at 0 10',
      'at 10 10 30',
      'at 10 20 20',
    ])
    expect(await tried(scenarioOf({ source: { kind: 'times', at: [10] } }))).toEqual(['at 0'])
  })

  test('of jobs at once half, and one less', async () => {
    expect(await tried(scenarioOf({ source: { kind: 'times', at: [0, 0, 0, 0, 0] } }))).toEqual(['at 0 0 0', 'at 0 0 0 0'])
    expect(await tried(scenarioOf({ source: { kind: 'times', at: [0, 0] } }))).toEqual(['at 0'])
    expect(await tried(scenarioOf({}))).toEqual([])
  })

  test('rounder times, of all and of each', async () => {
    expect((await tried(scenarioOf({ source: { kind: 'times', at: [0, 1234, 56_789] } }))).slice(4)).toEqual([
      'at 0 1000 60000',
      'at 0 1200 57000',
      'at 0 1230 56800',
      'at 0 0 56789',
      'at 0 1000 56789',
      'at 0 1200 56789',
      'at 0 1230 56789',
      'at 0 1234 1234',
      'at 0 1234 60000',
      'at 0 1234 57000',
      'at 0 1234 56800',
    ])
  })

  test('fewer stages and workers, without faults, costs, batches and another random seed', async () => {
    const parts = {
      stages: ['A', 'B', 'C'].map((id) => ({ id, fails: id === 'B' ? { jobs: [0], tries: 2 } : null })),
      workers: 5,
      workerEvents: [
        { at: 1000, kind: 'leave', worker: 1 },
        { at: 2000, kind: 'leave', worker: 2 },
      ],
      switchCost: 1370,
      batch: { size: 4 },
      seed: 7,
    }
    expect(await tried(scenarioOf(parts))).toEqual([
      'stages B C',
      'stages A C',
      'stages A B',
      'workers 3',
      'workers 4',
      'workerEvents [{"at":2000,"kind":"leave","worker":2}]',
      'workerEvents [{"at":1000,"kind":"leave","worker":1}]',
      'switchCost 0',
      'batch {"size":1,"inHand":1}',
      'seed 1',
      'B null',
      'switchCost 1000',
    ])
    expect(await tried(scenarioOf({ workers: 2, switchCost: 137 }))).toEqual(['workers 1', 'workers 1', 'switchCost 0', 'switchCost 100'])
    expect(await tried(scenarioOf({ switchCost: 1300 }))).toEqual(['switchCost 0', 'switchCost 1000'])
    expect(await tried(scenarioOf({ switchCost: 5 }))).toEqual(['switchCost 0'])
  })

  test('simpler services, of stages and of their changes', async () => {
    const of = async (service: object) => (await tried(scenarioOf({ stages: [{ id: 'A', service }] }))).map((each) => each.slice(2))
    const constants = (...means: number[]) => means.map((mean) => `{"kind":"constant","mean":${mean}}`)
    expect(await of({ kind: 'constant', mean: 4321 })).toEqual(constants(4000, 4300, 4320))
    expect(await of({ kind: 'constant', mean: 4300 })).toEqual(constants(4000))
    expect(await of({ kind: 'constant', mean: 999 })).toEqual(constants(1000, 1000))
    expect(await of({ kind: 'constant', mean: 20 })).toEqual([])
    expect(await of({ kind: 'constant', mean: 7 })).toEqual([])
    expect(await of({ kind: 'exponential', mean: 150 })).toEqual([...constants(150), '{"kind":"exponential","mean":200}'])
    expect(await of({ kind: 'uniform', min: 120, max: 250 })).toEqual([
      ...constants(185),
      '{"kind":"uniform","min":120,"max":300}',
      '{"kind":"uniform","min":100,"max":250}',
    ])
    expect(await of({ kind: 'bimodal', fast: 110, slow: 910, pSlow: 0.25 })).toEqual([
      ...constants(310, 110, 910),
      '{"kind":"bimodal","fast":100,"slow":910,"pSlow":0.25}',
      '{"kind":"bimodal","fast":110,"slow":900,"pSlow":0.25}',
    ])
    expect(await of({ kind: 'empirical', values: [3, 4, 9] })).toEqual(constants(5))
    const changes = [
      { from: 2, service: { kind: 'exponential', mean: 300 } },
      { from: 4, service: { kind: 'constant', mean: 21 } },
    ]
    expect(await tried(scenarioOf({ stages: [{ id: 'A', changes }], source: { kind: 'batch', jobs: 6 } }))).toEqual([
      'A [{"from":4,"service":{"kind":"constant","mean":21}}]',
      'A [{"from":2,"service":{"kind":"exponential","mean":300}}]',
      'A [{"from":2,"service":{"kind":"constant","mean":300}},{"from":4,"service":{"kind":"constant","mean":21}}]',
      'A [{"from":2,"service":{"kind":"exponential","mean":300}},{"from":4,"service":{"kind":"constant","mean":20}}]',
    ])
  })

  test('nothing that could not be played', async () => {
    const policy = { kind: 'onePerStage' }
    expect(await tried(scenarioOf({ stages: [{ id: 'A' }, { id: 'B' }], workers: 2, policy }))).toEqual(['stages B', 'stages A'])
  })
})

describe('a find', () => {
  const found = {
    scenario: scenarioOf({
      stages: ['A', 'B', 'C'].map((id, k) => ({ id, service: { kind: 'exponential', mean: 1234 * (k + 1) } })),
      source: { kind: 'times', at: [0, 11, 23, 37, 59] },
      workers: 6,
      seed: 3,
    }),
    ratio: 2,
  }
  /** Enough jobs, and a last stage that takes long enough for so many workers. */
  const mattersThat = async ({ source, stages, workers }: Scenario) =>
    source.kind === 'times' && source.at.length >= 3 && workers >= 2 && serviceMean(stages[stages.length - 1].service) >= 2000 ? 1.98 : 1.9799

  test('loses all that does not matter, and at most a hundredth of its ratio', async () => {
    const { found: simplest, runs } = await shrunk(found, Infinity, mattersThat)
    expect(simplest).toEqual({
      scenario: valid({
        ...scenarioOf({ stages: [{ id: 'C', service: { kind: 'constant', mean: 4000 } }], source: { kind: 'times', at: [0, 0, 0] }, workers: 2 }),
        stages: [{ ...found.scenario.stages[2], service: { kind: 'constant', mean: 4000 } }],
      }),
      ratio: 1.98,
    })
    // Nothing simpler will do.
    const again = await shrunk({ ...simplest, ratio: 2 }, Infinity, mattersThat)
    expect(again.found.scenario).toBe(simplest.scenario)
    expect(again.runs).toBeLessThan(runs)
  })

  test('takes no more trials than it may, and counts them', async () => {
    const seen: string[] = []
    const noting = async (scenario: Scenario) => {
      seen.push(JSON.stringify(scenario))
      return mattersThat(scenario)
    }
    const whole = await shrunk(found, Infinity, noting)
    expect(seen).toHaveLength(whole.runs)
    expect(whole.runs).toBe(15)
    for (const most of [0, 1, 5, whole.runs - 1, whole.runs]) {
      seen.length = 0
      expect((await shrunk(found, most, noting)).runs).toBe(most)
      expect(seen).toHaveLength(most)
    }
  })
})
