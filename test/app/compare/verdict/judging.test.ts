import { beforeEach, expect, test } from 'vitest'
import { judgeRun } from '../../../../src/app/compare/verdict/judging.ts'
import { baselineWords, boundWords } from '../../../../src/app/compare/verdict/verdictWords.ts'
import type { Run } from '../../../../src/app/session/run/runStore.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { setPolicy, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()
const first = presetOf('rush-hour')?.scenario ?? expect.fail('there is no first scenario')

let session: Session
const wanted = new AbortController().signal
const judge = (run: Run) => judgeRun(session, run, wanted)

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
  expect((await judged(setPolicy(first, 'fixed'))).baseline?.kind).toBe('onePerStage')
  expect((await judged(setPolicy(first, 'onePerStage'))).baseline).toBeNull()
  expect((await judged(setWorkers(first, 3))).baseline?.kind).toBe('single')
})

test('the policy with the shortest flow time gets no advice to change', async () => {
  expect((await judged(setPolicy(first, 'sinkFirst'))).better).toBeNull()
})

test('the same scenario is played once, and a verdict that is not wanted any more ends its thread', async () => {
  open(session, first)
  const run = await playOut(session)
  const leaving = new AbortController()
  const coming = judgeRun(session, run, leaving.signal)
  leaving.abort()
  expect(await coming).toBeNull()
  await expect.poll(() => threads.open.size).toBe(0)
  const before = threads.begun()
  const verdict = await judge(run)
  expect(await judge(run)).toEqual(verdict)
  expect(threads.begun()).toBe(before + 1)
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
