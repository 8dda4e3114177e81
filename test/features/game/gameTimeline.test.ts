import { expect, test } from 'vitest'
import { themeStore } from '../../../src/app/base/page/theme.ts'
import { paint } from '../../../src/app/session/page/painter.ts'
import { openScenario } from '../../../src/app/session/run/opening.ts'
import { createSession } from '../../../src/app/session/session.ts'
import { drawTimeline } from '../../../src/app/watch/timeline/drawTimeline.ts'
import { acceptMoves, beginGame, gameStore, type Playing, sendWorker, WAIT } from '../../../src/features/game/game.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { defaultPalette } from '../../../src/views/drawing/palette.ts'
import type { TimelineData } from '../../../src/views/timeline/timelineData.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { pageHere } from '../../fixtures/pageHere.ts'
import { smallGame } from '../../fixtures/scenarios.ts'
import { threadsHere } from '../../fixtures/threadsHere.ts'

threadsHere()

test('the timeline of a game shows the busy workers when the player has to choose', async () => {
  pageHere()
  themeStore.setState({ palette: defaultPalette('light') })
  const session = createSession()
  openScenario(session, valid(smallGame))
  await beginGame(session, 'makespan')
  const busyAt = ({ run: { trace } }: Playing) =>
    frameAt(trace, endOf(trace)).workers.map(({ status, stage }) => (status === 'busy' ? stage : -1))
  const playing = () => gameStore(session).getState().playing ?? expect.fail('no game')
  for (let turn = 0; turn < 9 && busyAt(playing()).every((stage) => stage < 0); turn++) {
    for (const stage of [0, 1, 0, 1, 0, 1, WAIT, WAIT])
      if (playing().going.length < (playing().game.choice?.free ?? 0)) sendWorker(session, stage)
    await acceptMoves(session)
  }
  const drawn: TimelineData[] = []
  const timeline = { update: (data: TimelineData) => drawn.push(data) }
  const parts = { timeline, minimap: { update: () => {} }, cards: { classList: { toggle: () => {} } } }
  drawTimeline(session, parts as unknown as Parameters<typeof drawTimeline>[1])
  paint(session, 0)
  const busy = busyAt(playing())
  expect(busy.some((stage) => stage >= 0)).toBe(true)
  expect(drawn.at(-1)?.underway?.map(({ stage }) => stage)).toEqual(busy)
})
