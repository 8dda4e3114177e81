import type { Node } from '@xyflow/react'
import { t } from '../../../language/translate.ts'
import { same } from '../../../scenario/model/compact.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { waysOf } from '../../../scenario/model/linearStages.ts'
import type { Link, Scenario } from '../../../scenario/model/scenario.ts'
import type { SourceKind } from '../../../scenario/model/sources.ts'
import { duration } from '../../../views/drawing/format.ts'
import { markBackground, type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { nameIn } from '../editing/actions.ts'
import { linkKey } from '../editing/canvasStore.ts'
import type { PlacedProblems } from '../editing/draftProblems.ts'
import { drawnOrder } from '../layout/layout.ts'
import { linkCurve, linkEnds, onPiece, portOf } from '../layout/linkCurve.ts'
import type { Arrangement, Box, CaptionSide, Flow, Placed, Point } from '../layout/places.ts'
import { sourceCaption } from '../shapes/sourceShapes.ts'

/** An outgoing link: its end, and its middle relative to the corner of the node. */
export interface LinkWay {
  readonly to: string
  readonly name: string
  readonly x: number
  readonly y: number
  readonly upright: boolean
  readonly problem: string | null
}
/** How several links leave a node (as copies, or by weights) or meet at it (as they come, or all parts together). */
export type Meeting = 'copy' | 'route' | 'merge' | 'all' | null
interface LinkData extends Record<string, unknown> {
  /** Where links leave, relative to the corner of the node. */
  readonly startX: number
  readonly startY: number
  readonly ways: readonly LinkWay[]
  readonly flow: Flow | null
  readonly out: Meeting
  readonly into: Meeting
  readonly problem: string | null
}
export interface StageData extends LinkData {
  readonly name: string
  readonly mean: string
  /** The background of the mark beside the name. */
  readonly mark: string
  /** The colour of the stage in the drawings. */
  readonly colour: string
  /** Links leave below or above the card, not beside it. */
  readonly upright: boolean
}
export interface EndData extends LinkData {
  readonly caption: string
  readonly glyph: SourceKind | 'sink'
  readonly side: CaptionSide
}
export type StageNodeType = Node<StageData, 'stage'>
export type EndNodeType = Node<EndData, 'source' | 'sink'>
export type PipelineNode = StageNodeType | EndNodeType

/** The dragged cards and where they are. */
export type Drag = ReadonlyMap<string, Point>

/** Returns the stages in order, as it would be after a drop (`preview`), with the places that a person gave them. */
export function placesOf({ stages, links }: Scenario, preview: readonly string[] | null): Placed[] {
  const positions = new Map(stages.map(({ id, position }) => [id, position]))
  return (preview ?? drawnOrder([...positions.keys()], links)).map((id) => ({
    id,
    position: positions.get(id) ?? null,
  }))
}

/** What the nodes and links of the canvas show. */
export interface ShownPipeline {
  readonly draft: Scenario
  readonly line: readonly string[]
  readonly links: readonly Link[]
  readonly arrangement: Arrangement
  readonly palette: Palette
  readonly selected: string | null
  readonly chosen: readonly string[]
  /** The selected link. */
  readonly link: string | null
  readonly problems: PlacedProblems
  /** Whether the person points with fingers. Then only a selected card moves, so that the page can be scrolled past the cards. */
  readonly coarse: boolean
}

/** Returns the nodes for React Flow in the order of Tab: source, stages, sink. */
export function pipelineNodes(shown: ShownPipeline): PipelineNode[] {
  const { draft, line, links, arrangement, palette, selected, chosen, link, problems, coarse } = shown
  const { boxes, captions, flow } = arrangement
  const numbers = new Map(draft.stages.map(({ id }, i) => [id, i]))
  const chosenIds = new Set(chosen)
  const { before, next: behind } = waysOf(links)
  return ['source', ...line, 'sink'].flatMap((id, i): PipelineNode[] => {
    const box = boxes.get(id)
    if (box === undefined) return []
    const picked = selected === id || chosenIds.has(id)
    const next = behind.get(id) ?? []
    const stage = draft.stages[numbers.get(id) ?? -1]
    const fanOut = stage?.fanOut ?? 'copy'
    const ways = next.map((to) => wayOf(id, to, arrangement, nameIn(draft, to), problems))
    // Notes and buttons on a link must not lie under the card it leads to.
    const noted = problems.has(id) || ways.some(({ to, problem }) => problem !== null || link === linkKey([id, to]))
    const start = startOf(box, flow, boxes.get(next[0]))
    const node = <Type extends PipelineNode['type'], Data extends object>(
      type: Type,
      ariaLabel: string,
      words: DomAttributes,
      own: Data,
    ) => {
      const problem = problems.get(id) ?? null
      const data = {
        startX: start.x - box.x,
        startY: start.y - box.y,
        ways,
        flow,
        out: next.length < 2 ? null : fanOut === 'copy' ? ('copy' as const) : ('route' as const),
        into: (before.get(id)?.length ?? 0) < 2 || stage === undefined ? null : stage.join,
        problem,
        ...own,
      }
      const draggable = type === 'stage' && (!coarse || picked)
      const zIndex = noted ? 3 : picked ? 2 : 1
      return {
        id,
        type,
        ...shell(box),
        selected: picked,
        zIndex,
        draggable,
        domAttributes: described(words, id, problem),
        ariaLabel,
        data,
      }
    }
    if (id === 'source') {
      const caption = sourceCaption(draft.source)
      return [
        node('source', `${t('Source')}: ${caption}`, endWords(), {
          caption,
          glyph: draft.source.kind,
          side: captions.source,
        }),
      ]
    }
    if (id === 'sink') {
      const caption = draft.order.kind === 'none' ? '' : t('ordered')
      const label = caption === '' ? t('Sink') : `${t('Sink')}, ${caption}`
      return [node('sink', label, endWords(), { caption, glyph: 'sink', side: captions.sink })]
    }
    const number = numbers.get(id) ?? 0
    const mean = duration(serviceMean(stage.service))
    const label = t('Stage {name}, {mean}, {i} of {length}', {
      name: stage.name,
      mean,
      i,
      length: line.length,
    })
    const mark = markBackground(palette, number)
    const upright = start.x > box.x && start.x < box.x + box.width
    return [
      node('stage', label, stageWords(), {
        name: stage.name,
        mean,
        colour: stageColour(palette, number).fill,
        mark,
        upright,
      }),
    ]
  })
}

type DomAttributes = NonNullable<Node['domAttributes']>

/** Returns the id of the note about a problem, for `aria-describedby`. */
export const problemId = (id: string): string => `fault-${id}`

function described(words: DomAttributes, id: string, problem: string | null): DomAttributes {
  return problem === null
    ? words
    : { ...words, 'aria-describedby': `${problemId(id)} ${words['aria-describedby'] ?? ''}` }
}

function wayOf(
  from: string,
  to: string,
  { boxes, flow, via }: Arrangement,
  name: string,
  problems: PlacedProblems,
): LinkWay {
  const [a, b] = [boxes.get(from) ?? NOWHERE, boxes.get(to) ?? NOWHERE]
  const key = linkKey([from, to])
  // Only the first piece of the curve is needed.
  const next = via.get(key)?.[0]
  const curve = linkCurve(a, next === undefined ? b : { ...next, width: 0, height: 0 }, flow)
  const { x, y } = onPiece(curve, 0, 0.5)
  const upright = flow === null ? curve[0].x === curve[3].x : flow === 'down'
  return { to, name, x: x - a.x, y: y - a.y, upright, problem: problems.get(key) ?? null }
}

const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 }

function startOf(box: Box, flow: Flow | null, next: Box = box): Point {
  if (flow !== null) return portOf(box, flow, 'out')
  const { x1, y1 } = linkEnds(box, next)
  return { x: x1, y: y1 }
}

const stageWords = () => ({ 'aria-roledescription': t('stage'), 'aria-describedby': 'pipeline-keys' }) as const
const endWords = () => ({ 'aria-roledescription': t('end of the pipeline') }) as const

/** Returns sizes and handles, so that React Flow does not measure them. */
function shell({ x, y, width, height }: Box): Pick<Node, 'position' | 'width' | 'height' | 'measured' | 'handles'> {
  const handle = { x: 0, y: 0, width, height }
  return {
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: [
      { ...handle, type: 'source', position: 'right' as never },
      { ...handle, type: 'target', position: 'left' as never },
    ],
  }
}

/** Returns the nodes with the dragged ones at their present places. */
export function withDrag(nodes: readonly PipelineNode[], drag: Drag | null): PipelineNode[] {
  if (drag === null) return [...nodes]
  return nodes.map((node) => {
    const position = drag.get(node.id)
    return position === undefined ? node : { ...node, position, zIndex: 4 }
  })
}

/** Returns `now` with the objects of `before` for nodes or links that have not changed, so that React Flow does not render them. */
export function reconciled<Each extends { readonly id: string }>(
  before: readonly Each[] | null,
  now: readonly Each[],
): Each[] {
  const known = new Map((before ?? []).map((each) => [each.id, each]))
  return now.map((each) => keepSame(known.get(each.id), each))
}

/** Returns the object before if it equals the new one. */
export function keepSame<Thing>(before: Thing | null | undefined, now: Thing): Thing {
  return before != null && same(before, now) ? before : now
}
