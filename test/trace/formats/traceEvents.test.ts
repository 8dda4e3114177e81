import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { writeTraceEvents } from '../../../src/trace/formats/traceEvents.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { parsed, scenarios, workedExample } from '../../measures/scenarios.ts'

interface Event {
  ph: string
  name: string
  pid: number
  tid: number
  ts: number
  dur?: number
  s?: string
  args: Record<string, unknown>
}

const eventsOf = (trace: Trace): Event[] => JSON.parse([...writeTraceEvents(trace)].join('')).traceEvents

/** The rules of the Trace Event format that concern the events written here: what breaks them. */
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
  test('has a thread a worker, a slice a job, counters for queues and seats, and the decisions', async () => {
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

  test('obeys the rules of the format for scenarios of every sort, with every finished job as a slice', async () => {
    let batches = 0
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario: Scenario) => {
        const trace = await playSimulation(scenario, 0)
        const events = eventsOf(trace)
        expect(broken(events)).toEqual([])
        const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).filter(({ kind }) => kind === FINISHED)
        const served = rows.reduce((sum, { began, ended }) => sum + ended - began, 0)
        const slices = events.filter(({ ph }) => ph === 'X')
        expect(slices.length).toBe(rows.length)
        expect(slices.reduce((sum, { dur }) => sum + (dur ?? 0), 0)).toBe(served)
        if (scenario.batch.size !== 1) batches++
      }),
      { numRuns: 150 },
    )
    expect(batches).toBeGreaterThan(10)
  })

  test('is written in parts also where the jobs of a batch are served last first', async () => {
    const scenario = parsed({
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
