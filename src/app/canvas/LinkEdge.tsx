import { type ConnectionLineComponentProps, type EdgeProps, type InternalNode, useStore } from '@xyflow/react'
import { memo } from 'react'
import type { Box } from './layout.ts'
import { type LinkEnds, linkEnds } from './linkEnds.ts'

/** A straight link between the sides that face each other, wherever the two stand, with a small mark at its end. */
export const LinkEdge = memo(function LinkEdge({ source, target }: EdgeProps) {
  const path = useStore(({ nodeLookup }) => {
    const [from, to] = [boxOf(nodeLookup.get(source)), boxOf(nodeLookup.get(target))]
    return from === null || to === null ? '' : linkPath(linkEnds(from, to))
  })
  return (
    <>
      <path className="pipeline-link" d={path} />
      <path className="pipeline-link-reach" d={path} />
    </>
  )
})

/** The link that is being drawn by pointer. */
export function DrawnLink({ fromNode, toX, toY }: ConnectionLineComponentProps) {
  const from = boxOf(fromNode)
  return from === null ? null : <path className="pipeline-link is-drawn" d={linkPath(linkEnds(from, { x: toX, y: toY, width: 0, height: 0 }))} />
}

export function boxOf(node: InternalNode | undefined): Box | null {
  if (node === undefined) return null
  const { positionAbsolute } = node.internals
  return { ...positionAbsolute, width: node.measured.width ?? node.width ?? 0, height: node.measured.height ?? node.height ?? 0 }
}

const SHORT = 2
const HEAD = 3.5

/** A line that stops short of its end, and a small angle there. */
function linkPath({ x1, y1, x2, y2 }: LinkEnds): string {
  const length = Math.hypot(x2 - x1, y2 - y1)
  if (length < 2 * HEAD) return ''
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length]
  const [ex, ey] = [x2 - ux * SHORT, y2 - uy * SHORT]
  const [bx, by] = [ex - ux * HEAD, ey - uy * HEAD]
  const f = (n: number) => n.toFixed(1)
  return `M${f(x1)} ${f(y1)}L${f(ex)} ${f(ey)}M${f(bx - uy * HEAD)} ${f(by + ux * HEAD)}L${f(ex)} ${f(ey)}L${f(bx + uy * HEAD)} ${f(by - ux * HEAD)}`
}
