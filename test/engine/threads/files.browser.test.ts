import { Gunzip } from 'fflate'
import { describe, expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { runJob } from '../../../src/runs/remote/jobThreads.ts'
import { startRun } from '../../../src/runs/remote/remoteRun.ts'
import { MAX_SERVICES_ON_THREADS } from '../../../src/scenario/model/limits.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { logFile } from '../../fixtures/logFile.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { late, listen, rowsOf } from './runRecording.ts'

const kernels = ['parseJson', 'validate', 'sha256', 'gzip']
const real = (names: readonly string[]) =>
  names.map((work) => ({ id: work, work, service: { kind: 'constant', mean: 100 } }))

async function overFile(file: Blob, asked: object = {}, names: readonly string[] = kernels): Promise<Scenario> {
  const { jobs, digest } = await runJob('countLines', { file, most: MAX_SERVICES_ON_THREADS / names.length })
  return scenarioWith({
    source: { kind: 'lines', jobs, digest },
    stages: real(names),
    workers: 2,
    batch: { size: 20 },
    order: { kind: 'buffer', slots: 200 },
    ...asked,
  })
}

async function play(scenario: Scenario, file: Blob | null) {
  const recording = listen(scenario)
  await startRun('threads', scenario, file === null ? null : { file }, recording.listener).finished
  return recording
}

/** All members of a .gz file as one text; the reader of the browser stops after the first. */
async function gunzip(blob: Blob): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = new Gunzip((chunk) => {
    text += decoder.decode(chunk, { stream: true })
  })
  reader.push(new Uint8Array(await blob.arrayBuffer()), true)
  return text
}

describe('a file', () => {
  test('comes out in input order, as one .gz file, with the checksum of one worker doing everything in sequence', async () => {
    const file = logFile(1200)
    const scenario = await overFile(file)
    const { output, endings, failures } = await play(scenario, file)
    expect([endings, failures]).toEqual([['drained'], []])
    const progress: number[] = []
    const sequence = await runJob('runInSequence', { scenario, file }, { progress: (share) => progress.push(share) })
    expect(output?.sha256).toBe(sequence?.sha256)
    expect(output?.records).toBe(1200)
    expect(output?.bytes).toBe(output?.blob.size)
    expect(progress.at(-1)).toBe(1)
    const lines = (await gunzip(output!.blob)).trimEnd().split('\n')
    const asked = (await file.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).request)).toEqual(asked.map((line) => JSON.parse(line).request))
    expect(JSON.parse(lines[0]).sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  test('loses the lines that are not JSON, with a reason for each, and keeps the others in order', async () => {
    const file = new Blob(['{"n":1}\n\r\nnot json\r\n[2]\n{"n":3}'])
    const scenario = await overFile(file, { batch: { size: 2 } }, ['parseJson', 'validate'])
    const { output, failures, trace } = await play(scenario, file)
    expect(await output!.blob.text()).toBe('{"n":1}\n{"n":3}\n')
    expect(
      rowsOf(trace, 'failed')
        .map(({ job }) => job)
        .sort(),
    ).toEqual([1, 2])
    expect(failures.find(({ job }) => job === 1)?.reason).toBe('this line is not JSON: not json')
    expect(failures.find(({ job }) => job === 2)?.reason).toContain('a record must be a JSON object')
    const sequence = await runJob('runInSequence', { scenario, file })
    expect(sequence?.sha256).toBe(output?.sha256)
  })

  test('that is missing, or differs from the one of the scenario, is refused with a reason', async () => {
    const file = new Blob(['{"n":1}\n{"n":2}\n'])
    const scenario = await overFile(file)
    const none = await play(scenario, null)
    expect([none.endings, none.failures[0].reason]).toEqual([['stuck'], expect.stringMatching(/drop a (text )?file/i)])
    const shorter = await play(scenario, new Blob(['{"n":1}\n']))
    expect(shorter.failures[0].reason).toContain('another file')
    const other = await play(scenario, new Blob(['{"n":1}\n{"n":3}\n']))
    expect(other.failures[0].reason).toContain('another file')
  })

  test('with more lines than threads may play is refused before the run', async () => {
    await expect(runJob('countLines', { file: new Blob(['x\n'.repeat(50_001)]), most: 50_000 })).rejects.toThrow(
      'more than 50000 lines',
    )
  })

  test('is not needed for real work: without one, jobs carry lines of a generated log', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 50 },
      stages: real(['parseJson', 'sha256']),
      workers: 2,
    })
    const { output, failures } = await play(scenario, null)
    expect(failures).toEqual([])
    expect(output?.records).toBe(50)
  })
})

describe('a run on a thread of its own', () => {
  test('is stopped within 100 ms with a worker stuck in a loop', async () => {
    const stages = [{ id: 'A', service: { kind: 'constant', mean: 3000 } }]
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 10_000 },
      stages,
      workers: 2,
      workerEvents: [{ at: 5000, kind: 'hang', worker: 1 }],
    })
    const recording = listen(scenario)
    const run = startRun('threads', scenario, null, recording.listener)
    while (rowsOf(recording.trace, 'finished').length <= 10) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await Promise.race([run.stop().then(() => 'stopped'), late(100)])).toBe('stopped')
    expect(recording.endings).toEqual(['stopped'])
    await run.stop()
    expect(recording.endings).toEqual(['stopped'])
  })

  test('can be stopped before its thread has answered', async () => {
    for (const engine of ['threads', 'simulation'] as const) {
      const scenario = scenarioWith({ source: { kind: 'batch', jobs: 10_000 }, stages: real(['sha256']), workers: 2 })
      const recording = listen(scenario)
      await startRun(engine, scenario, null, recording.listener).stop()
      expect(recording.endings).toEqual(['stopped'])
    }
  })

  test('plays simulations too, and stops in the middle of a long one', async () => {
    const stages = ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'exponential', mean: 1000 } }))
    const recording = listen(scenarioWith({ source: { kind: 'batch', jobs: 100 }, stages, workers: 3 }))
    await startRun('simulation', recording.trace.scenario, null, recording.listener).finished
    expect(recording.endings).toEqual(['drained'])
    expect(rowsOf(recording.trace, 'released')).toHaveLength(100)
    const long = listen(scenarioWith({ source: { kind: 'batch', jobs: 1_000_000 }, stages, workers: 3 }))
    const run = startRun('simulation', long.trace.scenario, null, long.listener)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await Promise.race([run.stop().then(() => 'stopped'), late(100)])).toBe('stopped')
    expect(long.endings).toEqual(['stopped'])
  })

  test('continues while the page is busy', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 500 },
      stages: [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 10_000 } }],
      workers: 2,
    })
    const recording = listen(scenario)
    const run = startRun('threads', scenario, null, recording.listener)
    while (Number.isNaN(recording.firstStart)) await new Promise((resolve) => setTimeout(resolve, 5))
    const busyUntil = performance.now() + 2000
    while (performance.now() < busyUntil);
    await run.finished
    const rows = rowsOf(recording.trace, 'started').map(({ time }) => time)
    const gaps = rows.slice(1).map((time, i) => time - rows[i])
    expect(Math.max(...gaps)).toBeLessThan(2_000_000)
  })
})

test('a conductor on the page itself plays a file too', async () => {
  const file = new Blob(['{"b":1,"a":" x "}'])
  const scenario = await overFile(file, {}, ['parseJson', 'validate'])
  const recording = listen(scenario)
  await createConductor(pageEnvironment(), { file }).start(scenario, recording.listener)
  expect(await recording.output!.blob.text()).toBe('{"a":"x","b":1}\n')
})
