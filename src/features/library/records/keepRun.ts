import { beginning, endPlace, journalBetween } from '../../../trace/journalBetween.ts'
import { endOf, type Trace } from '../../../trace/trace.ts'
import type { Shelf } from './shelf.ts'

/** New rows are written after this many milliseconds, in the next idle moment, or at the latest after as many again. */
const EVERY_MS = 1500

export type RunKeeper = ReturnType<typeof keepRun>

interface KeeperOptions {
  /** Milliseconds. */
  readonly now?: () => number
  /** Called with whether anything is stored now. */
  readonly tell?: (kept: boolean) => void
  readonly every?: number
}

/**
 * Returns a keeper that stores the rows of a run. Each part holds the rows since the part before, so that an hour's run costs no more than a
 * minute's. If the browser refuses to store anything, the run continues all the same.
 */
export function keepRun(
  trace: Trace,
  shelf: Shelf,
  { now = () => performance.now(), tell = () => {}, every = EVERY_MS }: KeeperOptions = {},
) {
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const release = shelf.hold(id)
  let had = { ...beginning, failures: 0 }
  let part = 0
  let writing: Promise<unknown> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = Infinity
  let over = false

  /** Writes what has not been written yet. Resolves when it is in the database. */
  function write(): Promise<void> {
    clearTimeout(timer)
    due = Infinity
    const { length, failures, engine, scenario, startedAt } = trace
    if (!over && length > had.rows) {
      const head = part === 0 ? { engine, scenario, startedAt } : null
      const next = {
        id,
        part: part++,
        head,
        time: endOf(trace),
        failures: failures.slice(had.failures),
        ...journalBetween(trace, had),
      }
      had = { ...endPlace(trace), failures: failures.length }
      writing = writing.then(() => shelf.put(next)).then(() => tell(true))
      writing.catch(() => {
        over = true
        release()
      })
    }
    return writing.then(
      () => {},
      () => {},
    )
  }

  /** Finishes the pending writes, then forgets the run. */
  async function forget(): Promise<void> {
    over = true
    clearTimeout(timer)
    await writing.catch(() => {})
    await shelf.forget(id).then(tell, () => {})
    release()
  }

  return {
    write,
    /** Called when rows have come to the trace, or the run has ended. */
    rowsAdded() {
      if (over) return
      if (trace.ending !== null) void forget()
      else if (due === Infinity) {
        due = now() + every
        timer = setTimeout(() => atRest(write, every), every)
      }
      // In a hidden page timers come late, but messages do not.
      else if (now() > due + every) void write()
    },
  }
}

function atRest(work: () => void, timeout: number): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout })
  else work()
}
