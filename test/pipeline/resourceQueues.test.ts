import { describe, expect, test } from 'vitest'
import { createResourceQueues, joinResourceQueue, leaveResourceQueue, waitsForResource } from '../../src/pipeline/resourceQueues.ts'
import { NONE } from '../../src/pipeline/rows.ts'
import { createChance } from '../fixtures/chance.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

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
