import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Returns the inner size of an element in whole pixels; null until it is known or while there is none. `before`: a guess for the first render. */
export function useSize(host: RefObject<HTMLElement | null>, before: () => Size | null = () => null): Size | null {
  const [size, setSize] = useState(before)
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((last) => (width === 0 || height === 0 ? null : last?.width === width && last.height === height ? last : { width, height }))
    }
    measure()
    // At once, so that no frame shows the old content in the new size.
    return onSize([element], () => flushSync(measure))
  }, [host])
  return size
}

/** Calls `hear` when one of the elements has its first size, and whenever it gets another. Returns what ends it. */
export function onSize(elements: Iterable<Element>, hear: () => void): () => void {
  const observer = new ResizeObserver(hear)
  for (const element of elements) observer.observe(element)
  return () => observer.disconnect()
}
