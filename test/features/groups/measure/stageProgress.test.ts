import { describe, expect, test } from 'vitest'
import {
  createStageProgress,
  extendStageProgress,
  inHandsAt,
  isServed,
  reachedAt,
} from '../../../../src/features/groups/measure/feederGaps.ts'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { FINISHED, STARTED } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { catchUp, endOf, type Trace, traceRow } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const scenario = valid({
  version: 1,
  seed: 5,
  source: { kind: 'groups', groups: [9, 4, 7, 1, 6], order: 'spread', feeders: 3 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 2000 } },
    { id: 'B', service: { kind: 'exponential', mean: 5000 }, resource: 'group' },
  ],
  workers: 5,
})

async function played(asked = scenario): Promise<Trace> {
  const trace = await playSimulation(asked, 0)
  catchUp(trace)
  return trace
}

/** The same, row by row, in the plainest way. */
function plainly(trace: Trace, stage: number, t: number) {
  const hands = new Map<number, number>()
  const served = new Set<number>()
  let reached = 0
  for (let i = 0; i < trace.length; i++) {
    const row = traceRow(trace, i)
    if (row.time > t) break
    if (row.kind === STARTED && row.stage === 0) reached = Math.max(reached, row.job + 1)
    if (row.stage !== stage) continue
    if (row.kind === STARTED) hands.set(row.worker, row.job)
    if (row.kind === FINISHED) {
      hands.delete(row.worker)
      served.add(row.job)
    }
  }
  return { hands, served, reached }
}

describe('started and served jobs', () => {
  test.each([0, 1])(
    'is the same at every instant as a count row by row, at stage %d, forwards and backwards',
    async (stage) => {
      const trace = await played()
      const progress = createStageProgress(trace, stage)
      while (!extendStageProgress(progress, 7));
      const times = Array.from({ length: 60 }, (_, k) => Math.round((k / 59) * endOf(trace)))
      for (const t of [...times, ...times.reverse()]) {
        const { hands, served, reached } = plainly(trace, stage, t)
        expect(reachedAt(progress, t)).toBe(reached)
        expect(inHandsAt(progress, frameAt(trace, t)).map((jobs) => jobs[0])).toEqual(
          Array.from({ length: 5 }, (_, w) => hands.get(w)),
        )
        for (let job = 0; job < 27; job++) expect(isServed(progress, job, t)).toBe(served.has(job))
      }
    },
  )

  test('holds whole batches where workers take several jobs', async () => {
    const trace = await played(
      valid({
        ...scenario,
        batch: { size: 3 },
        stages: [{ id: 'A' }],
        workers: 2,
        policy: { kind: 'leastScore' },
        links: undefined,
      }),
    )
    const progress = createStageProgress(trace, 0)
    extendStageProgress(progress)
    expect(inHandsAt(progress, frameAt(trace, 0))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
  })
})
