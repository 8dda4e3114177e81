import { t } from '../../../language/translate.ts'
import { DISCARDED, GATHERED, NONE, ROUTED, WITHDRAWN } from '../../../pipeline/rows.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { choices, columnOf } from './spanJobs.ts'
import { attributeAt, type SpanTable } from './spanTable.ts'
import { eachJob, type SpanFlow } from './stageGraph.ts'

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
    if (column === null)
      throw new Refusal(
        '--worker',
        t('found "{name}"; allowed: {names}', { name: choice, names: choices(table).join(', ') }),
      )
    const lanes = lanesOf(order, flow, (i) => attributeAt(column, span[i]))
    if (lanes.extra > 0) notes.push(severalAtOnce(choice, lanes.groups, lanes.count))
    return result(lanes, choice, flow)
  }
  const known = (name: string): boolean => {
    const column = columnOf(table, name)
    return (
      column !== null &&
      order.reduce((sum, i) => sum + (attributeAt(column, span[i]) === NONE ? 0 : 1), 0) >= MOST * order.length
    )
  }
  const ranked = WORKERS.flatMap((pattern) =>
    ['thread', ...table.attributes.keys()].filter((name) => pattern.test(name) && known(name)),
  )
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
  notes.push(
    t('No attribute names a worker. Each stage has as many workers as services ran there at once: {count} in all.', {
      count: lanes.count,
    }),
  )
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
      if (count === MAX_WORKERS) throw new Refusal('--worker', t('more than {max}', { max: MAX_WORKERS }))
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

/** Adds a row of a kind at a stage, or at none. */
type Push = (kind: number, stage: number) => void
const WAITS = 1
const HELD = 2

/** Where the parts of jobs are, for the rows that follow from services. */
export function createParts({ graph, stage, threw }: SpanFlow, jobOf: Int32Array, jobs: number) {
  const { next, joins, firsts, routes, weights } = graph
  const leavesInParts = next.filter((ways) => ways.length === 0).length > 1 && !routes
  const at = new Uint8Array(jobs * joins.length)
  const gathered = new Map<number, number>()
  const parts = new Int32Array(jobs)
  const lost = new Uint8Array(jobs)
  const part = (job: number, where: number) => where * jobs + job
  const { follows, again } = nextServices(jobOf, stage)

  function come(job: number, where: number, push: Push): void {
    const key = part(job, where)
    if (lost[job] === 1) {
      push(joins[where] > 1 ? DISCARDED : WITHDRAWN, where)
      return
    }
    if (joins[where] > 1) {
      const here = (gathered.get(key) ?? 0) + 1
      gathered.set(key, here)
      if (here < joins[where]) return
      gathered.delete(key)
      parts[job] -= here - 1
      push(GATHERED, where)
    }
    at[key] = WAITS
  }

  return {
    enter(job: number): void {
      parts[job] = firsts.length
      for (const first of firsts) at[part(job, first)] = WAITS
    },
    take(job: number, where: number): void {
      at[part(job, where)] = HELD
    },
    putBack(job: number, where: number): void {
      at[part(job, where)] = WAITS
    },
    isLost: (job: number): boolean => lost[job] === 1,
    /** Whether a try that failed is followed by another. */
    comesAgain: (i: number): boolean => threw[i] === 1 && again[i] === 1,
    /** Moves a job on behind service `i`. Returns 'out' if it has left, the stage where it waits, or 'parts' if it is in several places. */
    moveOn(job: number, i: number, isLast: boolean, push: Push): 'out' | 'parts' | number {
      const from = stage[i]
      const ways = next[from]
      at[part(job, from)] = 0
      if (ways.length === 0) {
        if (lost[job] === 1 || --parts[job] > 0) return 'parts'
        if (leavesInParts) push(GATHERED, NONE)
        return 'out'
      }
      if (routes && ways.length > 1) {
        const to = isLast ? ways[weights[from].indexOf(Math.max(...weights[from]))] : follows[i]
        push(ROUTED, to)
        come(job, to, push)
        return to
      }
      parts[job] += ways.length - 1
      for (const way of ways) come(job, way, push)
      return ways.length === 1 && joins[ways[0]] === 1 ? ways[0] : 'parts'
    },
    /** A job fails at a stage: its other parts leave, those in hand when they come back. */
    fail(job: number, failedAt: number, push: Push): void {
      lost[job] = 1
      at[part(job, failedAt)] = 0
      for (let where = 0; where < joins.length; where++) {
        const key = part(job, where)
        for (let here = gathered.get(key) ?? 0; here > 0; here--) push(DISCARDED, where)
        gathered.delete(key)
        if (at[key] !== WAITS) continue
        at[key] = 0
        push(WITHDRAWN, where)
      }
    },
  }
}

/** By service: the stage to which its job comes next, and whether it comes to the same stage again. */
function nextServices(jobOf: Int32Array, stage: Int32Array) {
  const follows = new Int32Array(stage.length).fill(NONE)
  const again = new Uint8Array(stage.length)
  eachJob(jobOf, (from, to) => {
    for (let i = from; i < to; i++)
      for (let k = i + 1; k < to; k++) {
        if (stage[k] === stage[i]) again[i] = 1
        else if (follows[i] === NONE) follows[i] = stage[k]
      }
  })
  return { follows, again }
}
