import { afterEach, beforeEach, expect, test } from 'vitest'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { whyNoGame } from '../../../../src/features/room/host/gameRound.ts'
import { roundStore } from '../../../../src/features/room/host/hostRounds.ts'
import { askRoom, longestWaits, questionAbout } from '../../../../src/features/room/host/questionRound.ts'
import { playTrial } from '../../../../src/runs/play/play.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'

let session: Session
beforeEach(() => {
  session = createSession()
})
afterEach(() => session.end())

const scenario = scenarioWith(workedExample)
const round = () => roundStore(session).getState().round

test('a question about a stage asks about the one with its id, and about none that is missing', () => {
  for (const [id, colour] of [
    ['A', 0],
    ['B', 1],
  ] as const)
    expect(questionAbout(scenario, { kind: 'peak', stage: id })).toEqual({
      kind: 'peak',
      stage: { name: id, colour },
      most: 2,
    })
  expect(questionAbout(scenario, { kind: 'peak', stage: 'C' })).toBeNull()
  expect(questionAbout(scenario, { kind: 'longestWait', stage: 'C' })).toMatchObject({
    stages: [{ colour: 0 }, { colour: 1 }],
  })
})

test('a question that is too long for one message is not asked', () => {
  const stages = Array.from({ length: 250 }, (_, k) => ({ id: `S${k}`, name: `${k} ${'long '.repeat(15)}`.trim() }))
  scenarioStore(session).setState({ scenario: scenarioWith({ ...workedExample, stages }) })
  expect([askRoom(session, { kind: 'longestWait', stage: '' }), round()]).toEqual([false, null])
  expect(askRoom(session, { kind: 'makespan', stage: '' })).toBe(true)
})

test('a room plays no game that its messages cannot carry, and says why', async () => {
  expect(await whyNoGame({ ...scenario, workers: 256 })).toBe('it has more than 255 workers')
  expect(await whyNoGame({ ...scenario, workers: 255 })).not.toBe('it has more than 255 workers')
  let name = ''
  // Letters that do not compress.
  for (let k = 1, x = 7; k < 30_000; k++) {
    x = (x * 48_271) % 2_147_483_647
    name += String.fromCharCode(97 + (x % 26))
  }
  expect(await whyNoGame({ ...scenario, title: name })).toBe('it is too long for one message')
})

test('a question is answered by a run that was played to its end: by none that was stopped, and none from before', async () => {
  scenarioStore(session).setState({ scenario })
  const trace = await playTrial(scenario, {})
  const show = (
    ending: typeof trace.ending,
    run: object = { scenario, trace: Object.assign(Object.create(trace), { ending }) },
  ) => {
    for (const phase of ['running', 'ended'] as const)
      runStore(session).setState({ phase, played: phase === 'ended', run: run as never })
    return run
  }
  const before = show('drained')
  expect(askRoom(session, { kind: 'makespan', stage: '' })).toBe(true)
  show('drained', before)
  expect(round()).toMatchObject({ open: true, right: null })
  show('stopped')
  expect(round()).toMatchObject({ open: false, right: null })
  show('drained')
  expect(round()).toMatchObject({ open: false, right: [3_000_000] })
})

test('a question is closed only while a run of its pipeline is running, and answered once', async () => {
  scenarioStore(session).setState({ scenario })
  const trace = await playTrial(scenario, {})
  const set = (phase: 'idle' | 'running' | 'ended', played: boolean, more: object = {}) =>
    runStore(session).setState({
      phase,
      played,
      run: { scenario, trace: Object.assign(Object.create(trace), { ending: 'drained' }), ...more } as never,
    })
  expect(askRoom(session, { kind: 'longestWait', stage: '' })).toBe(true)
  const asked = round()
  // A run that is only shown, as after opening a file, closes nothing.
  set('ended', true)
  expect(round()).toBe(asked)
  set('running', true, {
    scenario: { ...scenario, stages: scenario.stages.map((stage) => ({ ...stage, name: `${stage.name}!` })) },
  })
  set('running', true, {
    scenario: { ...scenario, stages: scenario.stages.map((stage) => ({ ...stage, id: `${stage.id}2` })) },
  })
  expect(round()).toBe(asked)
  set('running', false)
  expect(round()).toMatchObject({ open: false, right: null })
  set('ended', false)
  set('running', true)
  expect(round()).toMatchObject({ open: false, right: null })
  set('ended', true)
  const answered = round()
  expect(answered).toMatchObject({ open: false, right: [0, 1] })
  set('ended', true)
  set('running', true)
  expect(round()).toBe(answered)
})

test('the peak of a run with fewer workers leaves the question as it was', async () => {
  scenarioStore(session).setState({ scenario: { ...scenario, workers: 7 } })
  const trace = await playTrial(scenario, {})
  expect(askRoom(session, { kind: 'peak', stage: 'A' })).toBe(true)
  for (const phase of ['running', 'ended'] as const)
    runStore(session).setState({
      phase,
      played: true,
      run: { scenario, trace: Object.assign(Object.create(trace), { ending: 'drained' }) } as never,
    })
  expect(round()).toMatchObject({ question: { most: 7 }, right: [2] })
})

test('once the session has ended no run closes or answers a question', async () => {
  scenarioStore(session).setState({ scenario })
  const trace = await playTrial(scenario, {})
  expect(askRoom(session, { kind: 'makespan', stage: '' })).toBe(true)
  const asked = round()
  session.end()
  runStore(session).setState({ phase: 'running', played: false, run: { scenario, trace } as never })
  expect(round()).toBe(asked)
})

test('the stages of the longest wait are all that have it, and none if no job waits', () => {
  const waits = (...means: readonly number[]) =>
    longestWaits({ stages: means.map((meanWait) => ({ meanWait })) as never })
  expect([waits(1, 5, 5, 2), waits(3), waits(0, 0), waits()]).toEqual([[1, 2], [0], [], []])
})
