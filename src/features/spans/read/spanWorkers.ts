import { t } from '../../../language/translate.ts'
import { NONE } from '../../../pipeline/rows.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { choices, columnOf } from './spanJobs.ts'
import { attributeAt, type SpanTable } from './spanTable.ts'
import type { SpanFlow } from './stageGraph.ts'

/** What tells workers, the likeliest first. */
const WORKERS = [
  /(^|[._\s-])worker([._\s-]?(id|no|nr|number|name))?$/i,
  /^thread$/,
  /(^|[._\s-])thread([._\s-]?(id|name))?$/i,
  /(^|[._\s-])(pid|process\.pid|instance\.id|pod\.name|hostname|host\.name|container\.id)$/i,
]
/** A worker is at several jobs at once in at most this share of its services. */
const RARE = 0.01
/** Of the services, this share must name a worker. */
const MOST = 0.9
/** Services of one worker may overlap by this much, and by this share of the shorter: clocks are read one after the other. */
const CLOCKS = 1000
const CLOCK_SHARE = 0.1

interface Lane {
  readonly worker: number
  until: number
  length: number
}

export interface Workers {
  /** By service, from 0. */
  readonly worker: Int32Array
  readonly count: number
  /** What told them; null: overlaps. */
  readonly name: string | null
}

/** Finds the worker of each service, and moves beginnings that overlap a little. Throws a Refusal for a choice that no span has. */
export function spanWorkersOf(
  table: SpanTable,
  span: Int32Array,
  kept: (i: number) => boolean,
  flow: SpanFlow,
  choice: string | null,
  notes: string[],
): Workers {
  const order = Int32Array.from(span.keys()).filter(kept)
  const { began, ended, stage } = flow
  order.sort((a, b) => began[a] - began[b] || ended[a] - ended[b] || a - b)
  if (choice !== null) {
    const column = columnOf(table, choice)
    if (column === null) throw new Refusal('--worker', t('found "{name}"; allowed: {names}', { name: choice, names: choices(table).join(', ') }))
    const lanes = lanesOf(order, flow, (i) => attributeAt(column, span[i]))
    if (lanes.extra > 0) notes.push(severalAtOnce(choice, lanes.groups, lanes.count))
    return result(lanes, choice, flow)
  }
  const known = (name: string): boolean => {
    const column = columnOf(table, name)
    return column !== null && order.reduce((sum, i) => sum + (attributeAt(column, span[i]) === NONE ? 0 : 1), 0) >= MOST * order.length
  }
  const ranked = WORKERS.flatMap((pattern) => ['thread', ...table.attributes.keys()].filter((name) => pattern.test(name) && known(name)))
  let first: readonly [string, Lanes] | null = null
  for (const [k, name] of [...new Set(ranked)].entries()) {
    const column = columnOf(table, name) as readonly number[]
    const others = ranked.slice(k + 1).filter((other) => WORKERS[3].test(other))
    // Numbers may begin again in each process, or at each stage.
    for (const keys of [
      (i: number) => `${attributeAt(column, span[i])}`,
      ...others.map((other) => both(table, span, name, other)),
      (i: number) => `${attributeAt(column, span[i])} ${stage[i]}`,
    ]) {
      const lanes = lanesOf(order, flow, keys)
      if (lanes.extra <= RARE * order.length) {
        if (lanes.extra > 0) notes.push(severalAtOnce(name, lanes.groups, lanes.count))
        return result(lanes, name, flow)
      }
      first ??= [name, lanes]
    }
  }
  if (first !== null) {
    const [name, lanes] = first
    notes.push(severalAtOnce(name, lanes.groups, lanes.count))
    return result(lanes, name, flow)
  }
  const lanes = lanesOf(order, flow, (i) => stage[i])
  notes.push(t('No attribute names a worker. Each stage has as many workers as services ran there at once: {count} in all.', { count: lanes.count }))
  return result(lanes, null, flow)
}

const severalAtOnce = (name: string, groups: number, count: number): string =>
  t('Workers by {name}: {groups}. They had several jobs at once, so they count as {count}.', { name, groups, count })

function both(table: SpanTable, span: Int32Array, a: string, b: string): (i: number) => string {
  const [first, second] = [columnOf(table, a), columnOf(table, b)]
  return (i) => `${attributeAt(first ?? [], span[i])} ${attributeAt(second ?? [], span[i])}`
}

type Lanes = ReturnType<typeof lanesOf>

/** Gives each service a lane of its group that is free, the one that was free last. */
function lanesOf(order: Int32Array, { began, ended }: SpanFlow, keyOf: (i: number) => string | number) {
  const worker = new Int32Array(began.length).fill(NONE)
  const from = Float64Array.from(began)
  const groups = new Map<string | number, Lane[]>()
  let count = 0
  let extra = 0
  for (const i of order) {
    const key = keyOf(i)
    let lanes = groups.get(key)
    if (lanes === undefined) {
      lanes = []
      groups.set(key, lanes)
    }
    const length = ended[i] - began[i]
    let best: Lane | null = null
    let late: Lane | null = null
    for (const lane of lanes) {
      if (lane.until <= began[i]) {
        if (best === null || lane.until > best.until) best = lane
      } else if (lane.until - began[i] < Math.min(CLOCKS, CLOCK_SHARE * Math.min(length, lane.length))) late = lane
    }
    let lane = best ?? late
    if (lane === null) {
      if (count === MAX_WORKERS) throw new Refusal('--worker', t('found more than {most} workers', { most: MAX_WORKERS }))
      if (lanes.length > 0) extra++
      lane = { worker: count++, until: 0, length: 0 }
      lanes.push(lane)
    } else if (lanes.length > 1) extra++
    worker[i] = lane.worker
    from[i] = Math.max(began[i], lane.until)
    lane.until = ended[i]
    lane.length = length
  }
  return { worker, from, count, groups: groups.size, extra }
}

function result({ worker, from, count }: Lanes, name: string | null, { began }: SpanFlow): Workers {
  began.set(from)
  return { worker, count, name }
}
