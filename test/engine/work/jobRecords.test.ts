import { describe, expect, test } from 'vitest'
import { recordsInParts } from '../../../src/engine/work/payloads.ts'
import { SINK } from '../../../src/pipeline/topology.ts'
import { routingOf } from '../../../src/workload/service.ts'
import { linksOf, scenarioWith } from '../../fixtures/scenarios.ts'

const record = (text: string) => ({ record: text })
const ids = ['A', 'B', 'C', 'D']
const scenario = (text: string, more: Record<string, object> = {}) =>
  scenarioWith({
    source: { kind: 'batch', jobs: 50 },
    stages: ids.map((id) => ({ id, ...more[id] })),
    links: linksOf(text),
    workers: 2,
  })

describe('the records of the parts of a job', () => {
  test('change independently; merged, they form an object with one key per stage, in any order of arrival', () => {
    const jobRecords = recordsInParts(
      scenario('source>A A>B A>C B>D C>D D>sink', { D: { join: 'all' } }),
      (job) => `line ${job}`,
    )
    expect(jobRecords.at(7, 0)).toBe('line 7')
    jobRecords.put(7, 0, null)
    jobRecords.put(7, 2, record('c'))
    expect(jobRecords.at(7, 1)).toBe('line 7')
    jobRecords.put(7, 1, record('b'))
    // Repeated, as after a retry.
    expect([jobRecords.at(7, 3), jobRecords.at(7, 3)]).toEqual([
      { record: { B: 'b', C: 'c' } },
      { record: { B: 'b', C: 'c' } },
    ])
    jobRecords.put(7, 3, null)
    expect(jobRecords.at(7, SINK)).toEqual({ record: { B: 'b', C: 'c' } })
    jobRecords.forget(7)
    expect(jobRecords.at(7, SINK)).toBe('line 7')
  })

  test('follows a routed job, and is compressed part by part at the sink', () => {
    const drawn = scenario('source>A source>B A>C A>D B>sink C>sink D>sink', {
      A: { fanOut: { route: { C: 1, D: 1 } } },
    })
    const jobRecords = recordsInParts(drawn, (job) => `line ${job}`)
    for (let job = 0; job < 20; job++) {
      const way = routingOf(drawn)(0, job)
      jobRecords.put(job, 0, record('a'))
      expect(jobRecords.at(job, way)).toEqual(record('a'))
      jobRecords.put(job, way, new Uint8Array([way]))
      jobRecords.put(job, 1, new Uint8Array([9]))
      // In the order of the stages: B is the second.
      expect(jobRecords.at(job, SINK)).toEqual(new Uint8Array([9, way]))
    }
  })
})
