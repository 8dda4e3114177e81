import { type Remote, wrap } from 'comlink'
import { createLine, type Line } from '../engine/threads/line.ts'
import { catalogue, type speak } from '../language/say.ts'

/** A thread of the page that does one thing, with a line over which every call settles. */
export interface Thread<Api> {
  readonly remote: Remote<Api>
  readonly line: Line
  /** Ends the thread; calls under way are settled as `gone`. */
  end(reason: string): void
}

/**
 * Takes over a worker just made. These threads are the product's own: an error that nobody caught, or a script that cannot
 * be loaded, is the end of it, and `broken` is told why in words. It speaks the language of the page, as it is now.
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
    thread.end(reason)
    broken(reason)
  }
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    const said = event instanceof ErrorEvent && event.message ? `: ${event.message}` : ', or could not be loaded'
    fail(`a thread of the page broke${said}`)
  })
  worker.addEventListener('messageerror', () => fail('a thread of the page sent what could not be read'))
  // Messages keep their order: it is spoken before anything else is asked.
  if (catalogue().locale !== 'en') void line.ask(Infinity, () => wrap<{ speak: typeof speak }>(worker).speak(catalogue()))
  return thread
}
