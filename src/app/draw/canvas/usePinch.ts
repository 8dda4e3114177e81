import { type TouchEvent, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Whether two fingers are on the canvas. One scrolls the page where there is nothing to pan; with the second it becomes a pinch,
 * and the canvas has to know of it before it hears of that finger itself.
 */
export function usePinch() {
  const [pinching, setPinching] = useState(false)
  const fingers = useMemo(() => {
    const heard = ({ touches }: TouchEvent) => flushSync(() => setPinching(touches.length > 1))
    return { onTouchStartCapture: heard, onTouchEndCapture: heard, onTouchCancelCapture: heard }
  }, [])
  return { pinching, fingers }
}
