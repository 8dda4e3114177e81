import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ring, ringAt, type TicketPlace, ticketPlaces } from '../../../../src/features/order/measure/order.ts'
import {
  createOrderLog,
  extendOrderLog,
  type OrderLog,
  orderCost,
} from '../../../../src/features/order/measure/orderLog.ts'
import { orderSentence } from '../../../../src/features/order/measure/orderWords.ts'
import { sentenceText } from '../../../../src/measures/decisions/speech.ts'
import { type Frame, frameAt } from '../../../../src/measures/frame/frame.ts'
import { apply, skipConsequences } from '../../../../src/pipeline/apply.ts'
import {
  createRows,
  FAILED,
  FINISHED,
  GATHERED,
  NONE,
  pushFinished,
  pushRow,
  RELEASED,
} from '../../../../src/pipeline/rows.ts'
import { createState, type State } from '../../../../src/pipeline/state.ts'
import { SINK } from '../../../../src/pipeline/topology.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { countJobs } from '../../../../src/scenario/model/sources.ts'
import { type Trace, traceRow } from '../../../../src/trace/trace.ts'
import { groupingOf } from '../../../../src/workload/groups.ts'
import { createServices, routingOf } from '../../../../src/workload/service.ts'
import { anyScenario, valid } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

function logOf(trace: Trace, most = Infinity): OrderLog {
  const log = createOrderLog(trace)
  while (!extendOrderLog(log, most));
  return log
}

/** Three workers, service times as drawn: job 0 takes 100, all others 10; tickets 1 to 3 wait for it in a ring of four. */
const slowFirst = scenarioWith({
  source: { kind: 'batch', jobs: 12 },
  stages: [{ id: 'A', name: 'Enrich', service: { kind: 'constant', mean: 10 }, work: 'wait' }],
  workers: 3,
  order: { kind: 'buffer', slots: 4 },
})
const slow = {
  ...slowFirst,
  stages: [
    {
      ...slowFirst.stages[0],
      service: { kind: 'constant', mean: 100 } as const,
      changes: [{ from: 1, service: { kind: 'constant', mean: 10 } as const }],
    },
  ],
}

/** The plain way: the core's own full state, folded again from the first row to time t. */
function stateAtPlainly(
  trace: Trace,
  t: number,
): { readonly state: State; readonly parked: ReadonlySet<number>; readonly failed: ReadonlySet<number> } {
  const state = createState(
    trace.scenario,
    createServices(trace.scenario).at,
    groupingOf(trace.scenario),
    routingOf(trace.scenario),
  )
  const rows = createRows()
  const parked = new Set<number>()
  const failed = new Set<number>()
  for (let i = 0; i < trace.length; i++) {
    const { time, kind, stage, worker, job, began, ended } = traceRow(trace, i)
    if (time > t) break
    if (kind === FINISHED) pushFinished(rows, time, stage, worker, job, began, ended)
    else pushRow(rows, time, kind, stage, worker, job)
    apply(state, rows, i)
    skipConsequences(state)
    if ((kind === FINISHED && state.topology.next[stage] === SINK) || (kind === GATHERED && stage === NONE))
      parked.add(job)
    if (kind === RELEASED) parked.delete(job)
    if (kind === FAILED) failed.add(job)
  }
  return { state, parked, failed }
}

function plainPlaces(state: State, job: number): TicketPlace[] {
  const holds = (queue: { forEach(visit: (job: number) => void): void }) => {
    let found = false
    queue.forEach((one) => {
      if (one === job) found = true
    })
    return found
  }
  if (holds(state.outside)) return [{ at: 'outside' }]
  const waiting = state.queues.flatMap((queue, stage): TicketPlace[] =>
    holds(queue) || holds(state.early[stage]) ? [{ at: 'waiting', stage }] : [],
  )
  const held = state.workerJobs.flatMap((hand, worker): TicketPlace[] =>
    hand.includes(job) ? [{ at: 'hands', stage: state.counts.stage[worker], worker }] : [],
  )
  return byStage([...waiting, ...held])
}

function byStage(places: readonly TicketPlace[]): TicketPlace[] {
  const stageOf = (where: TicketPlace) => ('stage' in where ? where.stage : -1)
  return [...places].sort((a, b) => stageOf(a) - stageOf(b))
}

const ordered = fc
  .tuple(fc.oneof(anyScenario({ jobs: 40 }), anyScenario({ graphs: true, jobs: 40 })), fc.integer({ min: 1, max: 14 }))
  .map(([scenario, slots]) => valid({ ...scenario, order: { kind: 'buffer', slots } }))

describe('the ring at an instant', () => {
  test('shows the missing ticket, its place, and the jobs that wait behind it', async () => {
    const trace = await playSimulation(slow, 0)
    const log = logOf(trace)
    const frame = frameAt(trace, 50)
    const ring = ringAt(log, frame, 64)
    expect(ring).toMatchObject({
      slots: 4,
      tail: 0,
      awaited: [{ at: 'hands', stage: 0, worker: 0 }],
      parked: 3,
      missing: 1,
      beyond: 8,
    })
    expect(ring.cells.map(({ parked, missing, stages }) => [parked, missing, stages])).toEqual([
      [0, 1, [0]],
      [1, 0, []],
      [1, 0, []],
      [1, 0, []],
    ])
    expect(sentenceText(orderSentence(trace.scenario, ring, frame))).toBe(
      'Ticket 0 is missing: worker 1 has it at Enrich; 3 jobs wait behind it. 2 workers stand idle: the ring reaches no further.',
    )
  })

  test('equals the core’s own for any scenario and instant, with any number of slots in a cell', async () => {
    await fc.assert(
      fc.asyncProperty(
        ordered,
        fc.uniqueArray(fc.nat({ max: 999 }), { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 16 }),
        async (scenario, instants, most) => {
          const trace = await playSimulation(scenario, 0)
          const log = logOf(trace, 37)
          for (const thousandths of instants) {
            const t = traceRow(trace, Math.floor((thousandths * trace.length) / 1000)).time
            const frame = frameAt(trace, t)
            const { state, parked, failed } = stateAtPlainly(trace, t)
            const ring = ringAt(log, frame, most)
            const tail = state.buffer?.tail ?? 0
            const { slots } = state.topology
            const furthest = Math.max(-1, ...parked)
            const missing = Array.from({ length: Math.max(0, furthest - tail) }, (_, k) => tail + k).filter(
              (job) => !parked.has(job) && !failed.has(job),
            )
            expect(ring).toMatchObject({ tail, parked: parked.size, missing: missing.length })
            expect(ring.parked).toBe(state.buffer?.held)
            expect(ring.trashed).toBe([...failed].filter((job) => job >= tail && job < tail + slots).length)
            expect(ring.cells.reduce((sum, cell) => sum + cell.slots, 0)).toBe(slots)
            expect(ring.cells.length).toBe(Math.min(slots, most))
            for (let job = 0; job <= countJobs(scenario.source); job++) {
              const end = failed.has(job)
                ? 'trashed'
                : parked.has(job)
                  ? 'parked'
                  : job < tail
                    ? 'left'
                    : job >= frame.arrived
                      ? 'coming'
                      : null
              expect(byStage(ticketPlaces(log, job, frame)), `job ${job} at ${t}`).toEqual(
                end === null ? plainPlaces(state, job) : [{ at: end }],
              )
            }
            if (slots > most) continue
            for (const job of parked)
              expect(ring.cells[job % slots]).toMatchObject({ parked: 1, missing: 0, trashed: 0 })
            for (const job of missing) {
              const stages = plainPlaces(state, job).flatMap((where) => ('stage' in where ? [where.stage] : []))
              const { stages: shown, ...cell } = ring.cells[job % slots]
              expect(cell).toMatchObject({ parked: 0, missing: 1 })
              expect([...shown].sort((a, b) => a - b)).toEqual(stages)
            }
          }
        },
      ),
      { numRuns: repeats(80) },
    )
  })
})

describe('the sentence about order', () => {
  const sentenceAt = async (scenario: Scenario, t: number, ring: Partial<Ring> = {}, frame: Partial<Frame> = {}) => {
    const trace = await playSimulation(scenario, 0)
    const now = { ...frameAt(trace, t), ...frame }
    return sentenceText(orderSentence(scenario, { ...ringAt(logOf(trace), now, 64), ...ring }, now))
  }

  test('names idle workers only if the ring alone holds them back', async () => {
    const frame = frameAt(await playSimulation(slow, 0), 50)
    const sentenceFor = async (scenario: Scenario, ring: Partial<Ring> = {}, of: Partial<Frame> = {}) => {
      const text = await sentenceAt(scenario, 50, ring, of)
      return / (\d workers? stands?) idle: the ring reaches no further\.$/.exec(text)?.[1] ?? ''
    }
    expect(await sentenceFor(slow)).toBe('2 workers stand')
    expect(await sentenceFor(slow, {}, { workers: frame.workers.slice(0, 2) })).toBe('1 worker stands')
    expect(await sentenceFor(slow, { beyond: 0 })).toBe('')
    expect(await sentenceFor(slow, {}, { stages: frame.stages.map((stage) => ({ ...stage, waiting: 0 })) })).toBe('')
    expect(await sentenceFor({ ...slow, policy: { kind: 'leastScore', lend: false } })).toBe('')
  })
})

describe('the cost of order', () => {
  test('is the time parked, the longest hole and the most jobs behind one ticket', async () => {
    const log = logOf(await playSimulation(slow, 0))
    // Tickets 1 and 2 are there at 10, ticket 3 at 20; job 0 at 100. From then on three workers keep step.
    expect(orderCost(log)).toEqual({
      parkedTime: 90 + 90 + 80,
      meanParked: 260 / 12,
      longest: { ticket: 0, from: 10, to: 100 },
      most: { jobs: 3, ticket: 0, at: 20 },
    })
  })

  test('agrees with plain sums over the rows, and is known at any time of the run', async () => {
    await fc.assert(
      fc.asyncProperty(ordered, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const since = new Map<number, number>()
        let parkedTime = 0
        let most = 0
        for (let i = 0; i < trace.length; i++) {
          const { kind, time, stage, job } = traceRow(trace, i)
          if ((kind === FINISHED && trace.topology.next[stage] === SINK) || (kind === GATHERED && stage === NONE))
            since.set(job, time)
          if (kind === RELEASED) {
            parkedTime += time - (since.get(job) ?? Number.NaN)
            since.delete(job)
          }
          if (i + 1 < trace.length && traceRow(trace, i + 1).time > time) most = Math.max(most, since.size)
        }
        const end = trace.length === 0 ? 0 : traceRow(trace, trace.length - 1).time
        for (const from of since.values()) parkedTime += end - from
        const cost = orderCost(logOf(trace, 11))
        expect(cost.parkedTime).toBe(parkedTime)
        expect(cost.most?.jobs ?? 0).toBe(most)
        expect(cost.longest === null).toBe(most === 0)
        if (cost.longest === null) return
        // During the longest hole its ticket is missing, and jobs wait behind it.
        const middle = frameAt(trace, Math.floor((cost.longest.from + cost.longest.to) / 2))
        const ring = ringAt(logOf(trace), middle, 8)
        expect(ring.tail).toBe(cost.longest.ticket)
        expect(ring.parked).toBeGreaterThan(0)
      }),
      { numRuns: repeats(60) },
    )
  })
})
