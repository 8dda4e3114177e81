import { beforeEach, expect, test } from 'vitest'
import { onScene, paint, type Scene } from '../../../../src/app/session/run/painter.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { movePlayback, openScenario, type Run, runStore, showRun } from '../../../../src/app/session/run/runStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { createEstimateHistory } from '../../../../src/measures/decisions/estimateHistory.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const session = createSession()

const scenario = valid({
  version: 1,
  source: { kind: 'batch', jobs: 3 },
  stages: [{ id: 'A', service: { kind: 'constant', mean: 1000 } }],
  workers: 1,
})
let scenes: Scene[]

beforeEach(async () => {
  openScenario(session, scenario)
  const trace = await playSimulation(scenario, 0)
  const run: Run = { scenario, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: 0 }
  await showRun(session, run, 500)
  movePlayback(session, { playing: false, following: false })
  scenes = []
})

test('a frame in which nothing has changed is not drawn again', () => {
  const away = onScene(session, (scene) => scene !== null && scenes.push(scene))
  paint(session, 16)
  paint(session, 16)
  away()
  expect(scenes).toHaveLength(1)
})

test('the end of a run is drawn though neither its rows nor the playhead have moved', () => {
  runStore(session).setState({ phase: 'running' })
  const away = onScene(session, (scene) => scene !== null && scenes.push(scene))
  paint(session, 16)
  runStore(session).setState({ phase: 'ended' })
  paint(session, 16)
  away()
  expect(scenes.map((scene) => scene.live)).toEqual([true, false])
})

test('a drawing with a pace waits for it while a run plays, and is drawn at once while it is paused', () => {
  let words = 0
  const away = onScene(session, () => words++, { every: 60_000 })
  paint(session, 16)
  movePlayback(session, { playing: true })
  playback(session).speed = 0.001
  for (let i = 0; i < 5; i++) paint(session, 16)
  const whilePlaying = words
  movePlayback(session, { playing: false })
  paint(session, 16)
  away()
  expect([whilePlaying, words]).toEqual([1, 2])
})

test('the end of a run is drawn at once, at any pace', () => {
  const lives: boolean[] = []
  runStore(session).setState({ phase: 'running' })
  const away = onScene(session, (scene) => scene !== null && lives.push(scene.live), { every: 60_000 })
  movePlayback(session, { playing: true })
  playback(session).speed = 0.001
  for (let i = 0; i < 3; i++) paint(session, 16)
  runStore(session).setState({ phase: 'ended' })
  paint(session, 16)
  away()
  movePlayback(session, { playing: false })
  expect(lives).toEqual([true, false])
})
