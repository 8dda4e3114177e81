import { expect, test } from 'vitest'
import { createSwitchCosts } from '../../src/pipeline/switchCosts.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { createChance } from '../fixtures/chance.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

const groupOf = (job: number) => job % 3
const WORKERS = 4

const costing = (costs: object, later: readonly object[] = []) =>
  scenarioWith({ source: { kind: 'groups', groups: [9, 9, 9] }, stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }], workers: WORKERS, ...costs, later })

/** The plain way: for each worker where it was last, and with which job. */
function createPlain({ switchCost, groupSwitchCost, later }: Scenario) {
  const phases = [{ switchCost, groupSwitchCost }]
  for (const phase of later) phases.push({ ...phases[phases.length - 1], ...phase })
  const last = new Map<number, { readonly stage: number; readonly job: number; readonly phase: number }>()
  return {
    before(worker: number, stage: number, jobs: readonly number[], phase: number) {
      const was = last.get(worker)
      last.set(worker, { stage, job: jobs[jobs.length - 1], phase })
      if (was === undefined) return 0
      return (was.stage === stage ? 0 : phases[phase].switchCost) + (groupOf(was.job) === groupOf(jobs[0]) ? 0 : phases[phase].groupSwitchCost)
    },
    between: (worker: number, job: number, next: number) => (groupOf(job) === groupOf(next) ? 0 : phases[last.get(worker)?.phase ?? 0].groupSwitchCost),
    stoppedAt(worker: number, job: number) {
      const was = last.get(worker)
      if (was !== undefined) last.set(worker, { ...was, job })
    },
    forget: (worker: number) => void last.delete(worker),
  }
}

test('what workers lose by changing stage or group is what their last batch says, in every phase, after throws and under old numbers', () => {
  const cases = [
    costing({ switchCost: 7, groupSwitchCost: 100 }),
    costing({ switchCost: 7 }),
    costing({ groupSwitchCost: 100 }),
    costing({ switchCost: 7 }, [
      { at: 5, groupSwitchCost: 30 },
      { at: 9, switchCost: 2 },
    ]),
  ]
  cases.forEach((scenario, n) => {
    const phases = scenario.later.length
    for (let seed = 0; seed < 20; seed++) {
      const chance = createChance(seed)
      const [costs, plain] = [createSwitchCosts(scenario, WORKERS, groupOf), createPlain(scenario)]
      const batches = new Map<number, readonly number[]>()
      for (let step = 0; step < 60; step++) {
        const worker = chance.below(WORKERS)
        const batch = batches.get(worker)
        const label = `step ${step} of seed ${seed}, case ${n}`
        if (chance.percent(10)) {
          costs.forget(worker)
          plain.forget(worker)
          batches.delete(worker)
        } else if (chance.percent(20) && batch !== undefined) {
          const job = chance.pick(batch)
          costs.stoppedAt(worker, job)
          plain.stoppedAt(worker, job)
        } else {
          const [stage, phase] = [chance.below(3), chance.below(phases + 1)]
          const jobs = Array.from({ length: chance.between(1, 4) }, () => chance.below(27))
          batches.set(worker, jobs)
          expect(costs.before(worker, stage, jobs, phase), label).toBe(plain.before(worker, stage, jobs, phase))
          for (let k = 1; k < jobs.length; k++) expect(costs.between(worker, jobs[k - 1], jobs[k]), label).toBe(plain.between(worker, jobs[k - 1], jobs[k]))
        }
      }
    }
  })
})

test('nobody asks for a group where changing it is free', () => {
  const costs = createSwitchCosts(costing({ switchCost: 7 }), WORKERS, () => {
    throw new Error('asked')
  })
  expect([costs.before(0, 0, [1, 2], 0), costs.between(0, 1, 2), costs.before(0, 1, [3], 0)]).toEqual([0, 0, 7])
})
