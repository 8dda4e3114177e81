import { beforeEach, describe, expect, test } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import type { Run } from '../../../../src/app/session/run/runStore.ts'
import { editOrShowProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { ringAt } from '../../../../src/features/order/measure/order.ts'
import { orderCost } from '../../../../src/features/order/measure/orderLog.ts'
import { orderSentence, shardSentence } from '../../../../src/features/order/measure/orderWords.ts'
import { shardsAt } from '../../../../src/features/order/measure/shards.ts'
import { orderLogs, shardLogs } from '../../../../src/features/order/page/OrderPanel.tsx'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { RELEASED, STARTED } from '../../../../src/pipeline/rows.ts'
import { setOptions } from '../../../../src/scenario/edit/edits.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { eachRow } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()

let session: Session
beforeEach(() => {
  session = createSession()
})

/** The jobs of all rows of a kind, in their order; at the first stage only, if that is asked for. */
function jobsOf({ trace }: Run, kind: number, first = false): number[] {
  const jobs: number[] = []
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === kind && (!first || rows.stage[i] === 0)) jobs.push(rows.job[i])
  })
  return jobs
}
const counted = (n: number) => Array.from({ length: n }, (_, job) => job)

test('the ring tells which ticket was missing when most jobs were held', async () => {
  openScenario(session, presetOf('price-of-order')?.scenario ?? expect.fail('no preset'))
  const run = await playOut(session)
  const { scenario, trace } = run
  const log = orderLogs(session)(run, Infinity) ?? expect.fail('it is not read')
  const { longest, most } = orderCost(log)
  expect(longest === null ? 0 : longest.to - longest.from).toBeGreaterThan(1000)
  if (most === null) throw new Error('nobody was held')
  // This many jobs wait behind a missing ticket, but never more than fit.
  expect(most.jobs).toBeGreaterThan(20)
  expect(most.jobs).toBeLessThan(32)
  const frame = frameAt(trace, most.at)
  const words = orderSentence(scenario, ringAt(log, frame, 32), frame)
  expect(words.map(({ text }) => text).join('')).toMatch(
    new RegExp(
      `^Ticket ${most.ticket} is missing: worker [1-4] has it at Convert; ${most.jobs} jobs wait behind it\\.`,
    ),
  )
  expect(jobsOf(run, RELEASED)).toEqual(counted(600))
  await expect.poll(() => threads.open.size).toBe(0)
})

describe('order by shards', () => {
  const stages = [
    { id: 'A', name: 'Parse', service: { kind: 'constant', mean: 4000 } },
    { id: 'B', name: 'Write', service: { kind: 'exponential', mean: 8000 } },
  ]

  test('lets all jobs begin and leave in order, and knows the next ticket of each shard', async () => {
    openScenario(
      session,
      valid({
        version: 1,
        source: { kind: 'batch', jobs: 60 },
        stages,
        workers: 4,
        policy: { kind: 'fixed', allocation: { A: 1, B: 3 } },
      }),
    )
    editOrShowProblems(session, (now) => setOptions(now, { order: { kind: 'shard' } }))
    const run = await playOut(session)
    expect(jobsOf(run, RELEASED)).toEqual(counted(60))
    expect(jobsOf(run, STARTED, true)).toEqual(counted(60))
    const [order, shards] = [orderLogs(session)(run, Infinity), shardLogs(session)(run, Infinity)]
    if (order === null || shards === null) throw new Error('it is not read')
    const frame = frameAt(run.trace, 100_000)
    const now = shardsAt(shards, order, frame)
    expect(now.map(({ turns }) => turns.length)).toEqual([1, expect.any(Number)])
    expect(
      shardSentence(run.scenario, ringAt(order, frame, 1), now, frame)
        .map(({ text }) => text)
        .join(''),
    ).not.toBe('')
  })
})
