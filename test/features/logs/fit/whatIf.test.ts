import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playQueues } from '../../../../src/features/logs/fit/comparison.ts'
import { type Change, playWhatIf, withChange } from '../../../../src/features/logs/fit/whatIf.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { readFragment, toShortFragment } from '../../../../src/scenario/link/codec.ts'
import type { Batch, Micros, Policy, Scenario } from '../../../../src/scenario/model/scenario.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

const SECOND = 1_000_000
const none = new Float64Array(0)

/** A scenario like those that fits make: fixed crews that change, and listed arrivals. */
function fitted(crews: readonly (readonly [at: Micros, A: number, B: number])[], seed = 1): Scenario {
  const [first, ...later] = crews.map(([at, A, B]) => ({ at, policy: { kind: 'fixed', allocation: { A, B } } }))
  return scenarioWith({
    seed,
    source: { kind: 'times', at: Array.from({ length: 300 }, (_, k) => k * 100_000) },
    stages: [
      { id: 'A', service: { kind: 'exponential', mean: 200_000 }, changes: [{ from: 100, service: { kind: 'exponential', mean: 260_000 } }] },
      { id: 'B', service: { kind: 'erlang', mean: 150_000, k: 4 } },
    ],
    workers: Math.max(...crews.map(([, A, B]) => A + B)),
    policy: first.policy,
    later,
  })
}

const crews = [
  [0, 2, 2],
  [10 * SECOND, 4, 2],
  [20 * SECOND, 1, 2],
] as const

const anyChange = fc.oneof(
  fc.record({ kind: fc.constant('policy' as const), policy: fc.constantFrom('leastScore' as const, 'jefferson' as const, 'longestQueue' as const) }),
  fc.record({ kind: fc.constant('workers' as const), stage: fc.nat(1), more: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('quicker' as const), stage: fc.nat(1), share: fc.constantFrom(0.5, 0.8) }),
)

/** What happens before a time, row by row. */
async function historyOf(scenario: Scenario, until: Micros): Promise<string> {
  const { sampled } = await playQueues(
    scenario,
    Float64Array.from({ length: 60 }, (_, k) => ((k + 1) * (until - 1)) / 60),
  )
  return JSON.stringify(sampled.map((queue) => Array.from(queue)))
}

function changedBy(scenario: Scenario, change: Change, from: Micros, startedJobs: readonly number[]): Scenario {
  const changed = withChange(scenario, change, from, startedJobs)
  if ('problems' in changed) throw new Error(JSON.stringify(changed.problems))
  return changed.scenario
}

describe('the same day with a change', () => {
  test('is the day itself until the time of the change', async () => {
    await fc.assert(
      fc.asyncProperty(anyChange, fc.integer({ min: 1, max: 28 * SECOND }), fc.integer({ min: 1, max: 1000 }), async (change, from, seed) => {
        const scenario = fitted(crews, seed)
        const { startedJobs } = await playQueues(scenario, none, { since: from, until: from })
        expect(await historyOf(changedBy(scenario, change, from, startedJobs), from)).toBe(await historyOf(scenario, from))
      }),
      { numRuns: repeats(40) },
    )
  })

  test('has as many workers under a policy as the system had at every time', async () => {
    for (const from of [0, 5 * SECOND, 10 * SECOND, 15 * SECOND]) {
      const scenario = changedBy(fitted(crews), { kind: 'policy', policy: 'leastScore' }, from, [0, 0])
      const { workersOverTime } = metricsOf(await playSimulation(scenario, 0))
      const at = (second: number) => workersOverTime.filter(([since]) => since <= second * SECOND).at(-1)?.[1]
      // A worker leaves when its job is done, so the first two seconds may have more.
      const later = [9, 19, 24].filter((second) => second * SECOND > from + 2 * SECOND)
      expect(later.map(at)).toEqual(later.map((second) => (second < 10 ? 4 : second < 20 ? 6 : 3)))
    }
  })

  test('is quicker from the first job that begins after the time on', () => {
    const means = (startedJobs: number, from: Micros) => {
      const { service, changes } = changedBy(fitted(crews), { kind: 'quicker', stage: 0, share: 0.5 }, from, [startedJobs, 0]).stages[0]
      return [['mean' in service && service.mean], ...changes.map((change) => [change.from, 'mean' in change.service && change.service.mean])]
    }
    expect(means(0, 0)).toEqual([[100_000], [100, 130_000]])
    expect(means(50, SECOND)).toEqual([[200_000], [50, 100_000], [100, 130_000]])
    expect(means(100, SECOND)).toEqual([[200_000], [100, 130_000]])
    expect(means(150, SECOND)).toEqual([[200_000], [100, 260_000], [150, 130_000]])
  })

  test('is quicker at its stage alone, by a share of every mean, which stays a microsecond at least', () => {
    const day = fitted(crews)
    const { stages } = changedBy(day, { kind: 'quicker', stage: 1, share: 0.5 }, 0, [0, 0])
    expect(stages[0]).toEqual(day.stages[0])
    expect(stages[1].service).toEqual({ kind: 'erlang', mean: 75_000, k: 4 })
    const least = changedBy(day, { kind: 'quicker', stage: 1, share: 0.000001 }, 0, [0, 0])
    expect(least.stages[1].service).toMatchObject({ mean: 1 })
    const measured: Scenario = { ...day, stages: [day.stages[0], { ...day.stages[1], service: { kind: 'uniform', min: 5, max: 9 } }] }
    expect(changedBy(measured, { kind: 'quicker', stage: 1, share: 0.5 }, 0, [0, 0]).stages[1].service).toEqual({ kind: 'uniform', min: 5, max: 9 })
  })

  /** The same day on which batches begin midway too. */
  const withBatches = (): Scenario => {
    const day = fitted(crews)
    const batch: Batch = { size: 2, inHand: 1 }
    const at = (time: number) => ({ at: time, batch })
    const [second, third] = day.later
    return { ...day, later: [at(5 * SECOND), second, at(15 * SECOND), third, at(25 * SECOND)] }
  }
  const policyOf = (policy: Policy | undefined) => (policy?.kind === 'fixed' ? policy.allocation : (policy?.kind ?? 'as before'))
  const turnsOf = ({ policy, later }: Scenario) => [{ at: 0, policy }, ...later].map(({ at, policy: of }) => [at / SECOND, policyOf(of)])

  test('has a worker more at a stage at every later time, whatever else changes then', () => {
    const more = (from: number) => turnsOf(changedBy(withBatches(), { kind: 'workers', stage: 1, more: 3 }, from * SECOND, [0, 0]))
    const rest = [
      [15, 'as before'],
      [20, { A: 1, B: 5 }],
      [25, 'as before'],
    ]
    expect(more(0)).toEqual([[0, { A: 2, B: 5 }], [5, 'as before'], [10, { A: 4, B: 5 }], ...rest])
    expect(more(10)).toEqual([[0, { A: 2, B: 2 }], [5, 'as before'], [10, { A: 4, B: 5 }], ...rest])
    expect(more(7)).toEqual([[0, { A: 2, B: 2 }], [5, 'as before'], [7, { A: 2, B: 5 }], [10, { A: 4, B: 5 }], ...rest])
  })

  test('has additional workers that any other policy distributes by itself', () => {
    const shared = { ...fitted([[0, 2, 2]]), policy: { kind: 'leastScore', lend: true } } as Scenario
    const { policy, workers, cores } = changedBy(shared, { kind: 'workers', stage: 1, more: 3 }, 0, [0, 0])
    expect([policy, workers, cores]).toEqual([shared.policy, 7, shared.cores + 3])
    const unstaffed = { ...fitted([[0, 2, 2]]), policy: { kind: 'fixed', lend: false, allocation: { A: 4 } } } as Scenario
    expect(policyOf(changedBy(unstaffed, { kind: 'workers', stage: 1, more: 3 }, 0, [0, 0]).policy)).toEqual({ A: 4, B: 3 })
  })

  test('lets workers join and leave as the crews did, last in, first out, under a policy from that time on', () => {
    const under = (from: number) => {
      const changed = changedBy(withBatches(), { kind: 'policy', policy: 'leastScore' }, from * SECOND, [0, 0])
      const events = changed.workerEvents.map(({ at, kind, worker }) => [at / SECOND, kind, worker])
      return { turns: turnsOf(changed), events, workers: [changed.workers, changed.cores] }
    }
    const leave = (at: number, ...workers: number[]) => workers.map((worker) => [at, 'leave', worker])
    const batches = [5, 15, 25].map((at) => [at, 'as before'])
    expect(under(0)).toEqual({ turns: [[0, 'leastScore'], ...batches], events: [[10, 'join', 4], [10, 'join', 5], ...leave(20, 5, 4, 3)], workers: [4, 6] })
    const first = [
      [0, { A: 2, B: 2 }],
      [5, 'as before'],
    ]
    expect(under(7)).toEqual({
      turns: [...first, [7, 'leastScore']],
      events: [...leave(7, 5, 4), [10, 'join', 6], [10, 'join', 7], ...leave(20, 7, 6, 3)],
      workers: [6, 6],
    })
    expect(under(10)).toEqual({ turns: [...first, [10, 'leastScore']], events: leave(20, 5, 4, 3), workers: [6, 6] })
    expect(under(20).events).toEqual(leave(20, 5, 4, 3))
    expect(under(22).events).toEqual(leave(22, 5, 4, 3))
  })

  test('is answered with the longest queues from that time on, which a link repeats', async () => {
    const scenario = fitted(crews)
    const answer = await playWhatIf({ scenario, change: { kind: 'policy', policy: 'leastScore' }, from: 0, until: 60 * SECOND })
    if ('problem' in answer) throw new Error(answer.problem)
    const { stages, meanFlowTime } = metricsOf(await playSimulation(answer.scenario, 0))
    expect(answer.peaks).toEqual(stages.map(({ maxQueue }) => maxQueue))
    expect(answer.meanFlowTime).toBe(meanFlowTime)
    const linked = readFragment(toShortFragment(answer.scenario))
    expect(linked.found === 'scenario' && linked.scenario).toEqual(answer.scenario)
  })

  test('is answered for the day as it was where nothing is changed', async () => {
    const scenario = fitted(crews)
    const answer = await playWhatIf({ scenario, change: null, from: 10 * SECOND, until: 20 * SECOND })
    const { peaks } = await playQueues(scenario, none, { since: 10 * SECOND, until: 20 * SECOND })
    const { meanFlowTime, completed } = metricsOf(await playSimulation(scenario, 0))
    expect(answer).toEqual({ scenario, peaks, meanFlowTime, completed })
  })

  test('makes the jobs quicker that had not begun by then', async () => {
    const scenario = fitted(crews)
    const change = { kind: 'quicker', stage: 1, share: 0.5 } as const
    for (const from of [0, 8 * SECOND]) {
      const { startedJobs } = await playQueues(scenario, none, { since: from, until: from })
      expect(startedJobs[1] > 20).toBe(from > 0)
      const answer = await playWhatIf({ scenario, change, from, until: 60 * SECOND })
      expect('problem' in answer ? answer : answer.scenario).toEqual(changedBy(scenario, change, from, startedJobs))
    }
  })

  test('that is impossible is refused with a reason', async () => {
    const answer = await playWhatIf({ scenario: fitted(crews), change: { kind: 'workers', stage: 0, more: 10_000 }, from: 0, until: SECOND })
    expect(answer).toMatchObject({ problem: expect.stringMatching(/allowed/) })
  })
})
