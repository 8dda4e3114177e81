import { type CSSProperties, type RefObject, useEffect, useRef } from 'react'
import { onPressElsewhere } from '../../base/ui/Menu.tsx'

/** Returns the place of a popup at a point of the window: below it, or above it if there is more room. A press elsewhere closes it. */
export function usePlace(
  x: number,
  y: number,
  width: number,
  shut: () => void,
): { readonly root: RefObject<HTMLDivElement | null>; readonly style: CSSProperties } {
  const root = useRef<HTMLDivElement>(null)
  const last = useRef(shut)
  last.current = shut
  useEffect(() => onPressElsewhere(root, () => last.current()), [])
  const above = y > innerHeight / 2
  return {
    root,
    style: {
      position: 'fixed',
      zIndex: 40,
      left: Math.max(8, Math.min(x, innerWidth - width - 8)),
      right: 'auto',
      ...(above ? { top: 'auto', bottom: innerHeight - y + 6 } : { top: y + 6 }),
      maxHeight: (above ? y : innerHeight - y) - 20,
    },
  }
}
