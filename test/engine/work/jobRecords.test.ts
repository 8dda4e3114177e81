import { describe, expect, test } from 'vitest'
import type { Payload } from '../../../src/engine/work/kernels.ts'
import { combinedRecord, inParts } from '../../../src/engine/work/payloads.ts'
import { SINK } from '../../../src/pipeline/topology.ts'
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
    const jobRecords = inParts<Payload>(
      scenario('source>A A>B A>C B>D C>D D>sink', { D: { join: 'all' } }),
      (job) => `line ${job}`,
      combinedRecord,
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
})
