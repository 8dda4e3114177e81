import { describe, expect, test } from 'vitest'
import { parse } from '../../../src/scenario/parse/parse.ts'

const base = {
  version: 1,
  stages: [{ id: 'A' }, { id: 'B' }, { id: 'C' }],
  workers: 2,
  source: { kind: 'batch', jobs: 10 },
}
const pid = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 1 }
const takes = (mean: number) => ({ kind: 'constant', mean })

/** The problems of branches that begin after 5,000 µs. */
function problemsOf(branches: readonly object[], original: object = {}): readonly string[] {
  const parsed = parse({ ...base, ...original, branches: branches.map((branch) => ({ at: 5000, ...branch })) })
  return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('a branch', () => {
  test.each<[string, object, object?]>([
    [
      'may begin a phase, and have an event, at the instant at which it begins',
      { later: [{ at: 5000, batch: { size: 2 } }], workerEvents: [{ at: 5000, kind: 'crash', worker: 0 }] },
    ],
    [
      'may change what a stage costs from the job on from which it says so',
      { stages: [{ id: 'A', from: 3, service: takes(5), changes: [{ from: 3, service: takes(6) }] }] },
    ],
    ['may have other workers where the policy hires none', { workers: 4 }],
    ['may say nothing about workers where the policy hires them', { switchCost: 5 }, { policy: pid }],
    [
      'has only its own events from its beginning on',
      { workerEvents: [{ at: 6000, kind: 'crash', worker: 1 }] },
      { workerEvents: [{ at: 9000, kind: 'crash', worker: 1 }] },
    ],
  ])('%s', (_, branch, original) => {
    expect(problemsOf([branch], original)).toEqual([])
  })

  const early = '; allowed: at least 5,000, when the branch begins'
  const gone = ' is gone by then; allowed: a worker that is still there'
  test.each<[string, object, string, object?]>([
    [
      'of a stage that does not exist',
      {
        stages: [
          { id: 'A', from: 0, service: takes(5) },
          { id: 'Z', from: 0, service: takes(5) },
        ],
      },
      'stages[1].id: "Z" is not a stage; allowed: the ids of the stages',
    ],
    [
      'of a stage that is listed twice',
      {
        stages: [
          { id: 'A', from: 0, service: takes(5) },
          { id: 'A', from: 0, service: takes(5) },
        ],
      },
      'stages[1].id: "A" is listed twice',
    ],
    [
      'of a change before its first job',
      {
        stages: [
          {
            id: 'B',
            from: 3,
            service: takes(5),
            changes: [
              { from: 3, service: takes(6) },
              { from: 2, service: takes(6) },
            ],
          },
        ],
      },
      'stages[0].changes[1].from: found 2; allowed: at least 3, from which job on the branch says what the stage costs',
    ],
    [
      'of changes that are not in order',
      {
        stages: [
          {
            id: 'B',
            from: 3,
            service: takes(5),
            changes: [
              { from: 4, service: takes(6) },
              { from: 4, service: takes(6) },
            ],
          },
        ],
      },
      'stages[0].changes[1].from: found 4; allowed: more than 4, the one before: changes must be in order of job number',
    ],
    [
      'of a service time, at the place of the stage in the branch',
      { stages: [{ id: 'C', from: 3, service: { kind: 'uniform', min: 7, max: 5 } }] },
      'stages[0].service.max: found 5; allowed: at least min, 7',
    ],
    [
      'of a change of a service time',
      {
        stages: [
          { id: 'B', from: 0, service: takes(3) },
          { id: 'C', from: 3, service: takes(3), changes: [{ from: 5, service: { kind: 'uniform', min: 7, max: 5 } }] },
        ],
      },
      'stages[1].changes[0].service.max: found 5; allowed: at least min, 7',
    ],
    ['of a phase before it', { later: [{ at: 4999, batch: { size: 2 } }] }, `later[0].at: found 4999${early}`],
    [
      'of phases that are not in order, at their places in the branch',
      {
        later: [
          { at: 6000, batch: { size: 2 } },
          { at: 6000, batch: { size: 3 } },
        ],
      },
      'later[1].at: found 6000; allowed: more than 6,000, the one before: phases must be in order of time',
      {
        later: [
          { at: 1000, batch: { size: 2 } },
          { at: 2000, batch: { size: 1 } },
          { at: 8000, batch: { size: 2 } },
        ],
      },
    ],
    [
      'of the policy of a phase',
      {
        later: [
          { at: 6000, batch: { size: 2 } },
          { at: 7000, policy: { kind: 'fixed', allocation: { A: 3 } } },
        ],
      },
      'later[1].policy.allocation: 3 workers are given out; allowed: 1 to 2, the workers there are',
      { later: [{ at: 1000, batch: { size: 2 } }] },
    ],
    [
      'of an event before it',
      { workerEvents: [{ at: 4999, kind: 'crash', worker: 0 }] },
      `workerEvents[0].at: found 4999${early}`,
    ],
    [
      'of an event of a worker that ended before it, at its place in the branch',
      {
        workerEvents: [
          { at: 6000, kind: 'hang', worker: 1 },
          { at: 7000, kind: 'crash', worker: 0 },
        ],
      },
      `workerEvents[1].worker: worker 0${gone}`,
      {
        workerEvents: [
          { at: 1000, kind: 'crash', worker: 0 },
          { at: 9000, kind: 'crash', worker: 1 },
        ],
      },
    ],
    [
      'of a worker that joins under the number of another',
      { workerEvents: [{ at: 6000, kind: 'join', worker: 2 }] },
      'workerEvents[0].worker: found 2; allowed: 3: workers are numbered from 0, and a worker that joins gets the next number',
      { workerEvents: [{ at: 1000, kind: 'join', worker: 2 }] },
    ],
    [
      'of other workers where the policy hires them',
      { workers: 3 },
      'workers: how many workers an elastic policy may hire cannot change during the run; leave it out',
      { policy: pid },
    ],
    [
      'of its policy',
      { policy: { kind: 'fixed', allocation: { A: 3 } } },
      'policy.allocation: 3 workers are given out; allowed: 1 to 2, the workers there are',
    ],
    [
      'of a policy that cannot take over at that instant',
      { policy: { kind: 'seda' } },
      'policy.kind: found "seda"; allowed: a policy that does not hire, since seda hires its workers itself',
    ],
    [
      'of a setting that it does not have itself',
      { policy: { kind: 'onePerStage' } },
      ': workers: found 2; allowed: at least 3: the policy onePerStage puts one on every stage',
    ],
    [
      'of the run as a whole',
      { switchCost: 400_000_000_000_000 },
      ': the run might last 12,000,000,000 seconds; allowed: 4,503,599,627 (142 years), so take fewer jobs, shorter services or earlier arrivals',
    ],
  ])('has the problem %s', (_, branch, problem, original) => {
    const [place, ...words] = problem.split(': ')
    // The branch before it is sound.
    expect(problemsOf([{}, branch], original)).toEqual([
      `branches[1]${place === '' ? '' : `.${place}`}: ${words.join(': ')}`,
    ])
  })

  test('has all its own problems at once, and those of several branches stand beside each other', () => {
    const wrong = {
      stages: [{ id: 'Z', from: 0, service: takes(5) }],
      later: [{ at: 1, batch: { size: 2 } }],
      workerEvents: [{ at: 1, kind: 'crash', worker: 0 }],
    }
    expect(problemsOf([wrong, { policy: { kind: 'seda' } }]).map((problem) => problem.split(': ')[0])).toEqual([
      'branches[0].stages[0].id',
      'branches[0].later[0].at',
      'branches[0].workerEvents[0].at',
      'branches[1].policy.kind',
    ])
  })
})
