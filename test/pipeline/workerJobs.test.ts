import { describe, expect, test } from 'vitest'
import { countRow } from '../../src/pipeline/countRow.ts'
import { createCounts } from '../../src/pipeline/counts.ts'
import { createRows, kinds, NONE, pushRow, type RowKind } from '../../src/pipeline/rows.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import {
  beginsBatch,
  createResourceQueues,
  createWorkerJobs,
  joinResourceQueue,
  leaveResourceQueue,
  updateWorkerJobs,
  waitsForResource,
} from '../../src/pipeline/workerJobs.ts'
import { createChance } from '../fixtures/chance.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

describe('the jobs in the hands of workers', () => {
  /** Folds rows of one worker at stage A: `started 3`. Returns what each row laid back, and what is in hand then. */
  function folded(...lines: readonly string[]) {
    const scenario = scenarioWith({ stages: [{ id: 'A' }], workers: 2, batch: { size: 4, inHand: 2 } })
    const [topology, counts, rows, hands] = [topologyOf(scenario), createCounts(scenario), createRows(), createWorkerJobs(2)]
    for (let job = 0; job < 9; job++) {
      pushRow(rows, 0, kinds.indexOf('arrived'), NONE, NONE, job)
      countRow(topology, counts, rows, rows.length - 1)
    }
    const laidBack: number[][] = []
    const begins: boolean[] = []
    for (const line of lines) {
      const [kind, job] = line.split(' ')
      pushRow(rows, 1, kinds.indexOf(kind as RowKind), 0, 1, Number(job ?? NONE))
      begins.push(beginsBatch(counts, 1))
      laidBack.push([...updateWorkerJobs(hands, counts, rows, rows.length - 1)])
      countRow(topology, counts, rows, rows.length - 1)
    }
    return { hands, laidBack, begins }
  }
  const both = ['started 5', 'started 2', 'started 7', 'second', 'started 1', 'started 0']

  test('are those it was given and has not finished, in order, wherever in the batch the finished one stood', () => {
    expect(folded(...both).hands).toEqual([[], [5, 2, 7, 1, 0]])
    expect(folded(...both, 'finished 2').hands[1]).toEqual([5, 7, 1, 0])
    expect(folded(...both, 'finished 7', 'finished 5').hands[1]).toEqual([2, 1, 0])
    expect(folded('started 5', 'finished 5').hands[1]).toEqual([])
  })

  test('are laid back when it throws, but for the second batch; all of them when it is lost', () => {
    const threw = folded(...both, 'threw 5')
    expect([threw.laidBack.at(-1), threw.hands[1]]).toEqual([
      [5, 2, 7],
      [1, 0],
    ])
    const lost = folded(...both, 'lost')
    expect([lost.laidBack.at(-1), lost.hands[1]]).toEqual([[5, 2, 7, 1, 0], []])
    expect(folded(...both).laidBack.flat()).toEqual([])
  })

  test('stay with one that is dismissed, unless the row names what it lays back', () => {
    const stays = folded('started 5', 'dismissed')
    expect([stays.laidBack.at(-1), stays.hands[1]]).toEqual([[], [5]])
    const waits = folded('started 5', 'dismissed 5')
    expect([waits.laidBack.at(-1), waits.hands[1]]).toEqual([[5], []])
  })

  test('begin a batch with the first in empty hands, and with the first after a second batch was announced', () => {
    const { begins } = folded(...both)
    expect(begins).toEqual([true, false, false, false, true, false])
  })
})

describe('the workers of a resource', () => {
  test('have it in the order in which they asked for it, and one that goes lets the next one have it', () => {
    const scenario = scenarioWith({
      source: { kind: 'groups', groups: [4, 4, 4] },
      stages: [
        { id: 'A', resource: 'group' },
        { id: 'B', resource: 'group', whenTaken: 'skip' },
        { id: 'C', resource: 'group' },
      ],
      workers: 6,
    })
    const groupOf = (job: number) => job % 3
    for (let seed = 0; seed < 30; seed++) {
      const chance = createChance(seed)
      const queues = createResourceQueues(scenario, 6, groupOf)
      if (queues === null) throw new Error('Workers wait at A and C.')
      /** Who has asked for what, in order: at stage B nobody waits. */
      let asked: { readonly worker: number; readonly what: string }[] = []
      for (let step = 0; step < 80; step++) {
        const worker = chance.below(6)
        const mine = asked.find((one) => one.worker === worker)
        const of = (what: string | undefined) => asked.filter((one) => one.what === what).map((one) => one.worker)
        if (mine === undefined && chance.percent(60)) {
          const [stage, job] = [chance.below(3), chance.below(12)]
          joinResourceQueue(queues, stage, worker, job)
          if (stage !== 1) asked.push({ worker, what: `${stage} ${groupOf(job)}` })
        } else {
          const before = of(mine?.what)
          asked = asked.filter((one) => one.worker !== worker)
          const next = before[0] === worker && before.length > 1 ? before[1] : NONE
          expect(leaveResourceQueue(queues, worker), `step ${step} of seed ${seed}`).toBe(next)
        }
        const waits = Array.from({ length: 6 }, (_, w) => asked.some((one) => one.worker === w && of(one.what)[0] !== w))
        expect(
          waits.map((_, w) => waitsForResource(queues, w)),
          `step ${step} of seed ${seed}`,
        ).toEqual(waits)
        expect(queues.queues.size).toBe(new Set(asked.map(({ what }) => what)).size)
      }
    }
  })

  test('wait for none where no stage has one, or where stages skip those that are taken', () => {
    const queuesOf = (stage: object) =>
      createResourceQueues(scenarioWith({ source: { kind: 'groups', groups: [2] }, stages: [{ id: 'A', ...stage }], workers: 1 }), 1, () => 0)
    expect([queuesOf({}), queuesOf({ resource: 'group', whenTaken: 'skip' }), queuesOf({ whenTaken: 'wait' })]).toEqual([null, null, null])
    expect(queuesOf({ resource: 'group' })?.waits).toEqual(Uint8Array.of(1))
  })
})
