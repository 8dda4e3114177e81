import { type RefObject, useEffect, useRef } from 'react'
import { listenToPulls, type Pulls } from '../../../views/drawing/dragging.ts'

/** Returns the ref of an element over which a person pulls. Callbacks are those of the latest render. */
export function usePulls(pulls: Pulls, touchAction?: 'none'): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(pulls)
  latest.current = pulls
  useEffect(
    () => (element.current === null ? undefined : listenToPulls(element.current, () => latest.current, touchAction)),
    [touchAction],
  )
  return element
}
