import { beforeEach, describe, expect, test, vi } from 'vitest'
import { themeStore } from '../../../../src/app/base/page/theme.ts'
import { openSeatHint, paintPipeline, tellCounts } from '../../../../src/app/draw/canvas/useOverlay.ts'
import { livePipeline, mountCard } from '../../../../src/app/draw/editing/canvasStore.ts'
import { isStale } from '../../../../src/app/session/page/canvasScene.ts'
import { onScene, paint, type Scene } from '../../../../src/app/session/page/painter.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { movePlayback } from '../../../../src/app/session/run/runStore.ts'
import { editOrShowProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { isPresent } from '../../../../src/measures/frame/frame.ts'
import { removeStage, setStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'
import type { FlowData } from '../../../../src/views/pipeline/flow.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { pageHere } from '../../../fixtures/pageHere.ts'
import { seededScenario } from '../../../fixtures/seededScenarios.ts'
import { playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()
pageHere()
/** Whether the person asked for less motion. Asked for once. */
vi.stubGlobal('matchMedia', () => ({ matches: false }))

themeStore.setState({ palette: defaultPalette('light') })

const IDS = ['A', 'B', 'C']
/** From left to right. */
const NODES = ['source', ...IDS, 'sink']
const nodeAt = (x: number) => NODES[Math.floor(x / 100)]
const scenario = valid({
  version: 1,
  source: { kind: 'batch', jobs: 40 },
  stages: IDS.map((id) => ({ id, service: { kind: 'constant', mean: 10_000 } })),
  workers: 3,
  policy: { kind: 'onePerStage' },
})

let session: Session
let scene: Scene | null
const card = () => ({ dataset: {}, toggleAttribute: () => false, textContent: '' }) as unknown as HTMLElement

/** Returns the picture on the canvas at a time. */
async function paintedAt(time: number): Promise<FlowData> {
  movePlayback(session, { time, playing: false, following: false })
  return paintedNow(16)
}

async function paintedNow(elapsed: number): Promise<FlowData> {
  paint(session, elapsed)
  let data: FlowData | undefined
  const overlay = { update: (now: FlowData) => (data = now), resize() {}, destroy() {} }
  paintPipeline(session, overlay, scene, scene)
  // The code that paints runs is fetched with the first run.
  await vi.waitFor(() => paintPipeline(session, overlay, scene, scene) ?? expect(data?.paint).not.toBeNull(), 300_000)
  return data ?? expect.fail('nothing was painted')
}

/** By stage: how many wait, and which workers stand there. */
const cardsOf = ({ cards }: FlowData) =>
  Object.fromEntries(
    cards.map(({ x, data }) => [nodeAt(x), [data.waiting, ...data.workers.map(({ worker }) => worker)]]),
  )
/** The links that have jobs on them. */
const linksOf = ({ links }: FlowData) =>
  links.filter(({ jobs }) => jobs.length > 0).map(({ x1, x2 }) => `${nodeAt(x1)} ${nodeAt(x2)}`)

beforeEach(async () => {
  session = createSession()
  openScenario(session, scenario)
  const live = livePipeline(session)
  live.place = (id) => ({ x: 100 * NODES.indexOf(id), y: 0, width: 80, height: 60, zoom: 1, z: 0 })
  live.source = card()
  for (const id of IDS) mountCard(session, id, card())
  session.onEnd(onScene(session, (now) => (scene = now)))
  await playOut(session)
})

describe('a run on the canvas', () => {
  test('stays there after an edit, on the stages and links that are still drawn', async () => {
    const before = await paintedAt(205_000)
    expect(isStale(session, scene)).toBe(false)
    editOrShowProblems(session, (draft) => setStage(draft, 'A', { service: { kind: 'constant', mean: 5000 } }))
    expect(isStale(session, scene)).toBe(true)
    expect(cardsOf(await paintedAt(205_000))).toEqual(cardsOf(before))
    expect(linksOf(await paintedAt(205_000))).toEqual(linksOf(before))

    editOrShowProblems(session, (draft) => removeStage(draft, 'B'))
    const { A, C } = cardsOf(before)
    expect(cardsOf(await paintedAt(205_000))).toEqual({ A, C })
    expect([A, C].map(([, ...workers]) => workers)).toEqual([[1], [3]])
    // The link from A to C is new: no job has passed along it.
    expect(linksOf(await paintedAt(205_000))).toEqual(['C sink'])
    tellCounts(session, scene)
    expect(livePipeline(session).source?.textContent).toBe('40 in')
  })

  test('is still the run of the canvas after an edit of workers and names only', () => {
    editOrShowProblems(session, (draft) => setStage(setWorkers(draft, 4), 'A', { name: 'First' }))
    paint(session, 16)
    expect(isStale(session, scene)).toBe(false)
  })

  test('has jobs on links before its end, and none at its end', async () => {
    const end = endOf(scene?.run.trace ?? expect.fail('nothing was played'))
    expect(linksOf(await paintedAt(end - 1))).not.toEqual([])
    expect(linksOf(await paintedAt(end))).toEqual([])
  })
})

/** The numbers on all discs: on cards and on ways. */
function discsOn({ cards, moves }: FlowData): number[] {
  const seated = cards.flatMap(({ data }) => data.workers.flatMap(({ worker, away }) => (away ? [] : [worker])))
  return [...seated, ...moves.map(({ worker }) => worker)].sort((a, b) => a - b)
}

test('each worker is one disc at every instant, at rest and in motion, or counted at the source, and a full disc on a card is a working worker', async () => {
  let ways = 0
  let waiting = 0
  let open = 0
  for (let k = 0; k < 12; k++) {
    const random = createChance(k)
    const any = seededScenario(k)
    session = createSession()
    openScenario(session, any)
    const live = livePipeline(session)
    live.place = (id) => ({
      x: 100 * any.stages.findIndex((stage) => stage.id === id),
      y: 0,
      width: 80,
      height: 60,
      zoom: 1,
      z: 0,
    })
    live.source = card()
    for (const { id } of any.stages) mountCard(session, id, card())
    session.onEnd(onScene(session, (now) => (scene = now)))
    await playOut(session)
    const end = endOf(scene?.run.trace ?? expect.fail('nothing was played'))
    for (let i = 0; i < 20; i++) {
      movePlayback(session, {
        time: random.below(end + 1),
        playing: i % 3 > 0,
        speed: 10 ** -(i % 4),
        following: false,
      })
      const data = await paintedNow(0)
      const { workers } = scene?.frame ?? expect.fail('no scene')
      const present = workers.flatMap((worker, w) => (isPresent(worker) ? [w + 1] : []))
      const seen = discsOn(data)
      expect(seen).toEqual(present.filter((worker) => workers[worker - 1].stage >= 0))
      tellCounts(session, scene)
      const counted = Number(/(\d+) unassigned/.exec(live.source?.textContent ?? '')?.[1] ?? 0)
      expect(counted).toBe(present.length - seen.length)
      waiting += counted
      for (const { x, data: card } of data.cards) {
        const { seats, staffed } = scene?.frame.stages[x / 100] ?? expect.fail('no stage')
        if (i % 3 > 0) continue
        expect(card.openSeats).toBe(Math.max(0, seats - staffed))
        if (card.openSeats === 0) continue
        const [hint] = (scene && openSeatHint(scene, any.stages[x / 100].id)) ?? expect.fail('no hint')
        expect(hint).toMatch(new RegExp(`target ${seats}, ${staffed} workers`))
        open++
      }
      ways += data.moves.length
      for (const { worker, idle } of data.cards.flatMap(({ data }) => data.workers))
        expect(workers[worker - 1].status).toBe(idle ? 'idle' : 'busy')
    }
  }
  expect(ways).toBeGreaterThan(5)
  expect(waiting).toBeGreaterThan(0)
  expect(open).toBeGreaterThan(0)
})
