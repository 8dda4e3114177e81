import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openLogFile } from '../../../src/features/logs/page/logFile.ts'
import { Cancelled, openJobThreads, runJob, runJobs } from '../../../src/runs/remote/jobThreads.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { threadsHere } from '../../fixtures/threadsHere.ts'

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
  vi.stubGlobal('ErrorEvent', class extends Event {})
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const scenarioOf = (jobs: number) =>
  scenarioWith({ source: { kind: 'batch', jobs }, stages: [{ id: 'A' }], workers: 1 })
const linesOf = (count: number, most = count) => ({ file: new Blob(['x\n'.repeat(count)]), most })
const rejected = (job: Promise<unknown>) =>
  job.then(
    () => 'answered',
    (error: unknown) => error,
  )
/** The thread that started last fails. */
const breakLast = (event: Event) => ([...threads.open].at(-1) as EventTarget).dispatchEvent(event)

describe('threads for jobs', () => {
  test('start when they are needed, up to a limit; a job without a free thread waits', async () => {
    const asked: unknown[] = []
    const WorkerHere = Worker
    function CountedWorker(url: URL, options: WorkerOptions) {
      asked.push([url.href.split('/').at(-1), options])
      return new WorkerHere(url, options)
    }
    vi.stubGlobal('Worker', CountedWorker)
    const { run, end } = openJobThreads(2)
    expect(threads.startedCount()).toBe(0)
    const order: number[] = []
    const jobs = [5, 4, 3, 2, 1].map(async (jobs) => {
      const { completed } = await run('metrics', scenarioOf(jobs))
      order.push(completed)
    })
    await Promise.all(jobs)
    expect([threads.startedCount(), threads.open.size, order.sort()]).toEqual([2, 2, [1, 2, 3, 4, 5]])
    await run('metrics', scenarioOf(6))
    const worker = ['simulation.worker.ts', { type: 'module', name: 'jobs' }]
    expect([threads.startedCount(), asked]).toEqual([2, [worker, worker]])
    end()
    expect(threads.open.size).toBe(0)
  })

  test('are at most eight, one per core, and two if the browser does not report its cores', async () => {
    for (const [cores, most] of [
      [3, 3],
      [64, 8],
      [0, 2],
    ]) {
      const before = threads.startedCount()
      vi.stubGlobal('navigator', { hardwareConcurrency: cores })
      const answers: number[] = []
      const inputs = Array.from({ length: 12 }, (_, k) => scenarioOf(k + 1))
      await runJobs('metrics', inputs, { answer: (k, { completed }) => (answers[k] = completed) })
      expect([threads.startedCount() - before, threads.open.size]).toEqual([most, 0])
      expect(answers).toEqual(inputs.map((_, k) => k + 1))
    }
  })

  test('report how many of all jobs are done, which never falls', async () => {
    const shares: number[] = []
    await runJobs(
      'compare',
      [scenarioOf(40), scenarioOf(30)].map((scenario) => ({ scenario, record: false })),
      { answer: () => {}, progress: (share) => shares.push(share) },
    )
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect([shares.at(-1), shares.includes(0.5)]).toEqual([1, true])
  })

  test('that cannot do one job do the next', async () => {
    const { run, end } = openJobThreads(1)
    await expect(run('countLines', linesOf(5, 4))).rejects.toThrow('more than 4 lines')
    expect(await run('countLines', linesOf(4))).toMatchObject({ jobs: 4 })
    expect(threads.startedCount()).toBe(1)
    end()
  })

  test('that fail are replaced: the job gets the reason, the next one another thread', async () => {
    const { run, end } = openJobThreads(1)
    const release = threads.hold()
    const [job, next] = [rejected(run('metrics', scenarioOf(3))), run('metrics', scenarioOf(4))]
    await expect.poll(() => threads.startedCount()).toBe(1)
    breakLast(new Event('error'))
    release()
    expect(String(await job)).toBe('Error: a thread of the page broke')
    expect((await next).completed).toBe(4)
    expect([threads.startedCount(), threads.open.size]).toEqual([2, 1])
    end()
  })
})

describe('a job that is cancelled', () => {
  test('rejects, whether it was running, waiting or came later', async () => {
    const { run, end } = openJobThreads(1)
    const release = threads.hold()
    const jobs = [1, 2, 3].map((jobs) => rejected(run('metrics', scenarioOf(jobs))))
    await expect.poll(() => threads.startedCount()).toBe(1)
    end()
    release()
    for (const each of [...jobs, rejected(run('metrics', scenarioOf(4)))]) expect(await each).toBeInstanceOf(Cancelled)
    expect([threads.startedCount(), threads.open.size]).toEqual([1, 0])
  })

  test('rejects when the page aborts it, before or during the job, and reports no progress after that', async () => {
    const page = new AbortController()
    let calls = 0
    const hear = () => {
      calls++
      page.abort()
    }
    const inputs = [1, 2, 3, 4].map(() => ({ scenario: scenarioOf(900), record: false }))
    expect(
      await rejected(runJobs('compare', inputs, { signal: page.signal, answer: hear, progress: hear })),
    ).toBeInstanceOf(Cancelled)
    expect([calls, threads.open.size]).toEqual([1, 0])
    const startedCount = threads.startedCount()
    expect(await rejected(runJob('metrics', scenarioOf(1), { signal: page.signal }))).toBeInstanceOf(Cancelled)
    expect(threads.startedCount()).toBe(startedCount)
  })
})

describe('a log on a thread of its own', () => {
  const sample = (name: string, value: number) => ({
    metric: { __name__: name, stage: 'A' },
    values: [
      [1, String(value)],
      [2, '7'],
    ],
  })
  const series = JSON.stringify({
    status: 'success',
    data: { resultType: 'matrix', result: [sample('one', 3), sample('other', 4)] },
  })

  test('is read, mapped and weighed there, and reports its progress', async () => {
    const shares: number[] = []
    const { read, map, weigh, stop } = openLogFile(new Blob([series]), null, (share) => shares.push(share))
    expect(await read).toMatchObject({ kind: 'series' })
    expect(shares).toEqual([0, 1])
    await expect(weigh({ kind: 'leastScore', lend: false }, 3)).rejects.toThrow('no log was read')
    expect(await map({ stageLabel: 'stage', roles: ['queue', 'service_ms'] })).toMatchObject({
      kind: 'log',
      log: { points: { length: 2 } },
    })
    expect((await weigh({ kind: 'leastScore', lend: false }, 3)).seats).toHaveLength(1)
    expect(threads.startedCount()).toBe(1)
    stop()
    expect(threads.open.size).toBe(0)
    expect(await rejected(weigh({ kind: 'leastScore', lend: false }, 3))).toBeInstanceOf(Cancelled)
  })

  test('is read with the headings that the person chooses', async () => {
    const text = 'a,b,c,d\n1,A,3,2\n2,A,4,2\n'
    const headings = {
      mark: ',',
      cells: ['a', 'b', 'c', 'd'],
      headings: [0, 1, 2, 3].map((column) => ({ column, scale: 1000 })),
    }
    const { read, stop } = openLogFile(new Blob([text]), headings, () => {})
    expect(await read).toMatchObject({ kind: 'log', bad: 0 })
    stop()
  })
})
