import { replay } from '../../src/features/replay/study/replay.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { createTraceReader } from '../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { type BenchRow, least, timeOf } from './tools.ts'

/** Bytes per read, as on the thread of the page. */
const PART = 1 << 22

/**
 * Opening a downloaded trace of about 100 MB, from its bytes to columns with every row checked, compared with `JSON.parse` of the same bytes, which makes a tree
 * of objects without checks. Both alternate; the best of several runs counts. Also the time to replay the same run through the scheduler.
 */
export default async function traceFile(tools?: { readonly quick: boolean }): Promise<BenchRow[]> {
  const trace = await played(tools?.quick ? 3000 : 330_000)
  const bytes = new TextEncoder().encode([...writeTraceJson(trace)].join(''))
  const { parsed, opened, again } = await least(tools?.quick ? 1 : 5, {
    parsed: () => timeOf(() => JSON.parse(new TextDecoder().decode(bytes))),
    opened: () => timeOf(() => open(bytes)),
    again: () => timeOf(() => replay(trace)),
  })
  const megabytes = bytes.length / 1e6
  return [
    {
      name: 'opening a trace file',
      figures: {
        megabytes: Math.round(megabytes),
        rows: trace.length,
        decisions: trace.decisions.length,
        'JSON.parse ms': Math.round(parsed),
        'opened ms': Math.round(opened),
        'MB a second': Math.round((1000 * megabytes) / opened),
        'speed over JSON.parse': Math.round((100 * parsed) / opened) / 100,
        'replay ms': Math.round(again),
      },
    },
  ]
}

function open(bytes: Uint8Array): Trace {
  const reader = createTraceReader()
  for (let from = 0; from < bytes.length; from += PART) reader.push(bytes.subarray(from, from + PART))
  const result = reader.end()
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.trace
}

async function played(jobs: number): Promise<Trace> {
  const stages = [1000, 4000, 2000].map((mean, s) => ({ id: 'ABC'[s], service: { kind: 'exponential', mean } }))
  const parsed = scenarioWith({
    seed: 7,
    source: { kind: 'poisson', rate: 900, jobs },
    stages,
    workers: 8,
    policy: { kind: 'leastScore' },
  })
  return playSimulation(parsed, 0)
}
