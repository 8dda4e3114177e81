import { expect, test } from 'vitest'
import type { BatchAnswer, BatchOrder } from '../../../src/engine/conductor/batchPort.ts'
import type { FromThread, StagePlan, ToThread } from '../../../src/features/runner/protocol.ts'
import { type Carried, type Keeper, type Thread, workerThread } from '../../../src/features/runner/workerThread.ts'

const plans: readonly StagePlan[] = ['a', 'b'].map((id, s) => ({
  id,
  call: id,
  setUp: null,
  timeout: null,
  threads: 3,
  tries: 1,
  last: s === 1,
}))

test('a batch waits while the thread goes on by itself with the one before, because any order stops the thread', () => {
  const orders: ToThread[] = []
  const answers: BatchAnswer[] = []
  const thread: Thread = {
    worker: { postMessage: (order) => void orders.push(order as ToThread), terminate() {} },
    ...{ heard: null, broke: null, ended: false, served: true, words: '', cause: null, stay() {} },
  }
  const { port } = workerThread(thread, plans, { error() {}, lost() {}, alive() {} }, null, () => {})
  port.onmessage = ({ data }) => answers.push(data)
  const give = (number: number, stage: number, jobs: readonly number[], carried: Partial<Carried>) => {
    const each: Carried = {
      value: 0,
      moved: [],
      tries: 1,
      kept: null,
      redo: { stages: [], tries: 1 },
      keep: false,
      through: [],
      ...carried,
    }
    const payloads = jobs.map(() => each) as unknown as BatchOrder['payloads']
    port.postMessage({
      number,
      batch: { work: 'wait', stage, switchCosts: [], jobs, services: [], failing: [], payloads },
    })
  }
  const reply = (number: number, stage: number, kept: boolean) =>
    thread.heard?.({
      apportion: 'done',
      number,
      stage,
      began: 0,
      ended: Float64Array.of(1),
      kept,
      values: kept ? [] : [7],
      moved: [],
      thrown: [],
    } satisfies FromThread)
  const batches = () => orders.flatMap((order) => (order.apportion === 'batch' ? [order.number] : []))

  give(1, 0, [5], { keep: true, through: [1] })
  reply(1, 0, true)
  const [keptBy] = (answers[0] as { reply: { payloads: readonly unknown[] } }).reply.payloads as readonly Keeper[]
  give(2, 1, [5], { kept: { keptBy } })
  give(3, 0, [6], {})
  // The thread goes on to the second stage without an order.
  expect([batches(), answers.map(({ number }) => number)]).toEqual([[1], [1]])
  reply(1, 1, false)
  expect([batches(), answers.map(({ number }) => number)]).toEqual([
    [1, 3],
    [1, 2],
  ])
  reply(3, 0, false)
  expect(answers.map(({ number }) => number)).toEqual([1, 2, 3])
})
