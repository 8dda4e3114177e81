import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countChoices, type Game, playByHand, seatsFor } from '../../../src/features/game/byHand.ts'
import { FINISHED, JOINED, LOST, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { withMoves } from '../../../src/runs/study/compare.ts'
import type { Policy, Scenario } from '../../../src/scenario/model/scenario.ts'
import { endOf, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

const rowsOf = (trace: Trace) => Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))

/** The seats of all stages at every decision of a run. */
function allocationsOf({ decisions, scenario }: Trace): number[][] {
  const seats = scenario.stages.map(() => 0)
  return Array.from({ length: decisions.length }, (_, d) => {
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++) seats[decisions.stage[c]] = decisions.seats[c]
    return seats.slice()
  })
}

/** The workers that are there at every decision of a run. */
function presentAt(trace: Trace): number[] {
  const rows = rowsOf(trace)
  const many = (before: number, kind: number) => rows.slice(0, before).filter((row) => row.kind === kind).length
  return Array.from(trace.decisions.row.subarray(0, trace.decisions.length), (row) => trace.scenario.workers + many(row, JOINED) - many(row, LOST))
}

const sum = (counts: readonly number[]) => counts.reduce((all, n) => all + n, 0)

/** How many workers a decision sent to each stage. */
function begunBy({ decisions, scenario, ...trace }: Trace, decision: number): number[] {
  const sent = scenario.stages.map(() => new Set<number>())
  for (let i = decisions.row[decision]; i < trace.length; i++) {
    const { kind, stage, worker } = traceRow({ ...trace, decisions, scenario }, i)
    if (kind !== STARTED) break
    sent[stage].add(worker)
  }
  return sent.map(({ size }) => size)
}

/** Plays a game to its end by whatever `choose` says of the workers to send. */
async function played(base: Scenario, choose: (game: Game, open: readonly number[], free: number) => number[]): Promise<Game> {
  let moves: readonly (readonly number[])[] = []
  for (;;) {
    const game = await playByHand(base, moves, 0)
    if (game.choice === null) return game
    const { policy } = game.scenario
    if (policy.kind !== 'byHand') throw new Error(policy.kind)
    moves = [...policy.allocations, seatsFor(game.choice, choose(game, game.choice.open, game.choice.free))]
  }
}

/** As many as are free, less some who wait, at whatever stages have work, by a number for each of them. */
function atRandom(dice: () => number) {
  return ({ choice }: Game, open: readonly number[], free: number) => {
    const sent = open.map(() => 0)
    const waiting = dice() % 3 === 0 ? Math.min(choice?.mayWait ?? 0, dice() % 3) : 0
    for (let k = 0; k < free - waiting; k++) {
      const at = open.flatMap((n, s) => (sent[s] < n ? [s] : []))
      sent[at[dice() % at.length]]++
    }
    return sent
  }
}

const line = valid({
  version: 1,
  stages: ['A', 'B', 'C'].map((id, i) => ({ id, service: { kind: 'exponential', mean: 1000 * (i + 1) } })),
  source: { kind: 'batch', jobs: 8 },
  workers: 3,
})

describe('a run by hand', () => {
  test('with the allocations that a policy gave is the run of that policy, row for row', async () => {
    const policies = ['leastScore', 'exhaustive', 'hamilton', 'backpressure', 'sinkFirst'] as const
    await fc.assert(
      fc.asyncProperty(anyScenario({ policies, graphs: true, turns: false }), async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        fc.pre(trace.decisions.length <= 2000)
        // Who has no seat waits, where a policy that lends would send them all the same.
        const present = presentAt(trace)
        fc.pre(!scenario.policy.lend || allocationsOf(trace).every((seats, d) => sum(seats) === present[d]))
        const byHand = withMoves(scenario, allocationsOf(trace))
        const again = await playSimulation({ ...byHand, policy: { ...byHand.policy, lend: scenario.policy.lend } as Policy }, 0)
        expect(allocationsOf(again)).toEqual(allocationsOf(trace))
        expect(rowsOf(again)).toEqual(rowsOf(trace))
      }),
      { numRuns: repeats(60) },
    )
  })

  test('goes on by the least total time when nothing more was said', async () => {
    const rule = await playSimulation(line, 0)
    for (const moves of [[], allocationsOf(rule).slice(0, 5)]) expect(rowsOf(await playSimulation(withMoves(line, moves), 0))).toEqual(rowsOf(rule))
    const other = await playSimulation(withMoves(line, [[0, 0, 3]]), 0)
    expect(allocationsOf(other)[0]).toEqual([0, 0, 3])
  })
})

describe('a game', () => {
  test('sends the free workers where they are sent, and its end is the run of its own scenario', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyScenario({ policies: ['leastScore'], graphs: true, turns: false, jobs: 8, workerEvents: false }),
        fc.infiniteStream(fc.nat()),
        async (base, dice) => {
          // Who begins before a bounded queue that two stages feed may take the room of who is sent to the other.
          fc.pre(base.stages.every(({ id, capacity }) => capacity === null || (base.links ?? []).filter(([, to]) => to === id).length < 2))
          const before: { sent: number[]; decision: number }[] = []
          const choose = atRandom(() => dice.next().value ?? 0)
          const game = await played(base, (now, open, free) => {
            const sent = choose(now, open, free)
            before.push({ sent, decision: now.choice?.decision ?? -1 })
            return sent
          })
          const run = await playSimulation(game.scenario, 0)
          expect(rowsOf(game.trace)).toEqual(rowsOf(run))
          expect(countChoices(run)).toBe(before.length)
          for (const { sent, decision } of before) expect(begunBy(run, decision)).toEqual(sent)
          expect(valid(JSON.parse(JSON.stringify(game.scenario)))).toEqual(game.scenario)
        },
      ),
      { numRuns: repeats(60) },
    )
  })

  test('lets a worker wait though there is work, and asks again as long as one waits', async () => {
    const first = await playByHand(line, [], 0)
    expect(first.choice).toMatchObject({ decision: 1, free: 1, mayWait: 1, busy: [2, 0, 0], open: [5, 1, 0] })
    const waits = await playByHand(
      line,
      [
        [3, 0, 0],
        [2, 0, 0],
      ],
      0,
    )
    expect(begunBy(await playSimulation(waits.scenario, 0), 1)).toEqual([0, 0, 0])
    expect(waits.choice).toMatchObject({ decision: 2, free: 2, mayWait: 2, busy: [1, 0, 0], open: [5, 2, 0] })
    // Not both: somebody has to be at work.
    const both = await playSimulation(
      withMoves(line, [
        [3, 0, 0],
        [2, 0, 0],
        [1, 0, 0],
        [0, 0, 0],
      ]),
      0,
    )
    expect([1, 2, 3].map((decision) => sum(begunBy(both, decision)))).toEqual([0, 0, 1])
  })

  test('shows nothing of what comes after the decision that is asked for', async () => {
    const { trace, choice } = await playByHand(line, [], 0)
    expect(choice).toMatchObject({ decision: 1, free: 1, busy: [2, 0, 0], open: [5, 1, 0], rule: [0, 1, 0] })
    expect(trace.ending).toBeNull()
    expect(trace.decisions.length).toBe(1)
    expect([endOf(trace), traceRow(trace, trace.length - 1).kind]).toEqual([choice?.time, FINISHED])
  })

  test('asks only where there is work at several stages and not for everybody', async () => {
    const asked = async (rest: object) => countChoices(await playSimulation(valid({ ...line, cores: undefined, ...rest }), 0))
    expect(await asked({ workers: 30 })).toBe(0)
    expect(await asked({ source: { kind: 'batch', jobs: 1 } })).toBe(0)
    // One job after the other, and a walk from stage to stage: who stands elsewhere might wait for the next.
    const apart = { stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'constant', mean: 1000 } })), source: { kind: 'regular', rate: 100, jobs: 9 } }
    expect(await asked({ ...apart, switchCost: 0 })).toBe(0)
    expect(await asked({ ...apart, switchCost: 500 })).toBeGreaterThan(5)
    expect(await asked({})).toBeGreaterThan(5)
  })
})
