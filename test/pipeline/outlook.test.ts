import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCounts } from '../../src/pipeline/counts.ts'
import { createOutlook, lookAhead } from '../../src/pipeline/outlook.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import { linearLinks } from '../../src/scenario/model/linearStages.ts'
import { valid } from '../fixtures/anyScenario.ts'

const ids = ['A', 'B', 'C', 'D', 'E']
const numbers = fc.array(fc.nat(9), { minLength: ids.length, maxLength: ids.length })
/** A line of stages, in another order than they are listed, with these numbers of jobs in hands and waiting. */
const line = fc.record({ way: fc.shuffledSubarray(ids, { minLength: ids.length }), inHands: numbers, waiting: numbers })

function world({ way, inHands, waiting }: { way: readonly string[]; inHands: readonly number[]; waiting: readonly number[] }) {
  const scenario = valid({ version: 1, stages: ids.map((id) => ({ id })), links: linearLinks(way), workers: 1 })
  const counts = createCounts(scenario)
  counts.inHands.set(inHands)
  counts.waiting.set(waiting)
  const places = way.map((id) => ids.indexOf(id))
  return { topology: topologyOf(scenario), counts, places, outlook: createOutlook(ids.length) }
}

describe('what a policy sees ahead', () => {
  test('of jobs on their way is what is in service that many stages before, and nothing from further away or asked for earlier', () => {
    fc.assert(
      fc.property(line, fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }), (drawn, asked) => {
        const { topology, counts, places, outlook } = world(drawn)
        for (const hops of asked) {
          lookAhead({ kind: 'preallocate', hops, lend: true }, topology, counts, [], outlook)
          places.forEach((stage, k) => {
            const near = places.slice(Math.max(0, k - hops), k)
            expect(outlook.coming[stage], `stage ${stage}`).toBe(near.reduce((sum, from) => sum + drawn.inHands[from], 0))
          })
        }
        lookAhead({ kind: 'leastScore', lend: true }, topology, counts, [], outlook)
        expect([...outlook.coming, ...outlook.urgency]).toEqual([...ids.map(() => 0), ...ids.map(() => 1)])
      }),
    )
  })

  test('of ages is that of the first job that has not begun at a stage, where no job overtakes another', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 0, max: 9 }), fc.array(fc.nat(1000), { minLength: 150, maxLength: 150 }), (drawn, gone, gaps) => {
        const { topology, counts, places, outlook } = world(drawn)
        let time = 0
        const arrivals = gaps.map((gap) => (time += gap))
        const under = drawn.inHands.concat(drawn.waiting).reduce((a, b) => a + b)
        counts.arrived = under + gone
        counts.time = 1_000_000
        lookAhead({ kind: 'deadline', due: 500, lend: true }, topology, counts, arrivals, outlook)
        // Jobs stand in a line: the first are gone, then come those at the last stage, in hands before waiting.
        let next = gone
        for (const stage of [...places].reverse()) {
          next += drawn.inHands[stage]
          const age = drawn.waiting[stage] === 0 ? 0 : counts.time - arrivals[next]
          expect([outlook.ages[stage], outlook.urgency[stage]]).toEqual([age, 1 + age / 500])
          next += drawn.waiting[stage]
        }
      }),
    )
  })
})
