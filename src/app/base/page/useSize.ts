import { type RefObject, useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

/** In pixels. */
export type Size = { readonly width: number; readonly height: number }

/** Returns the inner size of an element in whole pixels; null until it is known or while there is none. `initial`: a guess for the first render. */
export function useSize(host: RefObject<HTMLElement | null>, initial: () => Size | null = () => null): Size | null {
  const [size, setSize] = useState(initial)
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((last) =>
        width === 0 || height === 0 ? null : last?.width === width && last.height === height ? last : { width, height },
      )
    }
    measure()
    // At once, so that no frame shows the old content in the new size.
    return onSize([element], () => flushSync(measure))
  }, [host])
  return size
}

/** Calls `changed` when one of the elements has its first size, and whenever it gets another. Returns an unsubscribe function. */
export function onSize(elements: Iterable<Element>, changed: () => void): () => void {
  const observer = new ResizeObserver(changed)
  for (const element of elements) observer.observe(element)
  return () => observer.disconnect()
}

/** Returns whether a media query holds; false in a prerendered page. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}

/** Returns whether the person points with fingers. */
export const useCoarsePointer = () => useMedia('(pointer: coarse)')
/** Returns whether the page is one column, as on a phone. */
export const useNarrow = () => useMedia('(max-width: 820px)')
