import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compact } from '../../../src/scenario/model/compact.ts'
import { MAX_PROBLEMS } from '../../../src/scenario/model/limits.ts'
import type { Problem } from '../../../src/scenario/model/scenario.ts'
import { parse, parseText } from '../../../src/scenario/parse/parse.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { diamond, events, linksOf } from '../../fixtures/scenarios.ts'

const A = { id: 'A', service: { kind: 'constant', mean: 1000000 } }
const B = { id: 'B', service: { kind: 'constant', mean: 1000000 } }
const smallest = { version: 1, stages: [{ id: 'A' }], workers: 1 }

function problemsOf(input: unknown): readonly Problem[] {
  const parsed = parse(input)
  return 'problems' in parsed ? parsed.problems : []
}

describe('a scenario', () => {
  test('with few keys gets every default', () => {
    expect(valid(smallest)).toEqual({
      version: 1,
      title: '',
      seed: 1,
      source: { kind: 'batch', jobs: 100 },
      stages: [
        {
          id: 'A',
          name: 'A',
          service: { kind: 'constant', mean: 1000 },
          changes: [],
          work: 'burn',
          startUp: null,
          fails: null,
          capacity: null,
          discipline: 'fifo',
          ageing: null,
          resource: null,
          whenTaken: 'wait',
          fanOut: 'copy',
          join: 'merge',
          position: null,
        },
      ],
      links: linksOf('source>A A>sink'),
      workers: 1,
      cores: 1,
      workerEvents: [],
      branches: [],
      policy: { kind: 'leastScore', lend: true },
      estimator: { kind: 'mean', prior: 'neighbours' },
      batch: { size: 1, inHand: 1 },
      switchCost: 0,
      groupSwitchCost: 0,
      network: null,
      order: { kind: 'none' },
      later: [],
    })
  })

  test('without a kind is of the first kind of its table', () => {
    const { source, policy, estimator } = valid({
      ...smallest,
      source: { jobs: 7 },
      policy: { lend: false },
      estimator: { prior: 'one' },
    })
    expect({ source, policy, estimator }).toEqual({
      source: { kind: 'batch', jobs: 7 },
      policy: { kind: 'leastScore', lend: false },
      estimator: { kind: 'mean', prior: 'one' },
    })
  })

  test('with a fixed allocation has no workers on the stages that it omits', () => {
    const stages = [{ id: 'constructor' }, { id: 'B' }, { id: '7' }]
    const { policy } = valid({
      ...smallest,
      stages,
      workers: 3,
      policy: { kind: 'fixed', allocation: { constructor: 2 } },
    })
    expect(policy).toEqual({ kind: 'fixed', allocation: { constructor: 2, B: 0, '7': 0 }, lend: false })
  })

  test('is the same after parsing again, complete and without its defaults', () => {
    fc.assert(
      fc.property(fc.oneof(anyScenario({ graphs: true }), anyScenario({ clients: true })), (scenario) => {
        expect(valid(scenario)).toEqual(scenario)
        expect(valid(compact(scenario))).toEqual(scenario)
        expect(valid(JSON.parse(JSON.stringify(compact(scenario))))).toEqual(scenario)
      }),
      { numRuns: repeats(300) },
    )
  })
})

const stages = (patch: object) => ({ stages: [{ ...A, ...patch }] })
const service = (patch: unknown) => stages({ service: patch })
const line = (...links: unknown[]) => ({ stages: [A, B, { id: 'C' }], links })
/** A leads to B and to C, both of which lead to D. */
const fork = (fanOut: unknown, join: string) => ({
  stages: [{ ...A, fanOut }, B, { id: 'C' }, { id: 'D', join }],
  links: diamond,
})
const many = <T>(n: number, item: T): T[] => Array.from({ length: n }, () => item)
const ids = (n: number) => Array.from({ length: n }, (_, i) => ({ id: `s${i}` }))

const pid = (patch: object = {}) => ({
  kind: 'pid',
  kp: 1,
  ki: 0,
  kd: 0,
  every: 10_000,
  setpoint: 0,
  up: -100,
  down: -20,
  ...patch,
})
const predictive = (patch: object) => ({
  kind: 'predictive',
  profile: [[0, 10]],
  lead: 10_000,
  utilisation: 1,
  alpha: 0,
  every: 10_000,
  ...patch,
})

/** Overrides of the smallest scenario, the place of the problem, and some words of it. */
const bad: readonly (readonly [patch: object, path: string, words: string])[] = [
  [{ version: undefined }, 'version', 'found nothing; allowed: 1'],
  [{ version: 2 }, 'version', 'newer version'],
  [{ titel: 'x' }, 'titel', 'unknown key; allowed keys: version, title'],
  [JSON.parse('{"__proto__": {"polluted": true}}'), '__proto__', 'unknown key'],
  [{ 'a b': 1 }, '["a b"]', 'unknown key'],
  [{ network: 40_000 }, 'network', '{ roundTrip, loss }'],
  [{ network: { roundTrip: 4e15 } }, '', 'the run might last '],
  [{ later: [{ at: 5, network: null }] }, 'later[0].network', 'unknown key'],
  [{ title: 5 }, 'title', 'found 5; allowed: a text of 0 to 80 characters'],
  [{ title: 'x'.repeat(81) }, 'title', '0 to 80 characters'],
  [{ title: '😀'.repeat(81) }, 'title', '0 to 80 characters'],
  [{ title: 'a\u202eb' }, 'title', 'found "a\\u{202e}b"; allowed: visible characters'],
  [{ seed: -1 }, 'seed', 'found -1; allowed: a whole number from 0 to 4,294,967,295'],
  [{ workers: undefined }, 'workers', 'found nothing; allowed: a whole number from 1 to 10,000'],
  [{ policy: { ...pid({ up: 1, down: 0 }), kind: 'adaptive', tunedAt: 5 } }, 'policy.up', 'less than down, 0'],
  [
    {
      policy: predictive({
        profile: [
          [5, 1],
          [4, 1],
        ],
      }),
    },
    'policy.profile[1][0]',
    'at least 5, the one before',
  ],
  [{ source: 5 }, 'source', 'an object { kind, ... }'],
  [{ source: { kind: 'rain', jobs: 1 } }, 'source.kind', 'found "rain"; allowed: batch, poisson'],
  [
    { source: { kind: 'image', width: 512, height: 300, tile: 1024, iterations: 652 } },
    'source.iterations',
    'found 652; allowed: at most 651 at this size',
  ],
  [
    { source: { kind: 'image', width: 4096, height: 4096, tile: 8, iterations: 5961 } },
    'source.iterations',
    'at most 5,960 at this size',
  ],
  [
    { stages: ids(16), source: { kind: 'image', width: 4096, height: 4096, tile: 8 } },
    'source',
    '4,194,304 services; allowed: 4,000,000',
  ],
  [{ source: JSON.parse('{"jobs":1e999}') }, 'source.jobs', 'found Infinity'],
  [{ source: { kind: 'batch', jobs: 3, rate: 5 } }, 'source.rate', 'unknown key; allowed keys: kind, jobs'],
  [{ order: { kind: 'shard' }, ...stages({ discipline: 'priority' }) }, 'stages[0].discipline', '"fifo", beside shard'],
  [{ source: { jobs: 3, retry: {} } }, 'source.retry.after', 'found nothing; allowed: microseconds or a distribution'],
  [
    { source: { jobs: 3, retry: { after: { kind: 'uniform', min: 5, max: 2 } } } },
    'source.retry.after.max',
    'at least',
  ],
  [
    { source: { jobs: 1000000, retry: { after: 5, limit: 4 } } },
    'source.retry.limit',
    'found 4; allowed: a whole number from 0 to 3',
  ],
  [{ source: { jobs: 3, retry: { after: 5 } }, order: { kind: 'shard' } }, 'order.kind', 'allowed: none, beside retry'],
  [{ source: { kind: 'sine', max: 2, every: 1, duration: 20000000, jobs: 5 } }, 'source.every', '20,000,000 cycles'],
  [{ source: { kind: 'sine', max: 1000, every: 1000, duration: 2000000 } }, 'source', 'up to 2,000,000 jobs'],
  [
    { source: { kind: 'bursts', rate: 0, burstRate: 0, on: 5, off: 5, jobs: 3 } },
    'source.burstRate',
    'no job would arrive',
  ],
  [{ source: { kind: 'bursts', rate: 0.001, burstRate: 0, on: 1, off: 1, jobs: 1000 } }, 'source.on', 'cycles'],
  [{ source: { kind: 'steps', at: [[0, 5], 7], jobs: 3 } }, 'source.at[1]', 'a pair [time, rate]'],
  [
    {
      source: {
        kind: 'steps',
        at: [
          [10, 5],
          [9, 5],
        ],
        jobs: 3,
      },
    },
    'source.at[1][0]',
    'found 9; allowed: at least 10',
  ],
  [
    {
      source: {
        kind: 'curve',
        points: [
          [0, 5],
          [9, 0],
        ],
        jobs: 3,
      },
    },
    'source.points[1][1]',
    'as the last rate',
  ],
  [{ source: { kind: 'times', at: [1, 2, 1] } }, 'source.at[2]', 'at least 2, the one before'],
  [{ source: { kind: 'groups', groups: [600000, 600000] } }, 'source.groups', '1,200,000 jobs'],
  [{ source: { kind: 'lines', jobs: 5, digest: 'xyz' } }, 'source.digest', 'SHA-256'],
  [{ stages: ids(5), source: { jobs: 900000 } }, 'source', '4,500,000 services; allowed: 4,000,000, so 800,000 jobs'],
  [
    { stages: [A, { ...B, fails: { jobs: many(100000, 0), tries: 31 } }], source: { jobs: 600000 } },
    'stages[1].fails',
    '4,200,000 services with retries; allowed: 4,000,000',
  ],
  [
    {
      source: { jobs: 100000 },
      batch: { size: 10000 },
      workers: 256,
      workerEvents: Array.from({ length: 201 }, (_, worker) => ({ at: 5, kind: 'crash', worker })),
    },
    'workerEvents',
    '201 workers may return 4,020,000 jobs; allowed: 4,000,000',
  ],
  [{ stages: [A, null] }, 'stages[1]', 'found null; allowed: an object { id, name, service, changes, ... }'],
  [stages({ id: 'source' }), 'stages[0].id', 'not "source" or "sink"'],
  [stages({ id: '__proto__' }), 'stages[0].id', 'letters, digits, dots and dashes'],
  [{ stages: [A, B, A] }, 'stages[2].id', '"A" is listed twice'],
  [stages({ name: '' }), 'stages[0].name', '1 to 80 characters'],
  [
    stages({ resource: 'group' }),
    'stages[0].resource',
    'the source "batch" makes no groups; allowed: null, or the source groups',
  ],
  [stages({ fanOut: 'route' }), 'stages[0].fanOut', 'found "route"; allowed: copy or an object { route }'],
  [stages({ fanOut: { route: {} } }), 'stages[0].fanOut.route', 'no weight for "sink"'],
  [stages({ work: 'tokenise' }), 'stages[0].work', 'found "tokenise"; this version can play burn, wait'],
  [stages({ work: 'sleep' }), 'stages[0].work', 'found "sleep"; allowed: burn, wait'],
  [
    stages({
      changes: [
        { from: 5, service: A.service },
        { from: 5, service: A.service },
      ],
    }),
    'stages[0].changes[1].from',
    'found 5; allowed: more than 5',
  ],
  [
    service({ kind: 'constant', mean: -5 }),
    'stages[0].service.mean',
    'found -5; allowed: a whole number of microseconds from 1',
  ],
  [service({ kind: 'normal', mean: 5 }), 'stages[0].service.kind', 'found "normal"; allowed: constant, uniform'],
  [service({ kind: 'uniform', min: 9, max: 5 }), 'stages[0].service.max', 'found 5; allowed: at least min, 9'],
  [{ ...service({ kind: 'constant', mean: 5e9 }), source: { jobs: 1000000 } }, '', 'the run might last '],
  [{ source: { kind: 'regular', rate: 0.000001, jobs: 1000000 } }, '', 'the run might last '],
  [
    { ...stages({ service: { kind: 'constant', mean: 1e14 }, fails: { jobs: [0], tries: 100 } }), source: { jobs: 1 } },
    '',
    'the run might last ',
  ],
  [
    {
      ...service({ kind: 'constant', mean: 1e15 }),
      source: { jobs: 1 },
      workerEvents: [{ at: 5, kind: 'hang', worker: 0 }],
    },
    '',
    'the run might last ',
  ],
  [{ links: [['source', 'A'], ['A']] }, 'links[1]', 'a pair [from, to]'],
  [
    {
      links: linksOf('source>A A>Z'),
    },
    'links[1]',
    '"Z" is not a stage',
  ],
  [line(['source', 'A'], ['A', 'B'], ['B', 'source']), 'links[2]', '"B" cannot lead to "source"'],
  [line(['sink', 'A']), 'links[0]', '"sink" cannot lead to "A"'],
  [line(['source', 'A'], ['A', 'A']), 'links[1]', '"A" cannot lead to "A"'],
  [line(['source', 'A'], ['source', 'A']), 'links[1]', 'twice'],
  [line(['source', 'A'], ['A', 'B'], ['B', 'sink'], ['A', 'B']), 'links[3]', '"A" → "B" is listed twice'],
  [
    line(['source', 'A'], ['A', 'B'], ['A', 'sink'], ['B', 'C'], ['C', 'sink']),
    'links[2]',
    '"A" is linked to "B" and "sink"; allowed: "sink" alone, or stages',
  ],
  [
    line(['source', 'A'], ['A', 'B'], ['source', 'B'], ['B', 'C'], ['C', 'sink']),
    'links[2]',
    '"B" is linked to "A" and "source"; allowed: "source" alone, or stages',
  ],
  [line(['source', 'A'], ['B', 'C'], ['C', 'B'], ['A', 'sink']), 'links[2]', 'a cycle: "B" and "C" lead back to "B"'],
  [line(['source', 'A'], ['A', 'B'], ['B', 'C'], ['C', 'A']), 'links[3]', 'a cycle: "A", "B" and "C" lead back to "A"'],
  [line(['source', 'A'], ['A', 'B'], ['B', 'sink']), 'stages[2]', 'stage "C" is not reached'],
  [line(['source', 'A'], ['A', 'B'], ['B', 'C']), 'stages[2]', 'stage "C" is a dead end'],
  [fork('copy', 'merge'), 'stages[3].join', 'copies of a job may meet here from "B" and "C"; allowed: "all"'],
  [fork({ route: { B: 1, C: 2 } }, 'all'), 'stages[3].join', 'not every job from "B" also comes from "C"'],
  [
    fork({ route: { B: 0, C: 2 } }, 'merge'),
    'stages[0].fanOut.route.B',
    'found 0; allowed: a number from 0.000001 to 1,000,000',
  ],
  [fork({ route: { B: 1, C: 1, D: 1 } }, 'merge'), 'stages[0].fanOut.route.D', 'found "D"; allowed: "B" and "C"'],
  [fork({ route: { B: 1 } }, 'merge'), 'stages[0].fanOut.route', 'no weight for "C"'],
  [line(['A', 'B'], ['B', 'C'], ['C', 'sink']), 'links', 'the source leads nowhere'],
  [line(['source', 'sink']), 'links[0]', '"source" cannot lead to "sink"'],
  [{ workerEvents: [{ at: 1, kind: 'leave', worker: 1 }] }, 'workerEvents[0].worker', 'found 1; allowed: 0'],
  [{ workerEvents: [{ at: 1, kind: 'join', worker: 5 }] }, 'workerEvents[0].worker', 'found 5; allowed: 1'],
  [
    {
      workerEvents: events([9, 'join', 1], [8, 'join', 2]),
    },
    'workerEvents[1].at',
    'at least 9, the one before',
  ],
  [
    {
      workerEvents: events([9, 'crash', 0], [9, 'leave', 0]),
    },
    'workerEvents[1].worker',
    'worker 0 is gone',
  ],
  [
    {
      workerEvents: events([9, 'hang', 0], [9, 'hang', 0]),
    },
    'workerEvents[1].worker',
    'is gone or hangs by then',
  ],
  [
    { workers: 10_000, workerEvents: [{ at: 9, kind: 'join', worker: 9999 }] },
    'workerEvents[0].worker',
    'found 9999; allowed: 10000',
  ],
  [{ policy: pid({ up: -20, down: -20 }) }, 'policy.up', 'found -20; allowed: less than down, -20'],
  [
    { policy: { kind: 'hpa', minReplicas: 4, max: 3 } },
    'policy.minReplicas',
    'found 4; allowed: a whole number from 1 to 3',
  ],
  [{ policy: { kind: 'rayData', min_size: 2, max: 1 } }, 'policy.min_size', 'found 2; allowed: 1'],
  [{ policy: pid({ lend: true }) }, 'policy.lend', 'found true; allowed: false'],
  [
    { policy: pid(), workerEvents: [{ at: 5, kind: 'join', worker: 1 }] },
    'workerEvents[0].kind',
    'found "join"; allowed: leave, crash or hang, beside pid',
  ],
  [
    { policy: pid({ every: 1000 }), source: { kind: 'regular', rate: 0.01, jobs: 1000 } },
    'policy.every',
    '100,001,000 ticks; allowed: 10,000,000, so at least 10,001 microseconds',
  ],
  [{ policy: { kind: 'best' } }, 'policy.kind', 'found "best"; allowed: leastScore'],
  [{ policy: { kind: 'single', lend: true } }, 'policy.lend', 'found true; allowed: false'],
  [{ stages: [A, B], policy: { kind: 'onePerStage' } }, 'workers', 'found 1; allowed: at least 2'],
  [{ policy: { kind: 'fixed', allocation: { Z: 1 } } }, 'policy.allocation.Z', '"Z" is not a stage'],
  [
    { policy: { kind: 'fixed', allocation: JSON.parse('{"__proto__":1}') } },
    'policy.allocation.__proto__',
    'is not a stage',
  ],
  [
    { policy: { kind: 'fixed', allocation: { A: 2 } } },
    'policy.allocation',
    '2 workers are given out; allowed: 1 to 1',
  ],
  [{ policy: { kind: 'byHand', allocations: [[1, 0]] } }, 'policy.allocations[0]', 'found 2; allowed: 1'],
  [
    { policy: { kind: 'byHand', allocations: [[1], [2]] } },
    'policy.allocations[1]',
    '2 workers are given out; allowed: 0 to 1',
  ],
  [{ policy: { kind: 'fixed', allocation: {} } }, 'policy.allocation', '0 workers are given out'],
  [{ batch: { adaptive: true, size: 5 } }, 'batch.size', 'found 5; allowed: nothing, beside adaptive'],
  [{ batch: { size: 1, inHand: 3 } }, 'batch.inHand', 'found 3; allowed: 1 or 2'],
  [{ order: { kind: 'shard' }, policy: { lend: false } }, 'policy.lend', 'found false; allowed: true, beside shard'],
  [{ order: { kind: 'shard' }, batch: { inHand: 2 } }, 'batch.inHand', 'found 2; allowed: 1, beside shard'],
  [
    {
      order: { kind: 'shard' },
      source: { kind: 'groups', groups: [3] },
      stages: [{ id: 'A', resource: 'group', whenTaken: 'skip' }],
    },
    'stages[0].whenTaken',
    'found "skip"; allowed: "wait", beside shard',
  ],
  [
    { workers: 10_000, workerEvents: [{ at: 9, kind: 'join', worker: 10_000 }] },
    'workerEvents[0].worker',
    'from 0 to 9,999',
  ],
  [
    { order: { kind: 'shard' }, stages: [{ id: 'A', discipline: 'lifo' }] },
    'stages[0].discipline',
    'found "lifo"; allowed: "fifo"',
  ],
]

describe('a problem is named at its path', () => {
  test.each(bad.map(([patch, path, words]) => ({ patch, path, words })))('$path: $words', ({ patch, path, words }) => {
    const base: Record<string, unknown> = { ...smallest }
    // Own keys are copied one by one, so that __proto__ stays a key.
    for (const [key, value] of Object.entries(patch))
      Object.defineProperty(base, key, { value, enumerable: true, configurable: true, writable: true })
    const problems = problemsOf(base)
    expect([...new Set(problems.map((problem) => problem.path))]).toEqual([path])
    expect(problems.map(({ message }) => message).join('\n')).toContain(words)
  })

  test.each([[undefined], [null], [5], ['{}'], [[]], [() => 1], [new Date(0)], [Symbol('x')], [12n]])(
    'a value that is no object is one problem: %s',
    (input) => {
      expect(problemsOf(input)).toHaveLength(1)
      expect(problemsOf(input)[0].path).toBe('')
    },
  )

  test('all problems are reported together, structure and references alike', () => {
    const problems = problemsOf({
      version: 1,
      seed: -1,
      workers: 0,
      stages: [A, A],
      source: { kind: 'times', at: [2, 1] },
      extra: 1,
    })
    expect(problems.map(({ path }) => path).sort()).toEqual([
      'extra',
      'seed',
      'source.at[1]',
      'stages[1].id',
      'workers',
    ])
  })

  test('a problem of a stage names it: by name, otherwise by id, otherwise by number', () => {
    const stages = [{ id: 'A', name: 'Read', capacity: 0 }, { id: 'B', name: '', capacity: 0 }, { capacity: 0 }]
    const called = problemsOf({ ...smallest, stages, workers: 0 }).map(({ path, stage }) => `${path} ${stage}`)
    expect(called).toEqual([
      'stages[0].capacity "Read"',
      'stages[1].name "B"',
      'stages[1].capacity "B"',
      'stages[2].id 3',
      'stages[2].capacity 3',
      'workers undefined',
    ])
  })

  test('of a newer version nothing else is checked', () => {
    expect(problemsOf({ version: 7, stages: 'of another kind' }).map(({ path }) => path)).toEqual(['version'])
  })

  test('at most fifty are listed', () => {
    const problems = problemsOf({ ...smallest, stages: many(200, {}) })
    expect(problems).toHaveLength(MAX_PROBLEMS)
    expect(problems.at(-1)?.message).toContain('and more than these')
    // Fifty are listed as they are, and of fifty-one the last two are summed up.
    const short = (count: number) =>
      problemsOf({ ...smallest, stages: Array.from({ length: count }, (_, s) => ({ id: `s${s}`, capacity: 0 })) })
    expect(short(MAX_PROBLEMS).map(({ path }) => path)).toEqual(
      Array.from({ length: MAX_PROBLEMS }, (_, s) => `stages[${s}].capacity`),
    )
  })
})

describe('hostile input', () => {
  test('never pollutes prototypes', () => {
    parseText(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"stages":[{"__proto__":{"polluted":1}}]}',
    )
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('with inherited keys is refused', () => {
    expect(problemsOf(Object.create(smallest))).toHaveLength(1)
  })

  test('that throws when read, or contains itself, is a problem like any other', () => {
    const round: Record<string, unknown> = { ...smallest }
    round.source = round
    expect(problemsOf(round).length).toBeGreaterThan(0)
    const trap = {
      ...smallest,
      get stages(): never {
        throw new Error('trap')
      },
    }
    expect(problemsOf(trap)).toHaveLength(1)
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap')
        },
      },
    )
    expect(problemsOf(proxy)).toHaveLength(1)
  })

  test('is not read further once there are more problems than are shown', () => {
    let looks = 0
    const at = new Proxy(many(100_000, 'x'), {
      get: (target, key) => {
        looks++
        return Reflect.get(target, key)
      },
    })
    expect(problemsOf({ ...smallest, source: { kind: 'times', at } })).toHaveLength(MAX_PROBLEMS)
    expect(looks).toBeLessThan(1000)
  })

  test('a text that is no JSON, or too long, is refused with its reason', () => {
    expect(parseText('{"version":1')).toEqual({
      problems: [{ path: '', message: expect.stringContaining('not JSON') }],
    })
    expect(parseText(' '.repeat(2_000_001))).toEqual({
      problems: [{ path: '', message: expect.stringContaining('2,000,001 characters') }],
    })
    for (const text of ['hello { "version": 1', '', '[1'])
      expect(parseText(text)).toEqual({
        problems: [{ path: '', message: expect.stringContaining('a scenario is a JSON object: {') }],
      })
    expect(parseText('  {')).toEqual({ problems: [{ path: '', message: expect.stringContaining('line 1, column 4') }] })
    expect(parseText('['.repeat(1_000_000))).toEqual({
      problems: [{ path: '', message: expect.stringContaining('more than 200 deep') }],
    })
  })
})

describe('phases', () => {
  const two = { ...smallest, stages: [A, B], workers: 2 }
  const later = (phases: unknown, more: object = {}) =>
    problemsOf({ ...two, ...more, later: phases }).map(({ path, message }) => `${path}: ${message}`)

  test('have the settings from their time on with all defaults, and no more', () => {
    const { later } = valid({
      ...two,
      later: [
        { at: 1, policy: { kind: 'fixed', allocation: { B: 1 } } },
        { at: 2, batch: {}, cores: 1 },
        { at: 3, policy: { kind: 'single' }, estimator: { kind: 'mean' } },
      ],
    })
    expect(later).toEqual([
      { at: 1, policy: { kind: 'fixed', allocation: { A: 0, B: 1 }, lend: false } },
      { at: 2, batch: { size: 1, inHand: 1 }, cores: 1 },
      { at: 3, policy: { kind: 'single', lend: false }, estimator: { kind: 'mean', prior: 'neighbours' } },
    ])
  })

  test('are in order of time, each with at least one setting', () => {
    expect(later([{ at: 0, cores: 1 }])).toEqual([
      'later[0].at: found 0; allowed: a whole number of microseconds from 1 to 4,503,599,627,370,495',
    ])
    expect(
      later([
        { at: 5, cores: 1 },
        { at: 5, cores: 2 },
      ]),
    ).toEqual(['later[1].at: found 5; allowed: more than 5, the one before'])
    expect(later([{ at: 5 }])).toEqual([
      'later[0]: found nothing; allowed: policy, estimator, batch, switchCost, groupSwitchCost or cores',
    ])
    expect(later([{ at: 5, workers: 3 }])).toEqual([
      'later[0].workers: unknown key; allowed keys: at, policy, estimator, batch, switchCost, groupSwitchCost and cores',
    ])
    expect(later(Array.from({ length: 65 }, (_, i) => ({ at: i + 1, cores: 1 })))).toEqual([
      'later: found a list of 65; allowed: a list of 0 to 64',
    ])
  })

  test('accept only settings that work with shards', () => {
    const order = { kind: 'shard' }
    expect(later([{ at: 5, policy: { kind: 'jefferson', lend: false } }], { order })).toEqual([
      'later[0].policy.lend: found false; allowed: true, beside shard',
    ])
    expect(later([{ at: 5, batch: { inHand: 2 } }], { order })).toEqual([
      expect.stringContaining('later[0].batch.inHand: found 2; allowed: 1, beside shard'),
    ])
  })

  test('have policies that can take over the workers', () => {
    const pid = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 1 }
    expect(later([{ at: 5, policy: pid }])).toEqual([
      'later[0].policy.kind: found "pid"; allowed: a policy that does not hire, beside leastScore',
    ])
    expect(later([{ at: 5, policy: {} }], { policy: pid })).toEqual([
      'later[0].policy.kind: found "leastScore"; allowed: pid, threshold, aimd, adaptive, predictive, rayData, hpa, seda, xenna or flinkAutoscaler, beside pid',
    ])
    expect(later([{ at: 5, policy: { ...pid, up: 2 } }], { policy: pid })).toEqual([
      'later[0].policy.up: found 2; allowed: less than down, 1',
    ])
    expect(later([{ at: 5, policy: { ...pid, every: 2000, kp: 3 } }], { policy: pid })).toEqual([])
  })

  test('have policies and batches that suit the pipeline', () => {
    expect(later([{ at: 5, policy: { kind: 'fixed', allocation: { A: 3 } } }])).toEqual([
      'later[0].policy.allocation: 3 workers are given out; allowed: 1 to 2',
    ])
    expect(later([{ at: 5, policy: { kind: 'onePerStage' } }], { workers: 1 })).toEqual([
      'workers: found 1; allowed: at least 2, one for each stage',
    ])
    expect(later([{ at: 5, batch: { size: 2, adaptive: true } }])).toEqual([
      'later[0].batch.size: found 2; allowed: nothing, beside adaptive',
    ])
  })
})

describe('code of a stage', () => {
  const withCode = (code: unknown) => ({ ...smallest, stages: [{ id: 'A', work: code }] })

  test('may have 20,000 characters, and is kept as it is', () => {
    expect(valid(withCode({ code: 'x'.repeat(20_000) })).stages[0].work).toEqual({ code: 'x'.repeat(20_000) })
    expect(problemsOf(withCode({ code: 'x'.repeat(20_001) }))).toMatchObject([{ path: 'stages[0].work.code' }])
  })

  test('is an object with this key alone', () => {
    expect(problemsOf(withCode({}))).toMatchObject([
      { path: 'stages[0].work.code', message: 'found nothing; allowed: a text of 0 to 20,000 characters' },
    ])
    expect(problemsOf(withCode({ code: '', module: '' }))).toMatchObject([{ path: 'stages[0].work.module' }])
    expect(problemsOf(withCode([]))).toMatchObject([{ path: 'stages[0].work' }])
    expect(problemsOf(withCode('code'))).toMatchObject([
      { path: 'stages[0].work', message: expect.stringMatching(/^found "code"; allowed: burn, wait, /) },
    ])
  })
})

describe('values of a source', () => {
  const withValues = (values: unknown) => ({ ...smallest, source: { kind: 'values', values } })
  const nested = (deep: number): unknown =>
    deep === 0 ? 0 : deep % 2 === 0 ? [nested(deep - 1)] : { a: nested(deep - 1) }

  test('may be anything that JSON can say', () => {
    const values = [null, true, 'text', -1.5, [1, [2]], { a: { b: [] } }, JSON.parse('{"__proto__": 1}'), nested(100)]
    expect(valid(withValues(values)).source).toEqual({ kind: 'values', values })
  })

  test('are copies, in which -0 is 0', () => {
    const value = { deep: [-0] }
    const { source } = valid(withValues([value]))
    value.deep[0] = 5
    expect(source).toEqual({ kind: 'values', values: [{ deep: [0] }] })
  })

  test.each([
    [undefined],
    [Number.NaN],
    [[Infinity]],
    [() => 1],
    [{ date: new Date(0) }],
    [new Array(2)],
    [nested(101)],
    [nested(102)],
  ])('are nothing else: %o', (value) => {
    expect(problemsOf(withValues([0, value]))).toMatchObject([
      { path: 'source.values[1]', message: expect.stringMatching(/; allowed: JSON, /) },
    ])
  })

  test('are at most 10,000, of 1,000,000 characters together', () => {
    expect(problemsOf(withValues(new Array(10_000).fill(0)))).toEqual([])
    expect(problemsOf(withValues(new Array(10_001).fill(0)))).toMatchObject([{ path: 'source.values' }])
    expect(problemsOf(withValues(['x'.repeat(999_996)]))).toEqual([])
    expect(problemsOf(withValues(['x'.repeat(999_997)]))).toMatchObject([
      { path: 'source.values', message: expect.stringMatching(/1,000,001 characters/) },
    ])
  })
})
