import { describe, expect, test } from 'vitest'
import { DISMISSED, HIRED } from '../../src/pipeline/rows.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { startingParams } from '../../src/scenario/model/policies.ts'
import { initialMemory, type Memory } from '../../src/scheduler/controllers.ts'
import { type PoolSample, planPools } from '../../src/scheduler/knownPools.ts'
import { eachRow, type Trace, timeOf } from '../../src/trace/trace.ts'
import { valid } from '../fixtures/anyScenario.ts'

const constant = (mean: number) => ({ kind: 'constant', mean })
const SECOND = 1_000_000
const idlePool: PoolSample = {
  time: 0,
  elapsed: 1,
  waiting: 0,
  came: 0,
  size: 0,
  idle: -1,
  service: 0,
  running: 0,
  busy: 0,
  inHands: 0,
  drained: false,
  first: false,
}

/** The pool of each stage after each second at which it changes: "0 A1 B1". */
function pools(trace: Trace, every: number): string[] {
  const sizes = trace.scenario.stages.map(() => 0)
  const seen = new Map<number, string>()
  eachRow(trace, 0, trace.length, (rows, i, row) => {
    const by = rows.kind[i] === HIRED ? 1 : rows.kind[i] === DISMISSED ? -1 : 0
    if (by === 0) return
    sizes[rows.stage[i]] += by
    seen.set(timeOf(trace, row) / every, sizes.map((n, s) => `${trace.scenario.stages[s].id}${n}`).join(' '))
  })
  return [...seen].map(([tick, text]) => `${tick} ${text}`)
}

describe('the policy rayData', () => {
  const policy = { kind: 'rayData', ...startingParams('rayData') } as const
  const full = (size: number, more: Partial<PoolSample> = {}): PoolSample => ({
    ...idlePool,
    size,
    running: size,
    busy: size,
    inHands: size,
    waiting: 1000,
    ...more,
  })
  const change = (samples: readonly PoolSample[], cpus: number, more: object = {}) =>
    planPools(
      { ...policy, ...more },
      samples,
      samples.map(() => initialMemory),
      cpus,
    ).map(({ by }) => by)

  test('stops at 83 of 128 CPUs beside a stage that starts slowly, by the arithmetic of the reservation', () => {
    // 128 CPUs, half reserved for three operators: 21.33 each, and 64 shared. With 82: 64 - (82 - 21.33) = 3.33, a third of it is 1.11.
    // With 83: 2.33 / 3 = 0.78, less than one CPU.
    const beside = full(4, { running: 3, busy: 3, inHands: 3 })
    expect(change([full(82, { first: true }), beside], 128)).toEqual([1, 0])
    expect(change([full(83, { first: true }), beside], 128)).toEqual([0, 0])
    // When the first stage has served all, Read is done too, and one operator is left: 64 reserved, and 64 - 3 - 26 shared.
    expect(change([full(3, { first: true, waiting: 0, busy: 0, inHands: 0, drained: true }), full(90)], 128)).toEqual([-1, 1])
  })

  test('adds an actor from a utilisation of 1.75 on, never while one starts, and none goes while inputs are queued', () => {
    const of = (size: number, waiting: number, more: Partial<PoolSample> = {}) => change([full(size, { waiting, ...more })], 100)[0]
    // Four actors: seven jobs in flight are 1.75, six are 1.5; two of eight slots are 0.5.
    expect([of(4, 3), of(4, 2), of(4, 1000)]).toEqual([1, 0, 1])
    expect(of(4, 1000, { running: 3, busy: 3, inHands: 3 })).toBe(0)
    expect([of(4, 0, { busy: 2, inHands: 2 }), of(4, 0, { busy: 3, inHands: 3 }), of(1, 0, { busy: 0, inHands: 0 })]).toEqual([-1, 0, 0])
    expect(change([full(4, { waiting: 3 })], 100, { actor_pool_util_upscaling_threshold: 2 })).toEqual([0])
    // 20 x (2 / 1.75 - 1) = 2.86, so three at once where that is allowed.
    expect(change([full(20)], 100, { actor_pool_max_upscaling_delta: 16 })).toEqual([3])
  })

  test('follows the trajectory that was worked out by hand', async () => {
    // 8 CPUs, three operators: reserved 1.33 each, shared 4. A actor of A is ready at the next tick, one of B after 5 ticks.
    // A: may grow while (shared rest) / 3 >= 1: 4 - (2 - 1.33) = 3.33 is enough, 4 - (3 - 1.33) = 2.33 is not. So it stops at 3, and B stops at 2: 1.67 + 0.67 = 2.33 used.
    const stages = [
      { id: 'A', service: constant(10 * SECOND), startUp: constant(100_000) },
      { id: 'B', service: constant(10 * SECOND), startUp: constant(500_000) },
    ]
    const trace = await playSimulation(valid({ version: 1, source: { kind: 'batch', jobs: 40 }, stages, workers: 8, policy: { kind: 'rayData' } }), 0)
    expect(pools(trace, 100_000).slice(0, 3)).toEqual(['0 A1 B1', '1 A2 B1', '2 A3 B1'])
  })
})

describe('the policy hpa', () => {
  const policy = { kind: 'hpa', ...startingParams('hpa') } as const
  const tick = (time: number, running: number, busy: number, memory: Memory = initialMemory, size = running) =>
    planPools(policy, [{ ...idlePool, time: time * SECOND, size, running, busy }], [memory], 100)[0]

  test('wants ceil(pods x utilisation / target), unless the ratio is within 0.1 of 1', () => {
    // 4 pods, 4 at work: ratio 2, so 8. 10 pods, 5 at work: ratio 1. 40 pods, 21 at work: 1.05, within the tolerance. 20 pods, 12 at work: 1.2, so 24.
    expect([tick(0, 4, 4).by, tick(0, 10, 5).by, tick(0, 40, 21).by, tick(0, 20, 12).by]).toEqual([4, 0, 0, 4])
    // One pod at work: ratio 2, so 2. None at all: the least number of pods.
    expect([tick(0, 1, 1).by, tick(0, 0, 0).by]).toEqual([1, 1])
  })

  test('counts pods that start as idle, and does not turn round because of them', () => {
    // 2 of 2 ready pods at work, 2 more start: ratio 2 becomes 1, so nothing changes. With 4 of 4 ready and one starting: 1.6 x 5 = 8.
    expect([tick(0, 2, 2, initialMemory, 4).by, tick(0, 4, 4, initialMemory, 5).by]).toEqual([0, 3])
  })

  test('shrinks only to the greatest wish of the last five minutes', () => {
    let memory: Memory = initialMemory
    const wishes: number[] = []
    let size = 8
    // 8 pods all at work wish 16 (hired at once); then no pod is at work, tick by tick of 15 s: the wish of 16 counts for 300 s.
    for (let time = 0; time <= 330; time += 15) {
      const plan = tick(time, size, time === 0 ? size : 0, memory)
      memory = plan.memory
      size += plan.by
      wishes.push(size)
    }
    expect(wishes).toEqual([...Array.from({ length: 20 }, () => 16), 1, 1, 1])
  })

  test('grows 1, 5, 10, 20, 40 in a run where all are always at work, every 15 s', async () => {
    // 1 x 2 = 2, but 1 + 4 would be allowed: 2. Then 4, 8, 16: each time twice as many.
    const scenario = valid({
      version: 1,
      source: { kind: 'batch', jobs: 400 },
      stages: [{ id: 'A', service: constant(40 * SECOND) }],
      workers: 30,
      policy: { kind: 'hpa' },
    })
    const trace = await playSimulation(scenario, 0)
    expect(pools(trace, 15 * SECOND).slice(0, 6)).toEqual(['0 A1', '1 A2', '2 A4', '3 A8', '4 A16', '5 A30'])
  })
})

describe('the policy seda', () => {
  test('adds a thread every two seconds while more than 100 jobs wait, and drops one that was idle for five seconds', async () => {
    // 102 jobs of 1 s at once: a thread takes one at 0 and one at 1 s. The controller looks at 2 s before the next one starts: 100 wait, not more.
    const stages = [{ id: 'A', service: constant(SECOND) }]
    const quiet = await playSimulation(valid({ version: 1, source: { kind: 'batch', jobs: 102 }, stages, workers: 30, policy: { kind: 'seda' } }), 0)
    expect(pools(quiet, SECOND)).toEqual(['0 A1'])
    // 115 jobs: 113 wait at 2 s, 109 at 4 s, 103 at 6 s, 95 at 8 s.
    const busy = await playSimulation(
      valid({
        version: 1,
        source: { kind: 'times', at: [...Array.from({ length: 115 }, () => 0), 60 * SECOND] },
        stages,
        workers: 30,
        policy: { kind: 'seda' },
      }),
      0,
    )
    // Four threads from 6 s on: 102 jobs wait then, with four at work, and all is done at 32.5 s: idle since 32 s and 31 s at most, so the first goes at 38 s.
    expect(pools(busy, SECOND).slice(0, 4)).toEqual(['0 A1', '2 A2', '4 A3', '6 A4'])
    expect(
      pools(busy, SECOND)
        .slice(4)
        .map((text) => text.split(' ')[1]),
    ).toEqual(['A3', 'A2', 'A1'])
  })
})
