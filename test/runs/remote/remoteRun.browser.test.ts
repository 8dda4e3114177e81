import { expect, test } from 'vitest'
import { type RunListener, startRun } from '../../../src/runs/remote/remoteRun.ts'
import type { Watched } from '../../../src/runs/remote/runWatch.ts'
import { listen, rowsOf } from '../../engine/threads/runRecording.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** Less patience than a real page has; a healthy conductor answers sooner on any machine. */
const silenceLimit = 3_000_000

const faulty = (name: string) =>
  new Worker(new URL('./faultyConductor.worker.ts', import.meta.url), { type: 'module', name })
const sound = () => new Worker(new URL('../../../src/conductor.worker.ts', import.meta.url), { type: 'module' })

const stages = [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 5000 } }]

/** Starts a run on one thread after another, repeating the last one. */
function startOn(...threads: (() => Worker)[]) {
  const recording = listen(scenarioWith({ source: { kind: 'batch', jobs: 20 }, stages, workers: 2 }))
  const watched: Watched[] = []
  const listener: RunListener = { ...recording.listener, watched: (now) => watched.push(now) }
  let started = 0
  const run = startRun('threads', recording.trace.scenario, null, listener, {
    make: () => threads[Math.min(started++, threads.length - 1)](),
    silenceLimit,
  })
  return { run, recording, watched, started: () => started }
}

test('a conductor that answers and begins no run is restarted, and the record contains nothing of the first', async () => {
  const { run, recording, watched, started } = startOn(() => faulty('waits'), sound)
  await run.finished
  expect([
    started(),
    watched,
    recording.endings,
    recording.failures,
    rowsOf(recording.trace, 'released').length,
  ]).toEqual([2, ['restarted', 'ok'], ['drained'], [], 20])
})

test('a conductor that never begins ends the run after its second start, with advice', async () => {
  const { run, recording, watched, started } = startOn(() => faulty('waits'))
  await run.finished
  expect([started(), watched, recording.endings]).toEqual([2, ['restarted'], ['stuck']])
  expect(recording.failures.map(({ kind }) => kind)).toEqual(['worker', 'run'])
  expect(recording.failures[1].reason).toMatch(/has not begun.* press Run/)
})

test('a conductor that falls silent during its run is reported, and can be stopped', async () => {
  const { run, recording, watched, started } = startOn(() => faulty('loops'))
  await expect.poll(() => watched).toEqual(['silent'])
  await run.stop()
  expect([started(), recording.endings, recording.failures]).toEqual([1, ['stopped'], []])
})

test('a run without events for longer than the limit is healthy: its conductor answers', async () => {
  const late = scenarioWith({ source: { kind: 'times', at: [4_500_000] }, stages, workers: 2 })
  const recording = listen(late)
  const watched: Watched[] = []
  await startRun(
    'threads',
    late,
    null,
    { ...recording.listener, watched: (now) => watched.push(now) },
    { silenceLimit },
  ).finished
  expect([watched, recording.endings]).toEqual([[], ['drained']])
})
