import { type RefObject, useLayoutEffect, useState } from 'react'
import { onSize } from '../page/useSize.ts'

/** Returns whether the content of a box is larger than the box. Then the box must take the focus, so that keys can scroll it. */
export function useScrolls(host: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const box = host.current
    if (box === null) return
    return onSize([box, ...box.children], () => setScrolls(box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1))
  })
  return scrolls
}
