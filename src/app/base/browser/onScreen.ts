import { type RefObject, useEffect, useState } from 'react'

const hears = new WeakMap<Element, Set<(on: boolean) => void>>()
let observer: IntersectionObserver | null = null

/** Calls `hear` whenever an element enters or leaves the screen. Returns what ends it. */
export function watchOnScreen(element: Element, hear: (on: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) for (const each of hears.get(target) ?? []) each(isIntersecting)
  })
  const heard = hears.get(element) ?? new Set()
  hears.set(element, heard.add(hear))
  observer.observe(element)
  return () => {
    heard.delete(hear)
    if (heard.size === 0) {
      hears.delete(element)
      observer?.unobserve(element)
    }
  }
}

/** Returns whether an element is on the screen; true until it is known. */
export function useOnScreen(host: RefObject<Element | null>): boolean {
  const [on, set] = useState(true)
  useEffect(() => (host.current === null ? undefined : watchOnScreen(host.current, set)), [host])
  return on
}
