import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { paint } from '../../../../src/app/session/page/painter.ts'
import { seek, togglePlaying } from '../../../../src/app/session/page/playhead.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { chooseSpeed, runStore } from '../../../../src/app/session/run/runStore.ts'
import { stop } from '../../../../src/app/session/run/startStop.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { workedExample } from '../../../fixtures/scenarios.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()

let session: Session
const status = () => runStore(session).getState().status()

beforeEach(() => {
  session = createSession()
  openScenario(session, valid(workedExample))
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the status line of a simulation', () => {
  test('tells how long it took during playback, and how it ended after the playback', async () => {
    await playOut(session)
    expect(status()).toMatch(/^Simulated in [\d.]+ m?s\.$/)
    paint(session, 100)
    expect(status()).toMatch(/^Simulated in/)
    while (playback(session).playing) paint(session, 1000)
    expect(status()).toMatch(/^Finished: 3 of 3 jobs in 3/)
  })

  test('tells how many jobs their clients gave up', async () => {
    // Job 0 takes a second. The others wait for half of it.
    const source = { kind: 'batch', jobs: 3, retry: { after: 500_000 } }
    openScenario(
      session,
      valid({ version: 1, source, stages: [{ id: 'A', service: { kind: 'constant', mean: 1_000_000 } }], workers: 1 }),
    )
    await playOut(session)
    togglePlaying(session)
    expect(status()).toBe('Finished: 1 of 3 jobs in 1 s, 2 given up.')
  })

  test('tells how it ended as soon as the playback is paused or skipped, and does not change again', async () => {
    await playOut(session)
    togglePlaying(session)
    expect(status()).toMatch(/^Finished/)
    togglePlaying(session)
    expect(status()).toMatch(/^Finished/)
    await playOut(session)
    expect(status()).toMatch(/^Simulated in/)
    seek(session, 3_000_000)
    expect(status()).toMatch(/^Finished/)
  })

  test('tells how it ended if the playback has not moved for a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    chooseSpeed(session, 0.001)
    await playOut(session)
    expect(status()).toMatch(/^Simulated in/)
    vi.advanceTimersByTime(20_000)
    expect([status(), playback(session).playing]).toEqual([expect.stringMatching(/^Finished/), true])
  })

  test('reports a stop at once', async () => {
    openScenario(session, valid({ ...workedExample, source: { kind: 'batch', jobs: 400_000 } }))
    const ended = playOut(session)
    await expect.poll(() => runStore(session).getState().run?.trace.length ?? 0).toBeGreaterThan(0)
    await stop(session)
    await ended
    expect(status()).toMatch(/^Stopped: [\d,]+ of/)
  })
})
