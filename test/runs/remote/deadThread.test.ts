import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startRun } from '../../../src/runs/remote/remoteRun.ts'
import type { Watched } from '../../../src/runs/remote/runWatch.ts'
import { listen, rowsOf } from '../../engine/threads/runRecording.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { threadsHere } from '../../fixtures/threadsHere.ts'

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Starts a simulation whose thread answers nothing until `release`. */
function startMute() {
  const release = threads.hold()
  const recording = listen(
    scenarioWith({
      source: { kind: 'batch', jobs: 3 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 1000 } }],
      workers: 1,
    }),
  )
  const watched: Watched[] = []
  const run = startRun('simulation', recording.trace.scenario, null, {
    ...recording.listener,
    watched: (now) => watched.push(now),
  })
  return { run, release, recording, watched }
}

/** Advances time in steps, so that messages arrive in between. */
async function pass(seconds: number) {
  for (let step = 0; step < seconds * 2; step++) await vi.advanceTimersByTimeAsync(500)
}

describe('a run whose thread never answers', () => {
  test('is restarted once after half a minute, and then plays normally', async () => {
    const { run, recording, watched } = startMute()
    // Only the first thread is mute.
    threads.hold()()
    await pass(29)
    expect([threads.startedCount(), watched, recording.endings]).toEqual([1, [], []])
    await pass(2)
    await run.finished
    expect([
      threads.startedCount(),
      watched,
      recording.endings,
      recording.failures,
      rowsOf(recording.trace, 'released').length,
    ]).toEqual([2, ['restarted', 'ok'], ['drained'], [], 3])
  })

  test('is given up only after half a minute', async () => {
    const { run, release, recording, watched } = startMute()
    await pass(29)
    release()
    await run.finished
    expect([threads.startedCount(), watched, recording.endings]).toEqual([1, [], ['drained']])
  })

  test('fails when the second thread does not answer either, and says what to do', async () => {
    const { run, recording, watched } = startMute()
    await pass(31)
    expect([threads.startedCount(), threads.open.size, watched, recording.endings]).toEqual([2, 1, ['restarted'], []])
    await pass(31)
    await run.finished
    expect(recording.endings).toEqual(['stuck'])
    expect(recording.failures.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['run', 'the thread of the run has not begun. Reload the page and press Run'],
    ])
    await pass(1)
    expect(threads.open.size).toBe(0)
  })

  test('survives a sleep of the machine: one long tick counts as two seconds', async () => {
    const { run, watched } = startMute()
    await pass(1)
    const clock = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => clock() + 3_600_000)
    await pass(26)
    expect(watched).toEqual([])
    await pass(4)
    expect(watched).toEqual(['restarted'])
    await Promise.all([run.stop(), pass(1)])
  })
})
