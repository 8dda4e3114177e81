import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { themeStore } from '../../../../src/app/base/page/theme.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { endSentence } from '../../../../src/app/session/run/runSentences.ts'
import { createRun, movePlayback, type Run, runStore } from '../../../../src/app/session/run/runStore.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import {
  marksIn,
  runPicture,
  saveDecision,
  saveDecisions,
  saveEvents,
  savePage,
  savePicture,
  saveTrace,
} from '../../../../src/app/share/files/exportRun.ts'
import { decisionAt } from '../../../../src/measures/decisions/decision.ts'
import { testVectorOf, writeDecisionsCsv } from '../../../../src/measures/decisions/decisionExports.ts'
import { estimateHistoryOf } from '../../../../src/measures/decisions/estimateHistory.ts'
import { writeTraceEvents } from '../../../../src/measures/profile/traceEvents.ts'
import { createChart, extendChart } from '../../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { readFragment } from '../../../../src/scenario/link/codec.ts'
import { decisionTime } from '../../../../src/trace/follow.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { endOf, type Trace } from '../../../../src/trace/trace.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'
import { recordSvg } from '../../../../src/views/export/recordSvg.ts'
import { downloadsHere } from '../../../fixtures/downloadsHere.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { messagesOf } from '../../pages.ts'

const docks = {
  title: 'Two docks',
  source: { kind: 'times', at: [2000, 2000, 3000, 4000, 5000, 6000, 7000, 8000] },
  stages: [
    {
      id: 'A',
      name: 'Unload',
      service: { kind: 'constant', mean: 2000 },
      changes: [{ from: 5, service: { kind: 'constant', mean: 6000 } }],
    },
    { id: 'B', name: 'Store', service: { kind: 'constant', mean: 1000 } },
  ],
  workers: 4,
  switchCost: 500,
}
const crash = { at: 4000, kind: 'crash', worker: 1 }
const trace = await playSimulation(scenarioWith({ ...docks, workerEvents: [crash] }), 0)
const END = endOf(trace)

/** A page with a run on its screen that has ended, its playhead at this time. */
function pageAt(time = 0, of: Trace = trace): { readonly session: Session; readonly run: Run } {
  const session = createSession()
  const run = createRun(of)
  open(session, of.scenario)
  runStore(session).setState({ phase: 'ended', run, status: () => 'The run ended.' })
  movePlayback(session, { time, playing: false })
  return { session, run }
}

let downloads: ReturnType<typeof downloadsHere>
beforeEach(() => {
  downloads = downloadsHere()
  themeStore.setState({ palette: defaultPalette('light') })
})
afterEach(() => {
  themeStore.setState({ palette: null })
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const saving = [
  ['trace', saveTrace, 'two-docks.trace.json', 'application/json', () => writeTraceJson(trace)],
  ['Trace Event file', saveEvents, 'two-docks.events.json', 'application/json', () => writeTraceEvents(trace)],
  [
    'table of decisions',
    saveDecisions,
    'two-docks.decisions.csv',
    'text/csv',
    () => writeDecisionsCsv(trace, estimateHistoryOf(trace)),
  ],
] as const

describe.each(saving)('the %s of a run', (_, save, name, type, parts) => {
  test('is saved as one file, with the title of the run, and an ending and a type of its own', async () => {
    const { session, run } = pageAt()
    await save(session, run)
    expect(await downloads.texts()).toEqual([{ name, type, text: [...parts()].join('') }])
  })
})

describe('the decision that is saved', () => {
  const vectorOf = (d: number) => testVectorOf(trace.scenario, decisionAt(trace, estimateHistoryOf(trace), d))
  const last = trace.decisions.length - 1

  test.each([
    [0, 0],
    [1999, 0],
    [2000, 0],
    [2999, 0],
    [3000, 1],
    [decisionTime(trace, last) - 1, last - 1],
    [decisionTime(trace, last), last],
    [END, last],
  ])('with the playhead at %d is the last one up to there, and before all of them the first: %d', async (time, d) => {
    const { session, run } = pageAt(time)
    await saveDecision(session, run)
    const text = `${JSON.stringify(vectorOf(d), null, 2)}\n`
    expect(await downloads.texts()).toEqual([
      { name: `two-docks.decision-${d + 1}.json`, type: 'application/json', text },
    ])
    expect(vectorOf(d).time).toBe(decisionTime(trace, d))
  })
})

test('the page of a run is one file with its title, result, picture and a link to its scenario', async () => {
  const of = { ...trace, scenario: { ...trace.scenario, title: 'Two <docks>' } }
  const { session, run } = pageAt(0, of)
  await savePage(session, run)
  const [{ name, type, text }] = await downloads.texts()
  expect([name, type]).toEqual(['two-docks.html', 'text/html'])
  for (const part of ['<h1>Two &lt;docks&gt;</h1>', `<p>${endSentence(of)}</p>`, runPicture(session, run)])
    expect(text).toContain(part)
  const fragment = /<a href="[^"#]*(#[^"]*)">/.exec(text)?.[1] ?? ''
  expect(readFragment(fragment)).toMatchObject({ scenario: of.scenario })
  expect(text).not.toMatch(/<script|src=/)
})

describe('the picture of a run', () => {
  /** What the picture shows, apart from the parliament. */
  const widthOf = (text: string) => text.length
  const dataOf = (of: Trace) => {
    const { queues, seats, lanes } = extended(of)
    return {
      palette: defaultPalette('light'),
      title: 'Two docks',
      end: END,
      stages: ['Unload', 'Store'],
      workers: 4,
      queues,
      seats,
      lanes,
      widthOf,
    }
  }
  const extended = (of: Trace) => {
    const chart = createChart(of)
    extendChart(chart)
    return chart
  }
  const marks = [
    { time: 4000, kind: 'crash', label: 'Worker 2 crashes', colourIndex: null },
    { time: 6500, kind: 'slower', label: 'Unload 3 times slower', colourIndex: 0 },
  ] as const

  test.each([
    [0, { at: 0, workersAt: 4, seatsAt: [0, 0], staffedAt: [0, 0] }],
    [5000, { at: 5000, workersAt: 3, seatsAt: [2, 1], staffedAt: [2, 1] }],
    [END, { at: END, workersAt: 3, seatsAt: [0, 3], staffedAt: [1, 2] }],
    [END + 9000, { at: END, workersAt: 3, seatsAt: [0, 3], staffedAt: [1, 2] }],
  ])('shows all of it, and the parliament at the playhead, at most at its end: %d', (time, at) => {
    const { session, run } = pageAt(time)
    expect(runPicture(session, run)).toBe(recordSvg({ ...dataOf(trace), ...at, marks }))
    expect(run.chart.queues).toEqual(dataOf(trace).queues)
  })

  test('has a lane for each worker that there ever was, also for those that joined later', async () => {
    const joined = await playSimulation(
      scenarioWith({ ...docks, workerEvents: [{ at: 4000, kind: 'join', worker: 4 }] }),
      0,
    )
    for (const [time, workersAt] of [
      [3000, 4],
      [5000, 5],
    ]) {
      const { session, run } = pageAt(time, joined)
      expect(runPicture(session, run)).toContain(`>${workersAt}</text>`)
      const lanes = runPicture(session, run).split(`fill="${defaultPalette('light').bed}"`).length - 1
      expect(lanes).toBe(5)
    }
  })

  test('marks what happened during the run, at its last instant too, and nothing that was planned for later', async () => {
    const events = (...at: readonly number[]) =>
      scenarioWith({ ...docks, workerEvents: [crash, ...at.map((at, k) => ({ at, kind: 'leave', worker: 2 + k }))] })
    const marksOf = async (...at: readonly number[]) =>
      marksIn(createRun(await playSimulation(events(...at), 0))).map(({ time, label }) => [time, label])
    const always = [
      [4000, 'Worker 2 crashes'],
      [6500, 'Unload 3 times slower'],
    ]
    expect(await marksOf()).toEqual(always)
    expect(await marksOf(END, END + 1)).toEqual([...always, [END, 'Worker 3 leaves']])
  })

  test('is saved as SVG with the playhead where it is, and no canvas is painted', async () => {
    const { session, run } = pageAt(5000)
    await savePicture(session, run, 'SVG')
    expect(await downloads.texts()).toEqual([
      { name: 'two-docks.svg', type: 'image/svg+xml', text: runPicture(session, run) },
    ])
    expect([downloads.drawn, playback(session).time]).toEqual([[], 5000])
  })

  test.each([
    ['cannot be decoded', { decode: new Error('too large') }, 'too large'],
    ['fails without an error object', { decode: 'no memory' }, 'no memory'],
    ['is too large for a canvas', { png: null }, 'no PNG of this size'],
  ])('that %s is not saved: the page says why, and lets go of it', async (_, faults, why) => {
    Object.assign(downloads.faults, faults)
    const { session, run } = pageAt()
    await savePicture(session, run, 'PNG')
    expect([downloads.files, messagesOf(session)]).toEqual([[], `: The picture cannot be drawn: ${why}`])
    expect(downloads.revoked).toEqual(downloads.pictures)
  })
})
