import { describe, expect, test } from 'vitest'
import type { Assignment } from '../../../src/measures/decisions/decisionContext.ts'
import {
  type PlacementInput,
  placementOf,
  placementSentences,
  placementsOf,
  shortfallSentences,
  shortfallsOf,
} from '../../../src/measures/decisions/placements.ts'
import { createSpeech, sentenceText } from '../../../src/measures/decisions/speech.ts'
import type { PolicyKind } from '../../../src/scenario/model/scenario.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const speech = createSpeech(
  scenarioWith({ source: { kind: 'batch', jobs: 1 }, stages: ['A', 'B', 'C', 'D'].map((id) => ({ id })), workers: 1 }),
)

/** Stages as `waiting busy before>after`; orders as `worker from>stage jobs`, `-` for no stage and `*` for a second batch. */
function decision(
  policy: PolicyKind,
  workers: number,
  stages: readonly string[],
  orders: readonly string[] = [],
  free: readonly number[] = [],
): PlacementInput {
  const stageOf = (name: string) => 'ABCD'.indexOf(name)
  return {
    policy,
    workers,
    stages: stages.map((text) => {
      const [waiting, busy, seatsBefore, seatsAfter] = text.split(/[ >]/).map(Number)
      return { waiting, busy, seatsBefore, seatsAfter }
    }),
    orders: orders.map((text): Assignment => {
      const [, worker, from, stage, jobs, prefetch] = /^(\d) (.)>(.) (\d)(\*?)$/.exec(text) ?? []
      return {
        worker: Number(worker),
        from: stageOf(from),
        stage: stageOf(stage),
        jobs: Number(jobs),
        job: 0,
        prefetch: prefetch === '*',
      }
    }),
    free,
  }
}

const placementsText = (input: PlacementInput) =>
  sentenceText(placementSentences(placementsOf(input), input.stages, speech)).trimEnd()
const lacking = (input: PlacementInput) => sentenceText(shortfallSentences(shortfallsOf(input), speech)).trimEnd()

describe('what workers do after a decision', () => {
  test('is told together for workers that do the same for the same reason', () => {
    const stages = ['3 0 2>2', '5 0 2>2']
    expect(placementsText(decision('leastScore', 4, stages, ['0 ->A 1', '1 ->A 1', '2 ->B 1', '3 A>B 1']))).toBe(
      'Workers 1 and 2 start at A. Worker 3 starts at B. Worker 4 moves from A to B.',
    )
    expect(placementsText(decision('leastScore', 4, stages, ['0 A>A 1', '1 B>B 1', '0 A>A 2*']))).toBe(
      'Worker 1 stays at A. Worker 2 stays at B. Worker 1 gets its next batch at A in advance.',
    )
  })

  test('names a stage further below its target that has no job left', () => {
    const input = decision('leastScore', 4, ['1 0 0>1', '1 0 0>3'], ['0 ->B 1', '1 A>A 1'])
    expect(placementsText(input)).toBe('Worker 1 starts at B. Worker 2 stays at A: no other job waits at B.')
    expect(placementOf(input, 1)).toMatchObject({ passed: false, short: [1, 2], reason: { kind: 'noJob', stage: 1 } })
    // If a job is left there, the record does not show why none of them started.
    expect(placementOf(decision('leastScore', 4, ['1 0 0>1', '2 0 0>3'], ['0 ->B 1', '1 A>A 1']), 1)).toMatchObject({
      passed: true,
      reason: null,
    })
  })

  test('explains why a free worker stays idle, as far as the record shows', () => {
    const idle = (policy: PolicyKind, ...stages: string[]) =>
      placementsText(decision(policy, 4, stages, ['0 ->A 1'], [0, 1, 2]))
    expect(idle('leastScore', '1 0 1>1', '0 0 0>0')).toBe(
      'Worker 1 starts at A. Workers 2 and 3 stay idle: no other job waits.',
    )
    expect(idle('leastScore', '2 0 1>1', '0 0 0>0')).toBe('Worker 1 starts at A. Workers 2 and 3 stay idle.')
    const reached =
      'Worker 1 starts at A. Workers 2 and 3 stay idle: the stages with waiting jobs have reached their targets.'
    expect(idle('fixed', '2 0 1>1', '0 0 1>1')).toBe(reached)
    expect(idle('byHand', '2 0 1>1', '0 0 1>1')).toBe(reached)
    expect(idle('fixed', '2 0 1>1', '1 0 1>1')).toBe('Worker 1 starts at A. Workers 2 and 3 stay idle.')
    expect(placementOf(decision('fixed', 4, ['1 0 1>1'], [], [2]), 1)).toBe(null)
  })

  test('names at most four groups of workers, or three and the number of others', () => {
    const stages = ['9 0 2>2', '9 0 2>2', '9 0 2>2', '9 0 2>2']
    const orders = ['0 ->A 1', '1 ->B 1', '2 ->C 1', '3 ->D 1', '4 A>A 1', '5 A>A 1']
    const three = 'Worker 1 starts at A. Worker 2 starts at B. Worker 3 starts at C.'
    expect(placementsText(decision('leastScore', 8, stages, orders.slice(0, 4)))).toBe(`${three} Worker 4 starts at D.`)
    expect(placementsText(decision('leastScore', 8, stages, orders.slice(1, 6)))).toBe(
      'Worker 2 starts at B. Worker 3 starts at C. Worker 4 starts at D. Workers 5 and 6 stay at A.',
    )
    expect(placementsText(decision('leastScore', 8, stages, orders))).toBe(
      `${three} 3 more workers are not named here.`,
    )
    expect(placementsText(decision('leastScore', 8, stages, [...orders.slice(0, 3), '3 ->D 1', '3 D>D 1*']))).toBe(
      `${three} 1 more worker is not named here.`,
    )
  })
})

describe('a stage that is still below its higher target', () => {
  test('has no other job, or waits for a worker of stages above their targets', () => {
    expect(lacking(decision('leastScore', 3, ['9 0 0>2', '0 1 1>1'], ['0 ->A 1']))).toBe(
      'A is still 1 below its target.',
    )
    expect(lacking(decision('leastScore', 3, ['1 0 0>2', '0 1 1>1'], ['0 ->A 1']))).toBe(
      'A is still 1 below its target: no other job waits there.',
    )
    expect(lacking(decision('leastScore', 3, ['9 1 1>3', '0 2 2>0']))).toBe(
      'A is still 2 below its target: B is above its own.',
    )
    expect(lacking(decision('leastScore', 3, ['9 0 0>3', '0 2 2>0', '0 1 1>0']))).toBe(
      'A is still 3 below its target: B and C are above theirs.',
    )
    // One worker is idle: then the others have no reason.
    expect(lacking(decision('leastScore', 4, ['9 1 1>3', '0 2 2>0']))).toBe('A is still 2 below its target.')
  })

  test('is not named if its target did not rise, or if workers are pinned', () => {
    expect(lacking(decision('leastScore', 3, ['9 0 2>2', '0 1 1>1']))).toBe('')
    expect(lacking(decision('leastScore', 3, ['9 2 1>2', '0 1 1>1']))).toBe('')
    expect(lacking(decision('fixed', 3, ['9 0 0>2', '0 1 1>1']))).toBe('')
  })
})
