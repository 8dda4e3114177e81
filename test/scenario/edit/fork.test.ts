import { describe, expect, test } from 'vitest'
import {
  branchDraft,
  branchOf,
  forkAt,
  withAppearance,
  withFittingBranches,
} from '../../../src/scenario/edit/branches.ts'
import { addStage, setWorkers } from '../../../src/scenario/edit/edits.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { events } from '../../fixtures/scenarios.ts'

const slow = { kind: 'constant', mean: 9000 } as const
const original = valid({
  version: 1,
  stages: [
    { id: 'A' },
    {
      id: 'B',
      changes: [
        { from: 5, service: slow },
        { from: 50, service: slow },
      ],
    },
  ],
  workers: 4,
  workerEvents: events([500, 'crash', 3], [600, 'join', 4], [3000, 'join', 5]),
})
const startedJobs = [30, 20]

function branched(edited: Scenario): Scenario {
  const forked = forkAt(original, 1000, edited, startedJobs)
  if ('problems' in forked) throw new Error(JSON.stringify(forked.problems))
  return valid({ ...original, branches: [forked.branch] })
}

function withStage(s: number, patch: Partial<Scenario['stages'][number]>): Scenario {
  return { ...original, stages: original.stages.map((stage, i) => (i === s ? { ...stage, ...patch } : stage)) }
}

test('service times of a stage may change from the first job that it has not started, and no earlier', () => {
  for (const from of [startedJobs[1] - 1, startedJobs[1], startedJobs[1] + 1]) {
    const changes = [...original.stages[1].changes, { from, service: { kind: 'constant', mean: 77 } as const }].sort(
      (a, b) => a.from - b.from,
    )
    const forked = forkAt(original, 1000, withStage(1, { changes }), startedJobs)
    expect('branch' in forked, `from job ${from}`).toBe(from >= startedJobs[1])
    if ('branch' in forked)
      expect(branchOf({ ...original, branches: [forked.branch] }, 0).stages[1].changes).toEqual(changes)
  }
})

describe('a setting that changes during the run holds from then on', () => {
  test('a service time from the first job that has not started, whatever changes it later', () => {
    const whole = branched(withStage(1, { service: slow }))
    expect(branchOf(whole, 0).stages[1]).toEqual({
      ...original.stages[1],
      changes: [
        { from: 5, service: slow },
        { from: 20, service: slow },
        { from: 50, service: slow },
      ],
    })
    expect(whole.branches[0].stages).toEqual([
      { id: 'A', from: 30 },
      { id: 'B', from: 20, service: slow },
    ])
  })

  test('with more workers, the new ones join then, and later ones get the numbers after them', () => {
    const { workers, workerEvents } = branchOf(branched(setWorkers(original, 6)), 0)
    expect(workers).toBe(4)
    expect(workerEvents).toEqual(
      events([500, 'crash', 3], [600, 'join', 4], [1000, 'join', 5], [1000, 'join', 6], [3000, 'join', 7]),
    )
  })

  test('with fewer workers, present workers leave then', () => {
    expect(branchOf(branched(setWorkers(original, 2)), 0).workerEvents).toEqual(
      events([500, 'crash', 3], [600, 'join', 4], [1000, 'leave', 2], [3000, 'join', 5]),
    )
  })

  test('an edit of the original applies to its branches, except for the values they set', () => {
    const whole = branched(withStage(1, { service: slow }))
    const edited = valid({
      ...whole,
      seed: 9,
      stages: whole.stages.map((stage) => ({ ...stage, service: { kind: 'constant', mean: 70 } })),
    })
    expect(branchDraft(edited, 0)).toMatchObject({
      seed: 9,
      stages: [{ service: { mean: 70 } }, { service: slow }],
      branches: [],
    })
  })
})

describe('at the very time at which a branch begins', () => {
  const at = 1000
  const whole = (branch: object, more: object = {}) => valid({ ...original, ...more, branches: [{ at, ...branch }] })

  test('events of the original are replaced by those of the branch, earlier ones stay', () => {
    const hangs = (time: number) => [{ at: time, kind: 'hang', worker: 0 }]
    const own = [{ at, kind: 'crash', worker: 1 }]
    for (const [time, left] of [
      [at - 1, 1],
      [at, 0],
    ] as const) {
      const scenario = whole({ workerEvents: own }, { workerEvents: hangs(time) })
      expect(branchDraft(scenario, 0).workerEvents).toEqual([...hangs(time).slice(0, left), ...own])
      expect(branchOf(scenario, 0).workerEvents).toEqual([...hangs(time).slice(0, left), ...own])
    }
  })

  test('so are phases, and values of the branch begin with a phase then, unless a phase of its own at that time replaces it', () => {
    const later = [at - 1, at, at + 5].map((time) => ({ at: time, switchCost: time }))
    const kept = whole({ switchCost: 9 }, { later })
    expect(branchOf(kept, 0).later).toEqual([later[0], later[1], later[2]])
    const mixed = whole({ switchCost: 9, policy: { kind: 'adams', lend: true } }, { later })
    expect(branchOf(mixed, 0).later).toEqual([
      later[0],
      { at, policy: { kind: 'adams', lend: true }, switchCost: at },
      later[2],
    ])
    const fresh = whole({ switchCost: 9, later: [{ at: at + 7, switchCost: 3 }] }, { later })
    expect(branchOf(fresh, 0).later).toEqual([later[0], { at, switchCost: 9 }, { at: at + 7, switchCost: 3 }])
    expect(branchDraft(fresh, 0)).toMatchObject({ switchCost: 9, later: [later[0], { at: at + 7, switchCost: 3 }] })
    expect(branchOf(whole({}, { later }), 0).later).toEqual(later)
  })
})

describe('which workers leave when a branch has fewer', () => {
  const left = (kind: string) => {
    const scenario = valid({
      ...original,
      workerEvents: [{ at: 500, kind, worker: 3 }],
      branches: [{ at: 1000, workers: 2 }],
    })
    return branchOf(scenario, 0).workerEvents.filter((event) => event.at === 1000)
  }

  test('are the last of the first workers that have not crashed or left before; one that hangs is still there', () => {
    const [two, three] = [2, 3].map((worker) => ({ at: 1000, kind: 'leave', worker }))
    expect([left('crash'), left('leave'), left('hang')]).toEqual([[two], [two], [two, three]])
  })

  test('and with more workers the additional ones get the numbers after those that joined before', () => {
    const scenario = valid({
      ...original,
      branches: [
        {
          at: 1000,
          workers: 6,
          workerEvents: events(
            [2000, 'hang', 1],
            [2100, 'hang', 4],
            [2200, 'hang', 6],
            [3000, 'join', 7],
            [3100, 'crash', 7],
          ),
        },
      ],
    })
    // In the drawing 4 and 5 are additional and 6 joined at 600; in the run 4 joined at 600, and 5 and 6 follow.
    expect(branchOf(scenario, 0).workerEvents.slice(2)).toEqual(
      events(
        [1000, 'join', 5],
        [1000, 'join', 6],
        [2000, 'hang', 1],
        [2100, 'hang', 5],
        [2200, 'hang', 4],
        [3000, 'join', 7],
        [3100, 'crash', 7],
      ),
    )
  })
})

describe('a branch shares with its original', () => {
  test('the title, names and places, and nothing that affects a run', () => {
    const [a, b] = original.stages
    const drawing = {
      ...original,
      title: 'T',
      seed: 77,
      stages: [
        { ...a, name: 'First', capacity: 3 },
        { ...b, position: { x: 1, y: 2 } },
      ],
    }
    expect(withAppearance(original, drawing)).toEqual({
      ...original,
      title: 'T',
      stages: [
        { ...a, name: 'First' },
        { ...b, position: { x: 1, y: 2 } },
      ],
    })
  })

  test('a branch loses the removed stages, and nothing else', () => {
    const whole = branched(withStage(1, { service: slow }))
    expect(withFittingBranches(whole)).toBe(whole)
    expect(withFittingBranches(original)).toBe(original)
    const rest = withFittingBranches({ ...whole, stages: whole.stages.slice(1) })
    expect(rest.branches).toEqual([{ ...whole.branches[0], stages: [{ id: 'B', from: 20, service: slow }] }])
  })
})

describe('keys that cannot change during the run are reported at their place', () => {
  test.each<readonly [string, Scenario, string, RegExp]>([
    ['the random seed', { ...original, seed: 2 }, 'seed', /^cannot change during the run: put it back/],
    ['what arrives', { ...original, source: { kind: 'batch', jobs: 3 } }, 'source', /^cannot change/],
    ['the order', { ...original, order: { kind: 'buffer', slots: 9 } }, 'order', /^cannot change/],
    ['the stages', addStage(original, 'A'), 'stages[2]', /: cannot change/],
    ['a stage that is gone', { ...original, stages: original.stages.slice(1) }, 'stages', /"A": cannot change/],
    ['what a stage is', withStage(0, { capacity: 3 }), 'stages[0].capacity', /^cannot change during the run/],
    [
      'service times of jobs that have started',
      withStage(1, { changes: [{ from: 6, service: slow }] }),
      'stages[1].changes[0].from',
      /jobs below 20 have started here.*from job 20 on/,
    ],
    ['a change that is gone', withStage(1, { changes: [] }), 'stages[1].changes', /jobs below 20 have started here/],
    [
      'what had happened',
      { ...original, workerEvents: [{ at: 400, kind: 'crash', worker: 3 }] },
      'workerEvents[0].at',
      /found 400; allowed: at least 1,000/,
    ],
    [
      'what had happened, left out',
      { ...original, workerEvents: [] },
      'workerEvents',
      /an event before 1,000 is missing/,
    ],
  ])('%s', (_, edited, path, words) => {
    const forked = forkAt(original, 1000, edited, startedJobs)
    expect('problems' in forked && forked.problems.map((problem) => problem.path)).toContain(path)
    expect('problems' in forked && forked.problems.find((problem) => problem.path === path)?.message).toMatch(words)
  })

  test.each<readonly [string, unknown, string, RegExp]>([
    ['the time', { at: 0 }, 'branches[0].at', /found 0; allowed: a whole number of microseconds from 1/],
    ['a key', { at: 9, seed: 3 }, 'branches[0].seed', /unknown key; allowed keys: at, title/],
    ['a stage', { at: 9, stages: [{ id: 'C', from: 1 }] }, 'branches[0].stages[0].id', /"C" is not a stage/],
    [
      'a repeated stage',
      {
        at: 9,
        stages: [
          { id: 'A', from: 1 },
          { id: 'A', from: 2 },
        ],
      },
      'branches[0].stages[1].id',
      /twice/,
    ],
    [
      'a change too early',
      { at: 9, stages: [{ id: 'A', from: 7, changes: [{ from: 6, service: slow }] }] },
      'branches[0].stages[0].changes[0].from',
      /found 6; allowed: at least 7/,
    ],
    [
      'a service',
      { at: 9, stages: [{ id: 'B', from: 7, service: { kind: 'uniform', min: 3, max: 2 } }] },
      'branches[0].stages[0].service.max',
      /at least min/,
    ],
    [
      'an event too early',
      { at: 900, workerEvents: [{ at: 899, kind: 'leave', worker: 0 }] },
      'branches[0].workerEvents[0].at',
      /found 899; allowed: at least 900/,
    ],
    [
      'an event of a missing worker',
      { at: 900, workerEvents: [{ at: 900, kind: 'leave', worker: 9 }] },
      'branches[0].workerEvents[0].worker',
      /found 9; allowed: a whole number from 0 to 4/,
    ],
    [
      'an event of a worker that has left',
      { at: 900, workers: 5, workerEvents: [{ at: 900, kind: 'leave', worker: 3 }] },
      'branches[0].workerEvents[0].worker',
      /is gone or hangs by then/,
    ],
  ])('%s of a branch that is written by hand', (_, branch, path, words) => {
    const parsed = parse({ ...original, branches: [branch] })
    expect('problems' in parsed && parsed.problems).toMatchObject([{ path, message: expect.stringMatching(words) }])
  })

  test('other policies, workers or batches that do not suit the original are reported at their key, or at the place from which they are played', () => {
    const problems = (branch: object, more: object = {}) => {
      const parsed = parse({ ...original, ...more, branches: [{ at: 1000, ...branch }] })
      return 'problems' in parsed ? parsed.problems.map(({ path, message }) => `${path}: ${message}`) : []
    }
    const pid = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 10_000, setpoint: 0, up: -2, down: -1 }
    expect(problems({ policy: pid }, { workerEvents: [] })).toEqual([
      expect.stringMatching(/^branches\[0\]\.policy\.kind: found "pid"/),
    ])
    expect(problems({ policy: { kind: 'fixed', allocation: { A: 100 } } })).toEqual([
      expect.stringMatching(/^branches\[0\]\.policy\.allocation: 100 workers/),
    ])
    const alsoX = { policy: { kind: 'fixed', allocation: { A: 1, X: 1 } } }
    expect(problems(alsoX)).toEqual(['branches[0].policy.allocation.X: "X" is not a stage'])
    expect(problems({ later: [{ at: 2000, ...alsoX }] })).toEqual([
      'branches[0].later[0].policy.allocation.X: "X" is not a stage',
    ])
    expect(problems({ batch: { size: 2, adaptive: true } })).toEqual([
      expect.stringMatching(/^branches\[0\]\.batch\.size: found 2; allowed: nothing, beside adaptive/),
    ])
    expect(
      problems({
        later: [
          { at: 1000, cores: 1 },
          { at: 1000, cores: 2 },
        ],
      }),
    ).toEqual([expect.stringMatching(/^branches\[0\]\.later\[1\]\.at: found 1000/)])
    expect(problems({ later: [{ at: 2000, batch: { size: 2, adaptive: true } }] })).toEqual([
      expect.stringMatching(/^branches\[0\]\.later\[0\]\.batch\.size: found 2; allowed: nothing, beside adaptive/),
    ])
    const elastic = { policy: pid, later: [], workerEvents: [] }
    expect(problems({ workers: 2 }, elastic)).toEqual([
      expect.stringMatching(/^branches\[0\]\.workers: cannot change during the run/),
    ])
  })
})
