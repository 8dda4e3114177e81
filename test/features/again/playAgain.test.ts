import { beforeEach, expect, test } from 'vitest'
import { seek } from '../../../src/app/session/page/playhead.ts'
import { openLesson, openPanel, panelStore, setFront } from '../../../src/app/session/page/showing.ts'
import { openScenario } from '../../../src/app/session/run/opening.ts'
import { playback } from '../../../src/app/session/run/playback.ts'
import { movePlayback, runStore } from '../../../src/app/session/run/runStore.ts'
import { edit, scenarioStore, undo } from '../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import { playAgain } from '../../../src/features/again/playAgain.ts'
import { setPolicy, setWorkers } from '../../../src/scenario/edit/edits.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { PATIENCE, playOut, threadsHere } from '../../fixtures/threadsHere.ts'

const threads = threadsHere()
const scenario = valid({
  version: 1,
  source: { kind: 'batch', jobs: 60 },
  stages: [{ id: 'A' }, { id: 'B' }],
  workers: 4,
})

let session: Session
const shownRun = () => runStore(session).getState().run
const workersOfRun = () => shownRun()?.scenario.workers
/** Longer than an edit waits for the next one. */
const waited = () => new Promise((resolve) => setTimeout(resolve, 300))

beforeEach(() => {
  session = createSession()
  openScenario(session, scenario)
  session.onEnd(playAgain(session))
})

test('an edit after a run starts it again, and so does undo; the playhead, the settings and the playback stay', async () => {
  const { trace } = await playOut(session)
  seek(session, endOf(trace) / 3)
  const { time } = playback(session)
  openPanel(session, 'scenario')
  edit(session, (now) => setWorkers(now, 6))
  edit(session, (now) => setWorkers(now, 5))
  await expect.poll(workersOfRun, PATIENCE).toBe(5)
  expect(playback(session)).toMatchObject({ time, playing: false })
  expect(runStore(session).getState().phase).toBe('ended')
  expect(panelStore(session).getState().panel).toBe('scenario')
  movePlayback(session, { playing: true })
  undo(session)
  await expect.poll(workersOfRun, PATIENCE).toBe(6)
  expect(playback(session).playing).toBe(true)
  await expect.poll(() => threads.open.size).toBe(0)
})

test('an edit before the page has loaded this starts the run again too; an opened scenario does not', async () => {
  const late = createSession()
  openScenario(late, scenario)
  await playOut(late)
  edit(late, (now) => setWorkers(now, 6))
  late.onEnd(playAgain(late))
  await expect.poll(() => runStore(late).getState().run?.scenario.workers, PATIENCE).toBe(6)
  const other = createSession()
  openScenario(other, scenario)
  await playOut(other)
  openScenario(other, setWorkers(scenario, 7))
  other.onEnd(playAgain(other))
  await waited()
  expect(runStore(other).getState().run).toBeNull()
})

test('nothing plays by itself after an edit on the front page, in a lesson, of a slow run, a record, another engine, a title, or code', async () => {
  const editWorkers = (of: Session) => edit(of, (now) => setWorkers(now, 5))
  const batch = (of: Session, jobs: number) => edit(of, (now) => ({ ...now, source: { kind: 'batch', jobs } }))
  const took = (of: Session, milliseconds: number | undefined) =>
    Object.assign(runStore(of).getState().run ?? {}, { took: milliseconds })
  const cases: Record<string, readonly [before: (of: Session) => unknown, change?: (of: Session) => unknown]> = {
    'the front page': [(of) => setFront(of, true)],
    'a lesson': [(of) => openLesson(of, 'first')],
    'a run that becomes slow': [(of) => took(of, 900), (of) => batch(of, 9000)],
    'a record': [(of) => took(of, undefined)],
    'another engine': [(of) => runStore(of).setState({ engine: 'threads' })],
    'a new title': [() => {}, (of) => edit(of, (now) => ({ ...now, title: 'Another' }))],
    'code that is not allowed yet': [
      () => {},
      (of) =>
        edit(of, (now) =>
          setPolicy(now, { kind: 'code', lend: true, name: '', source: 'export default () => [2, 2]' }),
        ),
    ],
  }
  const opened = Object.keys(cases).map((name) => {
    const of = createSession()
    openScenario(of, scenario)
    of.onEnd(playAgain(of))
    return { name, of }
  })
  const runs: unknown[] = []
  for (const { of } of opened) runs.push(await playOut(of))
  const startedCount = threads.startedCount()
  for (const { name, of } of opened) {
    const [before, change = editWorkers] = cases[name]
    before(of)
    change(of)
  }
  await waited()
  const played = opened.filter(({ of }, k) => runStore(of).getState().run !== runs[k]).map(({ name }) => name)
  expect([played, threads.startedCount()]).toEqual([[], startedCount])
})

test('a run that is long and was slow does not play by itself after an edit; a short one does, however slowly its thread started', async () => {
  openScenario(session, { ...scenario, source: { kind: 'batch', jobs: 9000 } })
  const run = await playOut(session)
  run.took = 1001
  edit(session, (now) => setWorkers(now, 5))
  await waited()
  expect(shownRun()).toBe(run)
  edit(session, (now) => ({ ...now, source: { kind: 'batch', jobs: 60 } }))
  const short = await playOut(session)
  short.took = 60_000
  edit(session, (now) => setWorkers(now, 6))
  await expect.poll(workersOfRun, PATIENCE).toBe(6)
})

test('neither the first run nor another scenario starts by itself', async () => {
  edit(session, (now) => setWorkers(now, 5))
  await waited()
  expect(shownRun()).toBeNull()
  await playOut(session)
  openScenario(session, setWorkers(scenario, 7))
  await waited()
  expect([shownRun(), scenarioStore(session).getState().scenario.workers]).toEqual([null, 7])
})
