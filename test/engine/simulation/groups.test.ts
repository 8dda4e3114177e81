import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { frameAt, groupsIn } from '../../../src/measures/frame/frame.ts'
import { DISMISSED, FAILED, FINISHED, LOST, RELEASED, type Row, STARTED, THREW } from '../../../src/pipeline/rows.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { constant, noted, play } from './play.ts'

const wait = { resource: 'group' }
const skip = { resource: 'group', whenTaken: 'skip' }
const groups = (sizes: readonly number[], more: object = {}) => ({ kind: 'groups', groups: sizes, ...more })

/** Pairs of services of one group at one stage that overlap, where groups exclude each other there. */
function overlaps(trace: Trace, rows: readonly Row[]): string[] {
  const found: string[] = []
  const last = new Map<string, Row>()
  const served = rows.filter(({ kind, stage }) => kind === FINISHED && trace.scenario.stages[stage].resource !== null)
  for (const row of served.sort((a, b) => a.began - b.began)) {
    const key = `${row.stage} ${groupsIn(trace)?.[row.job]}`
    const before = last.get(key)
    if (before !== undefined && before.ended > row.began) found.push(`${key}: jobs ${before.job} and ${row.job}`)
    last.set(key, row)
  }
  return found
}

/** The same time added up as plainly as can be: an order waits from its row until no order before it with its group at its stage is unanswered. */
function naiveContention({ scenario }: Trace, rows: readonly Row[], group: Int32Array | null): number {
  const lastWork = rows.reduce((last, { kind, time }) => ([FINISHED, STARTED, RELEASED, FAILED, THREW].includes(kind) ? time : last), 0)
  let orders: Row[] = []
  let sum = 0
  let now = 0
  for (const row of rows) {
    const waiting = orders.filter(({ stage, job }, i) => orders.findIndex((other) => other.stage === stage && group?.[other.job] === group?.[job]) < i)
    sum += Math.max(0, Math.min(row.time, lastWork) - now) * waiting.length
    now = row.time
    const { resource, whenTaken } = scenario.stages[row.stage] ?? {}
    if (row.kind === STARTED && resource === 'group' && whenTaken === 'wait') orders.push(row)
    if (row.kind === FINISHED || row.kind === THREW || row.kind === LOST) orders = orders.filter(({ worker }) => worker !== row.worker)
  }
  return sum
}

describe('jobs of one group', () => {
  // 10 ms a job, two groups of three, two workers.
  const asked = { stages: [constant('A', 10_000, wait)], workers: 2 }

  test('wait for each other where they come as produced: 50 ms, 30 of them waited', async () => {
    const { trace, rows } = await play({ ...asked, source: groups([3, 3]) })
    expect(noted(rows, trace, 'started', 'finished')).toEqual([
      '0 started A w0 j0',
      '0 started A w1 j1',
      '10000 finished A w0 j0 (0-10000)',
      '10000 started A w0 j2',
      '20000 finished A w1 j1 (10000-20000)',
      '20000 started A w1 j3',
      '30000 finished A w0 j2 (20000-30000)',
      '30000 finished A w1 j3 (20000-30000)',
      '30000 started A w0 j4',
      '30000 started A w1 j5',
      '40000 finished A w0 j4 (30000-40000)',
      '50000 finished A w1 j5 (40000-50000)',
    ])
    const { makespan, contendedTime, utilisation, stages } = metricsOf(trace)
    expect([makespan, contendedTime, stages[0].contendedTime, stages[0].meanService]).toEqual([50_000, 30_000, 30_000, 10_000])
    expect(utilisation).toBe(0.6)
  })

  test('do not where two feeders spread them: 30 ms, none waited', async () => {
    const { trace } = await play({ ...asked, source: groups([3, 3], { order: 'spread', feeders: 2 }) })
    expect(metricsOf(trace)).toMatchObject({ makespan: 30_000, contendedTime: 0, utilisation: 1 })
  })

  test('are passed over where taken ones are skipped: 30 ms in the order produced too', async () => {
    const { trace, rows } = await play({ ...asked, stages: [constant('A', 10_000, skip)], source: groups([3, 3]) })
    expect(noted(rows, trace, 'started')).toEqual([
      '0 started A w0 j0',
      '0 started A w1 j3',
      '10000 started A w0 j1',
      '10000 started A w1 j4',
      '20000 started A w0 j2',
      '20000 started A w1 j5',
    ])
    expect(metricsOf(trace)).toMatchObject({ makespan: 30_000, contendedTime: 0 })
  })

  test('show in a frame: who waits, since when, and with which group', async () => {
    const { trace } = await play({ ...asked, source: groups([3, 3]) })
    const seen = (t: number) => frameAt(trace, t).workers.map(({ status, group, contendedSince }) => [status, group, contendedSince])
    expect(seen(5000)).toEqual([
      ['busy', 0, -1],
      ['busy', 0, 0],
    ])
    expect(seen(10_000)).toEqual([
      ['busy', 0, 10_000],
      ['busy', 0, -1],
    ])
    expect(seen(25_000)).toEqual([
      ['busy', 0, -1],
      ['busy', 1, -1],
    ])
  })

  test('are served in the order of the discipline, group by group', async () => {
    const lines: Record<string, number[]> = {}
    for (const discipline of ['fifo', 'lifo', 'shortest']) {
      const { rows } = await play({ source: groups([2, 2]), stages: [constant('A', 5, { ...skip, discipline })], workers: 2, seed: 3 })
      lines[discipline] = rows.filter(({ kind }) => kind === STARTED).map(({ job }) => job)
    }
    expect(lines).toEqual({ fifo: [0, 2, 1, 3], lifo: [3, 1, 2, 0], shortest: [0, 2, 1, 3] })
  })
})

describe('a resource is free again at once', () => {
  const two = (more: object, stage: object = {}) => play({ source: groups([2]), stages: [constant('A', 10_000, { ...wait, ...stage })], workers: 2, ...more })

  test('when its holder crashes', async () => {
    const { rows, trace } = await two({ workerEvents: [{ at: 4000, kind: 'crash', worker: 0 }] })
    expect(noted(rows, trace, 'finished')).toEqual(['14000 finished A w1 j1 (4000-14000)', '24000 finished A w1 j0 (14000-24000)'])
    expect(metricsOf(trace).contendedTime).toBe(4000)
  })

  test('when its holder hangs and is given up', async () => {
    const { rows, trace } = await two({ workerEvents: [{ at: 4000, kind: 'hang', worker: 0 }] })
    expect(noted(rows, trace, 'lost', 'finished')[0]).toBe('2000000 lost w0')
    expect(noted(rows, trace, 'finished')[0]).toBe('2010000 finished A w1 j1 (2000000-2010000)')
  })

  test('when its job throws', async () => {
    const { rows, trace } = await two({}, { fails: { jobs: [0], tries: 2 } })
    expect(noted(rows, trace, 'threw', 'finished', 'failed')).toEqual([
      '10000 threw A w0 j0',
      '20000 finished A w1 j1 (10000-20000)',
      '30000 threw A w0 j0',
      '30000 failed A j0',
    ])
  })

  test('and who waits in vain leaves or is lost at once, its job neither tried nor lost', async () => {
    for (const kind of ['leave', 'crash']) {
      const { rows, trace } = await two({ workerEvents: [{ at: 4000, kind, worker: 1 }] }, { fails: { jobs: [], tries: 1 } })
      expect(noted(rows, trace, 'lost', 'finished', 'failed')).toEqual([
        '4000 lost w1',
        '10000 finished A w0 j0 (0-10000)',
        '20000 finished A w0 j1 (10000-20000)',
      ])
      expect(metricsOf(trace).contendedTime).toBe(4000)
    }
  })

  test('and who hangs while it waits is given up only when its turn has come', async () => {
    const { rows, trace } = await two({ workerEvents: [{ at: 4000, kind: 'hang', worker: 1 }] })
    expect(noted(rows, trace, 'lost', 'finished')).toEqual([
      '10000 finished A w0 j0 (0-10000)',
      '2010000 lost w1',
      '2020000 finished A w0 j1 (2010000-2020000)',
    ])
  })

  test('when a pool dismisses who waits: the job goes back, the worker at once', async () => {
    // Two wait, two are hired; with nobody waiting any more the one of greater number goes, which waits.
    const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 0 }
    const { rows, trace } = await two({ policy })
    expect(noted(rows, trace, 'hired', 'dismissed', 'started').slice(0, 6)).toEqual([
      '0 hired A w0',
      '0 started A w0 j0',
      '1000 hired A w1',
      '1000 started A w1 j1',
      '2000 dismissed A w1 j1',
      '3000 hired A w1',
    ])
    expect(trace.ending).toBe('drained')
  })
})

describe('a change of group', () => {
  const one = { source: groups([3, 3]), stages: [constant('A', 10_000)], workers: 1, groupSwitchCost: 5000 }
  const spread = groups([3, 3], { order: 'spread', feeders: 2 })

  test('costs once where the groups come one after the other, and at every job where they are spread', async () => {
    expect(metricsOf((await play(one)).trace).makespan).toBe(65_000)
    expect(metricsOf((await play({ ...one, source: spread })).trace).makespan).toBe(85_000)
  })

  test('costs the same within a batch, and is no service time of the jobs', async () => {
    const { trace, rows } = await play({ ...one, source: spread, batch: { size: 6 } })
    expect(metricsOf(trace)).toMatchObject({ makespan: 85_000, stages: [{ meanService: 10_000 }] })
    expect(rows.filter(({ kind }) => kind === FINISHED).map(({ began }) => began)).toEqual([0, 15_000, 30_000, 45_000, 60_000, 75_000])
  })

  test('is paid beside a change of stage, and after the resource is granted', async () => {
    const stages = [constant('A', 1000), constant('B', 1000, wait)]
    const asked = { source: groups([1, 1]), stages, workers: 1, switchCost: 100, groupSwitchCost: 10 }
    const { trace, rows } = await play(asked)
    // A: 0, then 1 after a change of group; B: 0 after a change of both, 1 after a change of group.
    expect(noted(rows, trace, 'finished')).toEqual([
      '1000 finished A w0 j0 (0-1000)',
      '2010 finished A w0 j1 (1010-2010)',
      '3120 finished B w0 j0 (2120-3120)',
      '4130 finished B w0 j1 (3130-4130)',
    ])
    const held = await play({ source: groups([1, 2]), stages: [constant('A', 1000, wait)], workers: 2, groupSwitchCost: 10 })
    // Worker 0 comes from group 0 and waits 0 us: group 1 is free again when it comes.
    expect(noted(held.rows, held.trace, 'finished').at(-1)).toBe('2010 finished A w0 j2 (1010-2010)')
  })

  test('is counted from the job that threw where a batch came no further', async () => {
    // Groups a, b, a: b throws, so the worker comes to the first a again from b, and pays.
    const source = groups([2, 1], { order: 'spread', feeders: 2 })
    const stages = [constant('A', 1000, { fails: { jobs: [1], tries: 1 } })]
    const { trace, rows } = await play({ source, stages, workers: 1, batch: { size: 3 }, groupSwitchCost: 10 })
    expect(noted(rows, trace, 'threw', 'finished')).toEqual([
      '2010 threw A w0 j1',
      '3020 finished A w0 j0 (2020-3020)',
      '4030 threw A w0 j1',
      '5040 finished A w0 j2 (4040-5040)',
    ])
  })
})

describe('whatever the scenario', () => {
  const kinds = { workers: 8, jobs: 60 }
  const grouped = anyScenario({ ...kinds, policies: ['leastScore', 'jefferson', 'backpressure', 'fixed', 'single', 'pid', 'threshold'] }).filter(
    ({ source }) => source.kind === 'groups',
  )

  test('two jobs of one group are never served at once where groups exclude each other, and the time waited is that of a plain count', async () => {
    await fc.assert(
      fc.asyncProperty(grouped, async (scenario) => {
        const { trace, rows } = await play(scenario)
        expect(overlaps(trace, rows)).toEqual([])
        const { contendedTime, stages } = metricsOf(trace)
        if (!rows.some(({ kind, job }) => kind === DISMISSED && job >= 0)) expect(contendedTime).toBe(naiveContention(trace, rows, groupsIn(trace)))
        expect(contendedTime).toBe(stages.reduce((sum, stage) => sum + stage.contendedTime, 0))
        for (const [s, { resource, whenTaken }] of scenario.stages.entries())
          if (resource === null || whenTaken === 'skip') expect(stages[s].contendedTime).toBe(0)
      }),
      { numRuns: repeats(80) },
    )
  })

  test('one group of 30,000 jobs is served, one at a time, whether workers wait or skip', async () => {
    for (const more of [wait, skip]) {
      const { trace } = await play({
        source: groups([30_000], { order: 'spread', feeders: 4 }),
        stages: [constant('A', 10, { ...more, work: 'wait' })],
        workers: 8,
      })
      expect(metricsOf(trace)).toMatchObject({ completed: 30_000, makespan: 300_000 })
    }
  })
})
