import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countChoices, type Game, isPlayable, playByHand, seatsFor } from '../../../src/features/game/byHand.ts'
import { JOINED, LOST, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { withMoves } from '../../../src/runs/study/compare.ts'
import type { Policy, Scenario } from '../../../src/scenario/model/scenario.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'
import { anyScenario, valid } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

const rowsOf = (trace: Trace) => Array.from({ length: trace.length }, (_, i) => traceRow(trace, i))

/** The seats of all stages at every decision of a run. */
function allocationsOf({ decisions, scenario }: Trace): number[][] {
  const seats = scenario.stages.map(() => 0)
  return Array.from({ length: decisions.length }, (_, d) => {
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++)
      seats[decisions.stage[c]] = decisions.seats[c]
    return seats.slice()
  })
}

/** The workers that are there at every decision of a run. */
function presentAt(trace: Trace): number[] {
  const rows = rowsOf(trace)
  const countOf = (before: number, kind: number) => rows.slice(0, before).filter((row) => row.kind === kind).length
  return Array.from(
    trace.decisions.row.subarray(0, trace.decisions.length),
    (row) => trace.scenario.workers + countOf(row, JOINED) - countOf(row, LOST),
  )
}

const sum = (counts: readonly number[]) => counts.reduce((all, n) => all + n, 0)

/** How many workers a decision sent to each stage. */
function sentBy({ decisions, scenario, ...trace }: Trace, decision: number): number[] {
  const sent = scenario.stages.map(() => new Set<number>())
  for (let i = decisions.row[decision]; i < trace.length; i++) {
    const { kind, stage, worker } = traceRow({ ...trace, decisions, scenario }, i)
    if (kind !== STARTED) break
    sent[stage].add(worker)
  }
  return sent.map(({ size }) => size)
}

/** Plays a game to its end. `choose` returns how many workers to send to each stage. */
async function played(
  base: Scenario,
  choose: (game: Game, open: readonly number[], free: number) => number[],
): Promise<Game> {
  let moves: readonly (readonly number[])[] = []
  for (;;) {
    const game = await playByHand(base, moves, 0)
    if (game.choice === null) return game
    const { policy } = game.scenario
    if (policy.kind !== 'byHand') throw new Error(policy.kind)
    moves = [...policy.allocations, seatsFor(game.choice, choose(game, game.choice.open, game.choice.free))]
  }
}

/** Sends the free workers to random stages with work, and sometimes lets one or two wait. `draw` gives random numbers. */
function atRandom(draw: () => number) {
  return ({ choice }: Game, open: readonly number[], free: number) => {
    const sent = open.map(() => 0)
    const waiting = draw() % 3 === 0 ? Math.min(choice?.mayWait ?? 0, draw() % 3) : 0
    for (let k = 0; k < free - waiting; k++) {
      const at = open.flatMap((n, s) => (sent[s] < n ? [s] : []))
      sent[at[draw() % at.length]]++
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
    const policies = ['leastScore', 'hamilton', 'backpressure', 'sinkFirst'] as const
    await fc.assert(
      fc.asyncProperty(anyScenario({ policies, graphs: true, turns: false }), async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        fc.pre(trace.decisions.length <= 2000)
        // By hand, workers without a seat wait; a policy that lends would send them.
        const present = presentAt(trace)
        fc.pre(!scenario.policy.lend || allocationsOf(trace).every((seats, d) => sum(seats) === present[d]))
        const byHand = withMoves(scenario, allocationsOf(trace))
        const again = await playSimulation(
          { ...byHand, policy: { ...byHand.policy, lend: scenario.policy.lend } as Policy },
          0,
        )
        expect(allocationsOf(again)).toEqual(allocationsOf(trace))
        expect(rowsOf(again)).toEqual(rowsOf(trace))
      }),
      { numRuns: repeats(60) },
    )
  })

  test('continues with the least total time after the last move', async () => {
    const rule = await playSimulation(line, 0)
    for (const moves of [[], allocationsOf(rule).slice(0, 5)])
      expect(rowsOf(await playSimulation(withMoves(line, moves), 0))).toEqual(rowsOf(rule))
    const other = await playSimulation(withMoves(line, [[0, 0, 3]]), 0)
    expect(allocationsOf(other)[0]).toEqual([0, 0, 3])
  })
})

describe('a game', () => {
  test('sends free workers where the player chose, and ends with the same rows as a run of its scenario', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyScenario({ policies: ['leastScore'], graphs: true, turns: false, jobs: 8, workerEvents: false }),
        fc.infiniteStream(fc.nat()),
        async (base, draw) => {
          // If two stages feed a bounded queue, a worker at one stage may fill the queue before a worker at the other starts.
          fc.pre(
            base.stages.every(
              ({ id, capacity }) => capacity === null || (base.links ?? []).filter(([, to]) => to === id).length < 2,
            ),
          )
          const before: { sent: number[]; decision: number }[] = []
          const choose = atRandom(() => draw.next().value ?? 0)
          const game = await played(base, (now, open, free) => {
            const sent = choose(now, open, free)
            before.push({ sent, decision: now.choice?.decision ?? -1 })
            return sent
          })
          const run = await playSimulation(game.scenario, 0)
          expect(rowsOf(game.trace)).toEqual(rowsOf(run))
          expect(countChoices(run)).toBe(before.length)
          for (const { sent, decision } of before) expect(sentBy(run, decision)).toEqual(sent)
          expect(valid(JSON.parse(JSON.stringify(game.scenario)))).toEqual(game.scenario)
        },
      ),
      { numRuns: repeats(60) },
    )
  })

  test('lets workers wait despite open work, but not all of them', async () => {
    const moves = [
      [3, 0, 0],
      [2, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
    ]
    const run = await playSimulation(withMoves(line, moves), 0)
    expect([1, 2, 3].map((decision) => sum(sentBy(run, decision)))).toEqual([0, 0, 1])
  })

  test('asks only if several stages have work and workers have a choice', async () => {
    const asked = async (rest: object) =>
      countChoices(await playSimulation(valid({ ...line, cores: undefined, ...rest }), 0))
    expect(await asked({ workers: 30 })).toBe(0)
    expect(await asked({ source: { kind: 'batch', jobs: 1 } })).toBe(0)
    // One job at a time, with a cost of changing stage: a worker at another stage might wait for the next job.
    const apart = {
      stages: ['A', 'B', 'C'].map((id) => ({ id, service: { kind: 'constant', mean: 1000 } })),
      source: { kind: 'regular', rate: 100, jobs: 9 },
    }
    expect(await asked({ ...apart, switchCost: 0 })).toBe(0)
    expect(await asked({ ...apart, switchCost: 500 })).toBeGreaterThan(5)
    expect(await asked({})).toBeGreaterThan(5)
  })
})

describe('a scenario can be played by hand', () => {
  /** Two choices more with each job. */
  const twoStages = (jobs: number) => ({
    stages: ['A', 'B'].map((id, k) => ({ id, service: { kind: 'exponential', mean: 1000 * (k + 1) } })),
    source: { kind: 'batch', jobs },
    workers: 2,
  })
  const asked = (more: object) => isPlayable(valid({ version: 1, ...more }))

  test('with up to 60 choices, counted in the play of the scheduler', async () => {
    expect(await asked(twoStages(5))).toEqual({
      choices: countChoices(await playSimulation(valid({ version: 1, ...twoStages(5) }), 0)),
    })
    expect(await asked({ ...twoStages(5), policy: { kind: 'single' } })).toEqual(await asked(twoStages(5)))
    expect(await asked(twoStages(32))).toEqual({ choices: 60 })
    expect(await asked(twoStages(33))).toEqual({ reason: 'it is too long' })
  })

  const NO_CHOICE = 'a player cannot choose with a file, shards, adaptive or several batches, or a change midway'
  test.each<[string, object]>([
    [NO_CHOICE, { source: { kind: 'lines', jobs: 3, digest: 'a'.repeat(64) } }],
    [NO_CHOICE, { order: { kind: 'shard' } }],
    [NO_CHOICE, { batch: { adaptive: true } }],
    [NO_CHOICE, { batch: { size: 1, inHand: 2 } }],
    [NO_CHOICE, { later: [{ at: 100, switchCost: 5 }] }],
    ['it is too long', { source: { kind: 'batch', jobs: 501 } }],
    ['there is never anything to choose', { source: { kind: 'batch', jobs: 1 } }],
    ['there is never anything to choose', { source: { kind: 'batch', jobs: 500 }, workers: 2000 }],
  ])('but not where %s', async (reason, more) => {
    expect(await asked({ ...twoStages(5), ...more })).toEqual({ reason })
  })
})
