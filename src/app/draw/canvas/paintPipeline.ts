import { t } from '../../../language/translate.ts'
import { type Frame, isPresent, type WorkerFrame } from '../../../measures/frame/frame.ts'
import { progressAt } from '../../../measures/series/lanes.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { NONE } from '../../../pipeline/rows.ts'
import type { Scenario, Service } from '../../../scenario/model/scenario.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { count } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { setText } from '../../../views/drawing/svg.ts'
import type { FlowCard, FlowData, FlowMove } from '../../../views/pipeline/flow.ts'
import { type DistributionShape, MAX_DISCS, type StageCrowd } from '../../../views/pipeline/stageCard.ts'
import type { WorkerDisc } from '../../../views/pipeline/workerDiscs.ts'
import { densityOf } from '../../../workload/density.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { isStale } from '../../session/page/canvasScene.ts'
import type { Followed } from '../../session/page/follow.ts'
import { repaint, type Scene } from '../../session/page/painter.ts'
import { timelineStore } from '../../session/page/timelineStore.ts'
import { playback, shownLength } from '../../session/run/playback.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { secretsOf } from '../../session/secrets/secrets.ts'
import { part, type Session } from '../../session/session.ts'
import { livePipeline, type NodePlace } from '../editing/canvasStore.ts'
import { CARD, LIVE } from '../layout/places.ts'
import { jobsOnLinks, stageNumbersIn } from './jobsOnLinks.ts'

type MakeCrowd = typeof import('../../../views/pipeline/stageCrowd.ts').stageCrowd
type FindFollowed = typeof import('../../session/page/follow.ts').followedAt
/** Fetched with the first run of more workers than cards show as discs, and with the first job that is followed. */
const fetched = part((): { stageCrowd: MakeCrowd | null; followedAt: FindFollowed | null } => ({ stageCrowd: null, followedAt: null }))
const ON_WAY_MS = 320
const MAX_ON_WAY = 3
/** Shapes by the service time, and by its JSON: an edit makes a new object of the same service time. */
const shapes = new WeakMap<object, DistributionShape>()
const spelledShapes = new Map<string, DistributionShape>()
const MAX_SHAPES = 1000

/** Draws what changes on the canvas: cards, jobs on links, moving workers. `told`: the scene that the faces of the cards tell of, a moment older. */
export function paintPipeline(session: Session, overlay: Drawing<FlowData>, scene: Scene | null, told: Scene | null): void {
  const { draft } = scenarioStore(session).getState()
  const followed = scene === null ? [] : followedIn(session, scene)
  const { place } = livePipeline(session)
  if (place === null) return
  const palette = currentPalette()
  motionQuery ??= matchMedia('(prefers-reduced-motion: reduce)')
  const reducedMotion = motionQuery.matches
  const places = new Map(['source', ...draft.stages.map(({ id }) => id), 'sink'].map((id) => [id, place(id)]))
  const scale = places.get('source')?.zoom ?? 1
  const cards = cardsAt(session, scene, told, draft, followed, places)
  const links = scene === null ? [] : jobsOnLinks(session, scene, draft, places)
  const moves = scene === null ? [] : movesAt(session, scene, draft, places)
  const ring = scene === null ? null : ringAt(scene, followed, places)
  overlay.update({ palette, cards, links, moves, ring, scale, reducedMotion })
}

/** Writes below the source and the sink how many jobs have come and gone, and what the canvas cannot tell of the stages. */
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

type Places = ReadonlyMap<string, NodePlace | null>

function followedIn(session: Session, { run, frame }: Scene): readonly Followed[] {
  if (timelineStore(session).getState().focus?.kind !== 'job') return []
  const { followedAt } = fetched(session)
  if (followedAt !== null) return followedAt(session, run, frame.time)
  void import('../../session/page/follow.ts').then((module) => {
    fetched(session).followedAt = module.followedAt
    repaint(session)
  })
  return []
}

/** Returns the cards where they stand, those on top last. */
function cardsAt(session: Session, scene: Scene | null, told: Scene | null, scenario: Scenario, followed: readonly Followed[], places: Places): FlowCard[] {
  const palette = currentPalette()
  const { cards: hosts, painted } = livePipeline(session)
  const secret = secretsOf(session).services
  // A run numbers the stages of its own scenario.
  const numbers = scene === null ? null : stageNumbersIn(scene.run.scenario)
  const crowded = scene !== null && scene.frame.workers.length > MAX_DISCS
  const { stageCrowd } = fetched(session)
  if (crowded && stageCrowd === null)
    void import('../../../views/pipeline/stageCrowd.ts').then((module) => {
      fetched(session).stageCrowd = module.stageCrowd
      repaint(session)
    })
  const cards = scenario.stages.flatMap((stage, s) => {
    const place = places.get(stage.id)
    const host = hosts.get(stage.id)
    if (!place || host === undefined) return []
    const played = numbers?.get(stage.id) ?? NONE
    const frame = scene?.frame.stages[played] ?? null
    const face = told?.frame.stages[played] ?? null
    const data = {
      palette,
      low: place.height < CARD.height * place.zoom,
      colourIndex: s,
      waiting: face?.waiting ?? 0,
      gathering: face?.gathering ?? 0,
      capacity: stage.capacity,
      most: told === null || face === null ? 0 : greatest(told.run.chart.queues[played]),
      followed: followed.find(({ place }) => place.at === 'queue' && place.leg.stage === played)?.ahead ?? -1,
      workers: scene === null || frame === null || crowded ? [] : handsAt(scene, played, followed),
      crowd: frame !== null && crowded && stageCrowd !== null ? crowdAt(stageCrowd, scene.frame, played, followed) : null,
      openSeats: frame === null ? 0 : Math.max(0, frame.seats - frame.staffed),
      shape: secret.has(stage.id) ? null : shapeOf(stage.service),
    }
    painted.set(stage.id, data)
    return [{ ...place, inset: LIVE, data }]
  })
  return cards.sort((a, b) => a.z - b.z)
}

/** Returns the workers of a stage as its card shows them where they are too many for a disc each. */
function crowdAt(stageCrowd: MakeCrowd, { stages, workers }: Frame, stage: number, followed: readonly Followed[]): StageCrowd {
  const { staffed, busy } = stages[stage]
  const has = (worker: number) => workers[worker]?.stage === stage && isPresent(workers[worker])
  const holds = followed.some(({ place }) => place.at === 'hands' && has(place.worker))
  return stageCrowd(staffed, busy, has, holds)
}

/** Writes what a canvas cannot tell into data attributes, if it has changed. */
function tell(host: HTMLElement, { waiting, followed, workers: hands, crowd }: FlowCard['data']): void {
  const number = `${waiting}`
  if (host.dataset.waiting !== number) host.dataset.waiting = number
  const ringed = (followed >= 0 && followed < waiting) || crowd?.followed === true || hands.some((hand) => hand.followed)
  if (ringed !== 'followed' in host.dataset) host.toggleAttribute('data-followed', ringed)
}

function handsAt({ run, frame }: Scene, stage: number, followed: readonly Followed[]): WorkerDisc[] {
  const hands: WorkerDisc[] = []
  frame.workers.forEach((worker, w) => {
    if (worker.stage !== stage || !isPresent(worker)) return
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
  const mean = frame.stages[worker.stage].meanService * (worker.jobsInHand - worker.prefetched)
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

/** Made once: a query in every frame would be slow. */
let motionQuery: MediaQueryList | null = null

function movesAt(session: Session, { run, frame }: Scene, draft: Scenario, places: Places): FlowMove[] {
  const palette = currentPalette()
  const drawn = stageNumbersIn(draft)
  const window = shownLength(session, ON_WAY_MS)
  const { playing } = playback(session)
  const moves: FlowMove[] = []
  const latest = frame.workers.flatMap(({ movedFrom, movedAt, stage }, worker) =>
    movedFrom >= 0 && (playing ? movedAt > frame.time - window : movedAt === frame.time) ? [{ worker, from: movedFrom, to: stage, time: movedAt }] : [],
  )
  latest.sort((a, b) => b.time - a.time)
  for (const { worker, from, to, time } of latest.slice(0, MAX_ON_WAY)) {
    const [a, b] = [from, to].map((stage) => places.get(run.scenario.stages[stage]?.id))
    if (!a || !b) continue
    const colour = stageColour(palette, drawn.get(run.scenario.stages[to].id) ?? to)
    // While the picture stands still, only the moves of this instant are shown, half way.
    moves.push({ ...feet(a, b), fraction: playing ? (frame.time - time) / window : 0.5, worker: worker + 1, colour: colour.fill, on: colour.on })
  }
  return moves
}

/** Returns the ring around the source or sink where the followed job is outside all cards. */
function ringAt({ frame }: Scene, followed: readonly Followed[], places: Places): FlowData['ring'] {
  const parked = followed.some(({ place }) => place.at === 'parked')
  const outside = followed.some(({ place, ahead }) => place.at === 'queue' && ahead >= frame.stages[place.leg.stage].waiting)
  const end = parked ? places.get('sink') : outside ? places.get('source') : null
  return end ? { x: end.x + end.width / 2, y: end.y + end.height / 2, radius: end.width / 2 } : null
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
  if (spelledShapes.size >= MAX_SHAPES) spelledShapes.clear()
  spelledShapes.set(text, shape)
  shapes.set(service, shape)
  return shape
}
