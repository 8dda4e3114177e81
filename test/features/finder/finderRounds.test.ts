import { describe, expect, test } from 'vitest'
import {
  CHAINS,
  type FinderAnswer,
  type FinderQuestion,
  type FinderTask,
  findWorst,
  playContest,
  playFinderTask,
  ratioOf,
} from '../../../src/features/finder/finder.ts'
import { createChainDraws, drawScenario, mutated } from '../../../src/features/finder/finderDraw.ts'
import { type Found, shrunk } from '../../../src/features/finder/finderShrink.ts'
import { firstDifference } from '../../../src/measures/decisions/firstDifference.ts'
import { underPolicy } from '../../../src/runs/study/compare.ts'
import { leastTotalTimeCode } from '../../../src/scenario/model/policies.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const contest = { worse: 'leastScore', than: 'sinkFirst', measure: 'meanFlowTime', code: null } as const
const question = (more: Partial<FinderQuestion> = {}): FinderQuestion => ({
  ...contest,
  seed: 3,
  runs: 1000,
  around: null,
  ...more,
})

const plain = valid({
  version: 1,
  stages: [{ id: 'A' }, { id: 'B' }],
  workers: 2,
  source: { kind: 'times', at: [0, 5, 9] },
})

/** A simplified result, marked by its title. */
const simpler = ({ scenario, ratio }: Found): Found => ({
  scenario: { ...scenario, title: 'simpler' },
  ratio: ratio - 0.01,
})

type Leg = Extract<FinderTask, { kind: 'leg' }>

/** Plays nothing: a leg finds the ratio of `ratioAt`, with the scenario of that random seed; null: none. It logs its questions. */
function pretended(ratioAt: (chain: number, round: number) => number | null) {
  const tasks: FinderTask[] = []
  const legs: Leg[] = []
  const reports: [number, number][] = []
  const play = async (task: FinderTask): Promise<FinderAnswer> => {
    tasks.push(task)
    if (task.kind === 'start')
      return { chain: null, found: { scenario: task.scenario, ratio: 1.25 }, runs: 0, parting: null }
    if (task.kind === 'shrink') return { chain: null, found: simpler(task.found), runs: 7, parting: null }
    const { chain } = task
    const round = legs.filter((each) => each.chain.number === chain.number).length
    legs.push(task)
    const ratio = ratioAt(chain.number, round)
    const best = ratio === null ? chain.best : { scenario: { ...plain, seed: 100 * round + chain.number }, ratio }
    return {
      chain: { ...chain, drawn: chain.drawn + 10, best, present: best },
      found: null,
      runs: task.leg.trials,
      parting: null,
    }
  }
  return { tasks, legs, reports, play, onProgress: (best: number, share: number) => reports.push([best, share]) }
}

describe('the rounds of a search', () => {
  test('give each of eight chains 50 trials, and keep a quarter of all trials to simplify the result', async () => {
    const host = pretended(() => 1.5)
    const found = await findWorst(question({ runs: 730 }), host)
    // 730 less a quarter, rounded down, are 548: eight chains of 50, then 148.
    expect(host.legs.map(({ chain, leg }) => [chain.number, leg.trials, chain.drawn])).toEqual([
      ...Array.from({ length: CHAINS }, (_, k) => [k, 50, 0]),
      ...[50, 50, 48].map((trials, k) => [k, trials, 10]),
    ])
    expect(host.tasks.at(-1)).toMatchObject({ kind: 'shrink', maxRuns: 182 })
    expect(host.reports).toEqual([
      [1.5, 400 / 730],
      [1.5, 548 / 730],
      [1.49, 1],
    ])
    expect(found).toMatchObject({ ratio: 1.49, scenario: { title: 'simpler' }, runs: 548 + 7 })
  })

  test.each([
    ['no chain a leg of no trials', 666, 500, 166],
    ['at most 3000 trials to making the find simpler', 20_000, 17_000, 3000],
  ])('give %s', async (_, runs, trials, maxRuns) => {
    const host = pretended(() => 1.5)
    await findWorst(question({ runs }), host)
    expect(host.legs.reduce((sum, { leg }) => sum + leg.trials, 0)).toBe(trials)
    expect(host.legs.every(({ leg }) => leg.trials > 0)).toBe(true)
    expect(host.tasks.at(-1)).toMatchObject({ kind: 'shrink', maxRuns })
  })

  test('end at once if the best is good enough, and find nothing if no trial counted', async () => {
    let rounds = 0
    const host = pretended(() => 1.5)
    await findWorst(question({ runs: 8000 }), { ...host, enough: () => ++rounds > 2 })
    expect(host.legs).toHaveLength(16)
    expect(host.tasks.at(-1)).toMatchObject({ kind: 'shrink', maxRuns: 8000 - 800 })
    const none = pretended(() => null)
    expect(await findWorst(question(), none)).toBeNull()
    expect(none.tasks.every(({ kind }) => kind === 'leg')).toBe(true)
    expect(none.reports.at(-1)).toEqual([0, 0.75])
  })
})

describe('a leg of a chain', () => {
  const chainOf = (answer: FinderAnswer) => {
    if (answer.chain === null) throw new Error('no chain')
    return answer.chain
  }

  test.each([
    ['draws', true],
    ['changes', false],
  ])(
    '%s: takes what costs no more than the slack, remembers the best, and continues as if it had never been cut',
    async (_, draws) => {
      const first: Leg['chain'] = { number: 2, drawn: 0, present: null, best: null }
      let chain = first
      const slack = 0.05
      const task = (chain: Leg['chain'], trials: number): Leg => ({
        ...{ kind: 'leg', contest, seed: 3, chain },
        leg: { trials, draws, keepsStages: false, slack },
      })
      for (let trial = 0; trial < 30; trial++) {
        const next = chainOf(await playFinderTask(task(chain, 1)))
        const draw = createChainDraws(3, 2, chain.drawn)
        const drawn =
          draws || chain.present === null ? drawScenario(draw) : mutated(chain.present.scenario, draw, false)
        const asked = drawn.policy.kind === contest.worse ? parse(drawn) : underPolicy(drawn, contest.worse)
        const tried =
          'problems' in asked ? null : { scenario: asked.scenario, ratio: await ratioOf(contest, asked.scenario) }
        const ratio = tried?.ratio ?? 0
        const takes = ratio > 0 && ratio >= (chain.present?.ratio ?? 0) * (draws ? 1 : 1 - slack)
        const tops = ratio > (chain.best?.ratio ?? 0)
        expect(next, `trial ${trial}`).toEqual({
          number: 2,
          drawn: draw.drawn,
          present: takes ? tried : chain.present,
          best: tops ? tried : chain.best,
        })
        chain = next
      }
      expect(await playFinderTask(task(first, 30))).toEqual({ chain, found: null, runs: 30, parting: null })
    },
  )
})

describe('a thread that simplifies a result', () => {
  test('returns the number of trials, and the first difference of the two runs', async () => {
    const scenario = valid({
      version: 1,
      stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 1000 } })),
      source: { kind: 'times', at: [0, 0, 0, 0] },
      workers: 1,
      seed: 9,
    })
    const found = { scenario, ratio: await ratioOf(contest, scenario) }
    const shrunken = await playFinderTask({ kind: 'shrink', contest, found, maxRuns: 0 })
    const both = await playContest(contest, scenario)
    expect(shrunken).toEqual({ chain: null, found, runs: 0, parting: both && firstDifference(...both) })
    expect(shrunken.parting).not.toBeNull()
    const simplest = await shrunk(found, 30, (asked) => ratioOf(contest, asked))
    expect(await playFinderTask({ kind: 'shrink', contest, found, maxRuns: 30 })).toMatchObject(simplest)
    expect(simplest.found.scenario).not.toEqual(scenario)
    // One worker is too few for one at each stage: there is nothing to compare.
    const refused = { ...contest, than: 'onePerStage' } as const
    expect(await playFinderTask({ kind: 'shrink', contest: refused, found, maxRuns: 0 })).toEqual({
      chain: null,
      found,
      runs: 0,
      parting: null,
    })
  })
})

describe('the scenario to search around', () => {
  test('is played under the first policy for the whole run, without branches', async () => {
    const around = valid({
      version: 1,
      stages: [{ id: 'A' }],
      workers: 2,
      policy: { kind: 'webster' },
      later: [
        { at: 100, policy: { kind: 'adams' }, switchCost: 7 },
        { at: 200, policy: { kind: 'webster' } },
      ],
      branches: [{ at: 50, title: 'Other', workers: 3 }],
      source: { kind: 'batch', jobs: 2 },
    } as object)
    for (const worse of ['webster', 'leastScore'] as const) {
      const host = pretended(() => null)
      await findWorst(question({ around, worse, runs: 8 }), host)
      const { scenario } = host.tasks[0] as Extract<FinderTask, { kind: 'start' }>
      expect(scenario).toEqual({
        ...around,
        ...{
          policy: { kind: worse, lend: true },
          later: [{ at: 100, switchCost: 7 }],
          branches: [],
          source: { kind: 'times', at: [0, 0] },
        },
      } satisfies Scenario)
    }
  })

  test('carries the code that takes part on either side, or its own', async () => {
    const code = { kind: 'code', name: 'Mine', source: 'x', lend: true } as const
    const policyAtStart = async (more: Partial<FinderQuestion>) => {
      const host = pretended(() => null)
      await findWorst(question({ runs: 8, around: plain, ...more }), host)
      return (host.tasks[0] as Extract<FinderTask, { kind: 'start' }>).scenario.policy
    }
    expect(await policyAtStart({ worse: 'code', code })).toEqual(code)
    expect(await policyAtStart({ than: 'code', code })).toEqual(code)
    expect(await policyAtStart({ than: 'code' })).toMatchObject({ kind: 'code', source: leastTotalTimeCode })
    expect(await policyAtStart({ worse: 'adams', code })).toMatchObject({ kind: 'adams' })
    const own = { ...code, source: 'y' }
    expect(await policyAtStart({ than: 'code', code, around: { ...plain, policy: own } })).toEqual(own)
  })

  test('is refused with all its problems', async () => {
    const around = { ...plain, workers: 1, switchCost: -1 }
    const reasons = findWorst(
      question({ worse: 'onePerStage', around, runs: 10 }),
      pretended(() => null),
    )
    await expect(reasons).rejects.toThrow(RangeError)
    await expect(reasons).rejects.toThrow(/^switchCost: found -1.*\nworkers: found 1; allowed: at least 2/)
  })
})
