import { describe, expect, test } from 'vitest'
import type { ThreadsListener } from '../../../src/engine/conductor/conductedRun.ts'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { wallMicros } from '../../../src/engine/conductor/environment.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { late, listen, type RunRecording, rowsOf } from './runRecording.ts'

type Make = () => Worker
const sound: Make = () => new Worker(new URL('../../../src/pool.worker.ts', import.meta.url), { type: 'module' })
const faulty =
  (name: string): Make =>
  () =>
    new Worker(new URL('./faulty.worker.ts', import.meta.url), { type: 'module', name })
const written =
  (script: string): Make =>
  () =>
    new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })), { type: 'module' })

const SECOND = 1_000_000
const asleep = (jobs: number, mean: number, more: object = {}): Scenario =>
  scenarioWith({
    source: { kind: 'batch', jobs },
    stages: [{ id: 'A', service: { kind: 'constant', mean }, work: 'wait' }],
    workers: 2,
    order: { kind: 'buffer', slots: 64 },
    ...more,
  })

/** Plays on threads of which the first have faults and the others are sound. */
async function play(scenario: Scenario, ...makes: Make[]): Promise<RunRecording & { ignored: number }> {
  const recording = listen(scenario)
  const conductor = createConductor(pageEnvironment((worker) => (makes[worker] ?? sound)()))
  await conductor.start(scenario, recording.listener)
  return { ...recording, ignored: conductor.diagnostics.ignored }
}

/** Every job has left, once and in order. */
function expectAllOut({ trace, endings }: Pick<RunRecording, 'trace' | 'endings'>, jobs: number): void {
  expect(endings).toEqual(['drained'])
  expect(rowsOf(trace, 'released').map(({ job }) => job)).toEqual(Array.from({ length: jobs }, (_, job) => job))
  expect(rowsOf(trace, 'failed')).toEqual([])
}

/** Time from the last batch of the worker until it counted as lost. */
function foundAfter(trace: Trace, worker: number): number {
  const lost = rowsOf(trace, 'lost').filter((row) => row.worker === worker)
  expect(lost).toHaveLength(1)
  return (
    lost[0].time - Math.max(...rowsOf(trace, 'started').flatMap((row) => (row.worker === worker ? [row.time] : [])))
  )
}

describe('a worker with a fault loses no job', () => {
  test('if it closes itself in the middle of a batch', async () => {
    const recording = await play(asleep(60, 5000), faulty('closes 2'))
    expectAllOut(recording, 60)
    // If the browser grants the thread its lock late, only its silence shows.
    const reason = expect.stringMatching(/^has ended$|^has not answered and is given up$/)
    expect(recording.failures).toEqual([expect.objectContaining({ kind: 'worker', worker: 0, reason })])
  })

  test('if it loops for ever, which is noticed after two seconds', async () => {
    const recording = await play(asleep(60, 5000), faulty('loops 2'))
    expectAllOut(recording, 60)
    // Counted in ticks of at most a quarter of a second.
    expect(foundAfter(recording.trace, 0)).toBeGreaterThan(1.75 * SECOND)
    expect(recording.failures).toEqual([
      expect.objectContaining({ kind: 'worker', worker: 0, reason: 'has not answered and is given up' }),
    ])
  })

  test('if it throws outside its work: it continues and does not count as lost', async () => {
    const recording = await play(asleep(12, 100_000), faulty('throws 1'), faulty('throws 1'))
    expectAllOut(recording, 12)
    expect(rowsOf(recording.trace, 'lost')).toEqual([])
    expect(new Set(recording.failures.map(({ kind, reason }) => `${kind}: ${reason}`))).toEqual(
      new Set(['job: reported an error outside its work and continues: Uncaught Error: oops']),
    )
  })

  test.each([
    ['has a syntax error', 'this is no script', ''],
    ['throws when it is loaded', 'throw new Error("not today")', ': Uncaught Error: not today'],
    ['cannot be had', 'import "/nowhere/at/all.js"', ''],
  ])('if its script %s', async (_, script, words) => {
    const recording = await play(asleep(12, 5000), written(script))
    expectAllOut(recording, 12)
    expect(rowsOf(recording.trace, 'lost').map(({ worker }) => worker)).toEqual([0])
    expect(recording.failures).toHaveLength(1)
    expect(recording.failures[0].reason).toContain(`could not be loaded${words}`)
  })

  test('if it never starts, or ends before it has started: the others begin without it', async () => {
    const recording = await play(asleep(12, 5000, { workers: 3 }), written('onmessage = () => {}'), written('close()'))
    expectAllOut(recording, 12)
    const lost = rowsOf(recording.trace, 'lost')
    expect(lost.map(({ worker }) => worker)).toEqual([0, 1])
    const [first] = rowsOf(recording.trace, 'started')
    for (const { time } of lost) expect(time).toBeLessThanOrEqual(first.time)
    for (const { reason } of recording.failures) expect(reason).toBe('has not answered and is given up')
  })

  test('and if none can start, the run is stuck and says so', async () => {
    const broken = written('throw new Error("not today")')
    const { trace, endings, failures } = await play(asleep(12, 5000), broken, broken)
    expect(endings).toEqual(['stuck'])
    expect(rowsOf(trace, 'started')).toEqual([])
    // The browser decides which missing script it reports first.
    expect(failures.map(({ kind, worker }) => `${kind} ${worker}`).sort()).toEqual(['worker 0', 'worker 1'])
  })
})

describe('no healthy worker is given up', () => {
  test('over a first job of five seconds', async () => {
    const recording = await play(asleep(1, 5 * SECOND, { workers: 1 }))
    expectAllOut(recording, 1)
    expect(recording.failures).toEqual([])
  })

  test('when the clock jumps by a night; a worker that hangs afterwards is found as soon as usual', async () => {
    const NIGHT = 8 * 3600 * SECOND
    const scenario = asleep(24, 200_000)
    const recording = listen(scenario)
    let leap = 0
    const journal: ThreadsListener['journal'] = (rows) => {
      recording.listener.journal(rows)
      if (rowsOf(recording.trace, 'finished').length >= 4) leap = NIGHT
    }
    const environment = {
      ...pageEnvironment((worker) => (worker === 0 ? faulty('loops 6') : sound)()),
      now: () => wallMicros() + leap,
    }
    await createConductor(environment).start(scenario, { ...recording.listener, journal })
    expectAllOut(recording, 24)
    const [lost, ...others] = rowsOf(recording.trace, 'lost')
    expect([lost.worker, others]).toEqual([0, []])
    expect(lost.time).toBeGreaterThan(NIGHT)
    // The night does not count in the longest batch, ten times which a worker may be silent.
    expect(foundAfter(recording.trace, 0)).toBeLessThan(NIGHT)
  })
})

test('Stop ends the run at once although every worker loops for ever', async () => {
  const scenario = asleep(1000, 5000)
  const recording = listen(scenario)
  const conductor = createConductor(pageEnvironment(faulty('loops 2')))
  const run = conductor.start(scenario, recording.listener)
  await expect.poll(() => rowsOf(recording.trace, 'started').length, { timeout: 50_000 }).toBeGreaterThanOrEqual(4)
  await new Promise((resolve) => setTimeout(resolve, 200))
  conductor.stop()
  expect(await Promise.race([run.then(() => 'stopped'), late(100)])).toBe('stopped')
  expect(recording.endings).toEqual(['stopped'])
  expect(rowsOf(recording.trace, 'stopped')).toHaveLength(1)
})
