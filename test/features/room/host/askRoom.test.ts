import { afterEach, beforeEach, expect, test } from 'vitest'
import { goTo, seek } from '../../../../src/app/session/page/playhead.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { askRoom, roundStore } from '../../../../src/features/room/host/hostQuestion.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playTrial } from '../../../../src/runs/play/play.ts'
import { addStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { pageHere } from '../../../fixtures/pageHere.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'
import { workedExample } from '../../../measures/scenarios.ts'

threadsHere()

let session: Session
const round = () => roundStore(session).getState().round
const right = () => round()?.right

beforeEach(() => {
  pageHere()
  session = createSession()
  openScenario(session, workedExample, 'simulation')
})
afterEach(() => session.end())

/** Plays the scenario, and watches it to its end. */
async function watched(): Promise<void> {
  const { trace } = await playOut(session)
  // During playback the end is not shown.
  expect(right() ?? null).toBeNull()
  seek(session, endOf(trace))
}

test('a run closes the question when it begins and answers it when its end is visible; an earlier run does not answer it', async () => {
  await watched()
  expect(askRoom(session, { kind: 'makespan', stage: '' })).toBe(true)
  goTo(session, 0)
  expect(round()).toMatchObject({ open: true, right: null })
  const phases: string[] = []
  const end = runStore(session).subscribe(({ phase }) => phases.push(`${phase} ${round()?.open} ${right()}`))
  await watched()
  end()
  expect(phases).toContain('running false null')
  const { run } = runStore(session).getState()
  expect(right()).toEqual([metricsOf(run?.trace ?? expect.fail('no run')).makespan])
  expect(right()).toEqual([3_000_000])
})

test('a run with more workers than there were may have a higher peak, and the question allows for it', async () => {
  expect(askRoom(session, { kind: 'peak', stage: 'A' })).toBe(true)
  expect(round()).toMatchObject({ question: { most: 2 } })
  openScenario(session, { ...workedExample, source: { kind: 'batch', jobs: 9 } }, 'simulation')
  editOrShowProblems(session, (now) => setWorkers(now, 5))
  await watched()
  expect(round()).toMatchObject({ right: [5], question: { most: 5 } })
})

test('a run of another pipeline does not answer it', async () => {
  askRoom(session, { kind: 'peak', stage: 'B' })
  editOrShowProblems(session, (now) => addStage(now, null))
  await watched()
  expect(round()).toMatchObject({ open: true, right: null })
})

test('a question is not asked about a missing stage, and not if it is too long for one message', () => {
  expect([askRoom(session, { kind: 'peak', stage: 'none' }), round()]).toEqual([false, null])
  const stages = Array.from({ length: 250 }, (_, k) => ({ id: `S${k}`, name: `${k} ${'long '.repeat(15)}`.trim() }))
  scenarioStore(session).setState({
    scenario: scenarioWith({ stages, source: { kind: 'batch', jobs: 9 }, workers: 3 }),
  })
  expect([askRoom(session, { kind: 'longestWait', stage: '' }), round()]).toEqual([false, null])
  expect(askRoom(session, { kind: 'makespan', stage: '' })).toBe(true)
})

/** Shows the run of the scenario in this phase. */
async function runsShown() {
  const trace = await playTrial(workedExample, {})
  return (phase: 'running' | 'ended', played: boolean, ending: typeof trace.ending = 'drained') =>
    runStore(session).setState({
      phase,
      played,
      run: { scenario: workedExample, trace: Object.assign(Object.create(trace), { ending }) } as never,
    })
}

test('a question is closed by a run that is under way and answered once by one that was played to its end, not by one that was stopped', async () => {
  const show = await runsShown()
  expect(askRoom(session, { kind: 'longestWait', stage: '' })).toBe(true)
  const asked = round()
  // A run that is only shown, as after opening a file, closes nothing.
  show('ended', true)
  expect(round()).toBe(asked)
  for (const [phase, played, ending] of [
    ['running', false, 'drained'],
    ['ended', false, 'drained'],
    ['ended', true, 'stopped'],
  ] as const) {
    show(phase, played, ending)
    expect(round()).toMatchObject({ open: false, right: null })
  }
  show('ended', true)
  const answered = round()
  expect(answered).toMatchObject({ open: false, right: [0, 1] })
  show('running', true)
  expect(round()).toBe(answered)
})

test('once the session has ended no run closes or answers a question', async () => {
  const show = await runsShown()
  expect(askRoom(session, { kind: 'makespan', stage: '' })).toBe(true)
  const asked = round()
  session.end()
  show('running', false)
  expect(round()).toBe(asked)
})
