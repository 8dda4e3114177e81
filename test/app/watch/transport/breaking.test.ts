import { beforeEach, describe, expect, test } from 'vitest'
import { ruleName } from '../../../../src/app/base/words/ruleName.ts'
import { limitPlayhead, paint } from '../../../../src/app/session/page/painter.ts'
import { togglePlaying } from '../../../../src/app/session/page/playhead.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { movePlayback, runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { chipText } from '../../../../src/app/watch/transport/BreakWhen.tsx'
import {
  breakpointStore,
  changeCondition,
  switchCondition,
} from '../../../../src/app/watch/transport/breakpointStore.ts'
import { searchNextBreak } from '../../../../src/app/watch/transport/breakSearch.ts'
import { withinBreakpoints } from '../../../../src/app/watch/transport/playbackCommands.ts'
import { causesSentence } from '../../../../src/measures/decisions/breakpoints.ts'
import { rest } from '../../../../src/runs/remote/inSlices.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()

let session: Session
const breakpoints = () => breakpointStore(session).getState()
const time = () => playback(session).time

/** Why playback stopped, in words; null: there is no later stop. */
function reason(): string | null {
  const { stopped } = breakpoints()
  if (stopped === null) return expect.fail('nothing has stopped')
  return stopped.hit === null
    ? null
    : causesSentence(stopped.run.scenario, stopped.hit.causes, ruleName)
        .map(({ text }) => text)
        .join('')
}

/** Paints frames of a tenth of a second until playback stands still. */
async function watch(): Promise<void> {
  while (playback(session).playing) {
    paint(session, 100)
    await rest()
  }
}

async function opened(preset: string): Promise<void> {
  openScenario(session, presetOf(preset)?.scenario ?? expect.fail('no preset'))
  await playOut(session)
}

beforeEach(() => {
  session = createSession()
  limitPlayhead(session, withinBreakpoints)
})

describe('a breakpoint', () => {
  test('stops playback exactly when it is met, gives the reason, and continues on request', async () => {
    switchCondition(session, 'deserted', true)
    await opened('worked-example')
    movePlayback(session, { playing: true })
    await watch()
    expect(time()).toBe(2_000_000)
    expect(reason()).toBe('A has lost its last worker.')
    expect(runStore(session).getState().status()).toMatch(/^Finished/)
    togglePlaying(session)
    await watch()
    expect([time(), breakpoints().stopped]).toEqual([3_000_000, null])
  })

  test('is reached without playback in between, until there is no later one', async () => {
    await opened('rush-hour')
    changeCondition(session, { kind: 'queue', stage: 2, above: 30 })
    switchCondition(session, 'queue', true)
    const { scenario } = runStore(session).getState().run ?? expect.fail('no run')
    expect(chipText(breakpoints().conditions.queue, scenario)).toBe('more than 30 wait at Enrich')
    const times: number[] = []
    for (;;) {
      await searchNextBreak(session)
      if (reason() === null) break
      if (times.length === 0) expect(reason()).toBe('More than 30 wait at Enrich: 31.')
      times.push(time())
    }
    expect(times[0]).toBeGreaterThan(1_000_000)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    // Without conditions playback does not stop.
    switchCondition(session, 'queue', false)
    movePlayback(session, { time: 0, playing: true })
    await watch()
    expect(time()).toBe(endOf(runStore(session).getState().run?.trace ?? expect.fail('no run')))
  })

  test('may be a decision where another policy would choose other targets', async () => {
    await opened('rush-hour')
    switchCondition(session, 'disagree', true)
    await searchNextBreak(session)
    expect(reason()).toMatch(/^Jefferson would move (1 worker|\d workers)\.$/)
  })
})
