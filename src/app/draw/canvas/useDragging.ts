import type { OnNodeDrag } from '@xyflow/react'
import { type TouchEvent, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSession } from '../../session/useSession.ts'
import { moveStageTo, placeStages, stagesInTabOrder } from '../editing/actions.ts'
import { canvasStore, selectNode } from '../editing/canvasStore.ts'
import { slotAt } from '../layout/layout.ts'
import { type Arrangement, CARD, type Point } from '../layout/places.ts'
import { type Drag, keepSame, type PipelineNode } from '../nodes/pipelineNodes.ts'

/**
 * Moves cards. In an automatic layout, a card that is dropped on the line takes a place in the line. A card that is dropped elsewhere stays
 * there, and all cards then keep their places.
 */
export function useDragging(arrangement: () => Arrangement) {
  const session = useSession()
  const [drag, setDrag] = useState<Drag | null>(null)
  const [preview, setPreview] = useState<readonly string[] | null>(null)
  const handlers = useMemo(() => {
    const onNodeDrag: OnNodeDrag<PipelineNode> = (_, { id, position }, together) => {
      setDrag(new Map(together.map((node) => [node.id, node.position])))
      if (together.length > 1) return
      const slot = slotAt(arrangement().slots, middleOf(position, arrangement()))
      setPreview((before) => (slot === null ? null : keepSame(before, insertedAt(stagesInTabOrder(session), id, slot))))
    }
    const onNodeDragStart: OnNodeDrag<PipelineNode> = (_, { id }) => {
      if (!canvasStore(session).getState().chosen.includes(id)) selectNode(session, id)
    }
    const onNodeDragStop: OnNodeDrag<PipelineNode> = (_, { id, position }, together) => {
      const { boxes, slots } = arrangement()
      setDrag(null)
      setPreview(null)
      const slot = together.length > 1 ? null : slotAt(slots, middleOf(position, arrangement()))
      if (slot === null) placeStages(session, new Map(together.map((node) => [node.id, node.position])), boxes)
      else if (stagesInTabOrder(session)[slot] !== id) moveStageTo(session, id, slot)
    }
    return { onNodeDrag, onNodeDragStart, onNodeDragStop }
  }, [arrangement, session])
  return { drag, preview, handlers }
}

function middleOf({ x, y }: Point, { slots }: Arrangement): Point {
  const { width, height } = slots[0] ?? CARD
  return { x: x + width / 2, y: y + height / 2 }
}

function insertedAt(line: readonly string[], id: string, at: number): string[] {
  const others = line.filter((each) => each !== id)
  return [...others.slice(0, at), id, ...others.slice(at)]
}

/** Returns whether two fingers are on the canvas, before React Flow gets the event: one finger scrolls the page, the second makes it a pinch. */
export function usePinch() {
  const [pinching, setPinching] = useState(false)
  const fingers = useMemo(() => {
    const touched = ({ touches }: TouchEvent) => flushSync(() => setPinching(touches.length > 1))
    return { onTouchStartCapture: touched, onTouchEndCapture: touched, onTouchCancelCapture: touched }
  }, [])
  return { pinching, fingers }
}
