import { describe, expect, test } from 'vitest'
import { FORK, SINK, topologyOf } from '../../src/pipeline/topology.ts'
import { createChance } from '../fixtures/chance.ts'
import { graphOver } from '../fixtures/graphs.ts'
import { events, linksOf, scenarioWith } from '../fixtures/scenarios.ts'
import { Books } from '../seeds/books.ts'

/** Typed arrays as lists. */
const lists = (columns: readonly ArrayLike<number>[]) => columns.map((column) => Array.from(column))

const graph = (order: object = {}) =>
  scenarioWith({
    workers: 3,
    workerEvents: events([5, 'join', 3], [9, 'join', 4], [12, 'leave', 1]),
    source: { kind: 'groups', groups: [3, 4] },
    stages: [
      { id: 'A' },
      { id: 'B', capacity: 3 },
      { id: 'C', resource: 'group' },
      { id: 'D', join: 'all', fanOut: { route: { E: 1, F: 3 } } },
      { id: 'E', capacity: 5 },
      { id: 'F' },
      { id: 'G', capacity: 2 },
    ],
    links: linksOf('source>A A>B A>C B>D C>D D>E D>F E>G F>G G>sink'),
    ...order,
  })

describe('the topology of a graph that copies, meets, routes and merges', () => {
  test('has a ring of the given slots before an ordered sink, which includes stages before bounded queues', () => {
    const none = topologyOf(graph())
    expect([none.slots, ...none.gated]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    const buffer = topologyOf(graph({ order: { kind: 'buffer', slots: 17 } }))
    // G feeds the sink, E and F feed the bounded queue of G, and D that of E.
    expect([buffer.slots, ...buffer.gated]).toEqual([17, 0, 0, 0, 1, 1, 1, 1])
    const shards = topologyOf(graph({ order: { kind: 'shard' } }))
    expect([shards.slots, ...shards.gated]).toEqual([5, 0, 0, 0, 0, 0, 0, 0])
  })

  test('is computed once for a scenario, and again for another', () => {
    const [scenario, same] = [graph(), graph()]
    expect(topologyOf(scenario)).toBe(topologyOf(scenario))
    expect(topologyOf(same)).not.toBe(topologyOf(scenario))
  })
})

test('a line has one link from each stage, and a source or a sink with several links has parts', () => {
  const line = topologyOf(scenarioWith({ workers: 1, stages: [{ id: 'A' }, { id: 'B' }] }))
  expect([line.linear, line.copies, line.bounded, line.leavesInParts, ...line.next]).toEqual([
    true,
    false,
    false,
    false,
    1,
    SINK,
  ])
  const fork = topologyOf(
    scenarioWith({
      workers: 1,
      stages: [{ id: 'A' }, { id: 'B' }],
      links: linksOf('source>A source>B A>sink B>sink'),
    }),
  )
  expect([fork.linear, fork.copies, fork.leavesInParts, [...fork.firsts], [...fork.next]]).toEqual([
    false,
    true,
    true,
    [0, 1],
    [FORK, FORK],
  ])
})

test('the topology of any graph is the one of its links, read one by one', () => {
  for (let seed = 0; seed < 150; seed++) {
    const chance = createChance(seed)
    const stages = Array.from({ length: chance.between(1, 7) }, (_, s) => ({
      id: `s${s}`,
      ...(chance.percent(40) ? { capacity: chance.between(1, 9) } : {}),
    }))
    const order = chance.percent(50) ? { kind: 'buffer', slots: chance.between(1, 9) } : { kind: 'none' }
    const scenario = scenarioWith({ workers: 2, order, ...graphOver(stages, chance) })
    const books = new Books(
      scenario,
      () => 1,
      () => 0,
      () => 0,
    )
    const topology = topologyOf(scenario)
    const bits = (flags: readonly boolean[]) => flags.map(Number)
    expect([...topology.order], `seed ${seed}`).toEqual(books.line)
    expect([...topology.nearest], `seed ${seed}`).toEqual(books.nearest())
    expect(lists(topology.ways).map((ways) => ways.sort())).toEqual(books.next.map((next) => [...next].sort()))
    expect(lists(topology.before).map((before) => before.sort())).toEqual(
      books.feeders.map((feeders) => [...feeders].sort()),
    )
    expect([...topology.firsts].sort()).toEqual(books.firsts)
    expect([...topology.gated], `seed ${seed}`).toEqual(bits(books.gated))
    expect([...topology.routes]).toEqual(bits(books.routes))
    expect([...topology.joins]).toEqual(books.joins.map((joins, s) => (joins ? books.feeders[s].length : 0)))
    expect(topology.leavesInParts).toBe(books.leavesInParts)
    expect(topology.copies).toBe(
      books.firsts.length > 1 || books.next.some((next, s) => next.length > 1 && !books.routes[s]),
    )
    expect([...topology.narrow]).toEqual(
      books.next.map((next) => Number(next.some((s) => books.capacity[s] < Infinity))),
    )
    const queuesAfter = books.next.map((next, s) => next.filter((to) => !books.routes[s] && !books.joins[to]))
    expect(lists(topology.queuesAfter).map((after) => after.sort())).toEqual(queuesAfter.map((after) => after.sort()))
    scenario.stages.forEach(({ fanOut }, s) => {
      const weights = Array.from(topology.ways[s], (to) =>
        fanOut === 'copy' || !books.routes[s] ? 1 : fanOut.route[`s${to}`],
      )
      const total = books.routes[s] ? weights.reduce((sum, weight) => sum + weight, 0) : 1
      expect([...topology.shares[s]]).toEqual(weights.map((weight) => weight / total))
    })
  }
})
