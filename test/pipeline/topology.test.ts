import { describe, expect, test } from 'vitest'
import { topologyOf } from '../../src/pipeline/topology.ts'
import { events, linksOf, scenarioWith } from '../fixtures/scenarios.ts'

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
