import { beforeEach, expect, test } from 'vitest'
import type { Run } from '../../../../src/app/session/run/runStore.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { baselineWords, boundWords, coresOf, judgedAgainst, judgingStudy, verdictOn } from '../../../../src/features/compare/page/judging.ts'
import { setPolicy, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { engineNames } from '../../../../src/scenario/model/engines.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { createTrace } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()
const first = presetOf('rush-hour')?.scenario ?? expect.fail('there is no first scenario')

let session: Session

async function judge(run: Run) {
  const entrants = judgedAgainst(run)
  if (entrants === null) return null
  await judgingStudy(session).start(entrants)
  return verdictOn(run, judgingStudy(session).store.getState().found ?? expect.fail('nothing was played'))
}

async function judged(scenario: Scenario) {
  open(session, scenario)
  const verdict = await judge(await playOut(session))
  return verdict?.engine === 'simulation' ? verdict : expect.fail('there is no verdict')
}

beforeEach(() => {
  session = createSession()
})

test('a run is compared with one worker per stage, with the lower bound, and with a policy of shorter mean flow time', async () => {
  const { baseline, distance, better } = await judged(first)
  expect(baseline === null ? null : baselineWords(baseline)).toBe('3.4 times faster than one worker per stage')
  expect(boundWords(distance)).toBe('1.4% above the lower bound')
  expect(better).toEqual({ kind: 'sinkFirst', saved: expect.closeTo(0.27, 2) })
  await expect.poll(() => threads.open.size).toBe(0)
})

test('the baseline is the first of two policies that brings all jobs through with these workers', async () => {
  const quick = await judged(setPolicy(first, 'sinkFirst'))
  expect([quick.baseline?.kind, quick.better]).toEqual(['onePerStage', null])
  expect((await judged(setPolicy(first, 'onePerStage'))).baseline).toBeNull()
  expect((await judged(setWorkers(first, 3))).baseline?.kind).toBe('single')
})

test('a run that was stopped, or that would take long to play again, has no verdict', async () => {
  open(session, first)
  const run = await playOut(session)
  run.trace.ending = 'stopped'
  expect(await judge(run)).toBeNull()
  const large = { ...first, source: { ...first.source, jobs: 100_000 } } as Scenario
  expect(await judge({ ...run, scenario: large, trace: { ...run.trace, ending: 'drained' } })).toBeNull()
})

test('a real run is compared with its simulation', async () => {
  open(session, first)
  const run = await playOut(session)
  const real = { ...run, trace: { ...run.trace, engine: 'threads' as const } }
  const verdict = await judge(real)
  expect(verdict).toMatchObject({ engine: 'threads' })
  if (verdict?.engine === 'threads') expect(verdict.real).toBe(verdict.simulated)
})

test('small differences are given in percent, and equality in words', () => {
  expect(baselineWords({ kind: 'single', times: 1.25 })).toBe('20.0% less time than one worker who does it all')
  expect(baselineWords({ kind: 'onePerStage', times: 1.001 })).toBe('as fast as one worker per stage')
  expect(baselineWords({ kind: 'onePerStage', times: 0.8 })).toBe('25.0% more time than one worker per stage')
  expect(boundWords(0)).toBe('no run can be faster')
})

test('beside a run in a room each worker is simulated with a core of its own, beside others with those of the scenario', () => {
  const cores = (workers: number, cores: number) => {
    const scenario = valid({ version: 1, source: { kind: 'batch', jobs: 1 }, stages: [{ id: 'A' }], workers, cores })
    return engineNames.map((engine) => [engine, coresOf({ scenario, trace: createTrace(scenario, engine, 0) })])
  }
  expect(Object.fromEntries(cores(12, 2))).toEqual({ simulation: 2, threads: 2, room: 12 })
  expect(Object.fromEntries(cores(2, 8))).toEqual({ simulation: 8, threads: 8, room: 8 })
})
