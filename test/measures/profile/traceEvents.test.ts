import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figuresOf } from '../../../src/measures/figures/metrics.ts'
import { writeTraceEvents } from '../../../src/measures/profile/traceEvents.ts'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { playSimulation, summarise } from '../../../src/runs/play/play.ts'
import { stageLabels } from '../../../src/scenario/model/linearStages.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { repeats } from '../../fixtures/extent.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { scenarios, workedExample } from '../scenarios.ts'

interface Event {
  ph: string
  name: string
  pid: number
  tid: number
  ts: number
  dur?: number
  s?: string
  cat?: string
  args: Record<string, unknown>
}

/** The job number in the categories of a slice. */
const jobOf = ({ cat }: Event) => Number(cat?.match(/,job (\d+)$/)?.[1])

const eventsOf = (trace: Trace): Event[] => JSON.parse([...writeTraceEvents(trace)].join('')).traceEvents

/** Returns which rules of the Trace Event format the written events break. */
function broken(events: readonly Event[]): string[] {
  const through = new Map<number, number>()
  const found: string[] = []
  let now = 0
  for (const event of events) {
    const { ph, name, pid, tid, ts, dur = Number.NaN, s = '', args } = event
    const rule = (holds: boolean, what: string) => holds || found.push(`${what}: ${JSON.stringify(event)}`)
    rule(typeof name === 'string' && name.length > 0, 'a name')
    rule([pid, tid].every(Number.isInteger), 'whole process and thread numbers')
    rule(Number.isFinite(ts) && ts >= now, 'order of time')
    now = ts
    if (ph === 'X') {
      rule(dur >= 0, 'a duration')
      rule(ts >= (through.get(tid) ?? 0), 'slices of a thread that do not overlap')
      through.set(tid, ts + dur)
    } else if (ph === 'C') rule(Object.values(args).every(Number.isFinite), 'numbers in counters')
    else if (ph === 'i') rule(['g', 'p', 't'].includes(s), 'the scope of an instant')
    else rule(ph === 'M' && ['process_name', 'thread_name', 'thread_sort_index'].includes(name), 'a known phase')
  }
  return found
}

describe('the run as Trace Event JSON', () => {
  test('has a thread per worker, a slice per job, counters for queues and seats, and the decisions', async () => {
    const events = eventsOf(await playSimulation(workedExample, 0))
    expect(broken(events)).toEqual([])
    expect(events.filter(({ name }) => name === 'thread_name').map(({ tid, args }) => [tid, args.name])).toEqual([
      [0, 'Scheduler'],
      [1, 'Worker 1'],
      [2, 'Worker 2'],
    ])
    expect(events.filter(({ ph }) => ph === 'X').map(({ tid, name, ts, dur }) => [tid, name, ts, dur])).toEqual([
      [1, 'A', 0, 1e6],
      [2, 'A', 0, 1e6],
      [1, 'A', 1e6, 1e6],
      [2, 'B', 1e6, 1e6],
      [1, 'B', 2e6, 1e6],
      [2, 'B', 2e6, 1e6],
    ])
    expect(events.filter(({ name }) => name.startsWith('Decision')).map(({ ts, args }) => [ts, args.seats])).toEqual([
      [0, { A: 2 }],
      [1e6, { A: 1, B: 1 }],
      [2e6, { A: 0, B: 2 }],
    ])
    expect(events.filter(({ name }) => name === 'Queue A').map(({ ts, args }) => [ts, args.waiting])).toEqual([
      [0, 1],
      [1e6, 0],
    ])
    expect(events.filter(({ name }) => name === 'Seats B').map(({ ts, args }) => [ts, args.seats])).toEqual([
      [1e6, 1],
      [2e6, 2],
    ])
  })

  test('obeys the rules of the format for all kinds of scenarios, with every finished job as a slice', async () => {
    let batches = 0
    let waits = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario: Scenario) => {
        const trace = await playSimulation(scenario, 0)
        const events = eventsOf(trace)
        expect(broken(events)).toEqual([])
        const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).filter(
          ({ kind }) => kind === FINISHED,
        )
        const served = rows.reduce((sum, { began, ended }) => sum + ended - began, 0)
        const slices = events.filter(({ cat }) => cat?.startsWith('work,'))
        expect(slices.length).toBe(rows.length)
        expect(slices.reduce((sum, { dur }) => sum + (dur ?? 0), 0)).toBe(served)
        // speedscope makes one entry of each name with its arguments.
        expect(new Set(slices.map(({ name, args }) => name + JSON.stringify(args))).size).toBeLessThanOrEqual(
          scenario.stages.length,
        )
        const waited = events
          .filter(({ cat }) => cat?.startsWith('wait,'))
          .reduce((sum, { dur }) => sum + (dur ?? 0), 0)
        expect(waited).toBe(summarise(trace, figuresOf(trace)).contendedTime)
        if (waited > 0) waits++
        if (scenario.batch.size !== 1) batches++
      }),
      { numRuns: repeats(200), seed: 1 },
    )
    expect(batches).toBeGreaterThan(5)
    expect(waits).toBeGreaterThan(0)
  })

  test('shows the names of stages, or their ids if names are equal', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 2 },
      stages: [
        { id: 'a', name: 'Parse' },
        { id: 'b', name: 'Store' },
        { id: 'c', name: 'Store' },
        { id: 'd', name: 'a' },
      ],
      workers: 1,
    })
    expect(stageLabels(scenario)).toEqual(['Parse', 'b', 'c', 'd'])
    const events = eventsOf(await playSimulation(scenario, 0))
    expect(new Set(events.filter(({ ph }) => ph === 'X').map(({ name }) => name))).toEqual(
      new Set(['Parse', 'b', 'c', 'd']),
    )
    expect(new Set(events.filter(({ name }) => name.startsWith('Queue ')).map(({ name }) => name.slice(6)))).toEqual(
      new Set(['Parse', 'b', 'c', 'd']),
    )
  })

  test('has slices for changes of stage, discarded work and waits for resources, with their durations', async () => {
    const slicesOf = async (input: object) =>
      eventsOf(await playSimulation(scenarioWith(input), 0))
        .filter(({ ph }) => ph === 'X')
        .map((event) => [event.tid, event.name, event.ts, event.dur, jobOf(event)])
    const A = { id: 'A', name: 'Ask', service: { kind: 'constant', mean: 100 } }
    const B = { ...A, id: 'B', name: 'Bake' }
    expect(await slicesOf({ source: { kind: 'batch', jobs: 1 }, stages: [A, B], workers: 1, switchCost: 7 })).toEqual([
      [1, 'Ask', 0, 100, 1],
      [1, 'Change to Bake', 100, 7, 1],
      [1, 'Bake', 107, 100, 1],
    ])
    const thrown = { ...A, fails: { jobs: [1], tries: 2 } }
    expect(await slicesOf({ source: { kind: 'batch', jobs: 2 }, stages: [thrown], workers: 1 })).toEqual([
      [1, 'Ask', 0, 100, 1],
      [1, 'Thrown away: Ask', 100, 100, 2],
      [1, 'Thrown away: Ask', 200, 100, 2],
    ])
    const crash = [{ at: 40, kind: 'crash', worker: 0 }]
    expect(
      await slicesOf({ source: { kind: 'batch', jobs: 1 }, stages: [A], workers: 2, workerEvents: crash }),
    ).toEqual([
      [1, 'Thrown away: Ask', 0, 40, 1],
      [2, 'Ask', 40, 100, 1],
    ])
    const groups = { kind: 'groups', groups: [3], order: 'asProduced' }
    expect(
      await slicesOf({ source: groups, stages: [{ ...A, resource: 'group', whenTaken: 'wait' }], workers: 3 }),
    ).toEqual([
      [1, 'Ask', 0, 100, 1],
      [2, 'Wait for resource: Ask', 0, 100, 2],
      [3, 'Wait for resource: Ask', 0, 200, 3],
      [2, 'Ask', 100, 100, 2],
      [3, 'Ask', 200, 100, 3],
    ])
    const two = { ...groups, groups: [1, 1] }
    expect(await slicesOf({ source: two, stages: [A], workers: 1, groupSwitchCost: 5, batch: { size: 2 } })).toEqual([
      [1, 'Ask', 0, 100, 1],
      [1, 'Change of group: Ask', 100, 5, 2],
      [1, 'Ask', 105, 100, 2],
    ])
  })

  test('has an instant for each decision, counted from 1, and for events of jobs and workers', async () => {
    const A = { id: 'A', service: { kind: 'constant', mean: 100 }, fails: { jobs: [1], tries: 1 } }
    const workerEvents = [
      { at: 40, kind: 'crash', worker: 0 },
      { at: 60, kind: 'join', worker: 2 },
    ]
    const events = eventsOf(
      await playSimulation(
        scenarioWith({
          source: { kind: 'batch', jobs: 2 },
          stages: [A],
          workers: 2,
          workerEvents,
          later: [{ at: 80, switchCost: 5 }],
        }),
        0,
      ),
    )
    const instants = events.filter(({ ph }) => ph === 'i')
    expect(
      instants
        .filter(({ name }) => !name.startsWith('Decision'))
        .map(({ name, tid, ts, s, args }) => [name, tid, ts, s, args]),
    ).toEqual([
      ['lost', 1, 40, 't', {}],
      ['joined', 3, 60, 't', {}],
      ['turned', 0, 80, 'p', { at: 80, switchCost: 5 }],
      ['threw', 2, 100, 't', { job: 2 }],
      ['failed', 0, 100, 't', { job: 2 }],
    ])
    const decisions = instants.filter(({ name }) => name.startsWith('Decision'))
    expect(decisions.map(({ name }) => name)).toEqual(decisions.map((_, d) => `Decision ${d + 1}`))
  })

  test('is written in parts even if the jobs of a batch are served last first', async () => {
    const scenario = scenarioWith({
      source: { kind: 'batch', jobs: 3000 },
      stages: [{ id: 'A', discipline: 'lifo', service: { kind: 'uniform', min: 1, max: 9 } }],
      workers: 2,
      batch: { size: 50 },
    })
    const trace = await playSimulation(scenario, 0)
    expect([...writeTraceEvents(trace)].length).toBeGreaterThan(2)
    expect(broken(eventsOf(trace))).toEqual([])
  })
})
