import { describe, expect, test } from 'vitest'
import { recordsInParts, wholeRecords } from '../../../src/engine/work/jobRecords.ts'
import { SINK } from '../../../src/pipeline/topology.ts'
import { routingOf } from '../../../src/workload/service.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const links = (text: string) => text.split(' ').map((link) => link.split('>'))
const record = (text: string) => ({ record: text })
const ids = ['A', 'B', 'C', 'D']
const scenario = (text: string, more: Record<string, object> = {}) =>
  scenarioWith({ source: { kind: 'batch', jobs: 50 }, stages: ids.map((id) => ({ id, ...more[id] })), links: links(text), workers: 2 })

describe('what the parts of a job carry', () => {
  test('each changes for itself; together they are an object under the stages they come from, in whatever order they come', () => {
    const jobRecords = recordsInParts(scenario('source>A A>B A>C B>D C>D D>sink', { D: { join: 'all' } }), (job) => `line ${job}`)
    expect(jobRecords.at(7, 0)).toBe('line 7')
    jobRecords.put(7, 0, null)
    jobRecords.put(7, 2, record('c'))
    expect(jobRecords.at(7, 1)).toBe('line 7')
    jobRecords.put(7, 1, record('b'))
    // The same again, as after a retry.
    expect([jobRecords.at(7, 3), jobRecords.at(7, 3)]).toEqual([{ record: { B: 'b', C: 'c' } }, { record: { B: 'b', C: 'c' } }])
    jobRecords.put(7, 3, null)
    expect(jobRecords.at(7, SINK)).toEqual({ record: { B: 'b', C: 'c' } })
    jobRecords.forget(7)
    expect(jobRecords.at(7, SINK)).toBe('line 7')
  })

  test('goes with a job where it is routed, and is compressed side by side at the sink', () => {
    const drawn = scenario('source>A source>B A>C A>D B>sink C>sink D>sink', { A: { fanOut: { route: { C: 1, D: 1 } } } })
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

test('parts that meet are one object of lines and records, and bytes as soon as one of them is compressed', () => {
  const meeting = scenario('source>A source>B source>C A>D B>D C>D D>sink', { D: { join: 'all' } })
  const jobRecords = recordsInParts(meeting, (job) => `line ${job}`)
  jobRecords.put(2, 1, { record: { x: 1 } })
  jobRecords.put(2, 0, null)
  jobRecords.put(2, 2, record('c'))
  expect(jobRecords.at(2, 3)).toEqual({ record: { A: 'line 2', B: { x: 1 }, C: 'c' } })
  jobRecords.put(2, 1, new Uint8Array([7]))
  expect(jobRecords.at(2, 3)).toEqual(new TextEncoder().encode('line 2\n\u0007"c"\n'))
  jobRecords.put(2, 3, record('d'))
  // What met at D has gone on, and waits there no more.
  expect([jobRecords.at(2, 3), jobRecords.at(2, SINK)]).toEqual(['line 2', record('d')])
})

test('a record without parts is what the last stage that changed it made of it, until its job is forgotten', () => {
  const jobRecords = wholeRecords((job) => `line ${job}`)
  jobRecords.put(3, 0, null)
  expect(jobRecords.at(3, 1)).toBe('line 3')
  jobRecords.put(3, 0, record('a'))
  jobRecords.put(3, 1, null)
  expect([jobRecords.at(3, SINK), jobRecords.at(4, SINK)]).toEqual([record('a'), 'line 4'])
  jobRecords.forget(3)
  expect(jobRecords.at(3, SINK)).toBe('line 3')
})
