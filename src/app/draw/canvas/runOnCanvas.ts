import { type Frame, isPresent, serviceIn, type WorkerFrame } from '../../../measures/frame/frame.ts'
import { type Passage, passagesBetween } from '../../../measures/frame/passages.ts'
import { startingNote, startUpAt } from '../../../measures/frame/startUps.ts'
import { progressAt } from '../../../measures/series/lanes.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { type Way, waysIn } from '../../../measures/workers/ways.ts'
import { NONE } from '../../../pipeline/rows.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Scenario, Service, Stage } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import type { FlowData, FlowLink, FlowMove } from '../../../views/pipeline/flow.ts'
import { paintMoving } from '../../../views/pipeline/flowPaths.ts'
import {
  MAX_DISCS,
  placeOnCard,
  type StageCardData,
  serviceNote,
  type WorkerGroup,
} from '../../../views/pipeline/stageCard.ts'
import type { WorkerDisc } from '../../../views/pipeline/workerDiscs.ts'
import { workerGroup } from '../../../views/pipeline/workerGroup.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { type Followed, followedAt } from '../../session/page/follow.ts'
import type { Scene } from '../../session/page/painter.ts'
import { timelineStore } from '../../session/page/timelineStore.ts'
import { playback, shownLength } from '../../session/run/playback.ts'
import type { Session } from '../../session/session.ts'
import { linkKey, livePipeline, type NodePlace } from '../editing/canvasStore.ts'
import { linkEnds } from '../layout/linkCurve.ts'
import { CARD, LIVE, type Point } from '../layout/places.ts'
import { steadyTargets } from './steadyTargets.ts'

const ON_WAY_MS = 320

export type CardPlaces = ReadonlyMap<string, NodePlace | null>

/** What a run adds to a card. `service`: the present service time; null: that of the start. */
type LiveCard = Omit<StageCardData, 'palette' | 'low' | 'colourIndex' | 'capacity' | 'shape'> & {
  readonly service: Service | null
}

export const restingCard: LiveCard = {
  waiting: 0,
  gathering: 0,
  most: 0,
  followed: -1,
  workers: [],
  openSeats: 0,
  service: null,
}

/** What a run paints on the canvas. A worker is on one card or in one move; The source counts those that have had no stage yet. */
export interface RunOnCanvas extends Pick<FlowData, 'moves' | 'ring' | 'paint'> {
  readonly links: readonly FlowLink[]
  cardOf(stage: Stage): LiveCard
}

/** Returns what the run of a scene paints on the canvas. `faceScene`: the scene whose numbers the cards show. */
export function runOnCanvas(
  session: Session,
  scene: Scene,
  faceScene: Scene | null,
  draft: Scenario,
  places: CardPlaces,
  reducedMotion: boolean,
): RunOnCanvas {
  const { run, frame } = scene
  const followed = followedIn(session, scene)
  // Stage numbers in a run are those of its own scenario.
  const numbers = stageNumbersIn(run.scenario)
  const crowded = frame.workers.length > MAX_DISCS
  const window = playback(session).playing ? shownLength(session, ON_WAY_MS) : 0
  const ways = crowded
    ? []
    : waysIn(run.chart.lanes, frame, window, scene.live).filter(({ from, to }) =>
        [from, to].every((s) => places.get(run.scenario.stages[s].id)),
      )
  const away = reducedMotion ? [] : ways
  const targets = steadyTargets(session, scene)
  const cards = new Map<string, LiveCard>()
  const cardOf = (stage: Stage): LiveCard => {
    const card = cards.get(stage.id) ?? newCard(stage)
    cards.set(stage.id, card)
    return card
  }
  const newCard = (stage: Stage): LiveCard => {
    const played = numbers.get(stage.id) ?? NONE
    const now = frame.stages[played]
    if (now === undefined) return restingCard
    const face = faceScene?.frame.stages[played]
    const cost = faceScene && serviceIn(faceScene.run.chart, faceScene.frame, played)
    return {
      waiting: face?.waiting ?? 0,
      gathering: face?.gathering ?? 0,
      most: faceScene === null ? 0 : greatest(faceScene.run.chart.queues[played]),
      followed: followed.find(({ place }) => place.at === 'queue' && place.leg.stage === played)?.ahead ?? -1,
      workers: crowded ? [] : handsAt(scene, played, followed, away),
      group: crowded ? workerGroupAt(frame, played, followed) : null,
      openSeats: Math.max(0, targets[played] - now.staffed),
      lost: crowded ? 0 : lostAt(frame, played),
      note:
        noteOf(startingNote(run.trace, frame, played)) ??
        (cost === null || faceScene === null ? null : serviceNote(cost, isRealTime(faceScene.run.trace.engine))),
      service: cost !== null && cost.now !== cost.before ? cost.service : null,
    }
  }
  const moves = movesOf(ways, run.scenario, draft, places, (id, worker) => {
    const stage = draft.stages.find((each) => each.id === id)
    const width = (places.get(id)?.width ?? 0) / (places.get(id)?.zoom ?? 1) - 2 * LIVE.x
    return stage === undefined ? null : placeOnCard({ ...cardOf(stage), low: isLow(places.get(id)) }, width, worker)
  })
  return {
    cardOf,
    moves,
    links: jobsOnLinks(session, scene, draft, places),
    ring: ringAt(scene, followed, places),
    paint: paintMoving,
  }
}

const isLow = (place: NodePlace | null | undefined) => place != null && place.height < CARD.height * place.zoom

function followedIn(session: Session, { run, frame }: Scene): readonly Followed[] {
  if (timelineStore(session).getState().focus?.kind !== 'job') return []
  return followedAt(session, run, frame.time)
}

const noteOf = (text: string | null | undefined) => (text ? { texts: [text], slow: false } : null)

/** Returns the workers of a stage as one group, for stages with too many workers for a disc each. */
function workerGroupAt({ stages, workers }: Frame, stage: number, followed: readonly Followed[]): WorkerGroup {
  const { staffed, busy } = stages[stage]
  const has = (worker: number) => workers[worker]?.stage === stage && isPresent(workers[worker])
  const holds = followed.some(({ place }) => place.at === 'hands' && has(place.worker))
  return workerGroup(staffed, busy, has, holds)
}

export const lostAt = ({ workers }: Frame, at: number): number =>
  workers.filter(({ status, stage }) => status === 'lost' && stage === at).length

/** Returns the discs of a stage. For a worker on its way only the place is drawn. */
export function handsAt(
  { run, frame }: Pick<Scene, 'run' | 'frame'>,
  stage: number,
  followed: readonly Followed[],
  ways: readonly Way[],
): WorkerDisc[] {
  const discs: WorkerDisc[] = []
  frame.workers.forEach((worker, w) => {
    if (worker.stage !== stage || !isPresent(worker)) return
    const waits = worker.contendedSince >= 0
    const starting = startUpAt(run.trace, w, worker, frame.time)
    discs.push({
      worker: w + 1,
      progress:
        starting !== null
          ? (frame.time - starting.from) / (starting.until - starting.from)
          : worker.status === 'busy' && !waits
            ? progressOf(run.chart.lanes, frame, w, worker)
            : null,
      waits,
      followed: followed.some(({ place }) => place.at === 'hands' && place.worker === w),
      idle: starting !== null || worker.status === 'idle',
      away: ways.some((way) => way.worker === w),
    })
  })
  return discs
}

/** Returns the progress from the record if the end is known, else an estimate from the mean service time. */
function progressOf(
  lanes: Scene['run']['chart']['lanes'],
  frame: Frame,
  w: number,
  worker: WorkerFrame,
): number | null {
  const known = progressAt(lanes, w, frame.time)
  if (known !== null) return known
  const mean = frame.stages[worker.stage].meanService * (worker.jobsInHand - worker.prefetched)
  return mean > 0 ? Math.min(0.95, (frame.time - worker.since) / mean) : null
}

/** Returns the ways as moves from the foot of one card to the place of the worker on another. */
function movesOf(
  ways: readonly Way[],
  { stages }: Scenario,
  draft: Scenario,
  places: CardPlaces,
  placeOf: (id: string, worker: number) => Point | null,
): FlowMove[] {
  const palette = currentPalette()
  const drawn = stageNumbersIn(draft)
  return ways.flatMap(({ worker, from, to, fraction }) => {
    const [a, b] = [places.get(stages[from].id), places.get(stages[to].id)]
    if (!a || !b) return []
    const { fill: colour, on } = stageColour(palette, drawn.get(stages[to].id) ?? to)
    const { x: x1, y: y1 } = footOf(a)
    const seat = placeOf(stages[to].id, worker)
    const { x: x2, y: y2 } =
      seat === null ? footOf(b) : { x: b.x + (LIVE.x + seat.x) * b.zoom, y: b.y + (LIVE.y + seat.y) * b.zoom }
    const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)]
    const feet = [...places.values()].flatMap((card) =>
      card && card !== a && card !== b && card.x < right && card.x + card.width > left && card.y < Math.max(y1, y2)
        ? [card.y + card.height]
        : [],
    )
    return [{ x1, y1, x2, y2, fraction, under: Math.max(0, ...feet), worker: worker + 1, colour, on }]
  })
}

/** Returns the middle of the foot of a card, where workers stand. */
function footOf({ x, y, width, height, zoom }: NodePlace): Point {
  return { x: x + width / 2, y: y + height - 20 * zoom }
}

/** Returns the ring around the source or sink where the followed job is outside all cards. */
function ringAt({ frame }: Scene, followed: readonly Followed[], places: CardPlaces): FlowData['ring'] {
  const parked = followed.some(({ place }) => place.at === 'parked')
  const outside = followed.some(
    ({ place, ahead }) => place.at === 'queue' && ahead >= frame.stages[place.leg.stage].waiting,
  )
  const end = parked ? places.get('sink') : outside ? places.get('source') : null
  return end ? { x: end.x + end.width / 2, y: end.y + end.height / 2, radius: end.width / 2 } : null
}

const ON_LINK_MS = 380
/** At most this many jobs are shown on one link. If there are more, every second, fourth, ... is shown. */
const ON_LINK = 5

/** Returns the jobs of a run on those of its links that are still drawn. At the end of the run there are none. */
function jobsOnLinks(
  session: Session,
  { run, frame, live }: Scene,
  draft: Scenario,
  places: ReadonlyMap<string, NodePlace | null>,
): FlowLink[] {
  if (!live && frame.time >= endOf(run.trace)) return []
  const palette = currentPalette()
  const played = stageNumbersIn(run.scenario)
  const drawn = stageNumbersIn(draft)
  const drawnLinks = new Set(draft.links.map(linkKey))
  const window = shownLength(session, ON_LINK_MS)
  const byLink = new Map<string, Passage[]>()
  for (const passage of passagesBetween(run.trace, frame.time - window, frame.time)) {
    if (passage.kind === 'released') continue
    const link = `${passage.stage} ${passage.to}`
    const passages = byLink.get(link) ?? []
    byLink.set(link, passages)
    passages.push(passage)
  }
  return run.scenario.links.flatMap((link) => {
    const [id, next] = link
    const passages = byLink.get(`${played.get(id) ?? NONE} ${played.get(next) ?? NONE}`)
    const [from, to] = [places.get(id), places.get(next)]
    if (passages === undefined || !from || !to || !drawnLinks.has(linkKey(link))) return []
    const stage = drawn.get(id)
    return [
      {
        ...linkEnds(from, to),
        bends: livePipeline(session).bends?.(id, next) ?? [],
        colour: stage === undefined ? palette.ink : stageColour(palette, stage).fill,
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

/** Returns the number of each stage in a scenario, by its id. An edit changes numbers, but not ids. */
function stageNumbersIn({ stages }: Scenario): ReadonlyMap<string, number> {
  return new Map(stages.map(({ id }, s) => [id, s]))
}
