import { t } from '../../../language/translate.ts'
import type { Frame } from '../../../measures/frame/frame.ts'
import type { Scenario, Service } from '../../../scenario/model/scenario.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { count } from '../../../views/drawing/format.ts'
import { setText } from '../../../views/drawing/svg.ts'
import type { FlowCard, FlowData } from '../../../views/pipeline/flow.ts'
import type { DistributionShape } from '../../../views/pipeline/stageCard.ts'
import { densityOf } from '../../../workload/density.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { isStale } from '../../session/page/canvasScene.ts'
import { repaint, type Scene } from '../../session/page/painter.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { secretsOf } from '../../session/secrets/secrets.ts'
import { part, type Session } from '../../session/session.ts'
import { livePipeline } from '../editing/canvasStore.ts'
import { CARD, LIVE } from '../layout/places.ts'
import type { CardPlaces, RunOnCanvas } from './runOnCanvas.ts'

/** Fetched with the first run. */
const fetched = part((): { run: typeof import('./runOnCanvas.ts').runOnCanvas | null } => ({ run: null }))
/** Shapes by the service time, and by its JSON: an edit makes a new object of the same service time. */
const shapes = new WeakMap<object, DistributionShape>()
const spelledShapes = new Map<string, DistributionShape>()
const MAX_SHAPES = 1000

/** Draws what changes on the canvas: cards, jobs on links, moving workers. `faceScene`: the slightly older scene whose numbers the cards show. */
export function paintPipeline(session: Session, overlay: Drawing<FlowData>, scene: Scene | null, faceScene: Scene | null): void {
  const { draft } = scenarioStore(session).getState()
  const { place } = livePipeline(session)
  if (place === null) return
  const palette = currentPalette()
  motionQuery ??= matchMedia('(prefers-reduced-motion: reduce)')
  const reducedMotion = motionQuery.matches
  const places = new Map(['source', ...draft.stages.map(({ id }) => id), 'sink'].map((id) => [id, place(id)]))
  const scale = places.get('source')?.zoom ?? 1
  const { run } = fetched(session)
  const playing = scene === null || run === null ? null : run(session, scene, faceScene, draft, places, reducedMotion)
  if (scene !== null && run === null)
    void import('./runOnCanvas.ts').then((module) => {
      fetched(session).run = module.runOnCanvas
      repaint(session)
    })
  const cards = cardsAt(session, playing, draft, places)
  const { links = [], moves = [], ring = null, paint = null } = playing ?? {}
  overlay.update({ palette, cards, links, moves, ring, scale, reducedMotion, paint })
}

/** Writes below source and sink how many jobs have arrived and left, and the data attributes of the stages. */
export function tellCounts(session: Session, scene: Scene | null): void {
  const { source, sink, cards, painted } = livePipeline(session)
  for (const [id, host] of cards) {
    const data = painted.get(id)
    if (data !== undefined) tell(host, data)
  }
  const frame = scene?.frame ?? null
  for (const end of [source, sink]) end?.toggleAttribute('data-stale', isStale(session, scene))
  if (source !== null) setText(source, frame === null ? '' : arrivedIn(frame))
  if (sink !== null) setText(sink, leftIn(frame, scenarioStore(session).getState().draft))
}

const RESTING = { waiting: 0, gathering: 0, most: 0, followed: -1, workers: [], group: null, openSeats: 0, service: null }

/** Returns the cards at their places, the topmost last. */
function cardsAt(session: Session, playing: RunOnCanvas | null, scenario: Scenario, places: CardPlaces): FlowCard[] {
  const palette = currentPalette()
  const { cards: hosts, painted } = livePipeline(session)
  const secret = secretsOf(session).services
  const cards = scenario.stages.flatMap((stage, s) => {
    const place = places.get(stage.id)
    const host = hosts.get(stage.id)
    if (!place || host === undefined) return []
    const low = place.height < CARD.height * place.zoom
    const { service, ...live } = playing?.cardOf(stage) ?? RESTING
    const shape = secret.has(stage.id) ? null : shapeOf(service ?? stage.service)
    const data = { palette, low, colourIndex: s, capacity: stage.capacity, shape, ...live }
    painted.set(stage.id, data)
    return [{ ...place, inset: LIVE, data }]
  })
  return cards.sort((a, b) => a.z - b.z)
}

/** Writes what is painted on a card into data attributes, if it has changed: a canvas has no text. */
function tell(host: HTMLElement, { waiting, followed, workers: hands, group, note }: FlowCard['data']): void {
  const number = `${waiting}`
  if (host.dataset.waiting !== number) host.dataset.waiting = number
  const words = note?.texts[0] ?? ''
  if ((host.dataset.note ?? '') !== words) host.dataset.note = words
  const ringed = (followed >= 0 && followed < waiting) || group?.followed === true || hands.some((hand) => hand.followed)
  if (ringed !== 'followed' in host.dataset) host.toggleAttribute('data-followed', ringed)
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

/** Made once: a query in every frame would be slow. */
let motionQuery: MediaQueryList | null = null

function shapeOf(service: Service): DistributionShape {
  const known = shapes.get(service)
  if (known !== undefined) return known
  const text = JSON.stringify(service)
  const shape = spelledShapes.get(text) ?? densityOf(service, 48)
  if (spelledShapes.size >= MAX_SHAPES) spelledShapes.clear()
  spelledShapes.set(text, shape)
  shapes.set(service, shape)
  return shape
}
