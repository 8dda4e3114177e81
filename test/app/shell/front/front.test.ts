import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { isFresh } from '../../../../src/app/base/browser/freshVisit.ts'
import { paint } from '../../../../src/app/session/page/painter.ts'
import { togglePlaying } from '../../../../src/app/session/page/playhead.ts'
import { showingStore } from '../../../../src/app/session/page/showing.ts'
import { chooseEngine } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { closeFront, closeWhenLeft, openFront } from '../../../../src/app/shell/front/frontPage.ts'
import { homesOf, laneDataAt, longestQueue, restingLane } from '../../../../src/app/shell/front/Lane.tsx'
import {
  haveEnded,
  playBoth,
  type TwoRuns,
  twoRuns,
  withFixedWorkers,
} from '../../../../src/app/shell/front/twoRuns.ts'
import { openBeat } from '../../../../src/features/game/beatStore.ts'
import { setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { defaultPreset, frontPreset } from '../../../../src/scenario/presets/preset.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { PATIENCE, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()
const { scenario } = frontPreset
const palette = defaultPalette('light')

let session: Session
let ends: (() => void)[] = []
const front = () => showingStore(session).getState().front

/** Starts the run as the button does, and waits for both runs. */
async function bothPlayed(still = false): Promise<TwoRuns> {
  ends.push(playBoth(session, () => still))
  void start(session)
  await expect.poll(() => twoRuns(session), PATIENCE).not.toBeNull()
  return twoRuns(session) ?? expect.fail('nothing was played')
}

beforeEach(() => {
  madeUpStorage()
  session = pageSession()
  openFront(session)
})
afterEach(() => {
  for (const end of ends) end()
  ends = []
  session.end()
})

describe('the two runs of the front page', () => {
  test('have the same jobs and workers, and differ only in the policy', async () => {
    const { fixed, moved } = await bothPlayed()
    expect(moved.scenario).toEqual(scenario)
    expect({ ...fixed.scenario, policy: scenario.policy }).toEqual(scenario)
    expect(withFixedWorkers(scenario).policy).toMatchObject({ kind: 'fixed', allocation: { A: 2, B: 2, C: 2, D: 2 } })
    expect(endOf(fixed.trace)).toBeGreaterThan(2.2 * endOf(moved.trace))
    expect(endOf(moved.trace)).toBeGreaterThan(2_000_000)
    expect(endOf(fixed.trace)).toBeLessThan(10_000_000)
    await expect.poll(() => threads.open.size).toBe(0)
  })

  test('wait for each other, and then play on one clock until the later one ends', async () => {
    ends.push(playBoth(session, () => false))
    // Only the thread of the upper lane, the first, is held up.
    const release = threads.hold(1)
    onTestFinished(release)
    await start(session)
    await expect.poll(() => runStore(session).getState().phase, PATIENCE).toBe('ended')
    expect(twoRuns(session)).toBeNull()
    paint(session, 1000)
    expect(playback(session).time).toBe(0)
    release()
    await expect.poll(() => twoRuns(session), PATIENCE).not.toBeNull()
    const both = twoRuns(session) ?? expect.fail('nothing was played')
    const { reach, speed } = playback(session)
    expect(reach).toBe(endOf(both.fixed.trace))
    expect(reach / speed).toBeGreaterThan(5_000_000)
    expect(reach / speed).toBeLessThan(12_000_000)
    paint(session, 1000)
    expect(playback(session).time).toBe(speed * 1_000_000)
    expect(haveEnded(session, both)).toBe(false)
    paint(session, 60_000)
    expect(playback(session).time).toBe(reach)
    expect(haveEnded(session, both)).toBe(true)
    togglePlaying(session)
    expect(playback(session)).toMatchObject({ time: 0, playing: true })
    expect(twoRuns(session)).toEqual(both)
  })

  test('show every worker once at any instant, and most of them at the slow stage', async () => {
    const both = await bothPlayed()
    const most = longestQueue(both)
    expect(restingLane(palette, scenario).stages.map(({ workers }) => workers.length)).toEqual([2, 2, 2, 2])
    for (const run of [both.fixed, both.moved])
      for (let k = 0; k < 300; k++) {
        const { stages } = laneDataAt(palette, run, homesOf(run), createChance(k).between(0, endOf(run.trace)), most)
        const discs = stages.flatMap(({ workers }) => workers.map(({ worker }) => worker))
        expect(discs.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
        for (const { waiting } of stages) expect(waiting).toBeLessThanOrEqual(most)
      }
    // In the upper lane no worker ever moves.
    const standing = (time: number) =>
      laneDataAt(palette, both.fixed, homesOf(both.fixed), time, most).stages.map(({ workers }) =>
        workers.map(({ worker }) => worker),
      )
    for (let time = 0; time <= endOf(both.fixed.trace); time += 100_000) expect(standing(time)).toEqual(standing(0))
    const resting = restingLane(palette, scenario).stages.map(({ workers }) => workers.map(({ worker }) => worker))
    expect(standing(0)).toEqual(resting)
    const midway = (run: TwoRuns['fixed']) =>
      laneDataAt(palette, run, homesOf(run), 2_000_000, most).stages.map(({ workers }) => workers.length)
    expect(midway(both.fixed)).toEqual([2, 2, 2, 2])
    expect(midway(both.moved)[2]).toBeGreaterThanOrEqual(5)
  })
})

describe('the front page', () => {
  test('is for a bare address in a browser that has kept no canvas', () => {
    const at = (search: string, hash: string) => vi.stubGlobal('location', { search, hash })
    at('', '')
    expect(isFresh()).toBe(true)
    at('?lang=ru', '')
    expect(isFresh()).toBe(true)
    for (const [search, hash] of [
      ['', '#s=x'],
      ['?embed', ''],
      ['?lesson=order', ''],
      ['?hide=policy', ''],
    ]) {
      at(search, hash)
      expect(isFresh(), search + hash).toBe(false)
    }
    at('', '')
    localStorage.setItem('apportion.scenario', '{}')
    expect(isFresh()).toBe(false)
  })

  test.each([
    ['the scenario is edited', () => open(session, setWorkers(scenario, 4))],
    ['another scenario is opened', () => open(session, defaultPreset.scenario)],
    ['its scenario is opened again', () => open(session, scenario)],
    ['another engine is chosen', () => chooseEngine(session, 'threads')],
    ['a game begins', () => openBeat(session)],
  ])('closes when %s on the page below', (_, act) => {
    ends.push(closeWhenLeft(session))
    expect(front()).toBe(true)
    act()
    expect(front()).toBe(false)
  })

  test('stays while its scenario is played; when it closes, the run stays on the page and the playhead within it', async () => {
    ends.push(closeWhenLeft(session))
    const { moved } = await bothPlayed(true)
    expect(front()).toBe(true)
    closeFront(session)
    expect(front()).toBe(false)
    expect(runStore(session).getState().run).toBe(moved)
    expect(playback(session)).toMatchObject({ time: Math.round(endOf(moved.trace) / 2), reach: 0, speed: 0.25 })
  })
})
