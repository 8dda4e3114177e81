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
const waited = () => new Promise((resolve) => setTimeout(resolve, 500))

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

test.each<[what: string, before: () => void, change?: () => void]>([
  ['the front page', () => setFront(session, true)],
  ['a lesson', () => openLesson(session, 'first')],
  [
    'a run that becomes slow',
    () => Object.assign(shownRun() ?? {}, { took: 900 }),
    () => edit(session, (now) => ({ ...now, source: { kind: 'batch', jobs: 9000 } })),
  ],
  ['a record', () => Object.assign(shownRun() ?? {}, { took: undefined })],
  ['another engine', () => runStore(session).setState({ engine: 'threads' })],
  ['a new title', () => {}, () => edit(session, (now) => ({ ...now, title: 'Another' }))],
  [
    'code that is not allowed yet',
    () => {},
    () =>
      edit(session, (now) =>
        setPolicy(now, { kind: 'code', lend: true, name: '', source: 'export default () => [2, 2]' }),
      ),
  ],
])(
  '%s does not play by itself after an edit',
  async (_, before, change = () => edit(session, (now) => setWorkers(now, 5))) => {
    const run = await playOut(session)
    before()
    const startedCount = threads.startedCount()
    change()
    await waited()
    expect([shownRun(), threads.startedCount()]).toEqual([run, startedCount])
  },
)

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
