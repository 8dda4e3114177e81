import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askForExplanation } from '../../../src/features/code/page/CodeExplanationNote.tsx'
import { askAboutDecision, explainDecision } from '../../../src/features/code/sandbox/askCode.ts'
import { bestPossible } from '../../../src/features/compare/study/bestPossible.ts'
import { feederTasks, playFeeders } from '../../../src/features/groups/study/feederSweep.ts'
import { playGlimpse } from '../../../src/features/lessons/studies.ts'
import { fitAnswer } from '../../../src/features/logs/fit/fitLog.ts'
import { playWhatIf } from '../../../src/features/logs/fit/whatIf.ts'
import { playSwing, playTrajectory } from '../../../src/features/pools/study/gainSearch.ts'
import { playMetrics, playSimulation } from '../../../src/runs/play/play.ts'
import type { JobInput, JobKind } from '../../../src/runs/remote/jobs.ts'
import { runJob } from '../../../src/runs/remote/jobThreads.ts'
import { playCompared } from '../../../src/runs/study/compare.ts'
import { leastTotalTimeCode } from '../../../src/scenario/model/policies.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { beginning, journalBetween } from '../../../src/trace/journalBetween.ts'
import { shortLog } from '../../features/logs/fit/logs.ts'
import { playCode } from '../../fixtures/playCode.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { threadsHere } from '../../fixtures/threadsHere.ts'
import { workedExample } from '../../measures/scenarios.ts'

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const lively = scenarioWith({
  source: { kind: 'poisson', rate: 700, jobs: 90 },
  stages: [{ id: 'A', service: { kind: 'exponential', mean: 2100 } }, { id: 'B' }],
  workers: 3,
})
const talking = `${leastTotalTimeCode}export function describe(view, seats) {\n  return 'seats ' + seats.join()\n}\n`
const coded = scenarioWith({
  source: { kind: 'batch', jobs: 5 },
  stages: [{ id: 'A' }, { id: 'B' }],
  workers: 2,
  policy: { kind: 'code', source: talking },
})
const grouped = scenarioWith({
  source: { kind: 'groups', groups: [5, 5, 5, 5], order: 'spread', feeders: 2 },
  stages: [{ id: 'A', resource: 'group' }],
  workers: 3,
})
const lines = scenarioWith({ source: { kind: 'lines', jobs: 2 }, stages: [{ id: 'A', work: 'sha256' }], workers: 1 })

describe('a job on a thread', () => {
  /** Its answers there and here. */
  const tables: Readonly<Partial<Record<JobKind, () => readonly [input: unknown, here: unknown]>>> = {
    metrics: () => [lively, playMetrics(lively)],
    swing: () => [{ scenario: lively, from: 1000, to: 9000 }, playSwing(lively, 1000, 9000)],
    trajectory: () => [{ scenario: lively, samples: 7 }, playTrajectory(lively, 7)],
    glimpse: () => [{ scenario: lively, samples: 7 }, playGlimpse(lively, 7)],
    compare: () => [{ scenario: lively, record: true }, playCompared(lively, true)],
    best: () => [workedExample, bestPossible(workedExample)],
    feeders: () => [
      { scenario: grouped, task: feederTasks(grouped)[0] },
      playFeeders(grouped, feederTasks(grouped)[0]),
    ],
    whatIf: () => {
      const question = { scenario: lively, changes: [], arrivals: null, days: 2, from: 1000, until: 9000 }
      return [question, playWhatIf(question)]
    },
    fitLog: () => [
      { log: shortLog(6, 0.5, 12, true), order: ['stage 1', 'stage 2'] },
      fitAnswer(shortLog(6, 0.5, 12, true), { order: ['stage 1', 'stage 2'] }),
    ],
    codeProblem: () => [talking, null],
    codeAnswer: () => [{ scenario: coded, decision: null }, askAboutDecision(coded, null)],
  }

  test.each(Object.keys(tables) as JobKind[])('has the result that it has here: %s', async (kind) => {
    const [input, here] = tables[kind]?.() ?? expect.fail()
    const there = await runJob(kind, input as JobInput<typeof kind>)
    expect(JSON.stringify(there)).toBe(JSON.stringify(await here))
    expect(threads.open.size).toBe(0)
  })

  test('reads a trace, counts lines and makes the output of a run, and reports its progress', async () => {
    const text = [...writeTraceJson(await playSimulation(lively, 5))].join('')
    const shares: number[] = []
    const read = await runJob('readTrace', new Blob([text]), { progress: (share) => shares.push(share) })
    expect(read).toMatchObject({ engine: 'simulation', ending: 'drained', journals: expect.anything() })
    expect(shares).toEqual([0])
    const file = new Blob(['one\ntwo\n'])
    expect(await runJob('countLines', { file, most: 4 })).toMatchObject({ jobs: 2 })
    const output = await runJob('runInSequence', { scenario: lines, file })
    expect(JSON.stringify(output)).toMatch(/[0-9a-f]{64}/)
  })

  test('returns what code answers for a decision of a run; its thread gets only the record up to there', async () => {
    const trace = await playCode(coded)
    const last = trace.decisions.length - 1
    expect(last).toBeGreaterThan(2)
    for (const d of [0, last]) {
      const journal = journalBetween(trace, beginning, { rows: trace.decisions.row[d], decisions: d + 1 })
      const here = await explainDecision(coded, journal, d)
      expect(await askForExplanation(trace, d, new AbortController().signal)).toEqual(here)
      expect(here).toEqual({ text: expect.stringMatching(/^seats [0-2],[0-2]$/) })
    }
    const page = new AbortController()
    page.abort()
    await expect(askForExplanation(trace, 0, page.signal)).rejects.toThrow()
  })

  test('transfers the buffers of its result and copies none', async () => {
    const taken: ArrayBuffer[] = []
    const post = MessagePort.prototype.postMessage
    vi.spyOn(MessagePort.prototype, 'postMessage').mockImplementation(function (
      this: MessagePort,
      message: unknown,
      along?: unknown,
    ) {
      if (Array.isArray(along)) taken.push(...along.filter((each) => each instanceof ArrayBuffer))
      post.call(this, message, along as StructuredSerializeOptions)
    })
    await runJob('metrics', lively)
    expect(taken).toEqual([])
    const { journals } = await runJob('compare', { scenario: lively, record: true })
    const columns = (journals ?? []).flatMap(({ rows, decisions }) =>
      [rows, decisions].flatMap((part) => Object.values(part).filter(ArrayBuffer.isView)),
    )
    expect(columns.length).toBeGreaterThan(8)
    expect(taken.length).toBe(new Set(columns.map(({ buffer }) => buffer)).size)
    expect(taken.every(({ byteLength }) => byteLength === 0)).toBe(true)
  })
})
