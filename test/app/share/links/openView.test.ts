import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPanel, openRecord, panelStore } from '../../../../src/app/session/page/showing.ts'
import { shownTimeline, showRange } from '../../../../src/app/session/page/timelineStore.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { movePlayback, runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { viewNow } from '../../../../src/app/share/links/viewNow.ts'
import { beatStore } from '../../../../src/features/game/beatStore.ts'
import { toShortFragment } from '../../../../src/scenario/link/codec.ts'
import type { Opening } from '../../../../src/scenario/link/opening.ts'
import type { Timeline } from '../../../../src/views/timeline/timeline.ts'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'
import { jsonLink, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { canvasOf, ended, messagesOf, openPage, stagesOf, workersOf } from '../../pages.ts'

const forked = { ...workedExample, title: 'Forked', branches: [{ at: 500_000, title: 'With five', workers: 5 }] }

const timeOf = (session: Session) => playback(session).time

/** A stub of the timeline with what links need. */
const open = (session: Session) => Object.assign(shownTimeline(session), { timeline: {} as Timeline })

/** The link that Share writes for the present page, with all options. */
const shared = (session: Session) => {
  const { whole, shown } = canvasOf(session)
  const parts = viewNow(session).map(({ opening }) => opening)
  return toShortFragment(whole, Object.assign({ branch: shown } satisfies Partial<Opening>, ...parts))
}

beforeEach(() => {
  madeUpStorage()
  threadsHere()
  vi.stubGlobal('requestAnimationFrame', setTimeout)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a link', () => {
  test('that asks for a guess does not start by itself: its view opens after Run', async () => {
    const { session } = openPage(`?guess${jsonLink(workedExample, '&run=simulation&t=1500000')}`)
    await expect.poll(() => stagesOf(session)).toEqual(['A', 'B'])
    expect(runStore(session).getState().run).toBeNull()
    await start(session)
    await expect.poll(() => timeOf(session)).toBe(1_500_000)
  })

  test('that is still being read when Run is pressed is run', async () => {
    const { session, address } = openPage()
    address.follow(jsonLink(workedExample))
    await start(session)
    expect(
      runStore(session)
        .getState()
        .run?.scenario.stages.map(({ id }) => id),
    ).toEqual(['A', 'B'])
    await ended(session)
  })

  test('that is opened with the page leaves nothing to undo; one that is opened later does', async () => {
    const { session, address } = openPage(jsonLink(workedExample))
    await expect.poll(() => stagesOf(session)).toEqual(['A', 'B'])
    expect(canvasOf(session).past).toEqual([])
    address.follow(jsonLink({ ...workedExample, workers: 5 }))
    await expect.poll(() => workersOf(session)).toBe(5)
    undo(session)
    expect(workersOf(session)).toBe(2)
  })

  test('with an unreadable view opens with the other parts, and the problem is reported', async () => {
    const { session } = openPage(jsonLink(workedExample, '&t=soon&panel=figures&decision=99&run=simulation'))
    await ended(session)
    await expect.poll(() => messagesOf(session)).toMatch(/&t= is "soon".*&decision= is beyond the end of the run/)
    expect(canvasOf(session).inPart).toBe(true)
    expect(panelStore(session).getState().panel).toBe('figures')
    expect(timeOf(session)).toBe(0)
  })

  test('with a score to beat opens the game', async () => {
    const { session } = openPage(jsonLink(workedExample, '&beat=2900000'))
    await expect
      .poll(() => beatStore(session).getState())
      .toEqual({ open: true, toBeat: { goal: 'makespan', score: 2_900_000 } })
  })
})

describe('what Share puts into a link', () => {
  test('is the time, the range, the panels and the branch: a new page opens with them, and shares the same link', async () => {
    const here = openPage(jsonLink(forked, '&branch=1')).session
    await expect.poll(() => workersOf(here)).toBe(5)
    await start(here)
    await ended(here)
    open(here)
    openPanel(here, 'figures')
    openRecord(here, 'reality')
    showRange(here, [250_000, 1_750_000])
    movePlayback(here, { time: 1_000_000, playing: false, following: false })
    const link = shared(here)
    expect(link).toMatch(/&t=1000000&range=250000-1750000&panel=figures&record=reality&branch=1$/)
    // A timeline drawn as far as its edge begins a fraction before the run.
    showRange(here, [-0.4, 1_750_000])
    expect(shared(here)).toContain('&range=0-1750000&')

    const { session } = openPage(link)
    open(session)
    await expect.poll(() => canvasOf(session).shown).toBe(0)
    await ended(session)
    await expect.poll(() => shownTimeline(session).range).toEqual([250_000, 1_750_000])
    expect([timeOf(session), workersOf(session)]).toEqual([1_000_000, 5])
    expect(panelStore(session).getState()).toMatchObject({ panel: 'figures', record: 'reality' })
    expect(shared(session)).toBe(link)
  })
})
