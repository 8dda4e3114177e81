import { useLayoutEffect, useRef, useState } from 'react'

/** A value that changes at most once in so many milliseconds: at once after a rest, and what it came to at last in any case. */
export function useSettled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const last = useRef(0)
  // Before the paint: after a rest the value is there in the same picture as what it goes with.
  useLayoutEffect(() => {
    const show = () => {
      last.current = performance.now()
      setShown(value)
    }
    const wait = ms - (performance.now() - last.current)
    if (wait <= 0) return show()
    const timer = setTimeout(show, wait)
    return () => clearTimeout(timer)
  }, [value, ms])
  return shown
}
