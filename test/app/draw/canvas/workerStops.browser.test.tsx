import { afterEach, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { currentPalette } from '../../../../src/app/base/page/theme.ts'
import { WorkerStops } from '../../../../src/app/draw/canvas/WorkerStops.tsx'
import { livePipeline } from '../../../../src/app/draw/editing/canvasStore.ts'
import { noAddress } from '../../../../src/app/session/address.ts'
import { onScene, paint } from '../../../../src/app/session/page/painter.ts'
import { createRun, movePlayback, runStore } from '../../../../src/app/session/run/runStore.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { catchUp } from '../../../../src/trace/trace.ts'
import type { StageCardData } from '../../../../src/views/pipeline/stageCard.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { removeShown, shownHere } from '../../../fixtures/shownHere.tsx'

afterEach(removeShown)

/** A card on which these workers are painted. */
const cardWith = (...workers: readonly number[]): StageCardData => ({
  palette: currentPalette(),
  low: false,
  colourIndex: 0,
  waiting: 0,
  gathering: 0,
  capacity: null,
  most: 0,
  followed: -1,
  workers: workers.map((worker) => ({ worker: worker + 1, progress: null }) as StageCardData['workers'][number]),
  openSeats: 0,
  shape: null,
})

test('the ring of a focused worker follows cards that are painted after it in the same frame', async () => {
  const scenario = scenarioWith({
    source: { kind: 'batch', jobs: 6 },
    stages: [
      { id: 'A', name: 'Read', service: { kind: 'constant', mean: 1000 } },
      { id: 'B', name: 'Write', service: { kind: 'constant', mean: 2000 } },
    ],
    workers: 2,
  })
  const session = createSession(noAddress)
  open(session, scenario)
  const trace = await playSimulation(scenario, 0)
  catchUp(trace)
  runStore(session).setState({ phase: 'ended', run: createRun(trace) })
  const live = livePipeline(session)
  live.place = (id) => ({ x: id === 'A' ? 100 : 400, y: 50, width: 200, height: 100, zoom: 1, z: 0 })

  const host = shownHere(<WorkerStops />, session)
  let cards: readonly (readonly [string, StageCardData])[] = [['A', cardWith()]]
  onScene(session, () => {
    live.painted.clear()
    for (const [id, card] of cards) live.painted.set(id, card)
  })
  const paintAt = async (time: number) => {
    movePlayback(session, { playing: false, time })
    paint(session, 0)
    await Promise.resolve()
  }
  await paintAt(500)
  await expect.poll(() => host.querySelectorAll('button').length).toBe(2)
  const ring = () => host.querySelector('i') as HTMLElement
  const leftOf = () => new DOMMatrix(ring().style.transform).e
  await userEvent.tab()
  expect([document.activeElement?.getAttribute('aria-label'), ring().hidden]).toEqual(['Worker 1', true])

  cards = [['A', cardWith(0, 1)]]
  await paintAt(600)
  expect([ring().hidden, leftOf() > 100 && leftOf() < 300]).toEqual([false, true])
  cards = [
    ['A', cardWith(1)],
    ['B', cardWith(0)],
  ]
  await paintAt(700)
  expect([ring().hidden, leftOf() > 400]).toEqual([false, true])
  cards = [['A', cardWith(1)]]
  await paintAt(800)
  expect(ring().hidden).toBe(true)
})
