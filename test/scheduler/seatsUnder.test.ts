import { describe, expect, test } from 'vitest'
import { allocateWorkers } from '../../src/allocation/allocateWorkers.ts'
import { decisionAt } from '../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../src/measures/decisions/estimateHistory.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { isElastic } from '../../src/scenario/model/defaults.ts'
import { policyKinds, startingParams } from '../../src/scenario/model/policies.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { type SeatingPolicy, seatsUnder } from '../../src/scheduler/seatsUnder.ts'

/** Listed otherwise than in the order of ids, which settles ties. */
const ids = ['C', 'A', 'B']
const kinds = policyKinds.filter((kind) => kind !== 'code' && kind !== 'byHand' && !isElastic({ kind }))

describe('a policy as a function', () => {
  test.each(kinds)('decides as in a run, at every decision: %s', async (kind) => {
    const stages = ids.map((id, s) => ({ id, service: { kind: 'exponential', mean: 1000 * (s + 1) } }))
    const params = kind === 'fixed' ? { allocation: { A: 2, B: 1, C: 3 } } : startingParams(kind)
    const policy = { kind, ...params } as SeatingPolicy
    const source = { kind: 'poisson', jobs: 25, rate: 1500 }
    const parsed = parse({ version: 1, source, stages, workers: 6, policy: policy, switchCost: 300 })
    if ('problems' in parsed) return expect.fail(JSON.stringify(parsed.problems))
    const trace = await playSimulation(parsed.scenario, 0)
    const history = createEstimateHistory(trace)
    expect(trace.decisions.length).toBeGreaterThan(10)
    // Backwards, so that nothing of the decision before is left by chance.
    for (let d = trace.decisions.length - 1; d >= 0; d--) {
      const { workers, stages: seen } = decisionAt(trace, history, d)
      const view = {
        workers,
        switchCost: 300,
        stages: seen.map(({ waiting, mean, busy, seatsBefore, done, age }, s) => ({
          id: ids[s],
          waiting,
          mean,
          busy,
          seats: seatsBefore,
          done,
          age,
        })),
      }
      expect([d, seatsUnder(policy, view)]).toEqual([d, seen.map(({ seatsAfter }) => seatsAfter)])
    }
  })

  test('gives the answers of the article', () => {
    const waiting = [900, 100, 100, 100]
    const stages = waiting.map((waiting, s) => ({ id: 'ABCD'[s], waiting }))
    expect(seatsUnder({ kind: 'leastScore' }, { workers: 8, stages })).toEqual([5, 1, 1, 1])
    expect(seatsUnder({ kind: 'jefferson' }, { workers: 8, stages })).toEqual([8, 0, 0, 0])
    const stats = new Map(stages.map(({ id, waiting }) => [id, { queueLength: waiting, serviceTimesPicos: [1] }]))
    expect([...(allocateWorkers(8, stats, new Set())?.values() ?? [])]).toEqual([5, 1, 1, 1])
  })

  test.each([
    [{ kind: 'pid' } as never, {}, /policy/],
    [{ kind: 'nobody' } as never, {}, /policy\.kind: found "nobody"/],
    [{ kind: 'leastScore' } as const, { waiting: -1 }, /stage A: waiting, busy and seats must be whole numbers/],
    [{ kind: 'leastScore' } as const, { mean: Number.NaN }, /mean/],
    [{ kind: 'leastScore' } as const, { busy: 0.5 }, /stage A: .*, not 0\.5/],
  ])('refuses %j with %j in words', (policy, stage, message) => {
    const ask = () => seatsUnder(policy, { workers: 2, stages: [{ id: 'A', waiting: 1, ...stage }] })
    expect(ask).toThrow(RangeError)
    expect(ask).toThrow(message)
  })
})
