import { describe, expect, test } from 'vitest'
import { problemPlace } from '../../../../src/app/draw/problems/ProblemList.tsx'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { parse } from '../../../../src/scenario/parse/parse.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

const scenario = presetOf('rush-hour')?.scenario as Scenario

describe('a problem is placed in the words of the forms', () => {
  test.each([
    ['stages[2].service.mean', 'Stage "Enrich", Service time, Mean'],
    ['stages[2].changes[1].from', 'Stage "Enrich", Change 2, From job'],
    ['stages[2].changes[0].service.alpha', 'Stage "Enrich", Change 1, Service time, Tail'],
    ['stages[0].capacity', 'Stage "Parse", Queue'],
    ['stages[0].fails.jobs[3]', 'Stage "Parse", Failures, Job numbers 4'],
    ['stages[0].resource', 'Stage "Parse", resource'],
    ['stages[9]', 'Stage 10'],
    ['stages', 'Pipeline'],
    ['source.rate', 'Arrivals, Rate'],
    ['source.at[1]', 'Arrivals, Times 2'],
    ['workers', 'Workers'],
    ['workerEvents[0].at', 'Workers come and go 1, At'],
    ['policy.setpoint', 'Policy, Queue aimed at'],
    ['estimator.alpha', 'Estimate, Newest weighs'],
    ['order.slots', 'Jobs leave, Slots'],
    ['batch.size', 'Batch, Jobs'],
    ['batch.inHand', 'Batch, Keep a second batch in hand'],
    ['stages[0].whenTaken', 'Stage "Parse", Same group'],
    ['links[3]', 'Links 4'],
    ['version', ''],
    ['link', ''],
    ['toString', ''],
    ['', ''],
  ])('%s: %s', (path, words) => {
    expect(problemPlace({ path, message: 'wrong' }, scenario)).toBe(words)
  })

  test('with the names of the refused scenario, not of the one on the screen', () => {
    const named = (stages: unknown) => {
      const parsed = parse({ version: 1, workers: 2, stages })
      return 'problems' in parsed ? parsed.problems.map((problem) => problemPlace(problem, scenario)) : []
    }
    const service = { kind: 'constant', mean: 0 }
    expect(
      named([
        { id: 'a', name: 'Look up', service },
        { id: 'b', service },
        { service: { kind: 'constant', mean: 1 } },
        { id: 'd', name: '\u202e', service: { kind: 'constant', mean: 1 } },
      ]),
    ).toEqual([
      'Stage "Look up", Service time, Mean',
      'Stage "b", Service time, Mean',
      'Stage 3, id',
      'Stage "\\u{202e}", Name',
    ])
  })
})
