import fc from 'fast-check'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

export const workedExample = scenarioWith({
  title: 'Worked example',
  seed: 1,
  source: { kind: 'batch', jobs: 3 },
  stages: [
    { id: 'A', service: { kind: 'constant', mean: 1_000_000 } },
    { id: 'B', service: { kind: 'constant', mean: 1_000_000 } },
  ],
  workers: 2,
  policy: { kind: 'leastScore' },
})

const services = fc.oneof(
  fc.record({ kind: fc.constant('constant'), mean: fc.integer({ min: 1, max: 2000 }) }),
  fc.record({ kind: fc.constant('exponential'), mean: fc.integer({ min: 1, max: 2000 }) }),
  fc.record({
    kind: fc.constant('bimodal'),
    fast: fc.integer({ min: 1, max: 100 }),
    slow: fc.constant(5000),
    pSlow: fc.constant(0.2),
  }),
)

const sources = fc.oneof(
  fc.record({ kind: fc.constant('batch'), jobs: fc.integer({ min: 0, max: 40 }) }),
  fc.record({
    kind: fc.constant('poisson'),
    rate: fc.integer({ min: 100, max: 5000 }),
    jobs: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({
    kind: fc.constant('groups'),
    groups: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
    order: fc.constantFrom('asProduced', 'spread', 'shuffled'),
    feeders: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    kind: fc.constant('regular'),
    rate: fc.integer({ min: 100, max: 5000 }),
    jobs: fc.integer({ min: 1, max: 40 }),
  }),
)

const stages = (count: number) =>
  fc.array(
    fc.record({
      service: services,
      work: fc.constantFrom('burn', 'wait'),
      discipline: fc.constantFrom('fifo', 'lifo', 'shortest'),
      resource: fc.constantFrom(null, 'group'),
      whenTaken: fc.constantFrom('wait', 'skip'),
      capacity: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null, freq: 3 }),
      fails: fc.option(
        fc.record({
          jobs: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }),
          tries: fc.integer({ min: 1, max: 3 }),
        }),
        {
          nil: null,
          freq: 4,
        },
      ),
    }),
    { minLength: count, maxLength: count },
  )

/** Small scenarios of all kinds: every policy and estimator, faults, bounded queues, order, batches, fewer cores than workers. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .record({ count: fc.integer({ min: 1, max: 4 }), workers: fc.integer({ min: 4, max: 6 }), joins: fc.boolean() })
  .chain(({ count, workers, joins }) =>
    fc
      .record({
        seed: fc.integer({ min: 0, max: 99 }),
        source: sources,
        stages: stages(count),
        cores: fc.integer({ min: 1, max: 6 }),
        policy: fc.constantFrom(
          ...['leastScore', 'leastScore', 'leastScore', 'jefferson', 'webster', 'onePerStage', 'fixed', 'single'],
          ...[
            'huntingtonHill',
            'hamilton',
            'power',
            'proportional',
            'longestQueue',
            'backpressure',
            'sinkFirst',
            'fixed',
          ],
          ...['preallocate', 'switchAware', 'deadline'],
        ),
        estimator: fc.constantFrom(
          { kind: 'mean' },
          { kind: 'mean', prior: 'one' },
          { kind: 'mean', prior: 'declared' },
          { kind: 'window', n: 3 },
          { kind: 'ewma', alpha: 0.3 },
        ),
        batch: fc.constantFrom(
          { size: 1 },
          { size: 1 },
          { size: 4 },
          { adaptive: true },
          { size: 1, inHand: 2 },
          { size: 3, inHand: 2 },
          { adaptive: true, inHand: 2 },
        ),
        order: fc.constantFrom({ kind: 'none' }, { kind: 'none' }, { kind: 'buffer', slots: 3 }),
        switchCost: fc.constantFrom(0, 0, 50),
        groupSwitchCost: fc.constantFrom(0, 0, 30),
        faults: fc.array(
          fc.record({ at: fc.integer({ min: 0, max: 9000 }), kind: fc.constantFrom('leave', 'crash', 'hang') }),
          { maxLength: 2 },
        ),
      })
      .map(({ policy, faults, stages: some, ...rest }) => {
        const grouped = rest.source.kind === 'groups'
        const ids = ['q', 'B', 'a', 'C']
        const events = [
          ...(joins ? [{ at: 700, kind: 'join', worker: workers }] : []),
          ...faults.map((fault, worker) => ({ ...fault, worker })),
        ]
        return scenarioWith({
          ...rest,
          workers,
          stages: some.map((stage, i) => ({ id: ids[i], ...stage, ...(grouped ? {} : { resource: null }) })),
          policy:
            policy === 'fixed'
              ? { kind: policy, allocation: Object.fromEntries(some.map((_, i) => [ids[i], 1])) }
              : { kind: policy },
          workerEvents: events.sort((a, b) => a.at - b.at),
        })
      }),
  )
