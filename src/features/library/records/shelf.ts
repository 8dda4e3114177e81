import { t } from '../../../language/translate.ts'
import type { Failure, Journal } from '../../../pipeline/journal.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { formerPolicies } from '../../../scenario/parse/gone.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { append, createTrace, type Trace } from '../../../trace/trace.ts'
import { openDatabase } from './database.ts'

/** The rows of a run since the part before, as typed arrays, which the database stores as they are. */
export interface RunPart extends Journal {
  readonly id: string
  /** From 0. */
  readonly part: number
  /** The head of the trace, in its first part only. */
  readonly head: Head | null
  /** The clock of the run at the end of the part. */
  readonly time: Micros
  readonly failures: readonly Failure[]
}

type Head = Pick<Trace, 'engine' | 'scenario' | 'startedAt'>

export type Shelf = ReturnType<typeof openShelf>

/** A run that was cut short, and how much of it is kept. */
export type Leftover = Awaited<ReturnType<Shelf['leftovers']>>[number]

/** Keeps parts of runs from one visit to the next. */
export function openShelf(name?: string) {
  const { opened, close } = openDatabase(name)
  const lockOf = (id: string) => `apportion run ${id}`
  const all = (id: string) => IDBKeyRange.bound([id, 0], [id, Infinity])

  /** Checks every part: it may be of another version. */
  async function leftover(id: string, last: number) {
    const database = await opened()
    const [first, latest] = (await Promise.all([database.get('runs', [id, 0]), database.get('runs', [id, last])])) as (
      | Partial<RunPart>
      | undefined
    )[]
    return {
      id,
      title: String(first?.head?.scenario?.title ?? ''),
      startedAt: Number(first?.head?.startedAt ?? 0),
      time: Number(latest?.time ?? 0),
    }
  }

  return {
    async put(part: RunPart) {
      await (await opened()).put('runs', part)
    },
    /** Forgets a run. Returns whether any other is left. */
    async forget(id: string) {
      const database = await opened()
      await database.delete('runs', all(id))
      return (await database.count('runs')) > 0
    },
    /** Returns the runs that no page plays any more, the newest first. */
    async leftovers() {
      const last = new Map<string, number>()
      for (const [id, part] of await (await opened()).getAllKeys('runs')) last.set(id, part)
      const free = await Promise.all([...last.keys()].map((id) => isFree(lockOf(id))))
      const found = await Promise.all([...last].filter((_, i) => free[i]).map(([id, part]) => leftover(id, part)))
      return found.sort((a, b) => b.startedAt - a.startedAt)
    },
    /** Returns the stored rows of a run; null if there are none. Throws an Error for parts of another version. */
    async read(id: string) {
      const parts = (await (await opened()).getAll('runs', all(id))) as readonly RunPart[]
      if (parts.length === 0) return null
      const { head } = parts[0]
      if (head === null) throw new Error(t('it was kept by another version of Apportion, or changed by hand'))
      const parsed = parse(head.scenario)
      if ('problems' in parsed) throw new Error(parsed.problems[0].message)
      const trace = createTrace(parsed.scenario, head.engine, head.startedAt, formerPolicies(head.scenario))
      for (const part of parts) {
        append(trace, part)
        trace.failures.push(...part.failures)
      }
      return trace
    },
    /** Marks a run as in progress, so that no other page offers it, until the page closes or the returned function is called. */
    hold(id: string): () => void {
      let release = () => {}
      const over = new Promise<void>((resolve) => {
        release = resolve
      })
      void navigator.locks?.request(lockOf(id), () => over).catch(() => {})
      return release
    },
    close,
  }
}

/** Without locks every run seems to be free. */
async function isFree(lock: string): Promise<boolean> {
  return (await navigator.locks?.request(lock, { ifAvailable: true }, (got) => got !== null).catch(() => true)) ?? true
}
