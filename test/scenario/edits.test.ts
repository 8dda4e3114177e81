import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addStage,
  connect,
  lineOrder,
  moveStage,
  removeStage,
  renameStage,
  reorder,
  setFeeders,
  setOptions,
  setPolicy,
  setSeed,
  setService,
  setSource,
  setStage,
  setWorkers,
} from '../../src/scenario/edits.ts'
import { parse } from '../../src/scenario/parse.ts'
import type { PolicyKind, Scenario } from '../../src/scenario/scenario.ts'
import { anyName, anyScenario, anyService, anySource, valid } from '../fixtures/anyScenario.ts'

const abc = valid({ version: 1, stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }], workers: 4 })
const policies: readonly PolicyKind[] = [
  'leastScore',
  'exhaustive',
  'jefferson',
  'hamilton',
  'power',
  'sinkFirst',
  'onePerStage',
  'fixed',
  'single',
  'greenThreads',
]

type Edit = (scenario: Scenario) => Scenario

/** Any edit, with places given as fractions so that it suits every scenario. */
const anyEdit: fc.Arbitrary<readonly [name: string, edit: Edit]> = fc
  .record({
    kind: fc.constantFrom(
      'add',
      'append',
      'front',
      'remove',
      'rename',
      'move',
      'reorder',
      'connect',
      'first',
      'last',
      'service',
      'stage',
      'source',
      'workers',
      'policy',
      'seed',
      'options',
    ),
    here: fc.nat({ max: 20 }),
    there: fc.nat({ max: 20 }),
    name: fc.oneof(anyName, fc.constant('  ')),
    service: anyService(20_000),
    source: anySource(60),
    workers: fc.integer({ min: 1, max: 12 }),
    policy: fc.constantFrom(...policies),
  })
  .map(({ kind, here, there, name, service, source, workers, policy }) => {
    const edit: Edit = (scenario) => {
      const line = lineOrder(scenario)
      const [id, other] = [line[here % line.length], line[there % line.length]]
      switch (kind) {
        case 'add':
          return addStage(scenario, id)
        case 'append':
          return addStage(scenario, null)
        case 'front':
          return addStage(scenario, 'source')
        case 'remove':
          return removeStage(scenario, id)
        case 'rename':
          return renameStage(scenario, id, name)
        case 'move':
          return moveStage(scenario, id, there)
        case 'reorder':
          return reorder(scenario, [...line].reverse())
        case 'connect':
          return connect(scenario, id, other)
        case 'first':
          return connect(scenario, 'source', id)
        case 'last':
          return connect(scenario, id, 'sink')
        case 'service':
          return setService(scenario, id, service)
        case 'stage':
          return setStage(scenario, id, { capacity: here + 1, discipline: 'lifo', position: { x: there, y: here } })
        case 'source':
          return setSource(scenario, source)
        case 'workers':
          return setWorkers(scenario, workers)
        case 'policy':
          return setPolicy(scenario, policy)
        case 'seed':
          return setSeed(scenario, here)
        case 'options':
          return setOptions(scenario, { title: name.trim(), switchCost: here, order: { kind: 'buffer', slots: there + 1 } })
      }
    }
    return [`${kind} ${here} ${there} ${workers} ${policy}`, edit] as const
  })

/** What an edit may leave to be refused: a policy that does not suit the new number of workers or stages. */
function unsuited(scenario: Scenario): boolean {
  const { kind } = scenario.policy
  return kind === 'exhaustive' || (kind === 'onePerStage' && scenario.workers < scenario.stages.length)
}

describe('an edit', () => {
  test('of a valid scenario leaves it valid, or with a policy that no longer suits', () => {
    fc.assert(
      fc.property(anyScenario(), fc.array(anyEdit, { maxLength: 12 }), (scenario, edits) => {
        let edited = scenario
        for (const [, edit] of edits) {
          edited = edit(edited)
          const parsed = parse(edited)
          if ('scenario' in parsed) expect(parsed.scenario).toEqual(edited)
          else {
            expect(unsuited(edited), parsed.problems.map(({ path, message }) => `${path} ${message}`).join()).toBe(true)
            edited = setPolicy(edited, 'leastScore')
            expect(parse(edited)).toHaveProperty('scenario')
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  test('changes nothing in the scenario it is given', () => {
    const before = JSON.stringify(abc)
    const edits = [addStage(abc, 'A'), removeStage(abc, 'B'), moveStage(abc, 'A', 2), connect(abc, 'C', 'A'), setWorkers(abc, 2), setPolicy(abc, 'fixed')]
    expect(edits.every((edited) => edited !== abc)).toBe(true)
    expect(JSON.stringify(abc)).toBe(before)
  })

  test('that names no stage changes nothing', () => {
    for (const edited of [
      addStage(abc, 'Z'),
      removeStage(abc, 'Z'),
      renameStage(abc, 'Z', 'x'),
      moveStage(abc, 'Z', 0),
      connect(abc, 'Z', 'A'),
      connect(abc, 'A', 'Z'),
      reorder(abc, ['A', 'B']),
      reorder(abc, ['A', 'B', 'B']),
    ])
      expect(edited).toBe(abc)
  })
})

describe('stages', () => {
  test('are added behind a stage, at the end or at the front, under a fresh id', () => {
    expect(lineOrder(addStage(abc, 'A'))).toEqual(['A', 'D', 'B', 'C'])
    expect(lineOrder(addStage(abc, null))).toEqual(['A', 'B', 'C', 'D'])
    expect(lineOrder(addStage(abc, 'source'))).toEqual(['D', 'A', 'B', 'C'])
    expect(addStage(abc, 'A').stages.map(({ id, name }) => [id, name])).toEqual([...['A', 'B', 'C'].map((id) => [id, id]), ['D', 'Stage D']])
  })

  test('are added until there are 256', () => {
    let scenario = abc
    for (let i = 0; i < 300; i++) scenario = addStage(scenario, null)
    expect(scenario.stages).toHaveLength(256)
    expect(parse(scenario)).toHaveProperty('scenario')
  })

  test('are removed but for the last', () => {
    const one = removeStage(removeStage(abc, 'A'), 'C')
    expect(lineOrder(one)).toEqual(['B'])
    expect(removeStage(one, 'B')).toBe(one)
  })

  test('move along the line and keep their place in the list, and so their colour', () => {
    const moved = moveStage(abc, 'C', 0)
    expect(lineOrder(moved)).toEqual(['C', 'A', 'B'])
    expect(moved.stages).toBe(abc.stages)
  })

  test('are connected by moving the second right behind the first', () => {
    expect(lineOrder(connect(abc, 'A', 'C'))).toEqual(['A', 'C', 'B'])
    expect(lineOrder(connect(abc, 'C', 'A'))).toEqual(['B', 'C', 'A'])
    expect(lineOrder(connect(abc, 'source', 'C'))).toEqual(['C', 'A', 'B'])
    expect(lineOrder(connect(abc, 'A', 'sink'))).toEqual(['B', 'C', 'A'])
  })

  test('take a name, and their id for a blank one', () => {
    expect(renameStage(abc, 'B', ' Write ').stages[1].name).toBe('Write')
    expect(renameStage(renameStage(abc, 'B', 'Write'), 'B', '  ').stages[1].name).toBe('B')
  })
})

describe('workers', () => {
  test('take their cores along, if they were as many', () => {
    expect(setWorkers(abc, 7)).toMatchObject({ workers: 7, cores: 7 })
    expect(setWorkers(setOptions(abc, { cores: 2 }), 7)).toMatchObject({ workers: 7, cores: 2 })
  })

  test('move the numbers of those who join later', () => {
    const workerEvents = [
      { at: 1, kind: 'join', worker: 4 },
      { at: 2, kind: 'leave', worker: 3 },
      { at: 3, kind: 'crash', worker: 4 },
    ] as const
    const joining = valid({ ...abc, workerEvents })
    expect(setWorkers(joining, 6).workerEvents.map(({ worker }) => worker)).toEqual([6, 3, 6])
    expect(setWorkers(joining, 2).workerEvents.map(({ worker }) => worker)).toEqual([2, 2])
  })

  test('of a fixed allocation come and go evenly', () => {
    const fixed = setPolicy(abc, 'fixed')
    const seats = ({ policy }: Scenario) => (policy.kind === 'fixed' ? policy.allocation : null)
    expect(seats(fixed)).toEqual({ A: 2, B: 1, C: 1 })
    expect(seats(setWorkers(fixed, 6))).toEqual({ A: 2, B: 2, C: 2 })
    expect(seats(setWorkers(fixed, 2))).toEqual({ A: 0, B: 1, C: 1 })
    expect(seats(removeStage(fixed, 'A'))).toEqual({ B: 2, C: 2 })
    expect(seats(addStage(fixed, 'C'))).toEqual({ A: 1, B: 1, C: 1, D: 1 })
  })

  test('asked for beyond all bounds are left for parse to refuse', () => {
    for (const workers of [0, -1, 1e9, Number.NaN, Number.POSITIVE_INFINITY])
      expect(parse(setWorkers(setPolicy(abc, 'fixed'), workers))).toHaveProperty('problems')
  })
})

describe('groups', () => {
  const source = { kind: 'groups', groups: [3, 4], order: 'spread', feeders: 2, window: 9 } as const
  const contended = valid({
    version: 1,
    workers: 2,
    source,
    stages: [
      { id: 'A', resource: 'group', whenTaken: 'skip' },
      { id: 'B', resource: 'group' },
    ],
  })

  test('take the resources that belong to them along when another source comes', () => {
    const other = setSource(contended, { kind: 'batch', jobs: 5 })
    expect(valid(other).stages.map(({ resource, whenTaken }) => [resource, whenTaken])).toEqual([
      [null, 'skip'],
      [null, 'wait'],
    ])
  })

  test('leave them as they are when they are only put in another order', () => {
    expect(setSource(contended, { ...source, order: 'asProduced' }).stages).toEqual(contended.stages)
  })
})

test('feeders spread what came in any other order, keep largest first, and leave a source without groups alone', () => {
  const of = (order: string) => valid({ version: 1, source: { kind: 'groups', groups: [3, 3], order, window: 7 }, stages: [{ id: 'A' }], workers: 1 })
  expect(setFeeders(of('shuffled'), 5).source).toEqual({ kind: 'groups', groups: [3, 3], order: 'spread', feeders: 5, window: 7 })
  expect(setFeeders(of('largestFirst'), 5).source).toMatchObject({ order: 'largestFirst', feeders: 5 })
  expect(setFeeders(abc, 5)).toBe(abc)
})
