import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPanel, openRecord, panelStore } from '../../../../src/app/session/page/showing.ts'
import { shownTimeline, showRange } from '../../../../src/app/session/page/timelineStore.ts'
import { openScenario, showRecord } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { createRun, movePlayback, runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { openView } from '../../../../src/app/share/links/openView.ts'
import { viewNow } from '../../../../src/app/share/links/viewNow.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { type Opening, plainOpening } from '../../../../src/scenario/link/opening.ts'
import type { Timeline } from '../../../../src/views/timeline/timeline.ts'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { jsonLink, scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { canvasOf, ended, messagesOf, openPage } from '../../pages.ts'

const forked = scenarioWith({ ...workedExample, branches: [{ at: 500_000, title: 'With five', workers: 5 }] })
const trace = await playSimulation(scenarioWith(workedExample), 0)

const timeOf = (session: Session) => playback(session).time
const timeline = (session: Session) => Object.assign(shownTimeline(session), { timeline: {} as Timeline })

/** A page with the worked example, which was run to its end. */
async function pageWithRun() {
  const session = pageSession()
  await showRecord(session, trace, 'x')
  return session
}

/** A page that opened the worked example with these words, once its view stands. */
async function opened(words: Partial<Opening>, before: (session: Session) => void = () => {}) {
  const session = pageSession()
  openScenario(session, scenarioWith(workedExample))
  before(session)
  await openView(session, { ...plainOpening, ...words })
  return session
}

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  madeUpStorage()
  threads = threadsHere()
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setImmediate(draw))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the view of a link', () => {
  test('shows each branch that there is, and no other', async () => {
    const session = pageSession()
    openScenario(session, forked)
    await openView(session, { ...plainOpening, branch: 1 })
    expect(canvasOf(session).shown).toBeNull()
    await openView(session, { ...plainOpening, branch: 0 })
    await expect.poll(() => canvasOf(session).shown).toBe(0)
  })

  test.each<[string, Partial<Opening>, string, string]>([
    ['nothing', {}, 'scenario', 'reality'],
    ['a panel', { panel: 'figures' }, 'figures', 'reality'],
    ['a record', { record: 'sweep' }, 'scenario', 'sweep'],
    ['policies to compare', { policies: ['webster'] }, 'scenario', 'compare'],
    ['policies and a record', { policies: ['webster'], record: 'timeline' }, 'scenario', 'timeline'],
  ])('with %s opens that alone, and starts no run', async (_, words, panel, record) => {
    const session = await opened(words, (page) => {
      openPanel(page, 'scenario')
      openRecord(page, 'reality')
    })
    expect(panelStore(session).getState()).toMatchObject({ panel, record })
    expect([threads.startedCount() === 0 || 'policies' in words, runStore(session).getState().run]).toEqual([
      true,
      null,
    ])
  })

  test.each<[string, Partial<Opening>, number]>([
    ['a time', { at: 1_500_000 }, 1_500_000],
    ['a decision', { decision: 1 }, 1_000_000],
    ['a range', { range: [250_000, 2_000_000] }, 250_000],
    ['a time and a decision', { at: 1_500_000, decision: 1 }, 1_500_000],
    ['a time and a range', { at: 1_500_000, range: [250_000, 2_000_000] }, 1_500_000],
    ['a decision and a range', { decision: 1, range: [250_000, 2_000_000] }, 1_000_000],
  ])('with %s runs by itself and stands still there', async (_, words, time) => {
    const session = await opened(words)
    await ended(session)
    expect(playback(session)).toMatchObject({ time, playing: false, following: false })
  })

  test.each<[Partial<Opening>, string]>([
    [{ decision: 1 }, 'decision'],
    [{ decision: 1, panel: 'figures' }, 'figures'],
    [{ at: 5, panel: 'text' }, 'text'],
    [{ at: 5 }, 'figures'],
  ])('of %j has its panel beside the run', async (words, panel) => {
    const session = await opened(words, (page) => openPanel(page, 'figures'))
    expect(panelStore(session).getState().panel).toBe(panel)
  })

  test.each([
    [2, ''],
    [3, 'link: &decision= is beyond the end of the run'],
  ])('finds the last decision, and says so of the one after it: %d', async (decision, words) => {
    expect(trace.decisions.length).toBe(3)
    const session = await opened({ decision })
    expect(messagesOf(session)).toBe(words)
  })

  test.each([
    [[1_000_000, 9_000_000], [1_000_000, 3_000_000], ''],
    [[2_999_999, 3_000_000], [2_999_999, 3_000_000], ''],
    [[3_000_000, 3_000_001], null, 'link: &range= is beyond the end of the run'],
  ] as const)('shows no range beyond the end of the run: %j', async (range, shown, words) => {
    const session = await opened({ range }, timeline)
    expect([shownTimeline(session).range, messagesOf(session)]).toEqual([shown, words])
  })

  test('waits for Run where it may not start by itself, but opens its panel at once', async () => {
    const session = pageSession()
    openScenario(session, scenarioWith(workedExample))
    await openView(session, { ...plainOpening, at: 1_500_000, run: 'simulation', panel: 'text' }, true)
    expect([panelStore(session).getState().panel, runStore(session).getState().run, threads.startedCount()]).toEqual([
      'text',
      null,
      0,
    ])
    runStore(session).setState({ run: createRun(trace), phase: 'ended' })
    await expect.poll(() => timeOf(session)).toBe(1_500_000)
  })

  test('that waits for Run opens its panel once: what the person opens since stays, if the link says no instant', async () => {
    const session = pageSession()
    openScenario(session, scenarioWith(workedExample))
    await openView(session, { ...plainOpening, panel: 'figures' }, true)
    openPanel(session, 'text')
    await start(session)
    await ended(session)
    expect([panelStore(session).getState().panel, playback(session).time]).toEqual(['text', 0])
  })

  test('of a link with code of stages for workers waits for Run', async () => {
    const { session } = openPage(
      jsonLink(
        { ...workedExample, stages: [{ id: 'A', work: { code: 'return input' } }] },
        '&run=threads&panel=figures',
      ),
    )
    await expect.poll(() => panelStore(session).getState().panel).toBe('figures')
    await vi.dynamicImportSettled()
    expect([runStore(session).getState().run, runStore(session).getState().engine, threads.startedCount()]).toEqual([
      null,
      'threads',
      0,
    ])
  })
})

describe('what a link of the present page can carry', () => {
  const keysOf = (session: Session) => viewNow(session).map(({ key }) => key)
  const openingOf = (session: Session): Partial<Opening> =>
    Object.assign({}, ...viewNow(session).map(({ opening }) => opening))

  test('is nothing of a page as it begins', () => {
    expect(viewNow(pageSession())).toEqual([])
  })

  test('is the time once the playhead has moved, in whole microseconds, and its decision', async () => {
    const session = await pageWithRun()
    expect(keysOf(session)).toEqual(['decision'])
    movePlayback(session, { time: 0.4 })
    expect(openingOf(session)).toEqual({ decision: 0 })
    movePlayback(session, { time: 1_500_000.6 })
    expect(openingOf(session)).toEqual({ at: 1_500_001, decision: 1 })
    expect(viewNow(session).map(({ words, meant }) => [words, meant])).toEqual([
      [expect.stringMatching(/^At 1\.5.*$/), false],
      ['With decision 2 open', false],
    ])
  })

  test('is the whole of a range that the timeline shows, while it is drawn', async () => {
    const session = await pageWithRun()
    showRange(session, [10.7, 20.2])
    expect(openingOf(session)).toEqual({ decision: 0 })
    timeline(session)
    expect(openingOf(session)).toEqual({ decision: 0, range: [10, 21] })
    showRange(session, null)
    expect(openingOf(session)).toEqual({ decision: 0 })
  })
})
