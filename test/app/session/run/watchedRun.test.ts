import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { start, stop } from '../../../../src/app/session/run/startStop.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { defaultPreset } from '../../../../src/scenario/presets/preset.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a run that never begins is reported after half a minute, is started again, and fails with advice', async () => {
  const threads = threadsHere()
  threads.hold()
  const session = createSession()
  openScenario(session, defaultPreset.scenario, 'simulation')
  const status = () => runStore(session).getState().status()
  const pass = async (seconds: number) => {
    for (let step = 0; step < seconds * 2; step++) await vi.advanceTimersByTimeAsync(500)
  }
  await start(session)
  await pass(29)
  expect(status()).toBe('Simulating: 0 out.')
  await pass(2)
  expect(status()).toBe('No answer for 30 s. The run was started again. Simulating: 0 out.')
  await pass(31)
  await vi.waitFor(() => expect(runStore(session).getState().phase).toBe('ended'), 300_000)
  expect(status()).toBe('Failed: the thread of the run has not begun. Reload the page and press Run.')
  await stop(session)
  session.end()
})
