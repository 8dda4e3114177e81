import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { installFeatures } from '../../../../src/app/session/features/features.tsx'
import { panelStore } from '../../../../src/app/session/page/showing.ts'
import { shownTimeline } from '../../../../src/app/session/page/timelineStore.ts'
import { chooseEngine } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { followAddress } from '../../../../src/app/share/links/address.ts'
import { beatStore } from '../../../../src/features/game/beatStore.ts'
import { toAskFragment } from '../../../../src/scenario/link/codec.ts'
import type { Timeline } from '../../../../src/views/timeline/timeline.ts'
import { madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'
import { jsonLink, scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { canvasOf, ended, messagesOf, openPage, titleOf } from '../../pages.ts'

const statusOf = (session: ReturnType<typeof createSession>) => runStore(session).getState().status()

beforeEach(() => {
  madeUpStorage()
  threadsHere()
  vi.stubGlobal('requestAnimationFrame', setTimeout)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a link with a question', () => {
  const asked = [3, 0].map((waiting) => ({ waiting, mean: 5, done: false }))
  const ask = toAskFragment({ scenario: scenarioWith(workedExample), asked })

  test('is handed to the part of the page that answers it, once, and the canvas stays', async () => {
    const session = createSession(madeUpAddress(ask))
    const before = canvasOf(session).whole
    const question = vi.fn()
    installFeatures(session, [{ key: 'ask', opens: { question } }])
    session.onEnd(followAddress(session))
    await expect.poll(() => question.mock.calls.length).toBe(1)
    expect(question.mock.calls[0]).toEqual([session, expect.objectContaining({ asked })])
    expect([canvasOf(session).whole, messagesOf(session), session.address.read().hash]).toEqual([before, '', ask])
  })
})

describe('the engine of a link', () => {
  test('is the one that it names, also after a reload at which another was chosen', async () => {
    const first = openPage(jsonLink(workedExample, '&run=simulation'))
    await ended(first.session)
    chooseEngine(first.session, 'threads')
    expect(runStore(first.session).getState().engine).toBe('threads')
    const { session } = first.reload()
    await expect.poll(() => titleOf(session)).toBe('Worked example')
    expect(runStore(session).getState()).toMatchObject({ engine: 'simulation', chosenEngine: 'threads' })
    await ended(session)
  })
})

test('a link with everything that a link can say opens all of it', async () => {
  const branches = [{ at: 500_000, title: 'With five', workers: 5 }]
  const words =
    '&t=1500000&decision=2&range=250000-1750000&panel=figures&record=compare&policies=webster&branch=1&run=simulation&beat=2900000'
  const { session } = openPage(jsonLink({ ...workedExample, branches }, `${words}&digest=90b4c1d2e3f40516`))
  shownTimeline(session).timeline = {} as Timeline
  await expect.poll(() => panelStore(session).getState()).toMatchObject({ panel: 'figures', record: 'compare' })
  await expect.poll(() => shownTimeline(session).range).toEqual([250_000, 1_750_000])
  expect([playback(session).time, beatStore(session).getState().open]).toEqual([1_500_000, true])
  expect([canvasOf(session).shown, messagesOf(session)]).toEqual([0, ''])
})

describe('code of another person in a link', () => {
  const code = { kind: 'code', source: 'export default () => [1, 1]' }
  const notice = /^This link contains a policy in code/

  test.each([
    ['the policy', { policy: code }],
    ['the policy of a later phase', { later: [{ at: 1000, policy: code }] }],
    ['the policy of a branch', { branches: [{ at: 1000, title: 'With code', policy: code }] }],
  ])('is announced, and waits for Run even if the link asks for it: %s', async (_, more) => {
    const { session } = openPage(jsonLink({ ...workedExample, ...more }, '&run=simulation&t=1500000'))
    await expect.poll(() => statusOf(session)).toMatch(notice)
    await vi.dynamicImportSettled()
    expect([runStore(session).getState().run, runStore(session).getState().phase]).toEqual([null, 'idle'])
  })

  test('in a stage waits for Run on threads, where it would run, and not in a simulation', async () => {
    const stages = [{ id: 'A', work: { code: 'export default (x) => x' } }]
    for (const [engine, phase] of [
      ['threads', 'idle'],
      ['simulation', 'ended'],
    ] as const) {
      const { session } = openPage(jsonLink({ ...workedExample, stages }, `&run=${engine}&panel=figures`))
      await expect.poll(() => panelStore(session).getState().panel).toBe('figures')
      await expect.poll(() => runStore(session).getState().phase).toBe(phase)
      expect(runStore(session).getState().run === null).toBe(phase === 'idle')
    }
  })
})
