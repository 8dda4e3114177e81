import { useEffect, useRef, useState } from 'react'

/** Returns the value, changed at most once in so many milliseconds; the last one is never left out. */
export function useCalm<T>(value: T, milliseconds: number): T {
  const [shown, setShown] = useState(value)
  const changed = useRef(-Infinity)
  useEffect(() => {
    if (Object.is(value, shown)) return
    const show = () => {
      changed.current = performance.now()
      setShown(value)
    }
    const left = changed.current + milliseconds - performance.now()
    const timer = setTimeout(show, Math.max(0, left))
    return () => clearTimeout(timer)
  }, [value, shown, milliseconds])
  return shown
}
