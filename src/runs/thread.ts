import { type Remote, wrap } from 'comlink'
import { createLine, type Line } from '../engine/threads/line.ts'
import { catalogue, sayKept, type speak } from '../language/say.ts'
import { toSay } from '../language/toSay.ts'

/** A thread of the page that does one thing, with a line over which every call settles. */
export interface Thread<Api> {
  readonly remote: Remote<Api>
  readonly line: Line
  /** Ends the thread; calls under way are settled as `gone`. */
  end(reason: string): void
}

/**
 * Takes over a worker just made. These threads are the product's own: an error that nobody caught, or a script that cannot
 * be loaded, is the end of it, and `broken` is told why in English, for the record. It speaks the language of the page, as it is now.
 */
export function openThread<Api>(worker: Worker, broken: (reason: string) => void = () => {}): Thread<Api> {
  const line = createLine()
  const thread: Thread<Api> = {
    remote: wrap<Api>(worker),
    line,
    end(reason) {
      worker.terminate()
      line.cut(reason)
    },
  }
  const fail = (reason: string) => {
    thread.end(sayKept(reason))
    broken(reason)
  }
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    const message = event instanceof ErrorEvent ? event.message : ''
    fail(message ? `${toSay('a thread of the page broke')}: ${message}` : toSay('a thread of the page broke, or could not be loaded'))
  })
  worker.addEventListener('messageerror', () => fail(toSay('a thread of the page sent what could not be read')))
  // Messages keep their order: it is spoken before anything else is asked.
  if (catalogue().locale !== 'en') void line.ask(Infinity, () => wrap<{ speak: typeof speak }>(worker).speak(catalogue()))
  return thread
}
