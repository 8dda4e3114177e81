import { type RefObject, useEffect, useState } from 'react'

const hears = new WeakMap<Element, Set<(on: boolean) => void>>()
let observer: IntersectionObserver | null = null

/** Says whether an element is on the screen, each time that this has changed; returns what ends it. */
export function watch(element: Element, hear: (on: boolean) => void): () => void {
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

/** Whether an element is on the screen: yes until the opposite is known. */
export function useOnScreen(host: RefObject<Element | null>): boolean {
  const [on, set] = useState(true)
  useEffect(() => (host.current === null ? undefined : watch(host.current, set)), [host])
  return on
}
