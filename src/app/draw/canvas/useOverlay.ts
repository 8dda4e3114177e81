import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { isolated, t } from '../../../language/translate.ts'
import type { Frame } from '../../../measures/frame/frame.ts'
import { unplacedIn } from '../../../measures/workers/ways.ts'
import type { Scenario, Service } from '../../../scenario/model/scenario.ts'
import { listed } from '../../../scenario/model/words.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { count } from '../../../views/drawing/format.ts'
import { setText } from '../../../views/drawing/svg.ts'
import { type FlowCard, type FlowData, mountFlow } from '../../../views/pipeline/flow.ts'
import { type DistributionShape, workerOnCard } from '../../../views/pipeline/stageCard.ts'
import { densityOf } from '../../../workload/density.ts'
import { endAll, TEXT_PACE } from '../../base/browser/frames.ts'
import { currentPalette } from '../../base/page/theme.ts'
import type { Pointed } from '../../base/ui/hint.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { isStale } from '../../session/page/canvasScene.ts'
import { onScene, type Scene } from '../../session/page/painter.ts'
import { workerHint } from '../../session/page/workerHint.ts'
import { playback } from '../../session/run/playback.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView, linkKey, livePipeline, type NodePlace } from '../editing/canvasStore.ts'
import { flattened, linkCurve } from '../layout/linkCurve.ts'
import { type Arrangement, type Box, CARD, LIVE, type Point } from '../layout/places.ts'
import { boxOf } from '../nodes/LinkEdge.tsx'
import { type CardPlaces, type RunOnCanvas, restingCard, runOnCanvas } from './runOnCanvas.ts'

/** Returns the ref of the canvas above the nodes, on which the run is painted, and registers the places of the nodes below it. */
export function useOverlay() {
  const session = useSession()
  const flow = useStoreApi()
  useEffect(() => {
    const live = livePipeline(session)
    const canvas = canvasView(session)
    const place = (id: string): NodePlace | null => {
      const { nodeLookup, transform } = flow.getState()
      const node = nodeLookup.get(id)
      const box = boxOf(node)
      const [x, y, zoom] = transform
      if (node === undefined || box === null) return null
      const [width, height] = [box.width * zoom, box.height * zoom]
      return { x: box.x * zoom + x, y: box.y * zoom + y, width, height, zoom, z: node.internals.z }
    }
    /** The curves of links, cached until their ends move. */
    const curves = new Map<string, { readonly ends: string; readonly of: Arrangement; readonly points: Point[] }>()
    const curveOf = (a: Box, b: Box, link: string, of: Arrangement): readonly Point[] => {
      const ends = `${a.x} ${a.y} ${b.x} ${b.y}`
      const known = curves.get(link)
      if (known?.ends === ends && known.of === of) return known.points
      const points = flattened(linkCurve(a, b, of.flow, of.via.get(link)))
      curves.set(link, { ends, of, points })
      return points
    }
    /** On a line links are straight. */
    const bends = (from: string, to: string) => {
      const { nodeLookup, transform } = flow.getState()
      const [a, b] = [boxOf(nodeLookup.get(from)), boxOf(nodeLookup.get(to))]
      const { arrangement } = canvas
      if (a === null || b === null || arrangement === null || arrangement.flow === null) return []
      const [x, y, zoom] = transform
      return curveOf(a, b, linkKey([from, to]), arrangement).map((point) => ({
        x: point.x * zoom + x,
        y: point.y * zoom + y,
      }))
    }
    canvas.pointAt = (clientX, clientY) => {
      const { transform, domNode } = flow.getState()
      const { left = 0, top = 0 } = domNode?.getBoundingClientRect() ?? {}
      const [x, y, zoom] = transform
      return { x: (clientX - left - x) / zoom, y: (clientY - top - y) / zoom }
    }
    Object.assign(live, { place, bends })
    return () => {
      if (live.place !== place) return
      Object.assign(live, { place: null, bends: null })
      canvas.pointAt = null
    }
  }, [flow, session])
  return useDrawing(
    mountFlow,
    (overlay, host) => {
      /** The scene whose numbers the cards show. */
      let faceScene: Scene | null = null
      const keepFace = (scene: Scene | null) => {
        faceScene = scene
      }
      const draw = (scene: Scene | null) => {
        host.toggleAttribute('data-stale', isStale(session, scene))
        paintPipeline(session, overlay, scene, faceScene)
      }
      return endAll([
        onScene(session, keepFace, TEXT_PACE),
        onScene(session, draw),
        onScene(session, (scene) => tellCounts(session, scene), TEXT_PACE),
      ])
    },
    [session],
  )
}

/** Returns what is under the pointer on a card: the worker of a disc, by its number in the scenario, or an open seat of a stage; null if there is neither. */
function discAt(session: Session, { target, clientX, clientY }: Pointed) {
  const { place, painted: cards } = livePipeline(session)
  const node = target instanceof Element ? target.closest<HTMLElement>('.react-flow__node') : null
  const id = node?.dataset.id ?? ''
  const painted = cards.get(id)
  const where = place?.(id)
  const canvas = node?.closest('.react-flow')?.getBoundingClientRect()
  if (painted === undefined || !where || canvas === undefined) return null
  const { x, y, width, zoom } = where
  const disc = workerOnCard(
    painted,
    width / zoom - 2 * LIVE.x,
    (clientX - canvas.left - x) / zoom - LIVE.x,
    (clientY - canvas.top - y) / zoom - LIVE.y,
  )
  return disc === null ? null : { stage: id, disc }
}

/** Returns the worker whose disc is under the pointer; null if there is none. */
export function workerUnder(session: Session, at: Pointed): number | null {
  const disc = discAt(session, at)?.disc
  return typeof disc === 'number' ? disc : null
}

/** Returns the name and the work of the worker under the pointer, or why a seat there is open; null if there is neither. */
export function workerHintAt(session: Session, at: Pointed, scene: Scene | null): readonly string[] | null {
  const found = discAt(session, at)
  if (found === null || scene === null) return null
  if (found.disc === 'open') return openSeatHint(scene, found.stage)
  return found.disc < scene.frame.workers.length ? workerHint(scene.run, found.disc, playback(session).time) : null
}

/** Returns the lines of a tooltip about the open seats of a stage: its target and its workers, and where a worker too many still is. */
export function openSeatHint({ run: { scenario }, frame }: Scene, id: string): readonly string[] | null {
  const at = scenario.stages.findIndex((stage) => stage.id === id)
  if (at < 0) return null
  const { seats, staffed, busy } = frame.stages[at]
  const counts = { seats: count(seats), staffed: count(staffed), busy: count(busy) }
  const nameOf = (s: number) => isolated(scenario.stages[s].name)
  const from = frame.stages.flatMap((stage, s) => (stage.staffed > stage.seats ? [nameOf(s)] : []))
  return [
    t('{name}: target {seats}, {staffed} workers, {busy} busy', { name: nameOf(at), ...counts }),
    ...(from.length === 0 ? [] : [t('More workers than their target: {stages}', { stages: listed(from) })]),
  ]
}

/** Draws what changes on the canvas: cards, jobs on links, moving workers. `faceScene`: the slightly older scene whose numbers the cards show. */
export function paintPipeline(
  session: Session,
  overlay: Drawing<FlowData>,
  scene: Scene | null,
  faceScene: Scene | null,
): void {
  const { draft } = scenarioStore(session).getState()
  const { place } = livePipeline(session)
  if (place === null) return
  const palette = currentPalette()
  motionQuery ??= matchMedia('(prefers-reduced-motion: reduce)')
  const reducedMotion = motionQuery.matches
  const places = new Map(['source', ...draft.stages.map(({ id }) => id), 'sink'].map((id) => [id, place(id)]))
  const scale = places.get('source')?.zoom ?? 1
  const playing = scene === null ? null : runOnCanvas(session, scene, faceScene, draft, places, reducedMotion)
  const cards = cardsAt(session, playing, draft, places)
  const { links = [], moves = [], ring = null, paint = null } = playing ?? {}
  overlay.update({ palette, cards, links, moves, ring, scale, reducedMotion, paint })
}

/** Writes below source and sink how many jobs have arrived and left, and the data attributes of the stages. */
export function tellCounts(session: Session, scene: Scene | null): void {
  const { source, sink, cards, painted } = livePipeline(session)
  for (const [id, host] of cards) {
    const data = painted.get(id)
    if (data !== undefined) describeCard(host, data)
  }
  const frame = scene?.frame ?? null
  for (const end of [source, sink]) end?.toggleAttribute('data-stale', isStale(session, scene))
  if (source !== null) setText(source, frame === null ? '' : arrivedIn(frame))
  if (sink !== null) setText(sink, leftIn(frame, scenarioStore(session).getState().draft))
}

/** Returns the cards at their places, the topmost last. */
function cardsAt(session: Session, playing: RunOnCanvas | null, scenario: Scenario, places: CardPlaces): FlowCard[] {
  const palette = currentPalette()
  const { cards: hosts, painted } = livePipeline(session)
  const cards = scenario.stages.flatMap((stage, s) => {
    const place = places.get(stage.id)
    const host = hosts.get(stage.id)
    if (!place || host === undefined) return []
    const low = place.height < CARD.height * place.zoom
    const { service, ...live } = playing?.cardOf(stage) ?? restingCard
    const shape = shapeOf(service ?? stage.service)
    const data = { palette, low, colourIndex: s, capacity: stage.capacity, shape, ...live }
    painted.set(stage.id, data)
    return [{ ...place, inset: LIVE, data }]
  })
  return cards.sort((a, b) => a.z - b.z)
}

/** Writes what is painted on a card into data attributes, if it has changed: a canvas has no text. */
function describeCard(host: HTMLElement, { waiting, followed, workers, group, note }: FlowCard['data']): void {
  for (const [key, text] of [
    ['waiting', `${waiting}`],
    ['note', note?.texts[0] ?? ''],
  ])
    if ((host.dataset[key] ?? '') !== text) host.dataset[key] = text
  const ringed =
    (followed >= 0 && followed < waiting) || group?.followed === true || workers.some((worker) => worker.followed)
  host.toggleAttribute('data-followed', ringed)
}

function arrivedIn(frame: Frame): string {
  const { arrived, outside, away } = frame
  const unplaced = unplacedIn(frame)
  return [
    t('{arrived, number} in', { arrived }),
    outside > 0 ? t('{outside, number} outside', { outside }) : '',
    away > 0 ? t('{away, number} will retry', { away }) : '',
    unplaced > 0 ? t('{n, number} unassigned', { n: unplaced }) : '',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function leftIn(frame: Frame | null, scenario: Scenario): string {
  const order = scenario.order.kind === 'none' ? '' : t('ordered')
  if (frame === null) return order
  const { released, parked, failed, gaveUp } = frame
  const left = [
    t('{released} out', { released: count(released) }),
    parked > 0 ? t('{parked} parked', { parked: count(parked) }) : order,
    failed > 0 ? t('{failed} failed', { failed: count(failed) }) : '',
    gaveUp > 0 ? t('{gaveUp} gave up', { gaveUp: count(gaveUp) }) : '',
  ]
  return left.filter((line) => line !== '').join('\n')
}

/** Made once: a query in every frame would be slow. */
let motionQuery: MediaQueryList | null = null

const shapes = new WeakMap<Service, DistributionShape>()

function shapeOf(service: Service): DistributionShape {
  const shape = shapes.get(service) ?? densityOf(service, 48)
  shapes.set(service, shape)
  return shape
}
