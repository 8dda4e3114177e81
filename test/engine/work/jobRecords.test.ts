import { describe, expect, test } from 'vitest'
import { carriedInParts } from '../../../src/engine/work/jobRecords.ts'
import { SINK } from '../../../src/pipeline/topology.ts'
import { routingOf } from '../../../src/workload/routes.ts'
import { scenarioOf } from '../threads/heard.ts'

const links = (text: string) => text.split(' ').map((link) => link.split('>'))
const record = (text: string) => ({ record: text })
const ids = ['A', 'B', 'C', 'D']
const scenario = (text: string, more: Record<string, object> = {}) =>
  scenarioOf({ source: { kind: 'batch', jobs: 50 }, stages: ids.map((id) => ({ id, ...more[id] })), links: links(text), workers: 2 })

describe('what the parts of a job carry', () => {
  test('each changes for itself; together they are an object under the stages they come from, in whatever order they come', () => {
    const carried = carriedInParts(scenario('source>A A>B A>C B>D C>D D>sink', { D: { join: 'all' } }), (job) => `line ${job}`)
    expect(carried.at(7, 0)).toBe('line 7')
    carried.put(7, 0, null)
    carried.put(7, 2, record('c'))
    expect(carried.at(7, 1)).toBe('line 7')
    carried.put(7, 1, record('b'))
    // The same again, as after a retry.
    expect([carried.at(7, 3), carried.at(7, 3)]).toEqual([{ record: { B: 'b', C: 'c' } }, { record: { B: 'b', C: 'c' } }])
    carried.put(7, 3, null)
    expect(carried.at(7, SINK)).toEqual({ record: { B: 'b', C: 'c' } })
    carried.forget(7)
    expect(carried.at(7, SINK)).toBe('line 7')
  })

  test('goes with a job where it is routed, and is compressed side by side at the sink', () => {
    const drawn = scenario('source>A source>B A>C A>D B>sink C>sink D>sink', { A: { fanOut: { route: { C: 1, D: 1 } } } })
    const carried = carriedInParts(drawn, (job) => `line ${job}`)
    for (let job = 0; job < 20; job++) {
      const way = routingOf(drawn)(0, job)
      carried.put(job, 0, record('a'))
      expect(carried.at(job, way)).toEqual(record('a'))
      carried.put(job, way, new Uint8Array([way]))
      carried.put(job, 1, new Uint8Array([9]))
      // In the order of the stages: B is the second.
      expect(carried.at(job, SINK)).toEqual(new Uint8Array([9, way]))
    }
  })
})
