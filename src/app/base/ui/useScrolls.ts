import { type RefObject, useLayoutEffect, useState } from 'react'

/** Returns whether the content of a box is larger than the box. Then the box must take the focus, so that keys can scroll it. */
export function useScrolls(host: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const box = host.current
    if (box === null) return
    const measure = () => setScrolls(box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    for (const each of [box, ...box.children]) observer.observe(each)
    return () => observer.disconnect()
  })
  return scrolls
}
