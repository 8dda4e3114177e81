import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ThreadsListener } from '../../../src/engine/conductor/conductedRun.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { createJournal, type Failure } from '../../../src/pipeline/journal.ts'
import { ARRIVED, NONE, pushRow, type Row, rowAt, STOPPED } from '../../../src/pipeline/rows.ts'
import { createRemoteEngine, type RunInput } from '../../../src/runs/remote/remoteEngine.ts'
import { type RunListener, startRun } from '../../../src/runs/remote/remoteRun.ts'
import { sayingSo } from '../../../src/runs/remote/studies.ts'
import type { EngineName } from '../../../src/scenario/model/engines.ts'
import { workedExample } from '../../measures/scenarios.ts'
import { ErrorEventHere, until, workerHere } from './workersHere.ts'

beforeEach(() => {
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 })
  vi.stubGlobal('ErrorEvent', ErrorEventHere)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A conductor that the test controls: `page` is the listener of its run, `answers` whether it answers. */
function conductorHere() {
  const conductor = {
    page: null as Required<ThreadsListener> | null,
    answers: true,
    answer: () => {},
    stopped: 0,
    inputs: [] as RunInput[],
  }
  const engine: Engine = {
    start(_, listener) {
      conductor.page = listener as Required<ThreadsListener>
      return new Promise(() => {})
    },
    stop: () => conductor.stopped++,
  }
  const made = createRemoteEngine((input) => {
    conductor.inputs.push(input)
    return engine
  })
  const answers = () => (conductor.answers ? true : new Promise<void>((resolve) => (conductor.answer = resolve)))
  return { ...workerHere({ ...made, answers, live: () => false }), conductor }
}

/** Starts a run on conductors of the test. `log` has all calls of its listener, in order. */
function startHere(more: Partial<RunListener> = {}, engine: EngineName = 'threads') {
  const workers: ReturnType<typeof conductorHere>[] = []
  const log: unknown[] = []
  const listener: RunListener = {
    journal: ({ rows }) => log.push(`${rows.length} rows`),
    failure: ({ reason }) => log.push(reason),
    ended: (ending) => log.push(ending),
    watched: (now) => log.push(now),
    ...more,
  }
  const make = () => {
    workers.push(conductorHere())
    return workers[workers.length - 1].worker
  }
  const run = startRun(engine, workedExample, null, listener, { make, silenceLimit: 6_000_000 })
  const page = () => until(() => workers[workers.length - 1].conductor.page !== null)
  return { run, log, workers, page, conductor: () => workers[workers.length - 1].conductor }
}

function journalOf(...times: readonly number[]) {
  const journal = createJournal()
  for (const time of times) pushRow(journal.rows, time, ARRIVED, NONE, NONE, 0)
  return journal
}
const failure = (reason: string): Failure => ({ time: 0, kind: 'worker', worker: 0, reason })

/** Advances time in steps, so that messages arrive in between. */
async function pass(seconds: number) {
  for (let step = 0; step < seconds * 2; step++) await vi.advanceTimersByTimeAsync(500)
}

describe('a run on a thread of its own', () => {
  test('passes on all its events in order, and its thread is ended a while after it', async () => {
    const before = vi.getTimerCount()
    const { run, log, workers, conductor, page } = startHere({
      output: (output) => log.push(output),
      tiles: (tiles) => log.push(...tiles),
    })
    await page()
    const output = { kind: 'checksum' } as never
    const tile = { tile: 3, pixels: Uint8Array.of(1, 2, 3, 4) }
    const { page: listener } = conductor()
    listener?.ready(0)
    listener?.journal(journalOf(1, 2))
    listener?.tiles([tile] as never)
    listener?.output(output)
    listener?.ended('drained')
    await run.finished
    expect(log).toEqual(['2 rows', { tile: 3, pixels: Uint8Array.of(1, 2, 3, 4) }, output, 'drained'])
    // Transferred, not copied.
    expect([tile.pixels.length, conductor().inputs]).toEqual([0, [{}]])
    expect(workers[0].ended()).toBe(0)
    await vi.advanceTimersByTimeAsync(260)
    expect([workers[0].ended(), vi.getTimerCount()]).toEqual([1, before])
  })

  test('continues if its listener needs no tiles and no output, and if it throws, which counts as an error of the page', async () => {
    const reported: unknown[] = []
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
    const fault = new Error('a fault of the page')
    const { run, log, conductor, page } = startHere({
      journal() {
        throw fault
      },
      ended(ending) {
        log.push(ending)
        throw fault
      },
    })
    await page()
    const { page: listener } = conductor()
    listener?.tiles([])
    listener?.output({} as never)
    listener?.journal(journalOf(1))
    listener?.ended('drained')
    await run.finished
    expect([log, reported]).toEqual([['drained'], [fault, fault]])
  })

  test('reports earlier failures once it begins, and later ones at once', async () => {
    const { log, conductor, page, run } = startHere()
    await page()
    const { page: listener } = conductor()
    listener?.failure(failure('early'))
    await pass(1)
    expect(log).toEqual([])
    listener?.journal(journalOf())
    listener?.failure(failure('late'))
    await until(() => log.length === 3)
    expect(log).toEqual(['early', '0 rows', 'late'])
    const stopped = run.stop()
    await pass(1)
    await stopped
  })

  test('reports earlier failures also if it ends before it has begun', async () => {
    const { log, conductor, page, run } = startHere()
    await page()
    conductor().page?.failure(failure('early'))
    conductor().page?.ended('stuck')
    await run.finished
    expect(log).toEqual(['early', 'stuck'])
  })

  test('is silent while its thread neither answers nor reports, and healthy again afterwards', async () => {
    const { log, conductor, page, run } = startHere()
    await page()
    conductor().page?.journal(journalOf(5))
    await until(() => log.length === 1)
    await pass(20)
    expect(log).toEqual(['1 rows'])
    conductor().answers = false
    await pass(20)
    expect(log).toEqual(['1 rows', 'silent'])
    conductor().page?.journal(journalOf(9))
    await until(() => log.length === 4)
    expect(log).toEqual(['1 rows', 'silent', 'ok', '1 rows'])
    await pass(20)
    conductor().answer()
    await pass(1)
    expect(log.slice(4)).toEqual(['silent', 'ok'])
    const stopped = run.stop()
    await pass(1)
    await stopped
  })

  test('is restarted if it never begins, without the earlier failures', async () => {
    const { log, workers, conductor, page, run } = startHere()
    await page()
    conductor().page?.failure(failure('of the first thread'))
    await pass(8)
    expect([workers.length, log, workers[0].ended()]).toEqual([2, ['restarted'], 1])
    await page()
    conductor().page?.journal(journalOf(5))
    conductor().page?.ended('drained')
    await run.finished
    expect(log).toEqual(['restarted', 'ok', '1 rows', 'drained'])
  })

  test('that breaks fails at the time of its last row', async () => {
    const failures: Failure[] = []
    const { log, workers, conductor, page, run } = startHere({ failure: (each) => failures.push(each) })
    await page()
    conductor().page?.journal(journalOf(40, 70))
    conductor().page?.journal(journalOf())
    await until(() => log.length === 2)
    workers[0].worker.dispatchEvent(new ErrorEventHere('no such luck'))
    workers[0].worker.dispatchEvent(new ErrorEventHere('nor that'))
    await run.finished
    expect([failures, log]).toEqual([
      [{ time: 70, kind: 'run', reason: 'a thread of the page broke: no such luck' }],
      ['2 rows', '0 rows', 'stuck'],
    ])
  })

  test('that is stopped asks its engine first, and is ended by force after a twentieth of a second', async () => {
    const rows: Row[] = []
    const { log, conductor, page, run } = startHere({ journal: (journal) => rows.push(rowAt(journal.rows, 0)) })
    await page()
    conductor().page?.journal(journalOf(40))
    await until(() => rows.length === 1)
    const stopped = run.stop()
    await until(() => conductor().stopped === 1)
    expect(log).toEqual([])
    await vi.advanceTimersByTimeAsync(60)
    await stopped
    expect(log).toEqual(['stopped'])
    expect(rows[1]).toMatchObject({ time: 40, kind: STOPPED, stage: NONE, worker: NONE, job: NONE })
    await run.stop()
    expect(log).toEqual(['stopped'])
  })
})

describe('an engine on a thread', () => {
  test('that was stopped before it was created stops before it starts', async () => {
    const calls: string[] = []
    const remote = createRemoteEngine(() => ({
      async start() {
        calls.push('start')
      },
      stop: () => calls.push('stop'),
    }))
    remote.stop()
    expect(calls).toEqual([])
    await remote.start(workedExample, {}, new MessageChannel().port1)
    remote.stop()
    expect(calls).toEqual(['stop', 'start', 'stop'])
  })
})

describe('a browser that starts no thread', () => {
  const startWithout = async (make?: () => Worker, engine: EngineName = 'threads') => {
    const before = vi.getTimerCount()
    const failures: Failure[] = []
    const endings: unknown[] = []
    const run = startRun(
      engine,
      workedExample,
      null,
      { journal() {}, failure: (each) => failures.push(each), ended: (ending) => endings.push(ending) },
      make && { make },
    )
    expect(endings).toEqual([])
    await run.finished
    await vi.advanceTimersByTimeAsync(300)
    await run.stop()
    expect([vi.getTimerCount(), endings]).toEqual([before, ['stuck']])
    return failures
  }
  const refuse = () => {
    throw new Error('no threads today')
  }

  test('fails the run with its own message, or with advice if the frame forbids it', async () => {
    vi.stubGlobal('self', { origin: 'https://example.org' })
    expect(await startWithout(refuse)).toEqual([{ time: 0, kind: 'run', reason: 'Error: no threads today' }])
    vi.stubGlobal('self', { origin: 'null' })
    expect(await startWithout(refuse)).toEqual([
      { time: 0, kind: 'run', reason: 'this frame allows no threads: add allow-same-origin' },
    ])
  })

  test('was asked for the script of the engine', async () => {
    vi.stubGlobal('self', { origin: 'https://example.org' })
    const asked: unknown[] = []
    vi.stubGlobal('Worker', function (this: unknown, url: URL, options: object) {
      asked.push([url.href.split('/').at(-1), options])
      throw new Error('no threads today')
    })
    for (const engine of ['threads', 'room', 'simulation'] as const) await startWithout(undefined, engine)
    const conductor = ['conductor.worker.ts', { type: 'module', name: 'conductor' }]
    expect(asked).toEqual([conductor, conductor, ['simulation.worker.ts', { type: 'module', name: 'simulation' }]])
  })
})

describe('code that decides', () => {
  const slow = 'the code of the policy took too long'

  test('for too long ends its run in words; a thread that is free again, or says more, may take its time', async () => {
    const { run, log, page, conductor } = startHere()
    await page()
    const told = conductor().page
    told?.journal(createJournal())
    await vi.advanceTimersByTimeAsync(200)
    told?.deciding(true)
    await vi.advanceTimersByTimeAsync(3000)
    told?.deciding(true)
    await vi.advanceTimersByTimeAsync(3000)
    told?.deciding(false)
    await vi.advanceTimersByTimeAsync(9000)
    expect(log).not.toContain(slow)
    told?.deciding(true)
    await vi.advanceTimersByTimeAsync(4500)
    await run.finished
    expect(log.slice(-2)).toEqual([slow, 'stuck'])
  })

  test('says so at the start of its first decision, again while it is busy, and when it is free', async () => {
    const said: boolean[] = []
    let clock = 0
    vi.spyOn(performance, 'now').mockImplementation(() => clock)
    const code = { numbers: new Float64Array(9), lends: true, decide: () => null, describe: () => null }
    const load = sayingSo(
      async () => () => code,
      (deciding) => said.push(deciding),
    )
    const started = (await load?.())?.({ kind: 'code', name: '', source: '' } as never, workedExample)
    expect([started?.lends, started?.decide()]).toEqual([true, null])
    for (clock = 0; clock < 1000; clock += 100) started?.decide()
    expect(said).toEqual([true, true, true, true])
    await vi.advanceTimersByTimeAsync(1)
    expect(said.slice(4)).toEqual([false])
    started?.decide()
    expect(said.slice(5)).toEqual([true])
    vi.restoreAllMocks()
    expect(sayingSo(undefined, () => {})).toBeUndefined()
  })
})
