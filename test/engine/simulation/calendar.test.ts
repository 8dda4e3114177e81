import { describe, expect, test } from 'vitest'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { constant, play } from './play.ts'

async function finishTimes(input: object): Promise<number[]> {
  const times: number[] = []
  for (const { kind, job, time } of (await play(input)).rows) if (kind === FINISHED) times[job] = time
  return times
}

describe('burning workers that outnumber the cores', () => {
  test('waiting takes no core', async () => {
    const stages = [constant('A', 1000, { work: 'wait' })]
    expect(await finishTimes({ source: { kind: 'batch', jobs: 4 }, stages, workers: 4, cores: 1 })).toEqual([
      1000, 1000, 1000, 1000,
    ])
    const mixed = [constant('A', 1000, { work: 'wait' }), constant('B', 1000)]
    const policy = { kind: 'fixed', allocation: { A: 1, B: 1 } }
    // The second job waits at A while the first burns at B; neither slows the other.
    expect(
      await finishTimes({ source: { kind: 'batch', jobs: 2 }, stages: mixed, workers: 2, cores: 1, policy }),
    ).toEqual([2000, 3000])
  })
})
