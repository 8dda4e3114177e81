import { beforeEach, expect, test } from 'vitest'
import type { Address } from '../../../src/app/session/address.ts'
import { noAddress } from '../../../src/app/session/address.ts'
import { answerStore, keepAnswer, runOrStop } from '../../../src/app/session/answer/keepAnswer.ts'
import { seek } from '../../../src/app/session/page/playhead.ts'
import { openLesson, openPanel, panelStore, setFront } from '../../../src/app/session/page/showing.ts'
import { chooseEngine, openScenario, showRecord } from '../../../src/app/session/run/opening.ts'
import { playback } from '../../../src/app/session/run/playback.ts'
import { movePlayback, runStore } from '../../../src/app/session/run/runStore.ts'
import { start } from '../../../src/app/session/run/startStop.ts'
import { edit, scenarioStore, undo } from '../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import { bottleneckOf } from '../../../src/measures/figures/occupancy.ts'
import { playMetrics, playSimulation } from '../../../src/runs/play/play.ts'
import { setPolicy, setWorkers } from '../../../src/scenario/edit/edits.ts'
import { playedParts } from '../../../src/scenario/model/compact.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
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
const code = setPolicy(scenario, { kind: 'code', lend: true, name: '', source: 'export default () => [2, 2]' })
const jobs = (count: number): Scenario => ({ ...scenario, source: { kind: 'batch', jobs: count } })

let session: Session
const shownRun = (of = session) => runStore(of).getState().run
const workersOfRun = () => shownRun()?.scenario.workers
const standing = (of = session) => answerStore(of).getState().standing
const waited = () => new Promise((resolve) => setTimeout(resolve, 100))

async function answered(of = session) {
  await expect.poll(() => standing(of), PATIENCE).toBe('shown')
  return shownRun(of) ?? expect.fail('no run is shown')
}

beforeEach(() => {
  session = createSession()
  session.onEnd(keepAnswer(session))
})

test.each(
  presets
    .filter(({ engine, key }) => engine === undefined && key !== 'billion')
    .map(({ key, scenario }) => [key, scenario] as const),
)('%s is simulated as it is opened, and shown where the queue of its bottleneck is longest', async (_, preset) => {
  openScenario(session, preset)
  const { scenario, trace, chart, figures } = await answered()
  expect(playedParts(scenario)).toEqual(playedParts(preset))
  expect(figures).toEqual(await playMetrics(preset))
  expect(playback(session)).toMatchObject({ time: bottleneckOf(trace, chart).time, playing: false })
})

test('an edit is simulated at once, and so is undo; the playhead, the panel and the playback stay', async () => {
  openScenario(session, scenario)
  const { trace } = await answered()
  seek(session, endOf(trace) / 3)
  const { time } = playback(session)
  openPanel(session, 'scenario')
  edit(session, (now) => setWorkers(now, 6))
  await expect.poll(workersOfRun, PATIENCE).toBe(6)
  expect(playback(session)).toMatchObject({ time, playing: false })
  expect(runStore(session).getState().phase).toBe('ended')
  expect(panelStore(session).getState().panel).toBe('scenario')
  movePlayback(session, { playing: true })
  undo(session)
  await expect.poll(workersOfRun, PATIENCE).toBe(4)
  expect(playback(session).playing).toBe(true)
})

test('while edits come, each that is shown has its own figures, the last is the newest, and all are one change', async () => {
  openScenario(session, scenario)
  const first = await answered()
  const shown = new Map<number, number>()
  const end = runStore(session).subscribe(({ run }) => {
    if (run?.figures !== undefined) shown.set(run.scenario.workers, run.figures.makespan)
  })
  for (let workers = 5; workers <= 24; workers++) {
    edit(session, (now) => setWorkers(now, workers), 'workers')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await expect.poll(workersOfRun, PATIENCE).toBe(24)
  end()
  for (const [workers, makespan] of shown)
    expect([workers, makespan]).toEqual([workers, (await playMetrics(setWorkers(scenario, workers))).makespan])
  expect(shown.size).toBeGreaterThan(1)
  expect(answerStore(session).getState().previousRun).toBe(first)
})

type Waits = readonly [what: string, standing: string, open: (of: Session) => void, address: Address]
const asked: Address = { ...noAddress, read: () => new URL('https://page.test/?guess') }
test.each<Waits>([
  ['the front page', 'front', (of) => setFront(of, true), noAddress],
  ['a lesson', 'lesson', (of) => openLesson(of, 'first'), noAddress],
  ['a guess', 'guess', () => {}, asked],
  ['code that is not allowed yet', 'code', (of) => openScenario(of, code), noAddress],
  ['real workers', 'realTime', (of) => chooseEngine(of, 'threads'), noAddress],
  ['a long simulation', 'long', (of) => openScenario(of, jobs(400_000)), noAddress],
])('%s waits for Run, and says so', async (_, says, open, address) => {
  const waiting = createSession(address)
  openScenario(waiting, scenario)
  open(waiting)
  const startedCount = threads.startedCount()
  waiting.onEnd(keepAnswer(waiting))
  await waited()
  expect([shownRun(waiting), standing(waiting), threads.startedCount() - startedCount]).toEqual([null, says, 0])
})

test('a slow simulation is stopped by a press, and begins again at the next edit', async () => {
  openScenario(session, scenario)
  const run = await answered()
  const release = threads.hold()
  answerStore(session).setState({ pace: 100 })
  edit(session, () => jobs(80))
  await expect.poll(() => answerStore(session).getState().isSlow).toBe(true)
  runOrStop(session)
  release()
  await waited()
  expect([shownRun(), standing()]).toEqual([run, 'refused'])
  edit(session, () => jobs(81))
  expect((await answered()).trace.scenario.source).toMatchObject({ jobs: 81 })
})

test('a title changes no run, and Run takes the place of a simulation under way', async () => {
  openScenario(session, scenario)
  const run = await answered()
  edit(session, (now) => ({ ...now, title: 'Another' }))
  await waited()
  expect(shownRun()).toBe(run)
  edit(session, (now) => setWorkers(now, 7))
  const played = await playOut(session)
  await waited()
  expect([played.scenario.workers, shownRun()]).toEqual([7, played])
})

test('a record stays as it is, is replaced by an edit, and comes back by undo', async () => {
  await showRecord(session, await playSimulation(scenario, 0), 'run.json')
  const record = await answered()
  edit(session, (now) => setWorkers(now, 5))
  await expect.poll(workersOfRun, PATIENCE).toBe(5)
  undo(session)
  await expect.poll(shownRun, PATIENCE).toBe(record)
})

test('Run and another engine clear the status line in the same task', async () => {
  openScenario(session, scenario)
  await answered()
  const status = () => runStore(session).getState().status()
  expect(status()).toMatch(/^Simulated in \d/)
  void start(session)
  expect(status()).not.toMatch(/^(Simulated|Finished)/)
  await expect.poll(() => runStore(session).getState().phase, PATIENCE).toBe('ended')
  chooseEngine(session, 'threads')
  expect(status()).not.toMatch(/^(Simulated|Finished)/)
  expect(scenarioStore(session).getState().scenario.workers).toBe(4)
})
