import { describe, expect, test } from 'vitest'
import { playGlimpse } from '../../../src/features/lessons/studies.ts'
import { compareOrders } from '../../../src/features/order/study/orderCost.ts'
import { isPid, playSwing, playTrajectory, withGains } from '../../../src/features/pools/study/gainSearch.ts'
import { playMetrics } from '../../../src/runs/play/play.ts'
import type { JobKind, JobResult } from '../../../src/runs/remote/jobs.ts'
import { Cancelled, openJobThreads, runJob, runJobs } from '../../../src/runs/remote/jobThreads.ts'
import { type Compared, playCompared, underPolicy } from '../../../src/runs/study/compare.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { append, createTrace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { digestOf } from '../../trace/digestOf.ts'

const preset = presetOf('elastic-pi')?.scenario
if (preset === undefined || !isPid(preset)) throw new Error('no such preset')
const scenario = { ...preset, source: { ...preset.source, jobs: 3000 } } as typeof preset
/** Takes seconds to play. */
const long = { ...preset, source: { ...preset.source, jobs: 300_000 } } as Scenario

const rejected = (job: Promise<unknown>) =>
  job.then(
    () => 'answered',
    (error: unknown) => error,
  )

async function all<K extends JobKind>(kind: K, inputs: Parameters<typeof runJobs<K>>[1]) {
  const results: JobResult<K>[] = []
  const shares: number[] = []
  await runJobs(kind, inputs, { answer: (k, result) => (results[k] = result), progress: (share) => shares.push(share) })
  return { results, shares }
}

describe('jobs on threads have the same results as on the page', () => {
  test('runs that return only results, swings and samples, more of them than threads', async () => {
    const { run, end } = openJobThreads(2)
    const gains = [0.5, 1, 5, 20, 80].map((kp) => withGains(scenario, { kp, ki: 0.05, kd: 0 }))
    const there = await Promise.all(gains.map((each) => run('metrics', each)))
    expect(there).toEqual(await Promise.all(gains.map((each) => playMetrics(each))))
    expect(new Set(there.map(({ makespan }) => makespan)).size).toBeGreaterThan(1)
    expect(await run('swing', { scenario, from: 1e6, to: 4e6 })).toEqual(await playSwing(scenario, 1e6, 4e6))
    expect(await run('trajectory', { scenario, samples: 50 })).toEqual(await playTrajectory(scenario, 50))
    expect(await run('glimpse', { scenario, samples: 50 })).toEqual(await playGlimpse(scenario, 50))
    end()
  })

  test('compared policies: results, rows and everything else', async () => {
    const compared = scenarioWith({
      source: { kind: 'batch', jobs: 3000 },
      stages: [
        { id: 'A', service: { kind: 'exponential', mean: 3000 } },
        { id: 'B', service: { kind: 'exponential', mean: 1000 } },
        { id: 'C' },
      ],
      workers: 4,
    })
    const under = (kind: PolicyKind): Scenario => {
      const asked = underPolicy(compared, kind)
      if ('problems' in asked) throw new Error(asked.problems[0].message)
      return asked.scenario
    }
    const digest = (asked: Scenario, { journals }: Compared): string => {
      const trace = createTrace(asked, 'simulation', 0)
      for (const journal of journals ?? []) append(trace, journal)
      return digestOf(trace)
    }
    const kinds: PolicyKind[] = ['leastScore', 'single', 'jefferson', 'backpressure', 'threshold']
    const inputs = kinds.map((kind) => ({ scenario: under(kind), record: kind !== 'single' }))
    const { results, shares } = await all('compare', inputs)
    expect(results).toHaveLength(kinds.length)
    for (const [k, there] of results.entries()) {
      const here = await playCompared(inputs[k].scenario, inputs[k].record)
      expect({ ...there, journals: null }).toEqual({ ...here, journals: null })
      expect(there.journals === null).toBe(kinds[k] === 'single')
      expect(digest(inputs[k].scenario, there)).toBe(digest(inputs[k].scenario, here))
    }
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
  })

  test('orders', async () => {
    const rush = presetOf('rush-hour')?.scenario
    if (rush === undefined) throw new Error('no such preset')
    const there = await compareOrders(rush, (scenarios, answer) => runJobs('metrics', scenarios, { answer }))
    const here = await compareOrders(rush, async (scenarios, answer) => {
      for (const [k, each] of scenarios.entries()) answer(k, await playMetrics(each))
    })
    expect(there).toEqual(here)
  })
})

describe('a job', () => {
  test('reports nothing after it was cancelled, and rejects at once', async () => {
    const page = new AbortController()
    let calls = 0
    const hear = () => {
      calls++
      page.abort()
    }
    const inputs = Array.from({ length: 6 }, () => ({ scenario: long, record: true }))
    expect(
      await rejected(runJobs('compare', inputs, { signal: page.signal, answer: hear, progress: hear })),
    ).toBeInstanceOf(Cancelled)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(calls).toBe(1)
  })

  test('rejects when its threads have ended, whether it was running, waiting or came later', async () => {
    const { run, end } = openJobThreads(1)
    const jobs = [run('metrics', long), run('metrics', long)].map(rejected)
    await new Promise((resolve) => setTimeout(resolve, 100))
    end()
    for (const each of [...jobs, rejected(run('metrics', long))]) expect(await each).toBeInstanceOf(Cancelled)
    const page = new AbortController()
    page.abort()
    expect(await rejected(runJob('metrics', long, { signal: page.signal }))).toBeInstanceOf(Cancelled)
  })

  test('that throws rejects with its own message, and the thread continues with the next', async () => {
    const { run, end } = openJobThreads(1)
    await expect(run('countLines', { file: new Blob(['x\n'.repeat(5)]), most: 4 })).rejects.toThrow('more than 4 lines')
    expect(await run('countLines', { file: new Blob(['x\n'.repeat(4)]), most: 4 })).toMatchObject({ jobs: 4 })
    end()
  })

  test('finds the state that the previous job left on its thread', async () => {
    const { run, end } = openJobThreads(1)
    await expect(run('weighLog', { policy: scenario.policy, workers: 2 })).rejects.toThrow('no log was read')
    const sample = await (await fetch('/sample-incident.csv')).blob()
    expect(await run('readLog', { file: sample, headings: null })).toMatchObject({ kind: 'log', bad: 0 })
    expect(await run('weighLog', { policy: { kind: 'leastScore', lend: true }, workers: 2 })).toBeTypeOf('object')
    end()
  })
})
