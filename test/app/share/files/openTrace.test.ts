import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { traceFileStore } from '../../../../src/app/session/page/showing.ts'
import { showRecord } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { takeFile } from '../../../../src/app/share/files/input.ts'
import { cancelOpening, openTrace, readOpenFile, traceFileJob } from '../../../../src/app/share/files/openTrace.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { parse } from '../../../../src/scenario/parse/parse.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { MAX_TRACE_FILE, type Trace } from '../../../../src/trace/trace.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { digestOf } from '../../../trace/digestOf.ts'
import { messagesOf, openPage, titleOf } from '../../pages.ts'

const lively = parse({
  version: 1,
  title: 'Lively',
  source: { kind: 'poisson', rate: 400, jobs: 200 },
  stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'uniform', min: 100, max: 3000 } })),
  workers: 3,
})
if ('problems' in lively) throw new Error('no scenario')
const trace = await playSimulation(lively.scenario, 0)
const text = [...writeTraceJson(trace)].join('')

interface TraceFile {
  version: number
  readonly events: { readonly time: number[] }
  readonly decisions: number[][]
}

/** The file after a change. */
function spoilt(change: (file: TraceFile) => void): string {
  const file = JSON.parse(text)
  change(file)
  return JSON.stringify(file)
}

const fileOf = (name: string, ...parts: string[]) => new File(parts, name)
const statusOf = (session: Session) => runStore(session).getState().status()
const runOf = (session: Session) => runStore(session).getState().run

/** A page with a run on the screen. */
async function pageWithRun(): Promise<{
  readonly session: Session
  readonly shown: Trace | undefined
  readonly sentence: string
}> {
  const { session } = openPage()
  await showRecord(session, trace, 'before.json')
  return { session, shown: runOf(session)?.trace, sentence: statusOf(session) }
}

beforeEach(() => {
  threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a trace that is opened', () => {
  test('shows its run, its scenario and its engine, and tells where it was recorded', async () => {
    const { session } = openPage()
    await takeFile(session, fileOf('lively.trace.json', text))
    expect(titleOf(session)).toBe('Lively')
    expect(statusOf(session)).toMatch(/^Finished: 200 of 200 jobs .* Recorded in lively\.trace\.json\.$/)
    const opened = runOf(session)?.trace ?? expect.fail('no run')
    expect(digestOf(opened)).toBe(digestOf(trace))
    expect(JSON.parse([...writeTraceJson(opened)].join(''))).toEqual(JSON.parse(text))
  })
})

describe('a file that is not a trace', () => {
  const last = trace.length - 1
  const bad: Readonly<Record<string, readonly [text: string, says: RegExp]>> = {
    'a file that was cut': [text.slice(0, text.length >> 1), /events\.\w+\[\d+\].*cut off/],
    'a file of a newer version': [
      spoilt((file) => Object.assign(file, { version: 9 })),
      /version.*newer version.*format 9/,
    ],
    'a run whose time goes back': [
      spoilt(({ events }) => events.time.fill(0, last)),
      new RegExp(`events\\.time\\[${last}\\].*found 0`),
    ],
    'no JSON': ['not JSON at all', /this is not a trace/],
  }

  test.each(Object.entries(bad))(
    'is named with its place, and nothing on the screen is lost: %s',
    async (_, [bytes, says]) => {
      const { session, shown, sentence } = await pageWithRun()
      await openTrace(session, fileOf('bad.json', bytes))
      expect(messagesOf(session)).toMatch(says)
      expect(messagesOf(session)).toContain('(in bad.json)')
      expect(runOf(session)?.trace).toBe(shown)
      expect(statusOf(session)).toBe(sentence)
    },
  )
})

describe('a trace of more than 50 MB', () => {
  const large = fileOf('large.trace.json', text.slice(0, -1), ' '.repeat(50_000_000), '}')

  test('waits until the person confirms its size, and can be cancelled', async () => {
    const { session, shown, sentence } = await pageWithRun()
    await openTrace(session, large)
    expect(traceFileStore(session).getState().file).toBe(large)
    expect(traceFileJob(session).store.getState().phase).toBe('idle')
    cancelOpening(session)
    expect(traceFileStore(session).getState().file).toBeNull()
    expect([runOf(session)?.trace, statusOf(session)]).toEqual([shown, sentence])
  })

  test('is refused above the size limit, with both sizes, and not at it', async () => {
    const { session } = await pageWithRun()
    const sized = (size: number) => Object.defineProperty(fileOf('vast.trace.json', text), 'size', { value: size })
    await openTrace(session, sized(MAX_TRACE_FILE + 1))
    expect([traceFileStore(session).getState().file, messagesOf(session)]).toEqual([
      null,
      expect.stringMatching(/vast\.trace\.json is .*\. Allowed: /),
    ])
    const most = sized(MAX_TRACE_FILE)
    await openTrace(session, most)
    expect(traceFileStore(session).getState().file).toBe(most)
  })

  test('can be cancelled while it is read', async () => {
    const { session, shown, sentence } = await pageWithRun()
    await openTrace(session, large)
    const reading = readOpenFile(session)
    expect(traceFileJob(session).store.getState().phase).toBe('running')
    cancelOpening(session)
    await reading
    expect([traceFileStore(session).getState().file, traceFileJob(session).store.getState().phase]).toEqual([
      null,
      'idle',
    ])
    expect([runOf(session)?.trace, statusOf(session)]).toEqual([shown, sentence])
  })
})
