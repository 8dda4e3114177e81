import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Returns the answer of `find` for a key; null until it is known, and for a null key. The signal aborts when the answer is no longer wanted. */
export function useLater<Key, Answer>(
  key: Key | null,
  find: (key: Key, signal: AbortSignal) => Promise<Answer>,
): Answer | null {
  const [known, setKnown] = useState<{ readonly key: Key; readonly answer: Answer } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once about each key
  useEffect(() => {
    if (key === null) return
    const asking = new AbortController()
    const { signal } = asking
    void find(key, signal).then((answer) => signal.aborted || setKnown({ key, answer }))
    return () => asking.abort()
  }, [key])
  return known?.key === key ? known.answer : null
}

/** The pause after a slow draw, in multiples of the time that it took. */
const REST = 6

/** Returns a value that follows `value` at most once in `ms` milliseconds, at once after a pause. The latest value always arrives. */
export function useSettled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const last = useRef(0)
  const cost = useRef(0)
  // Set before the paint, so that after a pause the value appears in the same frame as its surroundings.
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
