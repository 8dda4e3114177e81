import { type Counts, IDLE } from '../../pipeline/counts.ts'
import { DISMISSED, kinds, PREFETCH, type RowKind, type Rows, STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { eachRow, type Trace, timeOf, traceRow } from '../../trace/trace.ts'

/** What the core learned: rows of one kind, worker and stage. */
export interface Fact {
  readonly kind: RowKind
  /** -1 if there is none, as for arrivals. */
  readonly worker: number
  readonly stage: number
  /** The number of rows, so of jobs where the kind has jobs, and the first job. */
  readonly jobs: number
  readonly job: number
}

export interface Assignment {
  readonly worker: number
  /** Where it stood before; -1 for its first. */
  readonly from: number
  readonly stage: number
  readonly jobs: number
  readonly job: number
  /** Whether it is a prefetched batch, beside the one that the worker is at. */
  readonly prefetch: boolean
}

/** Returns what led to decision `d` at its instant, in order. */
export function factsOf(trace: Trace, d: number, time: Micros): Fact[] {
  const { row } = trace.decisions
  const before = d > 0 ? row[d - 1] : 0
  let from = row[d]
  while (from > before && timeOf(trace, from - 1) === time) from--
  while (from < row[d] && isOrder(traceRow(trace, from).kind)) from++
  return grouped(trace, from, row[d])
}

/** Returns the batches that decision `d` gave out. `before`: the counts at that point. */
export function assignmentsOf(trace: Trace, d: number, time: Micros, before: Counts): Assignment[] {
  const from = trace.decisions.row[d]
  let to = from
  while (to < trace.length && timeOf(trace, to) === time && isOrder(traceRow(trace, to).kind)) to++
  const orders = grouped(trace, from, to)
  return orders.flatMap(({ kind, worker, stage, jobs, job }, i) =>
    kind === 'started'
      ? [{ worker, from: before.stage[worker], stage, jobs, job, prefetch: orders[i - 1]?.kind === 'second' }]
      : [],
  )
}

/** Returns the workers that these facts made free. */
export function freeAfter(facts: readonly Fact[], { status }: Counts): number[] {
  const freed = facts
    .filter(({ kind }) => kind === 'finished' || kind === 'threw' || kind === 'joined')
    .map(({ worker }) => worker)
  return [...new Set(freed)].filter((worker) => status[worker] === IDLE)
}

function grouped(trace: Trace, from: number, to: number): Fact[] {
  const facts: { -readonly [K in keyof Fact]: Fact[K] }[] = []
  let last: (typeof facts)[number] | undefined
  eachRow(trace, from, to, (rows: Rows, i: number) => {
    const kind = kinds[rows.kind[i]]
    const worker = rows.worker[i]
    const stage = rows.stage[i]
    if (last !== undefined && last.kind === kind && last.worker === worker && last.stage === stage) {
      last.jobs++
      return
    }
    last = { kind, worker, stage, jobs: 1, job: rows.job[i] }
    facts.push(last)
  })
  return facts
}

function isOrder(kind: number): boolean {
  return (kind >= STARTED && kind <= DISMISSED) || kind === PREFETCH
}
