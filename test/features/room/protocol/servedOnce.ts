import { expect } from 'vitest'
import { replay } from '../../../../src/features/replay/study/replay.ts'
import { readTraceJson } from '../../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { type RunRecording, rowsOf } from '../../../engine/threads/runRecording.ts'

/** Expects that a run has served every job once at every stage and failed none, and that its record can be read and replayed. */
export function expectServedOnce({ trace, endings, failures }: RunRecording, jobs: number): void {
  expect(endings).toEqual(['drained'])
  expect(failures.filter(({ kind }) => kind !== 'worker')).toEqual([])
  const services = rowsOf(trace, 'finished').map(({ stage, job }) => `${stage} ${job}`)
  expect(services).toHaveLength(jobs * trace.scenario.stages.length)
  expect(new Set(services).size).toBe(services.length)
  expect(rowsOf(trace, 'released')).toHaveLength(jobs)
  trace.ending = 'drained'
  trace.failures.push(...failures)
  expect(replay(trace).difference).toBeNull()
  const read = readTraceJson([...writeTraceJson(trace)].join(''))
  expect('problems' in read ? read.problems : []).toEqual([])
}
