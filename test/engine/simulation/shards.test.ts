import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARRIVED, FAILED, FINISHED, LOST, RELEASED, type Row, STARTED } from '../../../src/pipeline/rows.ts'
import { replay } from '../../../src/runs/replay.ts'
import { presetOf } from '../../../src/scenario/presets.ts'
import { endOf, stateAt, type Trace } from '../../../src/trace/trace.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { constant, noted, play, playTrace } from './play.ts'

type Played = Awaited<ReturnType<typeof play>>

/** The seats of a stage after each decision that changed them, with the row that the decision stands before. */
function seatsOf({ decisions }: Trace, stage: number): { readonly row: number; readonly seats: number }[] {
  const list: { row: number; seats: number }[] = []
  for (let d = 0; d < decisions.length; d++)
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++)
      if (decisions.stage[c] === stage) list.push({ row: decisions.row[d], seats: decisions.seats[c] })
  return list
}

/**
 * Judges a run by hindsight, from its rows and the seats alone: at every stage a ticket begins when all earlier ones of its shard
 * have passed, or go with it in one batch, whatever the number of shards was before. Returns how often that number changed, and what is wrong.
 */
function judge({ trace, rows }: Played, stage: number): { readonly changes: number; readonly wrong: string | null } {
  const passed = new Map<number, number>()
  rows.forEach(({ kind, stage: at, job }, i) => {
    if (!passed.has(job) && ((kind === FINISHED && at === stage) || kind === FAILED)) passed.set(job, i)
  })
  const arrived = rows.filter(({ kind }) => kind === ARRIVED).length
  const standsBefore = (below: number, row: number, fits: (job: number) => boolean) => {
    for (let job = 0; job < below; job++) if (fits(job) && (passed.get(job) ?? Infinity) >= row) return job
    return -1
  }
  const seats = seatsOf(trace, stage)
  let [n, wanted, begun, changes] = [1, 1, 0, 0]
  const settle = (row: number) => {
    if (wanted === n || standsBefore(Math.min(begun, arrived), row, () => true) >= 0) return
    n = wanted
    changes++
  }
  let batch: Row[] = []
  for (const [i, row] of rows.entries()) {
    const { kind, stage: at, job } = row
    for (; seats.length > 0 && seats[0].row <= i; seats.shift()) {
      settle(i)
      wanted = seats[0].seats === 0 ? n : seats[0].seats
    }
    if (kind !== STARTED || at !== stage) continue
    settle(i)
    if (batch[0]?.worker !== row.worker || batch[0].time !== row.time) batch = []
    const earlier = standsBefore(job, i, (other) => other % n === job % n && !batch.some((mate) => mate.job === other))
    batch.push(row)
    if (earlier >= 0) return { changes, wrong: `ticket ${job} begins at stage ${stage} before ${earlier}, with ${n} shards` }
    if (wanted !== n && job >= begun) return { changes, wrong: `ticket ${job} begins at stage ${stage} though ${n} shards are to be ${wanted}` }
    begun = Math.max(begun, job + 1)
  }
  return { changes, wrong: null }
}

/** Every job that stands at a stage without routes before it comes there. */
const plain = (options: object) => anyScenario({ jobs: 40, shards: true, ...options }).filter(({ stages }) => stages.every(({ fanOut }) => fanOut === 'copy'))
const elastic = ['pid', 'threshold', 'leastScore', 'fixed'] as const

describe('shards keep the order without a buffer', () => {
  test('no ticket is overtaken by a later one of its shard, at any stage, while workers come, go, crash and hang, and the shards change', async () => {
    let changed = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(plain({}), plain({ graphs: true }), plain({ policies: elastic })), async (scenario) => {
        const played = await play(scenario)
        for (const stage of scenario.stages.keys()) {
          const { changes, wrong } = judge(played, stage)
          expect(wrong).toBeNull()
          if (changes > 1) changed++
        }
      }),
      { numRuns: 300 },
    )
    expect(changed).toBeGreaterThan(50)
  })

  test('tickets leave in ascending order, with no hole but those of failed jobs', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true, shards: true, jobs: 40 }), async (scenario) => {
        const { rows } = await play(scenario)
        const failed = new Set<number>()
        let tail = 0
        for (const { kind, job } of rows) {
          if (kind === FAILED) failed.add(job)
          if (kind !== RELEASED) continue
          for (; tail < job; tail++) expect(failed.has(tail)).toBe(true)
          expect(job).toBe(tail++)
        }
      }),
      { numRuns: 250 },
    )
  })

  test('every run drains as long as somebody lives who may serve any stage, however narrow the queues', async () => {
    let drained = 0
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true, shards: true, jobs: 40 }), async (scenario) => {
        const narrow = { ...scenario, stages: scenario.stages.map((stage, s) => ({ ...stage, capacity: s % 2 === 0 ? 1 : stage.capacity })) }
        const trace = await playTrace(narrow)
        const { kind, lend } = scenario.policy
        const served = lend || ((kind === 'onePerStage' || kind === 'single' || kind === 'greenThreads') && scenario.workerEvents.length === 0)
        if (!served || stateAt(trace, Infinity).tally.live === 0) return
        expect(trace.ending).toBe('drained')
        drained++
      }),
      { numRuns: 250 },
    )
    expect(drained).toBeGreaterThan(100)
  })

  test('a record is played again from its facts alone, decision by decision', async () => {
    await fc.assert(
      fc.asyncProperty(anyScenario({ graphs: true, shards: true, jobs: 30 }), async (scenario) => {
        expect(replay(await playTrace(scenario)).difference).toBeNull()
      }),
      { numRuns: 100 },
    )
  })
})

const two = { kind: 'fixed', allocation: { A: 2, B: 2 } }
const waiting = (id: string, mean: number, more: object = {}) => constant(id, mean, { work: 'wait', ...more })

test('each worker serves every other ticket, and the last stage begins none before its last has left', async () => {
  const { trace, rows } = await play({
    source: { kind: 'batch', jobs: 5 },
    stages: [
      waiting('A', 10, {
        changes: [
          { from: 1, service: { kind: 'constant', mean: 40 } },
          { from: 2, service: { kind: 'constant', mean: 10 } },
        ],
      }),
      waiting('B', 10),
    ],
    workers: 4,
    policy: two,
    order: { kind: 'shard' },
  })
  expect(noted(rows, trace, 'started', 'released')).toEqual([
    '0 started A w0 j0',
    '0 started A w1 j1',
    '10 started B w2 j0',
    '10 started A w0 j2',
    '20 released j0',
    '20 started B w2 j2',
    '20 started A w0 j4',
    '40 started B w3 j1',
    '40 started A w1 j3',
    '50 released j1',
    '50 released j2',
    '50 started B w3 j3',
    '50 started B w2 j4',
    '60 released j3',
    '60 released j4',
  ])
})

test('when a worker is lost its tickets are served first, and then there are as many shards as seats', async () => {
  const { trace, rows } = await play({
    source: { kind: 'batch', jobs: 9 },
    stages: [waiting('A', 10)],
    workers: 3,
    workerEvents: [
      { at: 15, kind: 'crash', worker: 1 },
      { at: 25, kind: 'join', worker: 3 },
    ],
    policy: { kind: 'fixed', allocation: { A: 3 } },
    order: { kind: 'shard' },
  })
  expect(rows.filter(({ kind }) => kind === LOST)).toHaveLength(1)
  expect(noted(rows, trace, 'started')).toEqual([
    '0 started A w0 j0',
    '0 started A w1 j1',
    '0 started A w2 j2',
    '10 started A w0 j3',
    '10 started A w1 j4',
    '10 started A w2 j5',
    '20 started A w0 j4',
    '30 started A w0 j6',
    '30 started A w2 j7',
    '30 started A w3 j8',
  ])
})

test.each([
  ['side-by-side-sharded', 1_250_000],
  ['six-through-three-sharded', 1_000_000],
])('the preset %s takes its ideal time', async (id, makespan) => {
  const preset = presetOf(id)
  if (preset === undefined) throw new Error('no such preset')
  const trace = await playTrace(preset.scenario)
  expect(trace.ending).toBe('drained')
  expect(endOf(trace)).toBe(makespan)
})
