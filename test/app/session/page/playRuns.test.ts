import { expect, test } from 'vitest'
import { togglePlaying } from '../../../../src/app/session/page/playhead.ts'
import { openPanel, panelStore } from '../../../../src/app/session/page/showing.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore, runWhen } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { runCommands } from '../../../../src/app/watch/transport/playbackCommands.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { workedExample } from '../../../measures/scenarios.ts'

threadsHere()

test('Play starts a run if there is none, and plays it', async () => {
  const session = createSession()
  openScenario(session, workedExample)
  togglePlaying(session)
  const { run } = await runWhen(session, ({ phase }) => phase === 'ended')
  expect(run?.trace.ending).toBe('drained')
  togglePlaying(session)
  expect(runStore(session).getState().run).toBe(run)
})

test('a run shows its decisions, but keeps the settings that were opened after the press of Run', async () => {
  const session = createSession()
  openScenario(session, workedExample)
  for (const [before, after] of [
    ['decision', 'scenario'],
    ['scenario', 'decision'],
  ]) {
    openPanel(session, before)
    const begun = start(session)
    if (before === 'decision') openPanel(session, 'scenario')
    await begun
    expect(panelStore(session).getState().panel).toBe(after)
  }
})

test('Ctrl+Enter runs from every field too', () => {
  expect(runCommands(createSession()).map(({ key, inFields }) => [key, inFields])).toEqual([
    [{ key: 'enter', ctrl: true }, true],
  ])
})
