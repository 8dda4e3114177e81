import { beforeEach, expect, test } from 'vitest'
import { onScene, paint, type Scene } from '../../../../src/app/session/run/painter.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { move, openScenario, type Run, runStore, showRun } from '../../../../src/app/session/run/runStore.ts'
import { createEstimateHistory } from '../../../../src/measures/decisions/estimateHistory.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const scenario = valid({
  version: 1,
  source: { kind: 'batch', jobs: 3 },
  stages: [{ id: 'A', service: { kind: 'constant', mean: 1000 } }],
  workers: 1,
})
let scenes: Scene[]

beforeEach(async () => {
  openScenario(scenario)
  const trace = await playSimulation(scenario, 0)
  const run: Run = { scenario, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: 0 }
  await showRun(run, 500)
  move({ playing: false, following: false })
  scenes = []
})

test('a frame in which nothing has changed is not drawn again', () => {
  const away = onScene((scene) => scene !== null && scenes.push(scene))
  paint(16)
  paint(16)
  away()
  expect(scenes).toHaveLength(1)
})

test('the end of a run is drawn though neither its rows nor the playhead have moved', () => {
  runStore.setState({ phase: 'running' })
  const away = onScene((scene) => scene !== null && scenes.push(scene))
  paint(16)
  runStore.setState({ phase: 'ended' })
  paint(16)
  away()
  expect(scenes.map((scene) => scene.live)).toEqual([true, false])
})

test('what has a pace waits for it while a run plays, and is drawn at once where the picture stands still', () => {
  let words = 0
  const away = onScene(() => words++, { every: 60_000 })
  paint(16)
  move({ playing: true })
  playback.speed = 0.001
  for (let i = 0; i < 5; i++) paint(16)
  const whilePlaying = words
  move({ playing: false })
  paint(16)
  away()
  expect([whilePlaying, words]).toEqual([1, 2])
})

test('the end of a run is told of at once, whatever the pace', () => {
  const lives: boolean[] = []
  runStore.setState({ phase: 'running' })
  const away = onScene((scene) => scene !== null && lives.push(scene.live), { every: 60_000 })
  move({ playing: true })
  playback.speed = 0.001
  for (let i = 0; i < 3; i++) paint(16)
  runStore.setState({ phase: 'ended' })
  paint(16)
  away()
  move({ playing: false })
  expect(lives).toEqual([true, false])
})
