import { type ConnectionLineComponentProps, type EdgeProps, type InternalNode, useStore } from '@xyflow/react'
import { memo, useMemo } from 'react'
import { useLanguage } from '../../base/page/language.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasView } from '../editing/canvasStore.ts'
import { linkCurve, linkPath, onPiece } from '../layout/linkCurve.ts'
import type { Box, Flow, Point } from '../layout/places.ts'
import type { PipelineEdge } from './pipelineNodes.ts'

/** A link between two nodes, with an arrow at its end and, if jobs are routed, their share. */
export const LinkEdge = memo(function LinkEdge({ source, target, data }: EdgeProps<PipelineEdge>) {
  useLanguage()
  const { flow = null, via = NO_WAY, joins = false, share = '', invalid = false, picked = false } = data ?? {}
  // Called at every change of any node; most do not change this link.
  const ends = useStore(({ nodeLookup }): Ends => [boxOf(nodeLookup.get(source)), boxOf(nodeLookup.get(target))], sameEnds)
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

function sameEnds([a, b]: Ends, [c, d]: Ends): boolean {
  return sameBox(a, c) && sameBox(b, d)
}

function sameBox(a: Box | null, b: Box | null): boolean {
  return a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height)
}

function drawn([from, to]: Ends, flow: Flow | null, via: readonly Point[], joins: boolean) {
  if (from === null || to === null) return { path: '', x: 0, y: 0, anchor: 'start' as const }
  const last = via[via.length - 1]
  const curve = joins ? linkCurve(from, { ...last, width: 0, height: 0 }, flow, via.slice(0, -1)) : linkCurve(from, to, flow, via)
  const { x, y } = onPiece(curve, 0, 0.62)
  const rise = curve[3].y - curve[0].y
  // Beside the link, on its open side.
  const at =
    flow === 'down' || Math.abs(rise) < 12
      ? ({ x: x + 6, y: y - 6, anchor: 'start' } as const)
      : ({ x: x - 6, y: y + (rise < 0 ? -2 : 9), anchor: 'end' } as const)
  return { path: linkPath(curve, flow === null, !joins), ...at }
}

/** The link being drawn with the pointer. */
export function DrawnLink({ fromNode, toX, toY }: ConnectionLineComponentProps) {
  const session = useSession()
  const from = boxOf(fromNode)
  if (from === null) return null
  const flow = canvasView(session).arrangement?.flow ?? null
  return <path className="pipeline-link is-drawn" d={linkPath(linkCurve(from, { x: toX, y: toY, width: 0, height: 0 }, flow), flow === null)} />
}

export function boxOf(node: InternalNode | undefined): Box | null {
  if (node === undefined) return null
  const { positionAbsolute } = node.internals
  return { ...positionAbsolute, width: node.measured.width ?? node.width ?? 0, height: node.measured.height ?? node.height ?? 0 }
}
