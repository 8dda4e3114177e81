import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { traceFileStore } from '../../../../src/app/session/page/showing.ts'
import { timelineStore } from '../../../../src/app/session/page/timelineStore.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { openTrace, traceFileJob } from '../../../../src/app/share/files/openTrace.ts'
import { createRing } from '../../../../src/features/runner/ring.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { messagesOf, titleOf } from '../../pages.ts'

const textOf = (trace: Parameters<typeof writeTraceJson>[0]) => [...writeTraceJson(trace)].join('')
const trace = await playSimulation(scenarioWith(workedExample), 0)
const whole = textOf(trace)
const fileOf = (name: string, text: string, size?: number) => {
  const file = new File([text], name)
  return size === undefined ? file : Object.defineProperty(file, 'size', { value: size })
}

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a trace', () => {
  test('of the last rows of a run opens with the time that it is whole selected', async () => {
    const scenario = scenarioWith({ source: { kind: 'batch', jobs: 40 }, stages: [{ id: 'A' }], workers: 1 })
    const ring = createRing(scenario, 20)
    const { ending } = await playSimulation(scenario, 0, (journal) => ring.take(journal))
    const last = { ...ring.trace(scenario, 0), ending }
    const { begins } = last
    expect(begins?.time).toBeGreaterThan(0)
    const session = createSession()
    await openTrace(session, fileOf('last.json', textOf(last)))
    expect(messagesOf(session)).toBe('')
    expect(timelineStore(session).getState().selection).toEqual([begins?.time, endOf(last)])
  })

  test('that is being read gives way to another, which alone is opened', async () => {
    const session = createSession()
    const release = threads.hold()
    const first = openTrace(
      session,
      fileOf('first.json', textOf({ ...trace, scenario: { ...trace.scenario, title: 'First' } })),
    )
    await expect.poll(() => traceFileJob(session).store.getState().phase).toBe('running')
    release()
    await openTrace(session, fileOf('second.json', whole))
    await first
    expect([titleOf(session), runStore(session).getState().status(), messagesOf(session)]).toEqual([
      'Worked example',
      expect.stringMatching(/Recorded in second\.json\.$/),
      '',
    ])
  })

  test.each([
    ['an error', new Error('no memory for a thread'), 'no memory for a thread'],
    ['no error object', 'too many threads', 'too many threads'],
  ])('that no thread can read is named, with the reason, and is not open: %s', async (_, thrown, why) => {
    vi.stubGlobal('Worker', function none() {
      throw thrown
    })
    const session = createSession()
    const before = titleOf(session)
    await openTrace(session, fileOf('a\u202eb.json', whole))
    expect(messagesOf(session)).toBe(`: a·b.json cannot be read: ${why}`)
    expect([
      titleOf(session),
      traceFileStore(session).getState().file,
      traceFileJob(session).store.getState().phase,
    ]).toEqual([before, null, 'idle'])
  })

  test('of which each problem is shown, says for each where and in which file', async () => {
    const session = createSession()
    const { events: _, ...file } = JSON.parse(whole)
    await openTrace(session, fileOf('bad.json', JSON.stringify({ ...file, engine: 'steam', startedAt: 'noon' })))
    const { problems } = scenarioStore(session).getState()
    expect(problems.length).toBeGreaterThan(0)
    for (const { path, message } of problems)
      expect([path, message]).toEqual([expect.stringMatching(/./), expect.stringMatching(/ \(in bad\.json\)$/)])
  })
})
