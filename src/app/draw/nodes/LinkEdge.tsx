import {
  type ConnectionLineComponentProps,
  type Edge,
  type EdgeProps,
  type InternalNode,
  useStore,
} from '@xyflow/react'
import { memo, useMemo } from 'react'
import { t } from '../../../language/translate.ts'
import { percent } from '../../../views/drawing/format.ts'
import { useLanguage } from '../../base/page/language.ts'
import { useSession } from '../../session/useSession.ts'
import { nameIn } from '../editing/actions.ts'
import { type Connecting, canvasView, linkKey } from '../editing/canvasStore.ts'
import { linkCurve, linkPath, onPiece } from '../layout/linkCurve.ts'
import type { Box, Flow, Point } from '../layout/places.ts'
import type { ShownPipeline } from './pipelineNodes.ts'

/** A link between two nodes, with an arrow at its end and, if jobs are routed, their share. */
export const LinkEdge = memo(function LinkEdge({ source, target, data }: EdgeProps<PipelineEdge>) {
  useLanguage()
  const { flow = null, via = NO_WAY, joins = false, share = '', invalid = false, picked = false } = data ?? {}
  // Called at every change of any node; most do not change this link.
  const ends = useStore(
    ({ nodeLookup }): Ends => [boxOf(nodeLookup.get(source)), boxOf(nodeLookup.get(target))],
    sameEnds,
  )
  const { path, x, y, anchor } = useMemo(() => drawn(ends, flow, via, joins), [ends, flow, via, joins])
  return (
    <>
      <path className="pipeline-link" data-faulty={invalid} data-picked={picked} d={path} />
      <path className="pipeline-link-reach" d={path} />
      {share !== '' && (
        <text className="pipeline-share" x={x} y={y} textAnchor={anchor}>
          {share}
        </text>
      )}
    </>
  )
})

type Ends = readonly [Box | null, Box | null]
const NO_WAY: readonly Point[] = []

const sameBox = (a: Box | null, b: Box | null): boolean =>
  a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height)
const sameEnds = ([a, b]: Ends, [c, d]: Ends): boolean => sameBox(a, c) && sameBox(b, d)

function drawn([from, to]: Ends, flow: Flow | null, via: readonly Point[], joins: boolean) {
  if (from === null || to === null) return { path: '', x: 0, y: 0, anchor: 'start' as const }
  const last = via[via.length - 1]
  const curve = joins
    ? linkCurve(from, { ...last, width: 0, height: 0 }, flow, via.slice(0, -1))
    : linkCurve(from, to, flow, via)
  const { x, y } = onPiece(curve, 0, 0.62)
  // Before the link, on its open side: the buttons on links are behind it.
  const aside = flow === 'down' ? curve[3].x - curve[0].x : curve[3].y - curve[0].y
  const at =
    flow !== 'down' && Math.abs(aside) < 12
      ? ({ x: onPiece(curve, 0, 0.5).x, y: y - 6, anchor: 'middle' } as const)
      : ({ x: x - 6, y: y + (aside < 0 ? -2 : 9), anchor: 'end' } as const)
  return { path: linkPath(curve, flow === null, !joins), ...at }
}

export function DrawnLink({ fromNode, toX, toY }: ConnectionLineComponentProps) {
  const session = useSession()
  const from = boxOf(fromNode)
  if (from === null) return null
  const flow = canvasView(session).arrangement?.flow ?? null
  return (
    <path
      className="pipeline-link is-drawn"
      d={linkPath(linkCurve(from, { x: toX, y: toY, width: 0, height: 0 }, flow), flow === null)}
    />
  )
}

export function boxOf(node: InternalNode | undefined): Box | null {
  if (node === undefined) return null
  const { positionAbsolute } = node.internals
  return {
    ...positionAbsolute,
    width: node.measured.width ?? node.width ?? 0,
    height: node.measured.height ?? node.height ?? 0,
  }
}

interface LinkEdgeData extends Record<string, unknown> {
  readonly flow: Flow | null
  readonly via: readonly Point[]
  /** Whether the link ends at the last of these points, where it joins another link to the same end. */
  readonly joins: boolean
  /** The share of jobs that take this link, if they are routed. */
  readonly share: string
  readonly invalid: boolean
  readonly picked: boolean
}
export type PipelineEdge = Edge<Partial<LinkEdgeData>, 'link'>

type ShownLinks = Pick<ShownPipeline, 'draft' | 'links' | 'arrangement' | 'problems' | 'link'> & {
  /** The dragged stages. */
  readonly dragged: readonly string[]
  readonly connecting: Connecting | null
}

/** Returns the links for React Flow, and the one that is being drawn by keys. */
export function pipelineEdges(shown: ShownLinks): PipelineEdge[] {
  const { draft, links, arrangement, problems, dragged, connecting } = shown
  const { flow, via, joins } = arrangement
  const routes = new Map(draft.stages.map(({ id, fanOut }) => [id, fanOut === 'copy' ? null : fanOut.route]))
  const edge = (id: string, source: string, target: string, data: Partial<LinkEdgeData>, className = '') => ({
    id,
    source,
    target,
    type: 'link' as const,
    focusable: false,
    ariaLabel: t('Link from {link} to {link2}', { link: nameIn(draft, source), link2: nameIn(draft, target) }),
    domAttributes: { 'aria-roledescription': t('link') },
    className,
    data: { flow, ...data },
  })
  const edges: PipelineEdge[] = links.map(([from, to]) => {
    const key = linkKey([from, to])
    const route = routes.get(from)
    const total = Object.values(route ?? {}).reduce((sum, weight) => sum + weight, 0)
    // The link of a dragged card is straight.
    const isMoved = dragged.includes(from) || dragged.includes(to)
    return edge(key, from, to, {
      ...(!isMoved && { via: (via.get(key) ?? []).slice(0, joins.get(key)), joins: joins.has(key) }),
      share: route && Object.keys(route).length > 1 ? percent(route[to] / total, 0) : '',
      invalid: problems.has(key),
      picked: shown.link === key,
    })
  })
  return connecting === null ? edges : [...edges, edge('connecting', connecting.from, connecting.to, {}, 'is-drawn')]
}
