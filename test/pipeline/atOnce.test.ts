import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apply, applyBatch, settle, startJob, startJobs } from '../../src/pipeline/apply.ts'
import { ARRIVED, createRows, NONE, pushFinished, pushRow, type Rows, rowAt } from '../../src/pipeline/rows.ts'
import { createState, MIN_AT_ONCE, type State, servesAtOnce } from '../../src/pipeline/state.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { linksOf, scenarioWith } from '../fixtures/scenarios.ts'

const WORKERS = 2

interface World {
  readonly state: State
  readonly rows: Rows
  readonly atOnce: boolean
  /** How often several jobs were moved together. */
  moved: number
}

function createWorld(scenario: Scenario, atOnce: boolean): World {
  const state = createState(
    scenario,
    (stage, job) => ((job * 7 + stage) % 5) + 1,
    () => 0,
    () => 0,
  )
  return { state, rows: createRows(), atOnce, moved: 0 }
}

function arrive({ state, rows }: World, time: number, jobs: number): void {
  for (let k = 0; k < jobs; k++) {
    pushRow(rows, time, ARRIVED, NONE, NONE, state.counts.arrived)
    apply(state, rows, rows.length - 1)
  }
}

function start(world: World, time: number, stage: number, worker: number, most: number): void {
  const { state, rows } = world
  const jobs = Math.min(most, state.queues[stage].length)
  if (world.atOnce && jobs >= MIN_AT_ONCE && servesAtOnce(state, stage)) {
    world.moved++
    startJobs(state, rows, time, stage, worker, jobs)
  } else for (let k = 0; k < jobs; k++) startJob(state, rows, time, stage, worker, state.queues[stage].peek())
}

function finish(world: World, time: number, worker: number): void {
  const { state, rows } = world
  const stage = state.counts.stage[worker]
  const from = rows.length
  for (const job of [...state.workerJobs[worker]].sort((a, b) => a - b))
    pushFinished(rows, time, stage, worker, job, time - job - 1, time)
  const to = rows.length
  const batch = world.atOnce && to > from ? applyBatch(state, rows, from, to) : 0
  if (batch > 0) world.moved++
  for (let i = from + batch; i < to; i++) apply(state, rows, i)
  settle(state, rows, time)
}

/** The complete visible state. */
function seen({ state, rows }: World) {
  const { counts, workerJobs, leases, queues, outside, batches, due } = state
  const jobsOf = (queue: State['outside']) => {
    const jobs: number[] = []
    queue.forEach((job) => void jobs.push(job))
    return jobs
  }
  return {
    counts,
    workerJobs,
    leases,
    batches,
    due: due.length,
    outside: jobsOf(outside),
    queues: queues.map(jobsOf),
    rows: Array.from({ length: rows.length }, (_, i) => rowAt(rows, i)),
  }
}

const anyStep = fc.record({
  arrivals: fc.nat(60),
  worker: fc.nat(WORKERS - 1),
  stage: fc.nat(1),
  most: fc.integer({ min: 5, max: 40 }),
})

test('jobs that start and finish together leave the same rows and the same state as one by one', () => {
  let moved = 0
  fc.assert(
    fc.property(
      fc.constantFrom('fifo', 'lifo', 'shortest'),
      fc.option(fc.integer({ min: 1, max: 20 })),
      fc.boolean(),
      fc.array(anyStep, { minLength: 10, maxLength: 40 }),
      (discipline, capacity, ordered, steps) => {
        const parsed = parse({
          version: 1,
          workers: WORKERS,
          source: { kind: 'batch', jobs: 2000 },
          stages: [{ id: 'a', discipline, ...(capacity === null ? {} : { capacity }) }, { id: 'b' }],
          ...(ordered ? { order: { kind: 'buffer', slots: 2000 } } : {}),
        })
        if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
        const worlds = [true, false].map((atOnce) => createWorld(parsed.scenario, atOnce))
        steps.forEach(({ arrivals, worker, stage, most }, time) => {
          for (const world of worlds) {
            arrive(world, time, arrivals)
            if (world.state.workerJobs[worker].length > 0) finish(world, time, worker)
            else start(world, time, stage, worker, most)
          }
        })
        moved += worlds[0].moved
        expect(seen(worlds[0])).toEqual(seen(worlds[1]))
      },
    ),
    { numRuns: 100 },
  )
  expect(moved).toBeGreaterThan(50)
})

describe('a batch that is reported in one piece', () => {
  /** Reports a batch of ten jobs of stage A. Returns how many rows are applied together. */
  function appliedTogether(more: object, reported: (jobs: number[]) => number[] = (jobs) => jobs, hidden = 0): number {
    const parsed = scenarioWith({
      workers: WORKERS,
      source: { kind: 'batch', jobs: 40 },
      stages: [{ id: 'a' }, { id: 'b' }],
      ...more,
    })
    const world = createWorld(parsed, false)
    const { state, rows } = world
    arrive(world, 0, 20)
    state.shards?.queues[0].deal(1)
    for (let job = 0; job < 10; job++) startJob(state, rows, 1, 0, 0, job)
    const from = rows.length
    for (const job of reported([...state.workerJobs[0]])) pushFinished(rows, 9, 0, 0, job, 1, 9)
    return applyBatch(state, rows, from, rows.length - hidden)
  }

  test('is applied row by row where a row may cause others: parts, shards, resources, tries, or jobs outside', () => {
    const links = linksOf('source>a a>b a>c b>sink c>sink')
    const stages = (fanOut: object | string) => [{ id: 'a', fanOut }, { id: 'b' }, { id: 'c' }]
    expect(appliedTogether({ links, stages: stages('copy') })).toBe(0)
    expect(appliedTogether({ links, stages: stages({ route: { b: 1, c: 1 } }) })).toBe(0)
    expect(appliedTogether({ order: { kind: 'shard' } })).toBe(0)
    expect(
      appliedTogether({ source: { kind: 'groups', groups: [40] }, stages: [{ id: 'a', resource: 'group' }] }),
    ).toBe(0)
    expect(appliedTogether({ stages: [{ id: 'a', capacity: 5 }] })).toBe(0)
  })
})
