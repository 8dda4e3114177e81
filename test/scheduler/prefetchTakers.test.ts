import { expect, test } from 'vitest'
import { ABSENT, BUSY, type Counts, GONE, IDLE } from '../../src/pipeline/counts.ts'
import { NONE } from '../../src/pipeline/rows.ts'
import { PrefetchTakers, takersOf } from '../../src/scheduler/prefetchTakers.ts'
import { createChance } from '../fixtures/chance.ts'

const STAGES = 3
const WORKERS = 9

function someCounts(): Counts {
  return {
    busy: new Int32Array(STAGES),
    status: new Uint8Array(WORKERS).fill(IDLE),
    stage: new Int16Array(WORKERS).fill(NONE),
    since: new Float64Array(WORKERS),
    prefetching: new Uint8Array(WORKERS),
    leaving: new Uint8Array(WORKERS),
  } as unknown as Counts
}

/** The plain way: of the busy workers of a stage without a second batch that stay, the one that started first. */
function plainFirst({ status, stage, since, prefetching, leaving }: Counts, at: number): number {
  const open = [...status.keys()].filter((w) => status[w] === BUSY && stage[w] === at && prefetching[w] === 0 && leaving[w] === 0)
  return open.sort((a, b) => since[a] - since[b] || a - b)[0] ?? NONE
}

const everywhere = (takers: PrefetchTakers, counts: Counts) => Array.from({ length: STAGES }, (_, stage) => takers.first(counts, stage))

test('a second batch goes to the worker of the stage that started first, has none and stays, whatever has happened to the others', () => {
  for (let seed = 0; seed < 50; seed++) {
    const chance = createChance(seed)
    const counts = someCounts()
    const takers = new PrefetchTakers(STAGES, WORKERS)
    for (let time = 1; time < 60; time++) {
      for (let n = chance.below(4); n > 0; n--) {
        const worker = chance.below(WORKERS)
        const what = chance.below(10)
        const began = counts.status[worker] === BUSY
        if (what < 5) {
          // Several start at one time, and one that was busy may go on with its next batch at once.
          counts.status[worker] = BUSY
          counts.stage[worker] = chance.below(STAGES)
          counts.since[worker] = Math.floor(time / 3)
          counts.prefetching[worker] = 0
          counts.leaving[worker] = 0
        } else if (what < 7) counts.prefetching[worker] = began ? 1 : 0
        else if (what < 8) counts.leaving[worker] = began ? 1 : 0
        else counts.status[worker] = chance.pick([IDLE, ABSENT, GONE])
        takers.note(counts, worker)
      }
      const plain = Array.from({ length: STAGES }, (_, stage) => plainFirst(counts, stage))
      expect([everywhere(takers, counts), everywhere(takersOf(counts), counts)], `at ${time} of seed ${seed}`).toEqual([plain, plain])
    }
  }
})

test('nobody gets a second batch before anybody is noted', () => {
  expect(everywhere(new PrefetchTakers(STAGES, WORKERS), someCounts())).toEqual([NONE, NONE, NONE])
})
