import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Feature } from '../../../../src/app/session/features/feature.ts'
import { installFeatures } from '../../../../src/app/session/features/features.tsx'
import { traceFileStore } from '../../../../src/app/session/page/showing.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { takeFile } from '../../../../src/app/share/files/input.ts'
import { openTrace } from '../../../../src/app/share/files/openTrace.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { messagesOf, titleOf } from '../../pages.ts'

const fileOf = (name: string, text: string, type = '') => new File([text], name, { type })
const textOf = async (scenario: object) => [...writeTraceJson(await playSimulation(scenarioWith(scenario), 0))].join('')
const traceText = await textOf(workedExample)
const statusOf = (session: Session) => runStore(session).getState().status()

type Taker = NonNullable<Feature['files']>

/** A page with features that take files: each of them by name, with what it was given. */
function pageWith(takers: Readonly<Record<string, Partial<Taker>>>) {
  const session = createSession()
  const taken: (readonly [by: string, file: File, asLines?: () => void])[] = []
  const features = Object.entries(takers).map(([key, taker]): Feature => {
    const open: Taker['open'] = async (_, file, asLines) =>
      void taken.push(asLines === undefined ? [key, file] : [key, file, asLines])
    return { key, files: { takesAll: () => false, recognises: async () => false, open, ...taker } }
  })
  installFeatures(session, features)
  return { session, taken }
}
const yes = async () => true

beforeEach(() => {
  threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a feature that takes every file', () => {
  test.each([
    ['a picture', fileOf('a.png', '\0', 'image/png')],
    ['a trace', fileOf('a.json', traceText)],
    ['a scenario', fileOf('a.json', JSON.stringify(workedExample))],
    ['nothing', fileOf('a.txt', '')],
  ])('gets %s before all others, and the page does nothing with it', async (_, file) => {
    const { session, taken } = pageWith({
      runs: { holdsRuns: true, recognises: yes },
      lines: { recognises: yes },
      all: { takesAll: () => true },
    })
    const before = titleOf(session)
    await takeFile(session, file)
    expect([taken, titleOf(session), messagesOf(session)]).toEqual([[['all', file]], before, ''])
  })
})

describe('a feature whose files are runs', () => {
  const runs = { runs: { holdsRuns: true, recognises: yes }, lines: { recognises: yes } }

  test('gets packed files, which are no text', async () => {
    const { session, taken } = pageWith(runs)
    const packed = fileOf('spans.json.gz', '\u001f\u008b\0', 'application/gzip')
    await takeFile(session, packed)
    expect([taken, messagesOf(session)]).toEqual([[['runs', packed]], ''])
  })

  test('gets a scenario that it recognises as a run, and a file that is chosen as a trace', async () => {
    const { session, taken } = pageWith(runs)
    const file = fileOf('a.json', JSON.stringify(workedExample))
    await takeFile(session, file)
    await openTrace(session, file)
    expect(taken).toEqual([
      ['runs', file],
      ['runs', file],
    ])
    expect([traceFileStore(session).getState().file, messagesOf(session)]).toEqual([null, ''])
  })

  test.each([takeFile, openTrace])('gets no trace, even if it would recognise it: case %#', async (take) => {
    const { session, taken } = pageWith(runs)
    await take(session, fileOf('run.json', traceText))
    expect([taken, titleOf(session), messagesOf(session)]).toEqual([[], 'Worked example', ''])
  })
})

describe('a feature that takes other files', () => {
  test('gets neither a trace nor a scenario nor what cannot be read', async () => {
    const { session, taken } = pageWith({ lines: { recognises: yes } })
    await takeFile(session, fileOf('run.trace.json', traceText))
    expect([titleOf(session), messagesOf(session)]).toEqual(['Worked example', ''])
    await takeFile(session, fileOf('a.json', JSON.stringify({ ...workedExample, title: 'Stored' })))
    expect([titleOf(session), messagesOf(session)]).toEqual(['Stored', ''])
    await takeFile(session, fileOf('bad.json', '{"stages": 5}'))
    expect(messagesOf(session)).toContain('stages: ')
    await takeFile(session, fileOf('a.png', '\0', 'image/png'))
    expect([messagesOf(session), taken]).toEqual([expect.stringContaining('a.png is a file of the kind image'), []])
  })

  test('is the first that recognises the file, and may make its lines the jobs after all', async () => {
    const { session, taken } = pageWith({ none: {}, first: { recognises: yes }, second: { recognises: yes } })
    const file = fileOf('a\u202eb.txt', 'x\ny\n')
    await takeFile(session, file)
    expect(taken).toEqual([['first', file, expect.any(Function)]])
    expect(statusOf(session)).toBe('Ready. Press Run.')
    taken[0][2]?.()
    await expect.poll(() => statusOf(session)).toBe('a·b.txt: 2 lines. Press Run.')
  })
})
