import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ringAt } from '../../../../src/features/order/measure/order.ts'
import { createOrderLog, extendOrderLog } from '../../../../src/features/order/measure/orderLog.ts'
import { shardSentence } from '../../../../src/features/order/measure/orderWords.ts'
import {
  createShardLog,
  extendShardLog,
  type ShardTurn,
  shardsAt,
} from '../../../../src/features/order/measure/shards.ts'
import { sentenceText } from '../../../../src/measures/decisions/speech.ts'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { apply, skipConsequences } from '../../../../src/pipeline/apply.ts'
import { createRows, FAILED, FINISHED, NONE, pushFinished, pushRow, RELEASED } from '../../../../src/pipeline/rows.ts'
import { createState } from '../../../../src/pipeline/state.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { rowsUntil, type Trace, traceRow } from '../../../../src/trace/trace.ts'
import { groupingOf } from '../../../../src/workload/groups.ts'
import { createServices, routingOf } from '../../../../src/workload/service.ts'
import { anyScenario } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'

function seen(trace: Trace, t: number, most = Infinity) {
  const log = createShardLog(trace)
  while (!extendShardLog(log, most));
  const order = createOrderLog(trace)
  extendOrderLog(order)
  const frame = frameAt(trace, t)
  return { frame, ring: ringAt(order, frame, 64), stages: shardsAt(log, order, frame) }
}

/** The plain way: the core's own full state, folded again from the first row to time t, and who has passed which stage by then. */
function plainly(trace: Trace, t: number) {
  const { scenario, decisions } = trace
  const state = createState(scenario, createServices(scenario).at, groupingOf(scenario), routingOf(scenario))
  const rows = createRows()
  const finished = new Set<string>()
  const failed = new Set<number>()
  /** Released or failed. */
  const gone = new Set<number>()
  const seats = scenario.stages.map(() => 0)
  let d = 0
  const deal = (row: number) => {
    for (; d < decisions.length && decisions.row[d] <= row; d++) {
      for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++)
        seats[decisions.stage[c]] = decisions.seats[c]
      seats.forEach((seat, s) => void state.shards?.queues[s].deal(seat))
    }
  }
  const end = rowsUntil(trace, t)
  for (let i = 0; i < end; i++) {
    const { time, kind, stage, worker, job, began, ended } = traceRow(trace, i)
    deal(i)
    if (kind === FINISHED) pushFinished(rows, time, stage, worker, job, began, ended)
    else pushRow(rows, time, kind, stage, worker, job)
    apply(state, rows, i)
    skipConsequences(state)
    if (kind === FINISHED) finished.add(`${stage} ${job}`)
    if (kind === FAILED) failed.add(job)
    if (kind === FAILED || kind === RELEASED) gone.add(job)
  }
  deal(end)
  const served = (stage: number, job: number) => finished.has(`${stage} ${job}`)
  return { state, passed: (stage: number, job: number) => served(stage, job) || failed.has(job), gone, served }
}

const slow = (mean: number) => ({
  id: 'A',
  name: 'Enrich',
  work: 'wait',
  service: { kind: 'constant', mean: 10 },
  changes: [
    { from: 0, service: { kind: 'constant', mean } },
    { from: 1, service: { kind: 'constant', mean: 10 } },
  ],
})

describe('the shards at an instant', () => {
  test('show the next ticket, the missing ticket, and the jobs that wait behind it', async () => {
    const trace = await playSimulation(
      scenarioWith({
        source: { kind: 'batch', jobs: 8 },
        stages: [slow(100), { id: 'B', name: 'Write', work: 'wait', service: { kind: 'constant', mean: 5 } }],
        workers: 4,
        policy: { kind: 'fixed', allocation: { A: 2, B: 2 } },
        order: { kind: 'shard' },
      }),
      0,
    )
    const { frame, ring, stages } = seen(trace, 45)
    const turnsOf = (turns: readonly ShardTurn[]) => turns.map(({ ticket, state, held }) => [ticket, state, held])
    expect(turnsOf(stages[0].turns)).toEqual([
      [0, 'served', null],
      [9, 'coming', null],
    ])
    expect(turnsOf(stages[1].turns)).toEqual([
      [0, 'missing', -1],
      [3, 'here', 1],
    ])
    expect([stages[0].behind, stages[1].behind]).toEqual([3, 2])
    expect(sentenceText(shardSentence(trace.scenario, ring, stages, frame))).toBe(
      'Ticket 0 is missing: worker 1 has it at Enrich; 1 job waits behind it. At Write 2 of 2 shards stand still, though 3 jobs wait there.',
    )
  })

  test('equal the core’s own for any scenario and instant', async () => {
    let several = 0
    await fc.assert(
      fc.asyncProperty(
        anyScenario({ graphs: true, shards: true, jobs: 40, workers: 6 }),
        fc.uniqueArray(fc.nat({ max: 999 }), { minLength: 3, maxLength: 3 }),
        async (scenario, instants) => {
          const trace = await playSimulation(scenario, 0)
          for (const thousandths of trace.length === 0 ? [] : instants) {
            const t = traceRow(trace, Math.floor((thousandths * trace.length) / 1000)).time
            const { frame, stages } = seen(trace, t, 37)
            const { state, passed, served, gone } = plainly(trace, t)
            const routed = trace.topology.routes.includes(1)
            for (const [s, { turns }] of stages.entries()) {
              const queue = state.shards?.queues[s]
              if (queue === undefined) throw new Error('no shards')
              expect(turns.length).toBe(queue.shards)
              if (turns.length > 1) several++
              const waits: number[] = []
              queue.forEach((job) => void waits.push(job))
              const held = state.workerJobs.flatMap((hand, w) => (state.counts.stage[w] === s ? hand : []))
              for (const [k, { ticket, state: is, held: behind }] of turns.entries()) {
                expect(ticket % turns.length).toBe(k)
                if (!routed)
                  for (let earlier = k; earlier < ticket; earlier += turns.length) expect(passed(s, earlier)).toBe(true)
                expect(passed(s, ticket)).toBe(false)
                expect(is === 'coming').toBe(ticket >= frame.arrived)
                const before = ticket - turns.length
                const stands = served(s, before) && !gone.has(before)
                expect(behind, `stage ${s}, ticket ${ticket}`).toBe(
                  trace.topology.ways[s].length > 0 ? null : stands ? before : NONE,
                )
                expect([is === 'here', is === 'served']).toEqual([waits.includes(ticket), held.includes(ticket)])
              }
            }
          }
        },
      ),
      { numRuns: repeats(80) },
    )
    expect(several).toBeGreaterThan(5)
  })
})
