import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Pace } from '../../../../src/app/base/browser/frames.ts'
import { onScene, paint, type Scene } from '../../../../src/app/session/page/painter.ts'
import { openScenario, showRun } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { movePlayback, type Run, runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
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
  const run: Run = { scenario, trace, chart: createChart(trace), startedAt: 0 }
  await showRun(session, run, 500)
  movePlayback(session, { playing: false, following: false })
  scenes = []
})

test('an unchanged frame is not drawn again', () => {
  const away = onScene(session, (scene) => scene !== null && scenes.push(scene))
  paint(session, 16)
  paint(session, 16)
  away()
  expect(scenes).toHaveLength(1)
})

test('a drawing with a pace waits for it while a run plays, and is drawn at once while it is paused', () => {
  let words = 0
  const away = onScene(session, () => words++, { every: 1e12 })
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
  const away = onScene(session, (scene) => scene !== null && lives.push(scene.live), { every: 1e12 })
  movePlayback(session, { playing: true })
  playback(session).speed = 0.001
  for (let i = 0; i < 3; i++) paint(session, 16)
  runStore(session).setState({ phase: 'ended' })
  paint(session, 16)
  away()
  movePlayback(session, { playing: false })
  expect(lives).toEqual([true, false])
})

describe('while real workers keep all cores busy', () => {
  const FRAME = 1000 / 60
  const TIMELINE: Pace = { crowded: 200 }
  let draws: number[]
  let now: number
  let ends: (() => void)[]

  afterEach(() => {
    for (const end of ends) end()
    vi.unstubAllGlobals()
  })

  /** Shows and draws a run whose workers do this work on a machine with this many cores. */
  async function begin(work: 'burn' | 'wait', cores: number): Promise<void> {
    vi.stubGlobal('navigator', { hardwareConcurrency: cores })
    const played = valid({
      version: 1,
      source: { kind: 'batch', jobs: 1000 },
      stages: [{ id: 'A', service: { kind: 'constant', mean: 10_000 }, work }],
      workers: 2,
    })
    const trace = Object.assign(await playSimulation(played, 0), { engine: 'threads' as const })
    await showRun(session, { scenario: played, trace, chart: createChart(trace), startedAt: 0 }, 0)
    runStore(session).setState({ phase: 'running' })
    movePlayback(session, { playing: true, following: true })
    now = 1000
    draws = [0, 0]
    ends = [onScene(session, () => draws[0]++), onScene(session, () => draws[1]++, TIMELINE)]
    frames(1)
    draws = [0, 0]
  }

  /** Paints this many frames; returns how long each allowed the loop to rest. */
  function frames(count: number): number[] {
    return Array.from({ length: count }, () => {
      now += FRAME
      return paint(session, FRAME, now)
    })
  }

  test('drawing is slower: 15 draws a second instead of 60, 5 of the timeline, and the loop rests between them', async () => {
    await begin('burn', 2)
    const rests = frames(180)
    expect(draws).toEqual([45, 15])
    for (const rest of rests) expect(rest).toBeGreaterThan(0)
    // A loop that rests this long draws in each of its frames.
    const rest = () => {
      now += 5
      now += paint(session, 66, now)
    }
    rest()
    draws = [0, 0]
    for (let k = 0; k < 45; k++) rest()
    expect(draws).toEqual([45, 15])
  })

  test.each([['wait', 2] as const, ['burn', 3] as const])(
    '%s on %i cores leaves room: every frame is drawn',
    async (work, cores) => {
      await begin(work, cores)
      const rests = frames(180)
      expect(draws).toEqual([180, 180])
      expect(new Set(rests)).toEqual(new Set([0]))
    },
  )
})
