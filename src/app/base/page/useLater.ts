import { useEffect, useState } from 'react'

/** Returns the answer of `find` for a key; null until it is known, and for a null key. The signal aborts when the answer is no longer wanted. */
export function useLater<Key, Answer>(key: Key | null, find: (key: Key, signal: AbortSignal) => Promise<Answer>): Answer | null {
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
