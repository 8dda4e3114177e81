import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addFollower,
  addLink,
  addStage,
  addStageBeside,
  insertStage,
  moveStage,
  removeLink,
  removeStage,
  renameStage,
  setFanOut,
  setOptions,
  setPolicy,
  setSource,
  setStage,
  setWorkers,
} from '../../../src/scenario/edit/edits.ts'
import { isLinear, linearLinks, linearOrder } from '../../../src/scenario/model/linearStages.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { anyName, anyScenario, anyService, anySource, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { events, linksOf } from '../../fixtures/scenarios.ts'

const abc = valid({ version: 1, stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }], workers: 4 })
const policies: readonly PolicyKind[] = [
  'leastScore',
  'jefferson',
  'hamilton',
  'power',
  'sinkFirst',
  'onePerStage',
  'fixed',
  'single',
  'perJob',
]

type Edit = (scenario: Scenario) => Scenario

/** Any edit. Places are fractions, so that it fits every scenario. */
const anyEdit: fc.Arbitrary<readonly [name: string, edit: Edit]> = fc
  .record({
    kind: fc.constantFrom(
      'add',
      'append',
      'front',
      'remove',
      'rename',
      'move',
      'service',
      'stage',
      'source',
      'workers',
      'policy',
      'seed',
      'options',
      'insert',
      'beside',
      'link',
      'unlink',
      'follow',
      'copy',
      'route',
      'join',
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
      const line = linearOrder(scenario)
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
        case 'service':
          return setStage(scenario, id, { service })
        case 'stage':
          return setStage(scenario, id, {
            capacity: here + 1,
            discipline: scenario.order.kind === 'shard' ? 'fifo' : 'lifo',
            position: { x: there, y: here },
          })
        case 'source':
          return setSource(scenario, source)
        case 'workers':
          return setWorkers(scenario, workers)
        case 'policy':
          return setPolicy(scenario, policy)
        case 'seed':
          return setOptions(scenario, { seed: here })
        case 'insert':
          return insertStage(scenario, scenario.links[here % scenario.links.length])
        case 'beside':
          return addStageBeside(scenario, id)
        case 'follow':
          return addFollower(scenario, id)
        case 'link':
          return addLink(scenario, there % 5 === 0 ? 'source' : id, here % 5 === 0 ? 'sink' : other)
        case 'unlink':
          return removeLink(scenario, scenario.links[here % scenario.links.length])
        case 'copy':
          return setFanOut(scenario, id, 'copy')
        case 'route':
          return setFanOut(scenario, id, { route: { [other]: 3 } })
        case 'join':
          return setStage(scenario, id, { join: there % 2 === 0 ? 'all' : 'merge' })
        case 'options':
          return setOptions(scenario, {
            title: name.trim(),
            switchCost: here,
            order: { kind: 'buffer', slots: there + 1 },
          })
      }
    }
    return [`${kind} ${here} ${there} ${workers} ${policy}`, edit] as const
  })

/** Free drawing may end in an invalid pipeline, which is then refused with a reason. */
const free = /^(remove|link|unlink|beside|follow|copy|route|join) /

/** An edit may be refused because a policy does not suit the new number of workers or stages. */
function unsuited({ policy, later, workers, stages }: Scenario): boolean {
  return [policy, ...later.map((turn) => turn.policy)].some(
    (each) => each?.kind === 'onePerStage' && workers < stages.length,
  )
}

describe('an edit', () => {
  test('of a valid scenario leaves it valid, or with a policy that no longer suits', () => {
    fc.assert(
      fc.property(anyScenario({ graphs: true }), fc.array(anyEdit, { maxLength: 12 }), (scenario, edits) => {
        let edited = scenario
        for (const [name, edit] of edits) {
          const before = edited
          edited = edit(edited)
          const parsed = parse(edited)
          if (
            'problems' in parsed &&
            free.test(name) &&
            parsed.problems.some(({ path }) => /^(links|stages)/.test(path))
          ) {
            expect(name.startsWith('remove') && isLinear(before)).toBe(false)
            edited = before
            continue
          }
          if ('scenario' in parsed) expect(parsed.scenario).toEqual(edited)
          else {
            expect(unsuited(edited), parsed.problems.map(({ path, message }) => `${path} ${message}`).join()).toBe(true)
            edited = { ...setPolicy(edited, 'leastScore'), later: [] }
            expect(parse(edited)).toHaveProperty('scenario')
          }
        }
      }),
      { numRuns: repeats(150) },
    )
  })
})

describe('stages', () => {
  test('are added after a stage, at the end or at the front, under a new id', () => {
    expect(linearOrder(addStage(abc, 'A'))).toEqual(['A', 'D', 'B', 'C'])
    expect(linearOrder(addStage(abc, null))).toEqual(['A', 'B', 'C', 'D'])
    expect(linearOrder(addStage(abc, 'source'))).toEqual(['D', 'A', 'B', 'C'])
    expect(addStage(abc, 'A').stages.map(({ id, name }) => [id, name])).toEqual([
      ...['A', 'B', 'C'].map((id) => [id, id]),
      ['D', 'Stage D'],
    ])
  })

  test('are removed, except for the last one', () => {
    const one = removeStage(removeStage(abc, 'A'), 'C')
    expect(linearOrder(one)).toEqual(['B'])
    expect(removeStage(one, 'B')).toBe(one)
  })

  test('move along the line and keep their place in the list, and so their colour', () => {
    const moved = moveStage(abc, 'C', 0)
    expect(linearOrder(moved)).toEqual(['C', 'A', 'B'])
    expect(moved.stages).toBe(abc.stages)
  })

  test('take a name, or their id for a blank one', () => {
    expect(renameStage(abc, 'B', ' Write ').stages[1].name).toBe('Write')
    expect(renameStage(renameStage(abc, 'B', 'Write'), 'B', '  ').stages[1].name).toBe('B')
  })
})

describe('a graph', () => {
  const ways = ({ links }: Scenario) => links.map((link) => link.join('>')).join(' ')
  const join = (scenario: Scenario, id: string) => scenario.stages.find((stage) => stage.id === id)?.join
  const line = valid({
    version: 1,
    stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }],
    workers: 4,
    links: linearLinks(['A', 'B', 'C']),
  })
  /** A copies to B and to D, whose parts meet at C. */
  const fork = addStageBeside(line, 'B')

  test('begins with a stage next to another, whose successor waits for both', () => {
    expect(ways(fork)).toBe('source>A A>B A>D B>C D>C C>sink')
    expect(valid(fork)).toEqual(fork)
    expect(join(fork, 'C')).toBe('all')
    expect(valid(addStageBeside(line, 'A')).links.slice(0, 2)).toEqual(linksOf('source>A source>D'))
  })

  test('that routes instead of copying merges where it joined before, and back', () => {
    const routing = setFanOut(fork, 'A', { route: { D: 3 } })
    expect(valid(routing)).toEqual(routing)
    expect(routing.stages[0].fanOut).toEqual({ route: { B: 3, D: 3 } })
    expect(join(routing, 'C')).toBe('merge')
    expect(setFanOut(routing, 'A', 'copy')).toEqual(fork)
    expect(parse(setStage(routing, 'C', { join: 'all' }))).toMatchObject({ problems: [{ path: 'stages[2].join' }] })
  })

  test('takes a new stage on a link, which inherits the weight of the link', () => {
    const routing = setFanOut(fork, 'A', { route: { B: 5, D: 1 } })
    const longer = insertStage(routing, ['A', 'B'])
    expect(valid(longer)).toEqual(longer)
    expect(ways(longer)).toBe('source>A A>D A>E D>C E>B B>C C>sink')
    expect(longer.stages[0].fanOut).toEqual({ route: { D: 1, E: 5 } })
    expect(removeStage(longer, 'E')).toEqual(routing)
  })

  test('is closed where a stage is removed', () => {
    expect(ways(removeStage(fork, 'D'))).toBe(ways(line))
    // A stage that led only to it inherits its branches; the other neighbours are linked.
    expect(ways(valid(removeStage(fork, 'A')))).toBe('source>B source>D B>C D>C C>sink')
    expect(ways(valid(removeStage(fork, 'C')))).toBe('source>A A>B A>D B>sink D>sink')
  })

  test('makes a successor parallel to the last stage after it, or puts it behind a stage that leads only to the sink', () => {
    expect(ways(addFollower(line, 'A'))).toBe(ways(fork))
    expect(ways(addFollower(line, 'C'))).toBe('source>A A>B B>C C>D D>sink')
    const third = addFollower(fork, 'A')
    expect(valid(third)).toEqual(third)
    expect(ways(third)).toBe('source>A A>B A>D A>E B>C D>C E>C C>sink')
    // Only the chosen feeder leads to the new stage.
    expect(ways(addFollower(fork, 'B'))).toBe('source>A A>B A>D B>C B>E D>C C>sink E>sink')
  })
})

describe('workers', () => {
  test('change the cores too, if they were equal', () => {
    expect(setWorkers(abc, 7)).toMatchObject({ workers: 7, cores: 7 })
    expect(setWorkers(setOptions(abc, { cores: 2 }), 7)).toMatchObject({ workers: 7, cores: 2 })
  })

  test('change the numbers of workers that join later', () => {
    const workerEvents = events([1, 'join', 4], [2, 'leave', 3], [3, 'crash', 4])
    const joining = valid({ ...abc, workerEvents })
    expect(setWorkers(joining, 6).workerEvents.map(({ worker }) => worker)).toEqual([6, 3, 6])
    expect(setWorkers(joining, 2).workerEvents.map(({ worker }) => worker)).toEqual([2, 2])
  })

  test('of a fixed allocation are added and removed evenly', () => {
    const fixed = setPolicy(abc, 'fixed')
    const seats = ({ policy }: Scenario) => (policy.kind === 'fixed' ? policy.allocation : null)
    expect(seats(fixed)).toEqual({ A: 2, B: 1, C: 1 })
    expect(seats(setWorkers(fixed, 6))).toEqual({ A: 2, B: 2, C: 2 })
    expect(seats(setWorkers(fixed, 2))).toEqual({ A: 0, B: 1, C: 1 })
    expect(seats(removeStage(fixed, 'A'))).toEqual({ B: 2, C: 2 })
    expect(seats(addStage(fixed, 'C'))).toEqual({ A: 1, B: 1, C: 1, D: 1 })
  })
})

describe('phases', () => {
  test('keep their other settings when their policy cannot follow the new one, and disappear when nothing remains', () => {
    const phased = valid({
      ...abc,
      later: [
        { at: 5, policy: { kind: 'dean' }, cores: 2 },
        { at: 6, policy: { kind: 'adams' } },
        { at: 7, cores: 3 },
      ],
    })
    expect(valid(setPolicy(phased, 'pid')).later).toEqual([
      { at: 5, cores: 2 },
      { at: 7, cores: 3 },
    ])
    expect(valid(setPolicy(phased, 'webster')).later).toEqual(phased.later)
  })

  test('with seats by hand lose them when stages or workers change', () => {
    const seated = valid({ ...abc, policy: { kind: 'byHand', allocations: [[1, 1, 2]] } })
    for (const edited of [addStage(seated, 'A'), removeStage(seated, 'A'), setWorkers(seated, 2)])
      expect(valid(edited).policy).toMatchObject({ allocations: [] })
    expect(renameStage(seated, 'A', 'x').policy).toBe(seated.policy)
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

  test('take their resources along when another source replaces the old one', () => {
    const other = setSource(contended, { kind: 'batch', jobs: 5 })
    expect(valid(other).stages.map(({ resource, whenTaken }) => [resource, whenTaken])).toEqual([
      [null, 'skip'],
      [null, 'wait'],
    ])
  })
})
