import { useLayoutEffect, useRef, useState } from 'react'

/** What is dear to draw is renewed the less often: this many times what it took goes by in between. */
const REST = 6

/** A value that changes at most once in so many milliseconds: at once after a rest, and what it came to at last in any case. */
export function useSettled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const last = useRef(0)
  const cost = useRef(0)
  // Before the paint: after a rest the value is there in the same picture as what it goes with.
  useLayoutEffect(() => {
    const show = () => {
      last.current = performance.now()
      setShown(value)
    }
    const wait = Math.max(ms, REST * cost.current) - (performance.now() - last.current)
    if (wait <= 0) return show()
    const timer = setTimeout(show, wait)
    return () => clearTimeout(timer)
  }, [value, ms])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that another value has been drawn
  useLayoutEffect(() => {
    if (last.current > 0) cost.current = performance.now() - last.current
  }, [shown])
  return shown
}
