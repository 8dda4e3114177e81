import { t } from '../../../language/translate.ts'
import { type Frame, isThere, type WorkerFrame } from '../../../measures/frame/frame.ts'
import { type Passage, passagesBetween } from '../../../measures/frame/passages.ts'
import { progressAt } from '../../../measures/series/progress.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { NONE } from '../../../pipeline/rows.ts'
import type { Micros, Scenario, Service } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import type { DistributionShape } from '../../../views/pipeline/distributionShape.ts'
import type { FlowCard, FlowData, FlowLink, FlowMove } from '../../../views/pipeline/flow.ts'
import type { WorkerDisc } from '../../../views/pipeline/workerDiscs.ts'
import { densityOf } from '../../../workload/density.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { onCanvas } from '../../session/run/canvasScene.ts'
import { type Followed, followedAt } from '../../session/run/follow.ts'
import type { Scene } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { linkEnds } from '../layout/linkEnds.ts'
import { LIVE } from '../layout/places.ts'
import { livePipeline, type NodePlace } from '../nodes/livePipeline.ts'

/** How long a job is shown on a link, and a worker on its way, in milliseconds on the screen. */
const ON_LINK_MS = 380
const ON_WAY_MS = 320
/** The most jobs shown on one link. Of more, every second, fourth, ... is shown. */
const ON_LINK = 5
const MOST_ON_WAY = 3
/** Shapes by the service time, and by its JSON: an edit makes a new object of the same service time. */
const shapes = new WeakMap<object, DistributionShape>()
const spelledShapes = new Map<string, DistributionShape>()
const MOST_SHAPES = 1000

/** Draws what moves on the canvas: cards, jobs on links, workers on their way. */
export function paintPipeline(session: Session, painted: Scene | null): void {
  const { draft: scenario } = scenarioStore(session).getState()
  // A run keeps its own scenario. After an edit of the pipeline it is not shown.
  const scene = onCanvas(session, painted)
  paintFlow(session, scene, scenario, scene === null ? [] : followedAt(session, scene.run, scene.frame.time))
}

/** Writes below the source and the sink how many jobs have come and gone. */
export function tellEnds(session: Session, painted: Scene | null): void {
  const { source, sink } = livePipeline(session)
  const frame = onCanvas(session, painted)?.frame ?? null
  if (source !== null) setText(source, frame === null ? '' : arrivedIn(frame))
  if (sink !== null) setText(sink, leftIn(frame, scenarioStore(session).getState().draft))
}

/** Returns the cards where they stand, those on top last. */
function cardsAt(
  session: Session,
  scene: Scene | null,
  scenario: Scenario,
  followed: readonly Followed[],
  places: ReadonlyMap<string, NodePlace | null>,
): FlowCard[] {
  const palette = currentPalette()
  const { cards: hosts } = livePipeline(session)
  const cards = scenario.stages.flatMap((stage, s) => {
    const place = places.get(stage.id)
    const host = hosts.get(stage.id)
    if (!place || host === undefined) return []
    const frame = scene?.frame.stages[s] ?? null
    const data = {
      palette,
      colourIndex: s,
      waiting: frame?.waiting ?? 0,
      gathering: frame?.gathering ?? 0,
      capacity: stage.capacity,
      most: scene === null ? 0 : greatest(scene.run.chart.queues[s]),
      followed: followed.find(({ place }) => place.at === 'queue' && place.leg.stage === s)?.ahead ?? -1,
      workers: scene === null ? [] : handsAt(scene, s, followed),
      openSeats: frame === null ? 0 : Math.max(0, frame.seats - frame.posted),
      shape: shapeOf(stage.service),
    }
    tell(host, data)
    return [{ ...place, inset: LIVE, data }]
  })
  return cards.sort((a, b) => a.z - b.z)
}

/** Writes what a canvas cannot tell into data attributes, if it has changed. */
function tell(host: HTMLElement, { waiting, followed, workers: hands }: FlowCard['data']): void {
  const number = `${waiting}`
  if (host.dataset.waiting !== number) host.dataset.waiting = number
  const ringed = (followed >= 0 && followed < waiting) || hands.some((hand) => hand.followed)
  if (ringed !== 'followed' in host.dataset) host.toggleAttribute('data-followed', ringed)
}

function handsAt({ run, frame }: Scene, stage: number, followed: readonly Followed[]): WorkerDisc[] {
  const hands: WorkerDisc[] = []
  frame.workers.forEach((worker, w) => {
    if (worker.stage !== stage || !isThere(worker)) return
    const waits = worker.contendedSince >= 0
    hands.push({
      worker: w + 1,
      progress: worker.status === 'busy' && !waits ? progressOf(run.chart.lanes, frame, w, worker) : null,
      waits,
      followed: followed.some(({ place }) => place.at === 'hands' && place.worker === w),
    })
  })
  return hands
}

/** Returns the progress from the record if the end is known, else an estimate from the mean service time. */
function progressOf(lanes: Scene['run']['chart']['lanes'], frame: Frame, w: number, worker: WorkerFrame): number | null {
  const known = progressAt(lanes, w, frame.time)
  if (known !== null) return known
  const mean = frame.stages[worker.stage].meanService * (worker.hand - worker.second)
  return mean > 0 ? Math.min(0.95, (frame.time - worker.since) / mean) : null
}

function arrivedIn({ arrived, outside }: Frame): string {
  return outside > 0 ? t('{arrived, number} in · {outside, number} outside', { arrived, outside }) : t('{arrived, number} in', { arrived })
}

function leftIn(frame: Frame | null, scenario: Scenario): string {
  const order = scenario.order.kind === 'none' ? '' : t('ordered')
  const parts =
    frame === null
      ? [order]
      : [
          t('{released} out', { released: count(frame.released) }),
          frame.parked > 0 ? t('{parked} parked', { parked: count(frame.parked) }) : order,
          frame.failed > 0 ? t('{failed} failed', { failed: count(frame.failed) }) : '',
        ]
  return parts.filter((part) => part !== '').join(' · ')
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Made once: a query in every frame would be slow. */
let motionQuery: MediaQueryList | null = null

function paintFlow(session: Session, scene: Scene | null, draft: Scenario, followed: readonly Followed[]): void {
  const { flow, place } = livePipeline(session)
  if (flow === null || place === null) return
  const palette = currentPalette()
  motionQuery ??= matchMedia('(prefers-reduced-motion: reduce)')
  const reducedMotion = motionQuery.matches
  const places = new Map(['source', ...draft.stages.map(({ id }) => id), 'sink'].map((id) => [id, place(id)]))
  const scale = places.get('source')?.zoom ?? 1
  const cards = cardsAt(session, scene, draft, followed, places)
  if (scene === null) flow.update({ palette, cards, links: [], moves: [], ring: null, scale, reducedMotion })
  else
    flow.update({
      palette,
      cards,
      links: linksAt(session, scene, places),
      moves: movesAt(session, scene, places),
      ring: ringAt(scene, followed, places),
      scale,
      reducedMotion,
    })
}

function linksAt(session: Session, { run, frame }: Scene, places: ReadonlyMap<string, NodePlace | null>): FlowLink[] {
  const palette = currentPalette()
  const numbers = new Map(run.scenario.stages.map(({ id }, s) => [id, s]))
  const window = wall(session, ON_LINK_MS)
  const byLink = new Map<string, Passage[]>()
  for (const passage of passagesBetween(run.trace, frame.time - window, frame.time)) {
    if (passage.kind === 'released') continue
    const link = `${passage.stage} ${passage.to}`
    const passages = byLink.get(link)
    if (passages === undefined) byLink.set(link, [passage])
    else passages.push(passage)
  }
  return run.scenario.links.flatMap(([id, next]) => {
    const stage = numbers.get(id) ?? NONE
    const passages = byLink.get(`${stage} ${numbers.get(next) ?? NONE}`)
    const from = places.get(id)
    const to = places.get(next)
    if (passages === undefined || !from || !to) return []
    return [
      {
        ...linkEnds(from, to),
        bends: livePipeline(session).bends?.(id, next) ?? [],
        colour: stage < 0 ? palette.ink : stageColour(palette, stage).fill,
        jobs: thinned(passages).map(({ time }) => (frame.time - time) / window),
      },
    ]
  })
}

/** Returns the jobs whose number is a multiple of a power of two: the same ones in every frame. */
function thinned(passages: readonly Passage[]): readonly Passage[] {
  let every = 1
  while (passages.length / every > ON_LINK) every *= 2
  return every === 1 ? passages : passages.filter(({ job }) => job % every === 0)
}

function movesAt(session: Session, { run, frame }: Scene, places: ReadonlyMap<string, NodePlace | null>): FlowMove[] {
  const palette = currentPalette()
  const window = wall(session, ON_WAY_MS)
  const { playing } = playback(session)
  const moves: FlowMove[] = []
  const latest = frame.workers.flatMap(({ movedFrom, movedAt, stage }, worker) =>
    movedFrom >= 0 && (playing ? movedAt > frame.time - window : movedAt === frame.time) ? [{ worker, from: movedFrom, to: stage, time: movedAt }] : [],
  )
  latest.sort((a, b) => b.time - a.time)
  for (const { worker, from, to, time } of latest.slice(0, MOST_ON_WAY)) {
    const a = places.get(run.scenario.stages[from]?.id)
    const b = places.get(run.scenario.stages[to]?.id)
    if (!a || !b) continue
    const colour = stageColour(palette, to)
    // While the picture stands still, only the moves of this instant are shown, half way.
    moves.push({
      ...feet(a, b),
      fraction: playing ? (frame.time - time) / window : 0.5,
      worker: worker + 1,
      colour: colour.fill,
      on: colour.on,
    })
  }
  return moves
}

/** Returns the ring around the source or sink where the followed job is outside all cards. */
function ringAt({ frame }: Scene, followed: readonly Followed[], places: ReadonlyMap<string, NodePlace | null>): FlowData['ring'] {
  const parked = followed.some(({ place }) => place.at === 'parked')
  const outside = followed.some(({ place, ahead }) => place.at === 'queue' && ahead >= frame.stages[place.leg.stage].waiting)
  const end = parked ? places.get('sink') : outside ? places.get('source') : null
  return end ? { x: end.x + end.width / 2, y: end.y + end.height / 2, radius: end.width / 2 } : null
}

/** Returns how long a time on the screen is in the run, at the present speed. */
function wall(session: Session, ms: number): Micros {
  return Math.max(1, ms * 1000 * playback(session).speed)
}

/** Returns the line between the feet of two cards, where workers stand. */
function feet(from: NodePlace, to: NodePlace) {
  return { x1: from.x + from.width * 0.5, y1: from.y + from.height - 20 * from.zoom, x2: to.x + to.width * 0.5, y2: to.y + to.height - 20 * to.zoom }
}

function shapeOf(service: Service): DistributionShape {
  const known = shapes.get(service)
  if (known !== undefined) return known
  const text = JSON.stringify(service)
  const shape = spelledShapes.get(text) ?? densityOf(service, 48)
  if (spelledShapes.size >= MOST_SHAPES) spelledShapes.clear()
  spelledShapes.set(text, shape)
  shapes.set(service, shape)
  return shape
}
