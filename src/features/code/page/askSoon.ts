/** Asks after a pause, in milliseconds, and ignores failures. Returns a function that cancels, for an effect of React. */
export function askSoon<Answer>(pause: number, ask: (signal: AbortSignal) => Promise<Answer>, answered: (answer: Answer) => void): () => void {
  const abort = new AbortController()
  const timer = setTimeout(() => ask(abort.signal).then(answered, () => {}), pause)
  return () => {
    clearTimeout(timer)
    abort.abort()
  }
}
