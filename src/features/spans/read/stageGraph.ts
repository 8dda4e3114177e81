import { t } from '../../../language/translate.ts'
import { NONE } from '../../../pipeline/rows.ts'
import { MAX_STAGES } from '../../../scenario/model/limits.ts'
import type { Link } from '../../../scenario/model/scenario.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import type { SpanJobs } from './spanJobs.ts'
import type { SpanTable } from './spanTable.ts'

/** A stage comes before another if at least this share of their jobs say so; the other jobs are left out. */
const MOSTLY = 0.995
/** Two services of a job may overlap by this much and this share of the shorter one: clocks of machines differ. */
const CLOCKS = 1000
const CLOCK_SHARE = 0.1
/** How often a job may come to one stage. */
const MAX_VISITS = 16

/** How jobs flow: stages in order, each a name and how often a job has been there before; the links between them. */
export interface StageGraph {
  readonly stages: readonly { readonly id: string; readonly name: string }[]
  /** By stage: those that follow it, and for routes how many jobs took each. */
  readonly next: readonly (readonly number[])[]
  readonly weights: readonly (readonly number[])[]
  readonly routes: boolean
  /** By stage: how many parts of a job it waits for; 1 where there is nothing to join. */
  readonly joins: Int32Array
  readonly firsts: readonly number[]
  readonly links: readonly Link[]
}

/** The services of jobs with whole times from 0, and the graph that they took. */
export interface SpanFlow {
  readonly graph: StageGraph
  /** By service: its stage, its times and whether it is a try that failed. */
  readonly stage: Int32Array
  readonly began: Float64Array
  readonly ended: Float64Array
  readonly threw: Uint8Array
  /** By job: whether it is in the record. */
  readonly kept: Uint8Array
}

/** Whether a service ended before another began, as far as clocks can tell. */
function isBefore(endA: number, lengthA: number, beginB: number, lengthB: number): boolean {
  return endA <= beginB || endA - beginB < Math.min(CLOCKS, CLOCK_SHARE * Math.min(lengthA, lengthB))
}

/** Whether a service was enqueued during another one, whose worker hands the job on before its service ends. */
function isHandedOn(queued: number, beganA: number, endA: number, beganB: number): boolean {
  return queued > beganA && queued <= endA && beganB >= beganA
}

/** Returns how jobs flow through stages. Throws a Refusal if there are too many. `base`: the time of the file that becomes 0. */
export function flowOf(table: SpanTable, { services, names, jobs, notes }: SpanJobs, base: number): SpanFlow {
  const { length, span, job } = services
  const began = Float64Array.from(span, (each) => Math.floor(table.start[each] - base))
  const ended = Float64Array.from(span, (each) => Math.floor(table.end[each] - base))
  const queued = services.queued.map((time) => Math.floor(time - base))
  const kept = new Uint8Array(jobs).fill(1)
  const visits = visitsOf(services, table, began, ended, kept)
  const places = placesOf(services.stage, visits.visit, names)
  const stats = createStats(places.count, length)
  eachJob(
    job,
    (from, to) => kept[job[from]] === 1 && addJob(stats, places.place, began, ended, queued, visits.last, from, to),
  )
  const { order, line } = orderOf(stats, places.count)
  const stage = places.place.map((place) => order.indexOf(place))
  const graph = line
    ? lineGraph(stage, job, kept, order, places)
    : partGraph(stats, stage, job, kept, order, places, visits.threw)
  const shorter = clip(stage, job, began, ended, queued, visits.last, graph, kept)
  if (shorter.handed > 0)
    notes.push(
      t(
        '{handed} services had not ended when the next service of their job began. Each is cut there, {ms, number} ms earlier on average.',
        {
          handed: shorter.handed,
          ms: Math.round(shorter.by / shorter.handed / 10) / 100,
        },
      ),
    )
  const out = kept.reduce((sum, each) => sum + 1 - each, 0)
  const unserved = jobs - new Set(job).size
  if (out > unserved)
    notes.push(
      t('Jobs that go through the stages in another way are left out: {out} of {jobs}.', { out: out - unserved, jobs }),
    )
  return { graph, stage, began, ended, threw: visits.threw, kept }
}

/** Visits the services of each job, which stand together. */
export function eachJob(job: Int32Array, visit: (from: number, to: number) => void): void {
  for (let from = 0; from < job.length; ) {
    let to = from + 1
    while (to < job.length && job[to] === job[from]) to++
    visit(from, to)
    from = to
  }
}

/** Finds tries: a span with an error, after which its job comes to the same stage again, threw. Without an error it is another visit. */
function visitsOf(
  { job, stage, span }: SpanJobs['services'],
  { error }: SpanTable,
  began: Float64Array,
  ended: Float64Array,
  kept: Uint8Array,
) {
  const visit = new Int32Array(job.length)
  const threw = new Uint8Array(job.length)
  /** By service: the last try of its visit. */
  const last = Int32Array.from(job.keys())
  eachJob(job, (from, to) => {
    const before = new Map<number, number>()
    for (let i = from; i < to; i++) {
      const earlier = before.get(stage[i])
      before.set(stage[i], i)
      if (earlier === undefined) continue
      if (error[span[earlier]] !== NONE && ended[earlier] <= began[i]) {
        threw[earlier] = 1
        visit[i] = visit[earlier]
        for (let k = from; k < i; k++) if (stage[k] === stage[i] && visit[k] === visit[i]) last[k] = i
      } else visit[i] = visit[earlier] + 1
      if (visit[i] >= MAX_VISITS) kept[job[from]] = 0
    }
    // The last service of a job fails it.
    let end = from
    for (let i = from; i < to; i++) if (ended[i] >= ended[end]) end = i
    if (error[span[end]] !== NONE) threw[end] = 1
  })
  return { visit, threw, last }
}

interface Places {
  readonly place: Int32Array
  readonly count: number
  readonly name: readonly string[]
}

function placesOf(stage: Int32Array, visit: Int32Array, names: readonly string[]): Places {
  const numbers = new Map<number, number>()
  const name: string[] = []
  const place = stage.map((each, i) => {
    const key = each * MAX_VISITS + Math.min(MAX_VISITS - 1, visit[i])
    let number = numbers.get(key)
    if (number === undefined) {
      number = name.length
      numbers.set(key, number)
      name.push(visit[i] === 0 ? names[each] : `${names[each]} ${visit[i] + 1}`)
    }
    return number
  })
  if (name.length > MAX_STAGES)
    throw new Refusal(
      '--stage',
      t('found {count} stages, such as "{name}"; allowed: {most}. Name an attribute with fewer values', {
        count: name.length,
        name: name[0],
        most: MAX_STAGES,
      }),
    )
  if (name.length === 0) throw new Refusal('', t('no span is at a stage'))
  return { place, count: name.length, name }
}

function createStats(places: number, services: number) {
  return {
    /** By pair: jobs at both, and jobs whose first was over before the second. */
    both: new Int32Array(places * places),
    before: new Int32Array(places * places),
    jobs: new Int32Array(places),
    /** The sum of how many services of a job come before. */
    rank: new Float64Array(places),
    total: 0,
    services,
  }
}

type Stats = ReturnType<typeof createStats>

function addJob(
  stats: Stats,
  place: Int32Array,
  began: Float64Array,
  ended: Float64Array,
  queued: Float64Array,
  last: Int32Array,
  from: number,
  to: number,
): void {
  const places = stats.jobs.length
  const visits: number[] = []
  for (let i = from; i < to; i++) if (!visits.some((k) => place[k] === place[i])) visits.push(i)
  stats.total++
  for (const [rank, a] of visits.entries()) {
    stats.jobs[place[a]]++
    stats.rank[place[a]] += rank
    for (const b of visits) {
      if (a === b) continue
      const pair = place[a] * places + place[b]
      stats.both[pair]++
      const end = ended[last[a]]
      if (
        isBefore(end, end - began[a], began[b], ended[last[b]] - began[b]) ||
        isHandedOn(queued[b], began[a], end, began[b])
      )
        stats.before[pair]++
    }
  }
}

const comesBefore = ({ both, before }: Stats, pair: number): boolean =>
  both[pair] > 0 && before[pair] >= MOSTLY * both[pair]

/** Returns the places in the order of the flow, and whether jobs are at one after the other. */
function orderOf(stats: Stats, places: number): { readonly order: number[]; readonly line: boolean } {
  const mean = (place: number) => stats.rank[place] / Math.max(1, stats.jobs[place])
  const left = Array.from({ length: places }, (_, place) => place).sort((a, b) => mean(a) - mean(b) || a - b)
  const order: number[] = []
  while (left.length > 0) {
    const free = left.findIndex(
      (place) => !left.some((other) => other !== place && comesBefore(stats, other * places + place)),
    )
    order.push(...left.splice(Math.max(0, free), 1))
  }
  let line = true
  for (let a = 0; a < places; a++)
    for (let b = 0; b < a; b++) {
      const [ab, ba] = [a * places + b, b * places + a]
      if (stats.both[ab] > 0 && !comesBefore(stats, ab) && !comesBefore(stats, ba)) line = false
    }
  return { order, line }
}

/** Jobs pass one stage after the other, and may pass some over: then a stage has several ways. */
function lineGraph(
  stage: Int32Array,
  job: Int32Array,
  kept: Uint8Array,
  order: readonly number[],
  places: Places,
): StageGraph {
  const count = order.length
  const first = new Int32Array(count)
  const steps = new Int32Array(count * count)
  const walk = (use: (from: number, stages: number[]) => void) =>
    eachJob(job, (from, to) => {
      if (kept[job[from]] === 1) use(from, [...new Set(stage.subarray(from, to))])
    })
  walk((from, stages) => {
    if (stages.some((each, i) => i > 0 && each < stages[i - 1])) kept[job[from]] = 0
    else first[stages[0]]++
  })
  const start = first.indexOf(Math.max(...first))
  walk((from, stages) => {
    if (stages[0] !== start) kept[job[from]] = 0
    else for (let i = 1; i < stages.length; i++) steps[stages[i - 1] * count + stages[i]]++
  })
  const next = order.map((_, a) => order.flatMap((_, b) => (steps[a * count + b] > 0 ? [b] : [])))
  return finish(order, places, next, (a, b) => steps[a * count + b], true, [start], stage, job, kept)
}

/** Jobs are at several stages at once: all of them pass all stages, and a stage waits for those before it. */
function partGraph(
  stats: Stats,
  stage: Int32Array,
  job: Int32Array,
  kept: Uint8Array,
  order: readonly number[],
  places: Places,
  threw: Uint8Array,
): StageGraph {
  const count = order.length
  const usual = order.map((place) => stats.jobs[place] * 2 >= stats.total)
  const wanted = usual.filter(Boolean).length
  const before = (a: number, b: number) =>
    a !== b && usual[a] && usual[b] && comesBefore(stats, order[a] * count + order[b])
  eachJob(job, (from, to) => {
    const stages = new Set(stage.subarray(from, to))
    const failed = threw
      .subarray(from, to)
      .some((each, k) => each === 1 && !stage.subarray(from + k + 1, to).includes(stage[from + k]))
    if ([...stages].some((each) => !usual[each]) || (stages.size < wanted && !failed)) kept[job[from]] = 0
  })
  const all = order.map((_, a) => order.flatMap((_, b) => (before(a, b) ? [b] : [])))
  // Without the links that longer ways imply.
  const next = all.map((after) => after.filter((b) => !after.some((between) => all[between].includes(b))))
  const firsts = order.flatMap((_, b) => (usual[b] && !order.some((_, a) => before(a, b)) ? [b] : []))
  return finish(order, places, next, () => 1, false, firsts, stage, job, kept)
}

/** Leaves out the stages that no job comes to. */
function finish(
  order: readonly number[],
  { name }: Places,
  next: readonly (readonly number[])[],
  weight: (a: number, b: number) => number,
  routes: boolean,
  firsts: readonly number[],
  stage: Int32Array,
  job: Int32Array,
  kept: Uint8Array,
): StageGraph {
  const used = new Set(stage.filter((_, i) => kept[job[i]] === 1))
  if (used.size === 0)
    throw new Refusal(
      '--job',
      t(
        'no job is left: each comes to a stage more than {most} times, or in another order than the others. Name an attribute that tells jobs apart',
        {
          most: MAX_VISITS,
        },
      ),
    )
  const numbers = order.map((_, a) => (used.has(a) ? [...used].filter((each) => each < a).length : NONE))
  for (let i = 0; i < stage.length; i++) stage[i] = numbers[stage[i]]
  const ids = new Set<string>()
  const mine = order.flatMap((place, a) => (used.has(a) ? [{ place, a }] : []))
  const stages = mine.map(({ place }) => ({ id: idOf(name[place], ids), name: [...name[place]].slice(0, 80).join('') }))
  const ways = mine.map(({ a }) => next[a].filter((b) => used.has(b)))
  const feeders = (a: number) => next.filter((after, from) => used.has(from) && after.includes(a)).length
  const joins = Int32Array.from(mine, ({ a }) => (routes ? 1 : Math.max(1, feeders(a))))
  const begin = firsts.filter((a) => used.has(a))
  const links: Link[] = [
    ...begin.map((a): Link => ['source', stages[numbers[a]].id]),
    ...ways.flatMap((after, s) =>
      after.length === 0
        ? [[stages[s].id, 'sink'] as const]
        : after.map((b) => [stages[s].id, stages[numbers[b]].id] as const),
    ),
  ]
  return {
    stages,
    next: ways.map((after) => after.map((b) => numbers[b])),
    weights: mine.map(({ a }, s) => ways[s].map((b) => weight(a, b))),
    routes,
    joins,
    firsts: begin.map((a) => numbers[a]),
    links,
  }
}

/** Returns an id as scenarios have it, which no other stage has. */
function idOf(name: string, taken: Set<string>): string {
  const plain = name
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 36)
  const base = plain === '' || plain === 'source' || plain === 'sink' ? 'stage' : plain
  let id = plain === base ? base : `${base}-1`
  for (let k = 2; taken.has(id); k++) id = `${base}-${k}`
  taken.add(id)
  return id
}

/**
 * Ends services where those behind them begin, if clocks differ or the job was handed on, and leaves out the jobs whose services do not follow the graph.
 * Returns how many handed it on, and how much shorter all of these are.
 */
function clip(
  stage: Int32Array,
  job: Int32Array,
  began: Float64Array,
  ended: Float64Array,
  queued: Float64Array,
  last: Int32Array,
  graph: StageGraph,
  kept: Uint8Array,
): { readonly handed: number; readonly by: number } {
  let [handed, by] = [0, 0]
  const after = (a: number, b: number) => (graph.routes ? a < b : graph.next[a].includes(b))
  eachJob(job, (from, to) => {
    for (let a = from; a < to; a++)
      for (let b = from; b < to; b++) {
        if (kept[job[from]] === 0 || stage[a] === stage[b] || !after(stage[a], stage[b])) continue
        const end = last[a]
        if (ended[end] <= began[b]) continue
        const isOnTime = isBefore(ended[end], ended[end] - began[a], began[b], ended[b] - began[b])
        if (began[end] > began[b] || !(isOnTime || isHandedOn(queued[b], began[end], ended[end], began[b]))) {
          kept[job[from]] = 0
          continue
        }
        if (!isOnTime) {
          handed++
          by += ended[end] - began[b]
        }
        ended[end] = began[b]
      }
  })
  return { handed, by }
}
