import { beforeEach, expect, test } from 'vitest'
import type { Run } from '../../../../src/app/session/run/runStore.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { playsAtOnce } from '../../../../src/features/compare/page/comparing.ts'
import {
  bottleneckOfRun,
  boundWords,
  comparableRuns,
  coresOf,
  gainSentence,
  judgingStudy,
  longestSentence,
  verdictOn,
} from '../../../../src/features/compare/page/judging.ts'
import { answerOf } from '../../../../src/measures/figures/comparison.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { heldSentence } from '../../../../src/measures/figures/occupancy.ts'
import { withMeasuredServices } from '../../../../src/measures/figures/serviceCosts.ts'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { chartOf, playMetrics, playTrial } from '../../../../src/runs/play/play.ts'
import { playCompared } from '../../../../src/runs/study/compare.ts'
import { setPolicy, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { isElastic } from '../../../../src/scenario/model/defaults.ts'
import { engineNames } from '../../../../src/scenario/model/engines.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { catchUp, createTrace } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { seededScenario } from '../../../fixtures/seededScenarios.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()
const first = presetOf('rush-hour')?.scenario ?? expect.fail('there is no first scenario')

let session: Session

async function verdictOf(run: Run) {
  const entrants = comparableRuns(run)
  if (entrants === null) return null
  await judgingStudy(session).start(entrants)
  return verdictOn(run, judgingStudy(session).store.getState().found ?? expect.fail('nothing was played'))
}

async function verdictFor(scenario: Scenario) {
  open(session, scenario)
  const verdict = await verdictOf(await playOut(session))
  return verdict?.engine === 'simulation' ? verdict : expect.fail('there is no verdict')
}

beforeEach(() => {
  session = createSession()
})

test('a run is compared with every worker fixed, with the lower bound, and with a policy of shorter mean flow time', async () => {
  const { baseline, distance, free, more } = await verdictFor(first)
  expect(baseline === null ? null : gainSentence(baseline)).toMatch(/^[\d.]+ times faster than fixed/)
  expect(boundWords(distance)).toMatch(/^No run can .* 1\.4% /)
  expect(free?.key).toBe('sinkFirst')
  // Jobs come by the clock: the answer is their time in the system, for each change.
  for (const change of [free, more]) {
    if (change === null) return expect.fail('nothing to try')
    const [before, after] = await Promise.all([first, change.edit(first)].map((scenario) => playMetrics(scenario)))
    expect([change.answer, change.gain]).toEqual([after.meanFlowTime, before.meanFlowTime - after.meanFlowTime])
  }
  await expect.poll(() => threads.open.size).toBe(0)
})

test('the baseline is the first of three policies that finishes all jobs with these workers', async () => {
  const quick = await verdictFor(setPolicy(first, 'sinkFirst'))
  expect([quick.baseline?.kind, quick.free]).toEqual(['fixed', null])
  expect((await verdictFor(setPolicy(first, 'fixed'))).baseline).toBeNull()
  expect((await verdictFor(setWorkers(first, 3))).baseline?.kind).toBe('single')
})

/** A run of three stages, of which one has most of the work. */
const slowAt = (slow: number, policy: object = { kind: 'leastScore' }) =>
  valid({
    version: 1,
    source: { kind: 'poisson', jobs: 120, rate: 300 },
    stages: ['A', 'B', 'C'].map((id, s) => ({
      id,
      service: { kind: 'exponential', mean: s === slow ? 40_000 : 4000 },
    })),
    workers: 6,
    policy,
  })

test.each([0, 1, 2])(
  'stage %i, with most of the work, is the bottleneck of each policy that completes the jobs',
  async (slow) => {
    for (const policy of [undefined, { kind: 'fixed', allocation: { A: 2, B: 2, C: 2 } }, { kind: 'single' }]) {
      open(session, slowAt(slow, policy))
      const run = await playOut(session)
      const bottleneck = bottleneckOfRun(run)
      expect(bottleneck.stage).toBe(slow)
      expect(bottleneck.waiting).toBe(frameAt(run.trace, bottleneck.time).stages[slow].waiting)
      expect(heldSentence(run.scenario, bottleneck)).toContain('ABC'[slow])
      const place = comparableRuns(run)?.find(({ key }) => key === 'place')?.scenario
      const seats = place?.policy.kind === 'fixed' ? Object.values(place.policy.allocation).sort() : []
      expect(seats).toEqual(run.scenario.policy.kind === 'fixed' ? [1, 2, 3] : [])
      if (place?.policy.kind === 'fixed') expect(place.policy.allocation['ABC'[slow]]).toBe(3)
    }
  },
)

test('the bottleneck has the busiest workers, and one more worker gains what the offered scenario gains, in any run', async () => {
  const seen = new Set<string>()
  const kinds = new Set<string>()
  for (let k = 0; seen.size < 60; k++) {
    const scenario = seededScenario(k)
    const trace = await playTrial(scenario, {})
    const run = { trace, chart: createChart(trace), scenario } as Run
    const entrants = comparableRuns(run)
    const { makespan, stages, jobs } = metricsOf(trace)
    if (entrants === null || jobs === 0 || makespan === 0) continue
    const { stage } = bottleneckOfRun(run)
    if (!isElastic(scenario.policy))
      expect(stages[stage].ownUtilisation).toBeCloseTo(Math.max(...stages.map((each) => each.ownUtilisation)), 9)
    const figures = entrants.map(async ({ key, scenario }) => [key, await playCompared(scenario, false)] as const)
    const verdict = verdictOn(run, new Map(await Promise.all(figures)))
    if (verdict?.engine !== 'simulation' || verdict.more === null) continue
    const more = verdict.more.edit(scenario)
    expect([more.workers, verdict.more.answer]).toEqual([
      scenario.workers + 1,
      answerOf(scenario, await playMetrics(more)),
    ])
    // What costs nothing: each is a run with as many workers, and saves enough.
    const free = verdict.free?.edit(scenario)
    if (free !== undefined) {
      expect([free.workers, verdict.free?.answer]).toEqual([
        scenario.workers,
        answerOf(scenario, await playMetrics(free)),
      ])
      expect(verdict.free?.gain).toBeGreaterThanOrEqual(0.05 * answerOf(scenario, metricsOf(trace)))
      kinds.add(verdict.free?.key ?? '')
    }
    const allocations = [more, scenario].map(({ policy }) => (policy.kind === 'fixed' ? policy.allocation : {}))
    for (const { id } of scenario.stages)
      if (scenario.policy.kind === 'fixed')
        expect((allocations[0][id] ?? 0) - (allocations[1][id] ?? 0)).toBe(id === scenario.stages[stage].id ? 1 : 0)
    seen.add(`${k}`)
  }
  expect([...kinds]).toEqual(expect.arrayContaining(['batch', 'sinkFirst']))
})

test('a longest queue elsewhere than at the bottleneck is explained: less work waits there, in any run', async () => {
  const seen = { small: 0, longest: 0, none: 0 }
  for (let k = 0; k < 400; k++) {
    const trace = await playTrial(seededScenario(k), {})
    catchUp(trace)
    const run = { trace, chart: chartOf(trace), scenario: trace.scenario } as Run
    if (comparableRuns(run) === null) continue
    const text = longestSentence(run)
    const { waiting, stage } = bottleneckOfRun(run)
    const { stages } = metricsOf(trace)
    const longestQueue = Math.max(...stages.map(({ maxQueue }) => maxQueue))
    if (text === '') {
      expect(stages[stage].maxQueue).toBe(longestQueue)
      seen.none++
      continue
    }
    const longest = stages.findIndex(({ maxQueue }) => maxQueue === longestQueue)
    expect(text).toContain(`${longestQueue} job`)
    expect(text).toContain(trace.scenario.stages[longest].name)
    if (!text.includes('because')) seen.longest++
    else {
      expect(longestQueue * stages[longest].meanService).toBeLessThan(waiting * stages[stage].meanService)
      seen.small++
    }
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
})

test('a stopped run has no verdict, and the verdict of a long run waits for a click', async () => {
  open(session, first)
  const run = await playOut(session)
  run.trace.ending = 'stopped'
  expect(await verdictOf(run)).toBeNull()
  const large = { ...first, source: { ...first.source, jobs: 100_000 } } as Scenario
  run.trace.ending = 'drained'
  expect(playsAtOnce(comparableRuns({ ...run, scenario: large }) ?? [])).toBe(false)
})

test('a real run is compared with its simulation, and one more worker is simulated with the times measured', async () => {
  open(session, slowAt(1))
  const run = await playOut(session)
  const real = { ...run, trace: { ...run.trace, engine: 'threads' as const } }
  const verdict = await verdictOf(real)
  if (verdict?.engine !== 'threads') return expect.fail('there is no verdict')
  expect(verdict.real).toBe(verdict.simulated)
  const measured = withMeasuredServices(run.scenario, run.trace)
  const [base, faster] = await Promise.all([measured, setWorkers(measured, 7)].map((scenario) => playMetrics(scenario)))
  const gain = base.meanFlowTime - faster.meanFlowTime
  expect(verdict.more).toMatchObject({ answer: faster.meanFlowTime, gain })
  expect(verdict.more?.edit(run.scenario)).toEqual(setWorkers(run.scenario, 7))
})

test('small differences are given in percent, and equality as a sentence', () => {
  expect(gainSentence({ kind: 'single', times: 1.25 })).toMatch(/^20\.0% less .* one worker/)
  expect(gainSentence({ kind: 'onePerStage', times: 1.001 })).toMatch(/^As fast as one worker per stage/)
  expect(gainSentence({ kind: 'onePerStage', times: 0.8 })).toMatch(/^25\.0% more .* one worker per stage/)
  expect(boundWords(0)).toMatch(/^No run can \w+ earlier\.$/)
})

test('for a run in a room each worker is simulated with its own core, for others with the cores of the scenario', () => {
  const cores = (workers: number, cores: number) => {
    const scenario = valid({ version: 1, source: { kind: 'batch', jobs: 1 }, stages: [{ id: 'A' }], workers, cores })
    return engineNames.map((engine) => [engine, coresOf({ scenario, trace: createTrace(scenario, engine, 0) })])
  }
  expect(Object.fromEntries(cores(12, 2))).toEqual({ simulation: 2, threads: 2, functions: 2, room: 12 })
  expect(Object.fromEntries(cores(2, 8))).toEqual({ simulation: 8, threads: 8, functions: 8, room: 8 })
})
