import { type ConnectionLineComponentProps, type EdgeProps, type InternalNode, useStore } from '@xyflow/react'
import { memo } from 'react'
import { canvasView } from './canvasStore.ts'
import { linkCurve, linkPath, onPiece } from './linkCurve.ts'
import type { PipelineEdge } from './pipelineNodes.ts'
import type { Box } from './places.ts'

/** A link between two nodes, wherever they stand, with a small mark at its end and, where jobs are routed, its share of them. */
export const LinkEdge = memo(function LinkEdge({ source, target, data }: EdgeProps<PipelineEdge>) {
  const { flow = null, via = [], share = '', faulty = false, picked = false } = data ?? {}
  const drawn = useStore(({ nodeLookup }) => {
    const [from, to] = [boxOf(nodeLookup.get(source)), boxOf(nodeLookup.get(target))]
    if (from === null || to === null) return ''
    const curve = linkCurve(from, to, flow, via)
    const { x, y } = onPiece(curve, 0, 0.78)
    // One text, so that a link whose ends stand still is not drawn anew.
    return `${linkPath(curve, flow === null)};${x.toFixed(1)};${y.toFixed(1)}`
  })
  const [path, x, y] = drawn.split(';')
  return (
    <>
      <path className="pipeline-link" data-faulty={faulty} data-picked={picked} d={path} />
      <path className="pipeline-link-reach" d={path} />
      {share !== '' && (
        <text className="pipeline-share" x={x} y={y} dy="-5">
          {share}
        </text>
      )}
    </>
  )
})

/** The link that is being drawn by pointer. */
export function DrawnLink({ fromNode, toX, toY }: ConnectionLineComponentProps) {
  const from = boxOf(fromNode)
  if (from === null) return null
  const flow = canvasView.arrangement?.flow ?? null
  return <path className="pipeline-link is-drawn" d={linkPath(linkCurve(from, { x: toX, y: toY, width: 0, height: 0 }, flow), flow === null)} />
}

export function boxOf(node: InternalNode | undefined): Box | null {
  if (node === undefined) return null
  const { positionAbsolute } = node.internals
  return { ...positionAbsolute, width: node.measured.width ?? node.width ?? 0, height: node.measured.height ?? node.height ?? 0 }
}
