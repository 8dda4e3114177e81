import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frameAt, isPresent } from '../../../src/measures/frame/frame.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { contentionPresets } from '../../../src/scenario/presets/serving.ts'
import { traceRow } from '../../../src/trace/trace.ts'
import { groupingOf } from '../../../src/workload/groups.ts'
import { createServices, routingOf } from '../../../src/workload/service.ts'
import { anyScenario, elasticPolicies, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'
import { Books } from '../../seeds/books.ts'

test('a frame has the same jobs, workers, groups and waits as plain books, row by row', async () => {
  let waits = 0
  const kinds = [{ graphs: true }, { policies: elasticPolicies }].map((kind) => anyScenario({ jobs: 12, ...kind }))
  const crowded = anyScenario({ jobs: 12, turns: false }).map((scenario) =>
    valid({
      ...scenario,
      source: { kind: 'groups', groups: [7, 5] },
      stages: scenario.stages.map((stage) => ({ ...stage, resource: 'group', whenTaken: 'wait' })),
    }),
  )
  const scenarios = fc.oneof(...kinds, crowded)
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      // Shards have tests of their own.
      if (scenario.order.kind === 'shard') return
      const trace = await playSimulation(scenario, 0)
      const services = createServices(scenario)
      const groupOf = groupingOf(scenario)
      const books = new Books(scenario, (stage, job) => services.at(stage, job), groupOf, routingOf(scenario))
      for (let i = 0; i < trace.length; i++) {
        const row = traceRow(trace, i)
        books.enter(row)
        // The first of some neighbours, and the last row.
        if (i + 1 < trace.length && (i % 4 > 0 || traceRow(trace, i + 1).time === row.time)) continue
        const frame = frameAt(trace, row.time)
        expect([frame.arrived, frame.released, frame.failed, frame.outside, frame.parked]).toEqual([
          ...[books.arrived, books.released.length, books.failed.size, books.outside.length, books.parked.size],
        ])
        for (const [s, stage] of frame.stages.entries()) {
          const { waiting, inHands, busy, staffed, done } = stage
          expect([waiting, inHands, busy, staffed, done]).toEqual([
            books.waiting(s),
            books.inHands(s),
            books.busy(s),
            books.posted(s),
            books.done(s),
          ])
          const { length } = books.measured[s]
          expect([stage.finished, stage.meanService]).toEqual([length, books.serviceSum[s] / length])
          if (books.elastic) expect(stage.seats).toBe(staffed)
        }
        for (const [w, worker] of frame.workers.entries()) {
          const hand = books.hand(w)
          const group = hand.length > 0 && scenario.source.kind === 'groups' ? groupOf(hand[0]) : -1
          const waitsSince = scenario.source.kind === 'groups' ? books.waitsSince(w) : -1
          expect([isPresent(worker), worker.status === 'busy']).toEqual([books.live[w] === true, hand.length > 0])
          expect([worker.jobsInHand, worker.prefetched]).toEqual([
            hand.length + books.second(w).length,
            books.second(w).length,
          ])
          expect([worker.group, worker.contendedSince]).toEqual([group, waitsSince])
          if (waitsSince >= 0) waits++
        }
      }
    }),
    { numRuns: repeats(60), examples: [[contentionPresets[0].scenario]] },
  )
  expect(waits).toBeGreaterThan(0)
})
