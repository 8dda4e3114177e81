import { type RefObject, useLayoutEffect, useState } from 'react'

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
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [host])
  return size
}
