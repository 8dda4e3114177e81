import { describe, expect, test } from 'vitest'
import { readTraceFile, type TraceFileRead } from '../../../src/runs/files/traceFile.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { append, createTrace, MAX_TRACE_FILE, type Trace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { digestOf } from '../../trace/digestOf.ts'
import { PART, partedFile } from './partedFile.ts'

const service = { kind: 'exponential', mean: 700 }
const small = scenarioWith({
  source: { kind: 'poisson', rate: 1500, jobs: 40 },
  stages: [
    { id: 'A', service },
    { id: 'B', service, fails: { jobs: [3, 11], tries: 2 } },
  ],
  workers: 3,
})

async function readHere(content: string, size?: number) {
  const { file, read } = partedFile(content, size)
  const shares: number[] = []
  return { answer: await readTraceFile(file, (share) => shares.push(share)), read, shares }
}

function traceIn(answer: TraceFileRead): Trace {
  if ('problems' in answer) throw new Error(JSON.stringify(answer.problems))
  const { scenario, engine, startedAt, ending, failures, journals } = answer
  const trace = createTrace(scenario, engine, startedAt)
  for (const journal of journals) append(trace, journal)
  trace.ending = ending
  trace.failures.push(...failures)
  return trace
}

describe('a trace file', () => {
  test('is read completely, as the digest and the text of the trace show', async () => {
    const trace = await playSimulation(small, 1_700_000_000_123)
    expect(trace.failures.length).toBeGreaterThan(0)
    const text = [...writeTraceJson(trace)].join('')
    const { answer, read, shares } = await readHere(text)
    expect([read, shares]).toEqual([[[0, PART]], [0]])
    const found = traceIn(answer)
    expect([digestOf(found), [...writeTraceJson(found)].join('')]).toEqual([digestOf(trace), text])
  })

  test('of several chunks is read as that many journals, the first with all decisions', async () => {
    const long = scenarioWith({ source: { kind: 'batch', jobs: 66_000 }, stages: [{ id: 'A' }], workers: 2 })
    const trace = await playSimulation(long, 0)
    expect(trace.chunks.length).toBe(5)
    const { answer, shares } = await readHere([...writeTraceJson(trace)].join(''))
    if ('problems' in answer) throw new Error(JSON.stringify(answer.problems))
    expect(answer.journals.map(({ rows, decisions }) => [rows.length, decisions.length])).toEqual(
      trace.chunks.map(({ length }, k) => [length, k === 0 ? trace.decisions.length : 0]),
    )
    // Reading takes seven tenths of the time, and checking the rows takes the other three.
    expect(shares.at(-1)).toBeCloseTo(0.7 + (0.3 * 262_143) / trace.length, 9)
    expect(shares.slice(0, -1).every((share) => share < 0.7)).toBe(true)
  })

  test('without a row has one journal without a row', async () => {
    const trace = createTrace(small, 'simulation', 5)
    trace.ending = 'stopped'
    const { answer } = await readHere([...writeTraceJson(trace)].join(''))
    if ('problems' in answer) throw new Error(JSON.stringify(answer.problems))
    expect(answer.journals.map(({ rows, decisions }) => [rows.length, decisions.length])).toEqual([[0, 0]])
  })

  test('is read in parts, which count for seven tenths of the progress', async () => {
    const text = [...writeTraceJson(await playSimulation(small, 0))].join('')
    const padded = `${text}${' '.repeat(2 * PART - text.length)}`
    const { answer, read, shares } = await readHere(padded)
    expect(read).toEqual([
      [0, PART],
      [PART, 2 * PART],
    ])
    expect(shares.slice(0, 2)).toEqual([0, 0.35])
    expect(traceIn(answer).length).toBeGreaterThan(100)
    expect((await readHere(`${padded} `)).read.length).toBe(3)
  })

  test('is not read further after an error, which is reported', async () => {
    const { answer, read } = await readHere(`?${' '.repeat(2 * PART)}`)
    expect(read.length).toBe(1)
    expect(answer).toEqual({ problems: [{ path: '', message: expect.stringMatching(/\w/) }] })
  })

  test('that is too large is refused unread, and one of the largest size is read', async () => {
    const larger = await readHere('', MAX_TRACE_FILE + 1)
    expect([larger.read, larger.shares]).toEqual([[], []])
    expect(larger.answer).toEqual({
      problems: [{ path: '', message: `the file has ${MAX_TRACE_FILE + 1} bytes; allowed: ${MAX_TRACE_FILE}` }],
    })
    const greatest = await readHere(`?${' '.repeat(PART - 1)}`, MAX_TRACE_FILE)
    expect(greatest.read.length).toBe(1)
  })
})
