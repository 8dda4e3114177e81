import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Change, changesIn, withChanges } from '../../../../src/features/logs/fit/changes.ts'
import { playQueues } from '../../../../src/features/logs/fit/comparison.ts'
import {
  arrivalTimes,
  betterDays,
  type DayArrivals,
  flowTimes,
  nearSaturation,
  otherDay,
  peaksAt,
  playWhatIf,
  spreadOf,
  type WhatIf,
} from '../../../../src/features/logs/fit/whatIf.ts'
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
      {
        id: 'A',
        service: { kind: 'exponential', mean: 200_000 },
        changes: [{ from: 100, service: { kind: 'exponential', mean: 260_000 } }],
      },
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

const plain = { changes: [], arrivals: null, days: 1, from: 0, until: 60 * SECOND }

/** Plays a change that is possible. */
async function asked(question: Partial<WhatIf> & Pick<WhatIf, 'scenario'>) {
  const answer = await playWhatIf({ ...plain, ...question })
  if ('problem' in answer) throw new Error(answer.problem)
  return answer
}

const anyChange = fc.oneof(
  fc.record({
    kind: fc.constant('policy' as const),
    policy: fc.constantFrom('leastScore' as const, 'jefferson' as const, 'longestQueue' as const),
  }),
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
  const changed = withChanges(scenario, [change], from, startedJobs)
  if ('problems' in changed) throw new Error(JSON.stringify(changed.problems))
  return changed.scenario
}

describe('the same day with a change', () => {
  test('is the day itself until the time of the change', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyChange,
        fc.integer({ min: 1, max: 28 * SECOND }),
        fc.integer({ min: 1, max: 1000 }),
        async (change, from, seed) => {
          const scenario = fitted(crews, seed)
          const { startedJobs } = await playQueues(scenario, none, { since: from, until: from })
          expect(await historyOf(changedBy(scenario, change, from, startedJobs), from)).toBe(
            await historyOf(scenario, from),
          )
        },
      ),
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
      const { service, changes } = changedBy(fitted(crews), { kind: 'quicker', stage: 0, share: 0.5 }, from, [
        startedJobs,
        0,
      ]).stages[0]
      return [
        ['mean' in service && service.mean],
        ...changes.map((change) => [change.from, 'mean' in change.service && change.service.mean]),
      ]
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
    const measured: Scenario = {
      ...day,
      stages: [day.stages[0], { ...day.stages[1], service: { kind: 'uniform', min: 5, max: 9 } }],
    }
    expect(changedBy(measured, { kind: 'quicker', stage: 1, share: 0.5 }, 0, [0, 0]).stages[1].service).toEqual({
      kind: 'uniform',
      min: 5,
      max: 9,
    })
  })

  /** The same day on which batches begin midway too. */
  const withBatches = (): Scenario => {
    const day = fitted(crews)
    const batch: Batch = { size: 2, inHand: 1 }
    const at = (time: number) => ({ at: time, batch })
    const [second, third] = day.later
    return { ...day, later: [at(5 * SECOND), second, at(15 * SECOND), third, at(25 * SECOND)] }
  }
  const policyOf = (policy: Policy | undefined) =>
    policy?.kind === 'fixed' ? policy.allocation : (policy?.kind ?? 'as before')
  const turnsOf = ({ policy, later }: Scenario) =>
    [{ at: 0, policy }, ...later].map(({ at, policy: of }) => [at / SECOND, policyOf(of)])

  test('has a worker more at a stage at every later time, whatever else changes then', () => {
    const more = (from: number) =>
      turnsOf(changedBy(withBatches(), { kind: 'workers', stage: 1, more: 3 }, from * SECOND, [0, 0]))
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
    const unstaffed = {
      ...fitted([[0, 2, 2]]),
      policy: { kind: 'fixed', lend: false, allocation: { A: 4 } },
    } as Scenario
    expect(policyOf(changedBy(unstaffed, { kind: 'workers', stage: 1, more: 3 }, 0, [0, 0]).policy)).toEqual({
      A: 4,
      B: 3,
    })
  })

  test('lets workers join and leave as the crews did, last in, first out, under a policy from that time on', () => {
    const under = (from: number) => {
      const changed = changedBy(withBatches(), { kind: 'policy', policy: 'leastScore' }, from * SECOND, [0, 0])
      const events = changed.workerEvents.map(({ at, kind, worker }) => [at / SECOND, kind, worker])
      return { turns: turnsOf(changed), events, workers: [changed.workers, changed.cores] }
    }
    const leave = (at: number, ...workers: number[]) => workers.map((worker) => [at, 'leave', worker])
    const batches = [5, 15, 25].map((at) => [at, 'as before'])
    expect(under(0)).toEqual({
      turns: [[0, 'leastScore'], ...batches],
      events: [[10, 'join', 4], [10, 'join', 5], ...leave(20, 5, 4, 3)],
      workers: [4, 6],
    })
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
    const answer = await asked({ scenario, changes: [{ kind: 'policy', policy: 'leastScore' }] })
    const { stages, meanFlowTime } = metricsOf(await playSimulation(answer.scenario, 0))
    expect(answer.days[0].peaks).toEqual(stages.map(({ maxQueue }) => maxQueue))
    expect(answer.days[0].meanFlowTime).toBe(meanFlowTime)
    const linked = readFragment(toShortFragment(answer.scenario))
    expect(linked.found === 'scenario' && linked.scenario).toEqual(answer.scenario)
  })

  test('is answered for the day as it was where nothing is changed', async () => {
    const scenario = fitted(crews)
    const answer = await asked({ scenario, from: 10 * SECOND, until: 20 * SECOND })
    const { peaks } = await playQueues(scenario, none, { since: 10 * SECOND, until: 20 * SECOND })
    const { meanFlowTime } = metricsOf(await playSimulation(scenario, 0))
    expect(answer).toMatchObject({ scenario, days: [{ peaks, meanFlowTime }] })
  })

  test('makes the jobs quicker that had not begun by then', async () => {
    const scenario = fitted(crews)
    const change = { kind: 'quicker', stage: 1, share: 0.5 } as const
    for (const from of [0, 8 * SECOND]) {
      const { startedJobs } = await playQueues(scenario, none, { since: from, until: from })
      expect(startedJobs[1] > 20).toBe(from > 0)
      const answer = await asked({ scenario, changes: [change], from })
      expect(answer.scenario).toEqual(changedBy(scenario, change, from, startedJobs))
    }
  })

  test('that is impossible is refused with a reason', async () => {
    const answer = await playWhatIf({
      ...plain,
      scenario: fitted(crews),
      changes: [{ kind: 'workers', stage: 0, more: 10_000 }],
    })
    expect(answer).toMatchObject({ problem: expect.stringMatching(/allowed/) })
  })
})

describe('the words for changes', () => {
  const { stages } = fitted(crews)
  test.each([
    ['+1 A', [{ kind: 'workers', stage: 0, more: 1 }]],
    ['-2 b', [{ kind: 'workers', stage: 1, more: -2 }]],
    ['B 25% quicker', [{ kind: 'quicker', stage: 1, share: 0.75 }]],
    ['B 50% slower', [{ kind: 'quicker', stage: 1, share: 1.5 }]],
    ['capacity 30 B', [{ kind: 'capacity', stage: 1, capacity: 30 }]],
    ['capacity none A', [{ kind: 'capacity', stage: 0, capacity: null }]],
    [
      '+1 A, policy LeastScore',
      [
        { kind: 'workers', stage: 0, more: 1 },
        { kind: 'policy', policy: 'leastScore' },
      ],
    ],
  ])('%s', (text, changes) => {
    expect(changesIn(text, stages)).toEqual(changes)
  })

  test.each([
    ['+1 C', /found "C"; allowed: "A" or "B"/],
    ['policy fixed', /found "fixed"; allowed: leastScore/],
    ['B 100% quicker', /found "B 100% quicker"; allowed: "\+1 STAGE"/],
    ['more', /found "more"; allowed/],
    ['+1 A, +1 A, +1 A, +1 A, +1 A, +1 A, +1 A', /more than 6/],
  ])('that are wrong are refused: %s', (text, message) => {
    expect(() => changesIn(text, stages)).toThrow(message)
  })
})

describe('changes that are tried together', () => {
  test('share out the workers that are there after all other changes, in whatever order they are named', async () => {
    const day = fitted(crews)
    const words = ['policy leastScore', '+2 B'] as const
    const [one, other] = [words, [...words].reverse()].map((each) =>
      withChanges(day, changesIn(each.join(','), day.stages), 0, [0, 0]),
    )
    expect(one).toEqual(other)
    if ('problems' in one) throw new Error('refused')
    const { workersOverTime } = metricsOf(await playSimulation(one.scenario, 0))
    expect(workersOverTime[0][1]).toBe(6)
  })

  test('leave a stage at least one worker, and a capacity is for the whole run', () => {
    const day = fitted(crews)
    expect(withChanges(day, changesIn('-1 A', day.stages), 0, [0, 0])).toMatchObject({
      problems: [{ message: expect.stringContaining('A has 1 worker') }],
    })
    const fewer = changedBy(day, { kind: 'workers', stage: 1, more: -1 }, 0, [0, 0])
    expect([fewer.policy, fewer.workers]).toEqual([{ kind: 'fixed', lend: false, allocation: { A: 2, B: 1 } }, 6])
    expect(
      changedBy(day, { kind: 'capacity', stage: 1, capacity: 7 }, 0, [0, 0]).stages.map(({ capacity }) => capacity),
    ).toEqual([null, 7])
    expect(withChanges(day, changesIn('capacity 7 B', day.stages), SECOND, [0, 0])).toMatchObject({
      problems: [{ path: 'capacity' }],
    })
  })
})

describe('days like that of a log', () => {
  const arrivals: DayArrivals = {
    early: 3,
    rates: [
      [0, 10],
      [20 * SECOND, 40],
    ],
    end: 60 * SECOND,
    dispersion: 1,
    interval: SECOND,
  }
  const perSecond = (at: readonly number[], from: number, to: number) =>
    at.filter((time) => time >= from * SECOND && time < to * SECOND).length / (to - from)

  test('have the same rates, and a variance of the counts as large as the dispersion says', () => {
    for (const dispersion of [1, 3, 8]) {
      const days = Array.from({ length: 60 }, (_, seed) => arrivalTimes({ ...arrivals, dispersion }, seed + 1))
      for (const at of days) {
        expect(at).toEqual([...at].sort((a, b) => a - b))
        expect(at.slice(0, 3)).toEqual([0, 0, 0])
        expect(at.at(-1)).toBeLessThanOrEqual(arrivals.end)
      }
      const counts = days.map((at) => perSecond(at, 20, 60) * 40)
      const mean = counts.reduce((sum, each) => sum + each, 0) / counts.length
      const variance = counts.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (counts.length - 1)
      expect(Math.abs(mean / 1600 - 1)).toBeLessThan(0.03)
      expect(variance / mean / dispersion).toBeGreaterThan(0.5)
      expect(variance / mean / dispersion).toBeLessThan(1.8)
    }
  })

  test('differ from each other, begin with the fitted one, and change their service times at the same time', () => {
    const day = fitted(crews)
    expect(otherDay(day, arrivals, 0)).toBe(day)
    const [one, two] = [1, 2].map((k) => otherDay(day, arrivals, k))
    expect(new Set([day.seed, one.seed, two.seed]).size).toBe(3)
    expect(one.source).not.toEqual(two.source)
    const of = ({ source }: Scenario) => (source.kind === 'times' ? source.at : [])
    const share = (scenario: Scenario) => scenario.stages[0].changes[0].from / of(scenario).length
    expect(share(one)).toBeCloseTo(share(day), 2)
  })

  test('give the middle and the ends of the answers, and on how many of them a change is better', async () => {
    expect(spreadOf([5, 1, 9, 2])).toEqual({ median: 3.5, low: 1, high: 9 })
    const scenario = fitted([[0, 2, 2]])
    const base = await asked({
      scenario,
      arrivals: { ...arrivals, rates: [[0, 10]], end: 30 * SECOND },
      days: 6,
      until: 30 * SECOND,
    })
    expect(base.days.length).toBe(6)
    expect(new Set(base.days.map(({ meanFlowTime }) => meanFlowTime)).size).toBe(6)
    const more = await asked({
      ...base,
      arrivals: { ...arrivals, rates: [[0, 10]], end: 30 * SECOND },
      days: 6,
      until: 30 * SECOND,
      changes: changesIn('+1 A', scenario.stages),
    })
    expect(betterDays(base, more)).toBe(6)
    expect(betterDays(base, base)).toBe(0)
    expect(flowTimes(more).median).toBeLessThan(flowTimes(base).median)
    expect(peaksAt(more, 0).high).toBeLessThan(peaksAt(base, 0).high)
  })

  test('say how near to saturation a stage is: its work over the time of its workers', async () => {
    const even = { arrivals: null, until: 30 * SECOND }
    const scenario = {
      ...fitted([[0, 2, 2]]),
      stages: fitted([[0, 2, 2]]).stages.map((stage) => ({
        ...stage,
        changes: [],
        service: { kind: 'constant', mean: 190_000 } as const,
      })),
    }
    const { loads } = await asked({ scenario, ...even })
    for (const load of loads) expect(load).toBeCloseTo(0.95, 2)
    expect(nearSaturation(await asked({ scenario, ...even }))).toMatchObject({ stage: 0 })
    expect(
      nearSaturation(await asked({ scenario, ...even, changes: changesIn('+1 A, +1 B', scenario.stages) })),
    ).toBeNull()
    const shared = await asked({ scenario, ...even, changes: changesIn('policy leastScore', scenario.stages) })
    for (const load of shared.loads) expect(load).toBeCloseTo(0.95, 2)
  })
})
