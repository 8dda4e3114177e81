import type { Edge, Node } from '@xyflow/react'
import { lineOrder } from '../../scenario/edits.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { serviceMean } from '../../scenario/serviceMean.ts'
import { duration } from '../../views/format.ts'
import { type Palette, stageColour } from '../../views/palette.ts'
import type { Arrangement, Box, CaptionSide, Placed, Point } from './layout.ts'
import { linkEnds } from './linkEnds.ts'
import { sourceCaption } from './sourceCaption.ts'

/** Plain values only, so that a node that did not change is told by comparing them. The link behind a node, from the node's own corner: where it begins, and its middle. */
interface LinkData extends Record<string, unknown> {
  readonly startX: number
  readonly startY: number
  readonly middleX: number
  readonly middleY: number
}
export interface StageData extends LinkData {
  readonly name: string
  readonly mean: string
  /** As the drawings have it. */
  readonly colour: string
}
export interface EndData extends LinkData {
  readonly caption: string
  readonly glyph: string
  readonly side: CaptionSide
}
export type StageNodeType = Node<StageData, 'stage'>
export type EndNodeType = Node<EndData, 'source' | 'sink'>
export type PipelineNode = StageNodeType | EndNodeType

/** A card that is being dragged. */
export interface Drag {
  readonly id: string
  readonly position: Point
}

/** The stages in their line, or as it would be if what is dragged were dropped, and where a person put them. */
export function placesOf(scenario: Scenario, preview: readonly string[] | null): Placed[] {
  const positions = new Map(scenario.stages.map(({ id, position }) => [id, position]))
  return (preview ?? lineOrder(scenario)).map((id) => ({ id, position: positions.get(id) ?? null }))
}

export function samePlaces(before: readonly Placed[], now: readonly Placed[]): readonly Placed[] {
  const same = before.length === now.length && now.every(({ id, position }, i) => id === before[i].id && samePoint(position, before[i].position))
  return same ? before : now
}

function samePoint(a: Point | null, b: Point | null): boolean {
  return a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y)
}

interface Shown {
  readonly scenario: Scenario
  readonly line: readonly string[]
  readonly arrangement: Arrangement
  readonly palette: Palette
  readonly selected: string | null
  readonly drag: Drag | null
  /** Where fingers point, a card moves only once it is selected: else the page could not be scrolled past the cards. */
  readonly coarse: boolean
}

/** What React Flow is to show, in the order in which Tab walks through it: source, stages along the line, sink. */
export function pipelineNodes({ scenario, line, arrangement: { boxes, captions }, palette, selected, drag, coarse }: Shown): PipelineNode[] {
  const numbers = new Map(scenario.stages.map(({ id }, i) => [id, i]))
  const ids = ['source', ...line, 'sink']
  return ids.flatMap((id, i): PipelineNode[] => {
    const box = boxes.get(id)
    if (box === undefined) return []
    const base = { id, ...shell(box, drag?.id === id ? drag.position : box), selected: selected === id, zIndex: drag?.id === id ? 3 : selected === id ? 2 : 1 }
    const link = linkBehind(box, boxes.get(ids[i + 1]))
    if (id === 'source') {
      const caption = sourceCaption(scenario.source)
      return [
        {
          ...base,
          type: 'source',
          draggable: false,
          domAttributes: endWords,
          ariaLabel: `Source: ${caption}`,
          data: { caption, glyph: scenario.source.kind, side: captions.source, ...link },
        },
      ]
    }
    if (id === 'sink') {
      const caption = scenario.order.kind === 'buffer' ? 'ordered' : ''
      return [
        {
          ...base,
          type: 'sink',
          draggable: false,
          domAttributes: endWords,
          ariaLabel: caption === '' ? 'Sink' : `Sink, ${caption}`,
          data: { caption, glyph: 'sink', side: captions.sink, ...link },
        },
      ]
    }
    const number = numbers.get(id) ?? 0
    const { name, service } = scenario.stages[number]
    const colour = stageColour(palette, number).fill
    const mean = duration(serviceMean(service))
    return [
      {
        ...base,
        type: 'stage',
        draggable: !coarse || selected === id,
        domAttributes: stageWords,
        ariaLabel: `Stage ${name}, ${mean} on average, ${i} of ${line.length}`,
        data: { name, mean, colour, ...link },
      },
    ]
  })
}

const stageWords = { 'aria-roledescription': 'stage', 'aria-describedby': 'pipeline-keys' } as const
const endWords = { 'aria-roledescription': 'end of the pipeline' } as const

/** Sizes and handles are known beforehand, so that nothing has to be measured before links are drawn. */
function shell({ width, height }: Box, { x, y }: Point): Pick<Node, 'position' | 'width' | 'height' | 'measured' | 'handles'> {
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

function linkBehind(box: Box, next: Box | undefined): LinkData {
  const { x1, y1, x2, y2 } = linkEnds(box, next ?? box)
  return { startX: x1 - box.x, startY: y1 - box.y, middleX: (x1 + x2) / 2 - box.x, middleY: (y1 + y2) / 2 - box.y }
}

/** Keeps the objects of nodes that have not changed: React Flow then leaves them alone, however many they are. */
export function reconciled(before: readonly PipelineNode[], now: PipelineNode[]): PipelineNode[] {
  const known = new Map(before.map((node) => [node.id, node]))
  return now.map((node) => {
    const old = known.get(node.id)
    return old !== undefined && sameNode(old, node) ? old : node
  })
}

function sameNode(a: PipelineNode, b: PipelineNode): boolean {
  return (
    a.type === b.type &&
    a.selected === b.selected &&
    a.zIndex === b.zIndex &&
    a.draggable === b.draggable &&
    a.ariaLabel === b.ariaLabel &&
    a.position.x === b.position.x &&
    a.position.y === b.position.y &&
    Object.entries(a.data).every(([key, value]) => value === b.data[key])
  )
}

export function pipelineEdges(line: readonly string[], connecting: { readonly from: string; readonly to: string } | null): Edge[] {
  const ids = ['source', ...line, 'sink']
  const edges: Edge[] = ids.slice(1).map((to, i) => ({ id: `${ids[i]} ${to}`, source: ids[i], target: to, type: 'link', focusable: false }))
  if (connecting !== null)
    edges.push({ id: 'connecting', source: connecting.from, target: connecting.to, type: 'link', className: 'is-drawn', focusable: false })
  return edges
}
