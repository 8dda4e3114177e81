import { expect, test } from 'vitest'
import { ABSENT, BUSY, GONE, IDLE } from '../../src/pipeline/counts.ts'
import { NONE } from '../../src/pipeline/rows.ts'
import { Roster, rosterOf } from '../../src/scheduler/roster.ts'
import { createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

/** The idle workers as a map from each worker to its last stage. */
type Idle = Map<number, number>

function lowest(idle: Idle, fits: (worker: number, stage: number) => boolean): number {
  let least: number = NONE
  for (const [worker, stage] of idle) if (fits(worker, stage) && (least === NONE || worker < least)) least = worker
  return least
}

/** The answers of the roster for every stage, and below the same from the map. */
function rosterAnswers(
  roster: Roster,
  stage: number,
  starts: readonly number[],
  worker: number,
): readonly (number | boolean)[] {
  return [
    roster.first(),
    roster.firstAt(stage),
    ...starts.map((from) => roster.firstAt(stage, from)),
    roster.countAt(stage),
    roster.isIdleAt(worker, stage),
  ]
}

function plain(idle: Idle, stage: number, starts: readonly number[], worker: number): readonly (number | boolean)[] {
  const first = (from: number) => lowest(idle, (other, at) => other >= from && at === stage)
  return [
    lowest(idle, () => true),
    first(0),
    ...starts.map(first),
    [...idle.values()].filter((at) => at === stage).length,
    idle.get(worker) === stage,
  ]
}

// A word has the bits of 32 workers, and a word of words 1,024. A few idle workers among many test the search over empty words.
test.each([5, 32, 33, 1024, 1030, 3000])(
  'of %i workers finds the lowest idle number, anywhere and at a stage, as a look at all of them does',
  (workers) => {
    for (let seed = 0; seed < repeats(8); seed++) {
      const chance = createChance(seed * 10_000 + workers)
      const stages = chance.between(1, 4)
      const roster = new Roster(stages, workers)
      const idle: Idle = new Map()
      const most = chance.pick([3, 40])
      for (let step = 0; step < 40; step++) {
        for (let n = chance.below(most); n > 0; n--) {
          const worker = chance.below(workers)
          const stage = chance.between(NONE, stages - 1)
          if (chance.percent(60)) {
            roster.free(worker, stage)
            idle.set(worker, stage)
          } else {
            roster.take(worker)
            idle.delete(worker)
          }
        }
        const starts = [0, chance.below(workers), workers - 1, workers, workers + 40]
        for (let stage: number = NONE; stage < stages; stage++) {
          const worker = chance.below(workers)
          expect(
            rosterAnswers(roster, stage, starts, worker),
            `stage ${stage} at step ${step} of seed ${seed}`,
          ).toEqual(plain(idle, stage, starts, worker))
        }
        // Workers that were taken temporarily return.
        const [who] = idle.keys()
        if (who === undefined) continue
        roster.take(who)
        const away = roster.isIdle(who)
        roster.putBack(who)
        expect([away, roster.isIdleAt(who, idle.get(who) ?? NONE)]).toEqual([false, true])
      }
    }
  },
)

test('a roster starts with the idle workers of the counts, and removes those that become busy', () => {
  const counts = {
    busy: new Int32Array(2),
    status: Uint8Array.of(IDLE, BUSY, IDLE, ABSENT, GONE, IDLE),
    stage: Int16Array.of(1, 0, NONE, 0, 1, 0),
  }
  const roster = rosterOf(counts)
  const idle = () => [0, 1, 2, 3, 4, 5].filter((worker) => roster.isIdle(worker))
  expect(idle()).toEqual([0, 2, 5])
  expect([roster.firstAt(1), roster.firstAt(NONE), roster.firstAt(0)]).toEqual([0, 2, 5])
  counts.status[0] = BUSY
  counts.status[1] = IDLE
  counts.stage[2] = 0
  for (const worker of [0, 1, 2]) roster.note(counts, worker)
  expect(idle()).toEqual([1, 2, 5])
  expect([roster.firstAt(1), roster.firstAt(NONE), roster.firstAt(0), roster.countAt(0)]).toEqual([NONE, NONE, 1, 3])
})
