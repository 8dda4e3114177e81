import { expect, test } from 'vitest'
import { countChoices, type Game, playByHand, scoresOf, seatsFor } from '../../../src/features/game/byHand.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { linksOf } from '../../fixtures/scenarios.ts'

const constant = (...milliseconds: number[]) =>
  milliseconds.map((ms, s) => ({ id: 'ABCD'[s], service: { kind: 'constant', mean: 1000 * ms } }))
const scenarioOf = (more: object) =>
  valid({ version: 1, stages: constant(2, 3), source: { kind: 'batch', jobs: 3 }, workers: 2, ...more })

/** A choice on one line: decision, time in ms, free workers and how many of them may wait; then by stage who is busy, what is open, and the rule. */
function line({ choice, trace }: Game): string {
  if (choice === null) return 'over'
  const { decision, time, free, mayWait, busy, open, rule } = choice
  return `${decision} at ${time / 1000}: ${free} free, ${mayWait} may wait, busy ${busy.join(' ')}, open ${open.join(' ')}, rule ${rule.join(' ')}${trace.failures.length > 0 ? `, ${trace.failures.length} failed` : ''}`
}

/** Plays a game in which each free worker goes to the last stage that has work for it, but the first `waits` of each choice wait. */
async function choicesIn(base: Scenario, waits: number): Promise<string[]> {
  const lines: string[] = []
  // The caller keeps the list of moves.
  let game = await playByHand(base, Object.freeze([]), 7)
  for (
    ;
    game.choice !== null;
    game = await playByHand(base, Object.freeze([...movesIn(game), seatsFor(game.choice, sentIn(game, waits))]), 7)
  ) {
    lines.push(line(game))
    // The record ends at the choice, without the future.
    expect(game.trace.ending).toBeNull()
    expect(game.trace.decisions.length).toBe(game.choice.decision)
    expect(endOf(game.trace)).toBeLessThanOrEqual(game.choice.time)
  }
  const run = await playSimulation(game.scenario, 7)
  expect(game.onward).toEqual(scoresOf(metricsOf(run)))
  expect([game.trace.ending, game.trace.startedAt, game.trace.length, game.trace.failures]).toEqual([
    run.ending,
    7,
    run.length,
    run.failures,
  ])
  expect(countChoices(run)).toBe(lines.length)
  expect(game.choices).toBe(lines.length)
  return lines
}

const movesIn = ({ scenario: { policy } }: Game) => (policy.kind === 'byHand' ? policy.allocations : [])

function sentIn({ choice }: Game, waits: number): number[] {
  if (choice === null) return []
  const { open, free, mayWait } = choice
  const sent = open.map(() => 0)
  for (let left = free - Math.min(waits, mayWait), s = open.length - 1; s >= 0; s--) {
    sent[s] = Math.min(left, open[s])
    left -= sent[s]
  }
  return sent
}

test.each<[string, object, number, string[]]>([
  ['two workers and two stages', {}, 0, ['1 at 2: 2 free, 1 may wait, busy 0 0, open 1 2, rule 1 1']],
  [
    'one worker that waits',
    {},
    1,
    [
      '1 at 2: 2 free, 1 may wait, busy 0 0, open 1 2, rule 1 1',
      '2 at 5: 2 free, 1 may wait, busy 0 0, open 1 1, rule 1 1',
    ],
  ],
  [
    'jobs that arrive later',
    { source: { kind: 'times', at: [0, 0, 1000, 5000] } },
    1,
    [
      '1 at 2: 2 free, 2 may wait, busy 0 0, open 1 2, rule 1 1',
      '2 at 5: 2 free, 1 may wait, busy 0 0, open 2 1, rule 1 1',
      '3 at 8: 2 free, 1 may wait, busy 0 0, open 2 0, rule 2 0',
      '4 at 10: 2 free, 1 may wait, busy 0 0, open 1 1, rule 1 1',
    ],
  ],
  [
    'batches',
    { batch: { size: 2 }, source: { kind: 'batch', jobs: 7 } },
    0,
    ['1 at 4: 2 free, 1 may wait, busy 0 0, open 2 2, rule 1 1'],
  ],
  [
    'a worker that leaves and one that joins',
    {
      workerEvents: [
        { at: 1000, kind: 'leave', worker: 0 },
        { at: 4000, kind: 'join', worker: 2 },
      ],
      source: { kind: 'batch', jobs: 4 },
    },
    0,
    [
      '1 at 2: 1 free, 0 may wait, busy 0 0, open 2 2, rule 1 0',
      '2 at 4: 1 free, 1 may wait, busy 0 1, open 2 1, rule 1 0',
    ],
  ],
  [
    'jobs that fail',
    { stages: constant(2, 3).map((stage, s) => (s === 0 ? { ...stage, fails: { jobs: [0], tries: 2 } } : stage)) },
    0,
    ['1 at 2: 2 free, 1 may wait, busy 0 0, open 2 1, rule 1 1, 1 failed'],
  ],
  [
    'a change of stage that costs',
    { switchCost: 500, source: { kind: 'times', at: [0, 10_000, 20_000, 20_500] } },
    0,
    [
      '1 at 2: 1 free, 1 may wait, busy 0 0, open 0 1, rule 0 1',
      '2 at 10: 1 free, 1 may wait, busy 0 0, open 1 0, rule 1 0',
      '3 at 12.5: 1 free, 1 may wait, busy 0 0, open 0 1, rule 0 1',
      '4 at 20: 1 free, 1 may wait, busy 0 0, open 1 0, rule 1 0',
      '6 at 22.5: 2 free, 1 may wait, busy 0 0, open 0 2, rule 0 2',
    ],
  ],
  [
    'stages side by side',
    { links: linksOf('source>A source>B A>sink B>sink'), workers: 3 },
    1,
    [
      '0 at 0: 3 free, 2 may wait, busy 0 0, open 3 3, rule 2 1',
      '1 at 3: 3 free, 2 may wait, busy 0 0, open 3 1, rule 2 1',
      '2 at 5: 2 free, 2 may wait, busy 0 1, open 2 0, rule 2 0',
      '3 at 6: 1 free, 1 may wait, busy 1 0, open 1 0, rule 1 0',
    ],
  ],
])('the choices of a game with %s', async (_, more, waits, lines) => {
  expect(await choicesIn(scenarioOf(more), waits)).toEqual(lines)
})
