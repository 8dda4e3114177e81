import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DISMISSED, FINISHED, LOST, PREFETCH, STARTED, THREW } from '../../src/pipeline/rows.ts'
import { isPrefetch, ordersInHand } from '../../src/trace/findRows.ts'
import { stateBefore, type Trace, traceRow } from '../../src/trace/trace.ts'
import { playTrace } from '../engine/simulation/play.ts'
import { anyScenario, elasticPolicies } from '../fixtures/anyScenario.ts'

interface Order {
  readonly row: number
  readonly job: number
}

/** The plain way: what each worker was given and has not given back, from the rows alone; its second batch apart. */
class Hands {
  private readonly first = new Map<number, Order[]>()
  private readonly second = new Map<number, Order[]>()
  private opening = -1

  orders(worker: number): number[] {
    return [...(this.first.get(worker) ?? []), ...(this.second.get(worker) ?? [])].map(({ row }) => row)
  }

  isSecond(row: number): boolean {
    return [...this.second.values()].flat().some((order) => order.row === row)
  }

  enter(trace: Trace, i: number): void {
    const { kind, worker, job } = traceRow(trace, i)
    if (kind !== STARTED || worker !== this.opening) this.opening = -1
    if (kind === PREFETCH) this.opening = worker
    else if (kind === STARTED) {
      const batches = this.opening === worker ? this.second : this.first
      batches.set(worker, [...(batches.get(worker) ?? []), { row: i, job }])
    } else if (kind === FINISHED)
      this.rest(
        worker,
        (this.first.get(worker) ?? []).filter((order) => order.job !== job),
      )
    else if (kind === THREW || (kind === DISMISSED && job >= 0)) this.rest(worker, [])
    else if (kind === LOST) {
      this.first.delete(worker)
      this.second.delete(worker)
    }
  }

  private rest(worker: number, left: Order[]): void {
    this.first.set(worker, left)
    if (left.length > 0) return
    this.first.set(worker, this.second.get(worker) ?? [])
    this.second.delete(worker)
  }
}

test('the orders of the jobs that a worker has in hand are found before any row, those of a second batch told apart', async () => {
  let seconds = 0
  let orders = 0
  const any = { jobs: 30, workers: 3, workerEvents: true, fails: true, graphs: true }
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyScenario(any), anyScenario({ ...any, policies: elasticPolicies })), fc.constantFrom(1, 2, 2), async (scenario, inHand) => {
      const trace = await playTrace(scenario.order.kind === 'shard' ? scenario : { ...scenario, batch: { size: 3, inHand } })
      const hands = new Hands()
      for (let row = 0; row <= trace.length; row++) {
        // In the middle of the rows of a batch that is done nobody asks.
        const isAmongFinished = row < trace.length && traceRow(trace, row).kind === FINISHED
        // A state is folded from the first row on, so every third is asked.
        const counts = row % 3 === 0 && !isAmongFinished ? stateBefore(trace, row).counts : null
        for (let worker = 0; counts !== null && worker < counts.status.length; worker++)
          expect(ordersInHand(trace, counts, worker, row), `worker ${worker} before row ${row}`).toEqual(hands.orders(worker))
        if (row === trace.length) break
        hands.enter(trace, row)
        if (traceRow(trace, row).kind !== STARTED) continue
        expect(isPrefetch(trace, row), `row ${row}`).toBe(hands.isSecond(row))
        orders++
        if (hands.isSecond(row)) seconds++
      }
    }),
    { numRuns: 25, seed: 11 },
  )
  expect(seconds).toBeGreaterThan(25)
  expect(orders - seconds).toBeGreaterThan(100)
})
