import { type TouchEvent, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Returns whether two fingers are on the canvas. One finger scrolls the page if there is nothing to pan. The second makes it a pinch, which
 * React Flow must learn before it gets the event.
 */
export function usePinch() {
  const [pinching, setPinching] = useState(false)
  const fingers = useMemo(() => {
    const heard = ({ touches }: TouchEvent) => flushSync(() => setPinching(touches.length > 1))
    return { onTouchStartCapture: heard, onTouchEndCapture: heard, onTouchCancelCapture: heard }
  }, [])
  return { pinching, fingers }
}
