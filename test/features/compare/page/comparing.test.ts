import { beforeEach, describe, expect, test } from 'vitest'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { editOrShowProblems, open, scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { columnWriter } from '../../../../src/features/compare/page/CompareTable.tsx'
import {
  BASELINE,
  type ComparedRun,
  choosePolicy,
  chosenFor,
  compareGroups,
  comparingStore,
  comparingStudy,
  type Entrant,
  entrantsOnBranches,
  entrantsUnder,
  runsToPlay,
  scaleEnd,
  withBaseline,
  withPolicy,
} from '../../../../src/features/compare/page/comparing.ts'
import { differenceWords, followedWords } from '../../../../src/features/compare/page/FirstDifference.tsx'
import { firstDifference } from '../../../../src/measures/decisions/firstDifference.ts'
import { speedUp } from '../../../../src/measures/figures/comparison.ts'
import { policyKinds } from '../../../../src/scenario/model/policies.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { threeStages } from '../../../fixtures/scenarios.ts'
import { PATIENCE, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()

let session: Session
const scenario = () => scenarioStore(session).getState().scenario
const entrants = () => entrantsUnder(scenario(), chosenFor(scenario(), comparingStore(session).getState().chosen))
const all = () => withBaseline(scenario(), entrants())
const state = () => comparingStudy(session).store.getState()
const runs = () => state().found ?? new Map<string, ComparedRun>()
const runOf = (key: string) => runs().get(key) ?? expect.fail(`${key} was not played`)

async function compared(
  which: readonly Entrant[] = all(),
  first: string | null = scenario().policy.kind,
): Promise<void> {
  await comparingStudy(session).start({ entrants: which, isDrawn: () => true, first })
  expect(state().phase).toBe('done')
}

/** The first difference of two runs, in words. */
function parting(a: string, b: string): string {
  const [one, other] = [runOf(a), runOf(b)]
  const difference = firstDifference(
    one.run?.trace ?? expect.fail('no record'),
    other.run?.trace ?? expect.fail('no record'),
  )
  return difference === null ? 'never' : differenceWords(difference, [one.name, other.name])
}

beforeEach(() => {
  session = createSession()
  open(session, valid(threeStages))
})

describe('a comparison of policies', () => {
  test('groups the policies: ours, those that apportion, baselines, known systems and elastic pools, each policy once', () => {
    expect(compareGroups.map(({ title, kinds }) => `${title()}: ${kinds.slice(0, 3).join(' ')}`)).toEqual([
      'Ours: leastScore power preallocate',
      'Apportioning policies: jefferson webster huntingtonHill',
      'Baselines: longestQueue backpressure sinkFirst',
      'Known systems: rayData hpa seda',
      'Elastic pools: pid threshold aimd',
    ])
    expect(compareGroups.flatMap(({ kinds }) => kinds).sort()).toEqual([...policyKinds].sort())
  })

  test('plays six of them without an earlier run, with the baseline, shows the own run on the page, and finds the first difference', async () => {
    expect(entrants()).toHaveLength(6)
    await compared()
    expect([...runs().keys()]).toEqual(expect.arrayContaining([...entrants().map(({ key }) => key), BASELINE]))
    const baseline = runOf(BASELINE).compared.metrics
    expect(speedUp(baseline, baseline)).toBe(1)
    expect(speedUp(runOf('leastScore').compared.metrics, baseline)).toBeGreaterThan(5)
    const { run, status } = runStore(session).getState()
    expect(run).toBe(runOf('leastScore').run)
    expect(run?.note).toBe('A run of the comparison: Least total time.')
    expect(status()).toMatch(/^Finished: 300 of 300 jobs/)
    await expect.poll(() => threads.open.size).toBe(0)
    expect(parting('leastScore', 'jefferson')).toMatch(
      /^Until .* s both runs are the same\. At decision [\d,]+ they set different targets\.$/,
    )
    const ends = followedWords(runOf('leastScore').compared.metrics, runOf('jefferson').compared.metrics)
    expect(ends).toMatch(/^What followed: took .* \/ .*, time in the system .* \/ .*, moves \d+ \/ \d+\.$/)
    expect(parting('leastScore', 'onePerStage')).toContain('At decision 1 ')
    expect(parting('jefferson', 'jefferson')).toBe('never')
  })

  test('plays only new policies when others are chosen, at most six; choosing one for the scenario is one step of undo and plays nothing', async () => {
    await compared()
    const [, second] = entrants()
    const before = runOf(second.key).run
    choosePolicy(session, scenario(), 'onePerStage', false)
    choosePolicy(session, scenario(), 'webster', true)
    expect(runsToPlay(all(), runs(), () => true).map(({ key }) => key)).toEqual(['webster'])
    await compared()
    expect(runOf(second.key).run).toBe(before)
    expect(runs().has('onePerStage')).toBe(false)
    choosePolicy(session, scenario(), 'adams', true)
    expect(entrants()).toHaveLength(6)
    choosePolicy(session, scenario(), 'adams', false)
    editOrShowProblems(session, (now) => withPolicy(now, 'webster'))
    expect(scenario().policy.kind).toBe('webster')
    expect(runsToPlay(entrants(), runs(), () => true).filter(({ key }) => key === 'webster')).toEqual([])
    undo(session)
    expect(scenario().policy.kind).toBe('leastScore')
  })

  test('keeps its results when it is cancelled, and leaves no thread', async () => {
    open(session, valid({ ...threeStages, source: { kind: 'batch', jobs: 4000 } }))
    void comparingStudy(session).start({ entrants: all(), isDrawn: () => false, first: null })
    await expect.poll(() => runs().size, PATIENCE).toBeGreaterThan(0)
    comparingStudy(session).stop()
    const { size } = runs()
    expect(size).toBeLessThan(all().length)
    await expect.poll(() => threads.open.size, PATIENCE).toBe(0)
    expect(runs().size).toBe(size)
    expect(runsToPlay(all(), runs(), () => false)).toHaveLength(all().length - size)
  })
})

test('a difference of a hundredth is visible, beside one worker alone that takes ten times as long', () => {
  const speeds = columnWriter('meanFlowTime', [31_400, 31_200, 412_000], [31_400, 31_200, 412_000])
  expect([speeds.text(31_400), speeds.text(31_200), speeds.text(412_000), speeds.text(null)]).toEqual([
    '31.4',
    '31.2',
    '412.0',
    '–',
  ])
  expect(columnWriter('speedUp', [1, 5.67], [1, 5.67]).text(1)).toBe('1.00×')
  expect(columnWriter('meanJobsInSystem', [3.14, 3.15, 41], [3.14, 3.15, 41]).text(3.14)).toBe('3.14')
})

test('an original and its branches are compared as they are played, and differ from the start of the branch', async () => {
  const branches = [
    { at: 50_000, policy: { kind: 'longestQueue' } },
    { at: 100_000, title: 'Ten', workers: 10 },
  ]
  open(session, valid({ ...threeStages, source: { kind: 'batch', jobs: 100 }, branches }))
  const members = entrantsOnBranches(scenarioStore(session).getState().whole)
  expect(members.map(({ name }) => name)).toEqual(['Original', 'Longest queue', 'Ten'])
  await compared(members, '0')
  expect(runStore(session).getState().run).toBe(runOf('0').run)
  expect(runOf('2').compared.metrics.makespan).toBeLessThan(runOf('0').compared.metrics.makespan)
  expect(parting('0', '2')).toMatch(/^Until 0\.100 s both runs are the same\./)
})

test('similar runs set the scale, and not one slow run', () => {
  expect(scaleEnd([2.9, 2.8, 3.1, 15])).toBe(3.1)
  expect(scaleEnd([2, 30])).toBe(2)
  expect(scaleEnd([10, 12, 19])).toBe(19)
  expect(scaleEnd([])).toBe(1)
})
