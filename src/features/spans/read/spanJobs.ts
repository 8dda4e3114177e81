import { t } from '../../../language/translate.ts'
import { NONE } from '../../../pipeline/rows.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { attributeAt, instantOf, numberTexts, type SpanTable } from './spanTable.ts'

/** Which attribute tells what; null: it is guessed. `trace`, `name` and `thread` are what the format itself has. */
export interface SpanChoice {
  readonly job: string | null
  readonly stage: string | null
  readonly worker: string | null
}

/** A service: one span of a job at a stage, or the try of one that failed. */
export interface SpanServices {
  readonly length: number
  readonly span: Int32Array
  readonly job: Int32Array
  /** The number of its stage in `names`. */
  readonly stage: Int32Array
  /** When it came to the queue of the stage; NaN where nothing says it. */
  readonly queued: Float64Array
}

/** The spans of a file as jobs at stages. */
export interface SpanJobs {
  readonly services: SpanServices
  readonly names: readonly string[]
  readonly jobs: number
  /** By job: when it came and left, and what went wrong; NaN and NONE where nothing says it. */
  readonly came: Float64Array
  readonly left: Float64Array
  readonly failed: Int32Array
  /** What was chosen, by name, and the names that could be chosen. */
  readonly chosen: { readonly job: string; readonly stage: string }
  readonly notes: string[]
}

/** A span that ends this much after the one around it, in microseconds, is still inside: clocks are read one after the other. */
const CLOCKS = 1000
const JOBS =
  /(^|[._\s-])(job|task|order|item|request|message|document|record|ticket|row|correlation)([._\s-]?(id|no|nr|number|key|index|uuid))?$/i
const STAGES = /(^|[._\s-])(stage|step|phase)([._\s-]?(id|name))?$/i
const CAME = /(^|[._\s-])(arriv(ed|al)|enqueued|queued|created|submitted|received)([._\s-]?(at|time|on|ms|us|ns))*$/i
const NUMBERED = /^(.*?)[\s:#/._-]*\b(\d+|[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12})$/i
/** The most stages that names are taken to be, before their numbers are taken as those of jobs. */
const MANY = 64

/** Returns the names among which a person may choose, the likeliest first. */
export function choices(table: SpanTable): string[] {
  return ['trace', 'name', 'thread', ...table.attributes.keys()].filter(
    (name, i, all) => all.indexOf(name) === i && columnOf(table, name) !== null,
  )
}

/** Returns the column of a name; null if there is none. */
export function columnOf(table: SpanTable, name: string): readonly number[] | null {
  const own = table.attributes.get(name)
  if (own !== undefined) return own
  if (name === 'name') return table.name
  return name === 'trace' && table.trace.some((trace) => trace !== NONE) ? table.trace : null
}

function asked(table: SpanTable, name: string, option: string): readonly number[] {
  const column = columnOf(table, name)
  if (column !== null) return column
  throw new Refusal(option, t('found "{name}"; allowed: {names}', { name, names: choices(table).join(', ') }))
}

/** Returns the jobs of spans. Throws a Refusal for a choice that no span has. */
export function spanJobsOf(table: SpanTable, choice: SpanChoice): SpanJobs {
  const notes: string[] = []
  if (table.trace.every((trace) => trace === NONE)) nest(table)
  const stage = stageColumn(table, choice.stage)
  const job = jobColumn(table, choice.job, stage.column, stage.names)
  if (job.numbered !== null) stage.column = job.numbered
  const { jobOf, jobs } = numbered(job.column)
  const kind = kindsOf(table, jobOf, jobs, stage)
  const inner = count(kind, INSIDE)
  if (inner > 0) notes.push(t('Spans inside the span of a stage belong to its service: {inner}.', { inner }))
  const lost = jobOf.reduce((sum, each) => sum + (each === NONE ? 1 : 0), 0)
  if (lost > 0) notes.push(t('Spans of no job are left out: {lost}.', { lost }))
  const told = toldArrivals(table)
  if (told !== null) notes.push(t('The attribute {key} says when a job arrived.', { key: told.key }))
  const services = servicesOf(table, jobOf, kind, stage.column, told?.at ?? null)
  const ends = endsOf(table, jobOf, jobs, kind, services, told?.at ?? null, notes)
  const found = namesOf(services, stage.texts ?? table.texts)
  return {
    services: { ...services, stage: found.stage },
    names: found.names,
    jobs,
    ...ends,
    chosen: { job: job.name, stage: stage.name },
    notes,
  }
}

/** Takes spans of one thread that lie inside each other as children, and what is around all as the trace. */
function nest(table: SpanTable): void {
  const thread = table.attributes.get('thread')
  const { start, end, parent, trace } = table
  if (thread === undefined) return
  const order = Int32Array.from(start.keys()).sort(
    (a, b) => attributeAt(thread, a) - attributeAt(thread, b) || start[a] - start[b] || end[b] - end[a],
  )
  let open: number[] = []
  let nested = 0
  for (const [i, span] of order.entries()) {
    if (i === 0 || attributeAt(thread, span) !== attributeAt(thread, order[i - 1])) open = []
    if (attributeAt(thread, span) === NONE) continue
    while (open.length > 0 && end[open[open.length - 1]] < end[span]) open.pop()
    const around = open.at(-1) ?? NONE
    if (parent[span] === NONE && around !== NONE && start[around] <= start[span] && end[around] > start[span]) {
      parent[span] = around
      nested++
    }
    open.push(span)
  }
  if (nested === 0) return
  const rootOf = (span: number): number => {
    let root = span
    while (parent[root] !== NONE) root = parent[root]
    return root
  }
  for (let span = 0; span < start.length; span++) {
    const root = rootOf(span)
    if (root === span && trace[span] === NONE) {
      trace[span] = table.texts.length
      table.texts.push(`#${span}`)
    }
  }
  for (let span = 0; span < start.length; span++) trace[span] = trace[rootOf(span)]
}

interface StageColumn {
  name: string
  column: readonly number[]
  /** Whether each span is at a stage: an attribute was named that only these have. */
  readonly named: boolean
  readonly names: number
  readonly texts: readonly string[] | null
}

function stageColumn(table: SpanTable, name: string | null): StageColumn {
  const guess =
    name ??
    [...table.attributes.keys()].find((key) => STAGES.test(key) && distinct(table.attributes.get(key) ?? []) <= MANY) ??
    'name'
  const column = asked(table, guess, '--stage')
  return { name: guess, column, named: guess !== 'name', names: distinct(column), texts: null }
}

function distinct(column: readonly number[]): number {
  const all = new Set(column)
  all.delete(NONE)
  return all.size
}

/** Chooses the column that tells jobs. Where names have numbers, these may be it: `numbered` are then the names without them. */
function jobColumn(table: SpanTable, name: string | null, stage: readonly number[], names: number) {
  if (name !== null) return { name, column: asked(table, name, '--job'), numbered: null }
  const own = columnOf(table, 'trace')
  if (own !== null && isShared(own)) return { name: 'trace', column: own, numbered: null }
  const rated = [...table.attributes].flatMap(([key, column]) => {
    const values = distinct(column)
    const spans = column.reduce((sum, value) => sum + (value === NONE ? 0 : 1), 0)
    if (column === stage || values < 2 || spans < table.start.length / 4) return []
    // A job has about one span for each stage.
    const fit = Math.abs(spans / values / Math.max(1, names) - 1)
    return JOBS.test(key) || (fit < 0.1 && names > 1) ? [{ key, column, rate: (JOBS.test(key) ? 0 : 10) + fit }] : []
  })
  const best = rated.sort((a, b) => a.rate - b.rate)[0]
  if (best !== undefined) return { name: best.key, column: best.column, numbered: null }
  const split = names > MANY ? numbersInNames(table, stage) : null
  if (split !== null) return split
  if (own !== null) return { name: 'trace', column: own, numbered: null }
  throw new Refusal(
    '--job',
    t('nothing tells which spans belong to one job; name an attribute. Allowed: {names}', {
      names: choices(table).join(', '),
    }),
  )
}

/** Whether there are several traces, and half of the spans share one. */
function isShared(trace: readonly number[]): boolean {
  const sizes = new Map<number, number>()
  for (const each of trace) if (each !== NONE) sizes.set(each, (sizes.get(each) ?? 0) + 1)
  let shared = 0
  for (const size of sizes.values()) if (size > 1) shared += size
  return sizes.size > 1 && shared * 2 >= trace.length
}

/** Splits names such as "parse 17" into a stage and the number of a job. */
function numbersInNames(table: SpanTable, stage: readonly number[]) {
  const split = new Map<number, readonly [name: number, job: number]>()
  const numberOf = numberTexts(table.texts)
  for (const text of new Set(stage)) {
    const [, name, job] = NUMBERED.exec(table.texts[text] ?? '') ?? []
    if (job !== undefined && name !== '') split.set(text, [numberOf(name), numberOf(job)])
  }
  if (split.size * 2 < distinct(stage)) return null
  return {
    name: t('the number in the name'),
    column: stage.map((text) => split.get(text)?.[1] ?? NONE),
    numbered: stage.map((text) => split.get(text)?.[0] ?? NONE),
  }
}

function numbered(column: readonly number[]): { readonly jobOf: Int32Array; readonly jobs: number } {
  const numbers = new Map<number, number>()
  const jobOf = new Int32Array(column.length).fill(NONE)
  for (let span = 0; span < column.length; span++) {
    const value = column[span]
    if (value === NONE) continue
    let job = numbers.get(value)
    if (job === undefined) {
      job = numbers.size
      numbers.set(value, job)
    }
    jobOf[span] = job
  }
  return { jobOf, jobs: numbers.size }
}

const SERVICE = 0
/** It is around the spans of its job. */
const AROUND = 1
const INSIDE = 2
const NO_JOB = 3

function count(kind: Uint8Array, wanted: number): number {
  return kind.reduce((sum, each) => sum + (each === wanted ? 1 : 0), 0)
}

/** Returns what each span is. Those around all others of their job are found by name: what most spans of a name are, all are. */
function kindsOf(table: SpanTable, jobOf: Int32Array, jobs: number, stage: StageColumn): Uint8Array {
  const { start, end, parent } = table
  const kind = new Uint8Array(start.length)
  for (let span = 0; span < kind.length; span++) {
    if (jobOf[span] === undefined || jobOf[span] === NONE) kind[span] = NO_JOB
    else if (stage.named && attributeAt(stage.column, span) === NONE) kind[span] = AROUND
  }
  if (!stage.named) while (takeAround(table, jobOf, jobs, kind)) {}
  for (let span = 0; span < kind.length; span++) {
    if (kind[span] !== SERVICE) continue
    for (let around = parent[span]; around !== NONE; around = parent[around]) {
      if (kind[around] !== SERVICE || jobOf[around] !== jobOf[span]) continue
      if (start[span] < start[around] - CLOCKS || end[span] > end[around] + CLOCKS) continue
      kind[span] = INSIDE
      break
    }
  }
  return kind
}

/** Marks the names whose spans mostly are around all others of their job. Returns whether there were any. */
function takeAround({ start, end, name }: SpanTable, jobOf: Int32Array, jobs: number, kind: Uint8Array): boolean {
  const first = new Float64Array(jobs).fill(Number.POSITIVE_INFINITY)
  const last = new Float64Array(jobs).fill(Number.NEGATIVE_INFINITY)
  const size = new Int32Array(jobs)
  const visit = (use: (span: number, job: number) => void) => {
    for (let span = 0; span < kind.length; span++) if (kind[span] === SERVICE) use(span, jobOf[span])
  }
  visit((span, job) => {
    first[job] = Math.min(first[job], start[span])
    last[job] = Math.max(last[job], end[span])
    size[job]++
  })
  /** By name: spans that are around, and all with others beside them. */
  const counts = new Map<number, { around: number; all: number }>()
  const done = new Uint8Array(jobs)
  visit((span, job) => {
    if (size[job] < 2) return
    const count = counts.get(name[span]) ?? { around: 0, all: 0 }
    counts.set(name[span], count)
    count.all++
    // Of two that are equal, the first is the one around.
    if (
      done[job] === 1 ||
      start[span] > first[job] + CLOCKS ||
      end[span] < last[job] - CLOCKS ||
      end[span] - start[span] < (last[job] - first[job]) / 2
    )
      return
    count.around++
    done[job] = 1
  })
  const names = new Set([...counts].filter(([, { around, all }]) => around * 2 > all).map(([text]) => text))
  let taken = 0
  visit((span) => {
    if (!names.has(name[span])) return
    kind[span] = AROUND
    taken++
  })
  return taken > 0
}

/** Returns the services, sorted by job and beginning. */
function servicesOf(
  { start, end }: SpanTable,
  jobOf: Int32Array,
  kind: Uint8Array,
  stage: readonly number[],
  came: Float64Array | null,
): SpanServices {
  const spans: number[] = []
  for (let span = 0; span < kind.length; span++)
    if (kind[span] === SERVICE && attributeAt(stage, span) !== NONE) spans.push(span)
  const span = Int32Array.from(spans).sort(
    (a, b) => jobOf[a] - jobOf[b] || start[a] - start[b] || end[a] - end[b] || a - b,
  )
  const queued = Float64Array.from(span, (each) => came?.[each] ?? Number.NaN)
  return {
    length: span.length,
    span,
    job: span.map((each) => jobOf[each]),
    stage: span.map((each) => stage[each]),
    queued,
  }
}

/** Returns by span when it was enqueued, and the attribute that says so; null if none does. */
function toldArrivals({
  attributes,
  start,
  texts,
}: SpanTable): { readonly key: string; readonly at: Float64Array } | null {
  for (const [key, column] of attributes) {
    if (!CAME.test(key)) continue
    const at = Float64Array.from(start, (began, span) =>
      attributeAt(column, span) === NONE ? Number.NaN : instantOf(texts[column[span]], began),
    )
    if (!at.every(Number.isNaN)) return { key, at }
  }
  return null
}

function endsOf(
  table: SpanTable,
  jobOf: Int32Array,
  jobs: number,
  kind: Uint8Array,
  { span, job }: SpanServices,
  told: Float64Array | null,
  notes: string[],
) {
  const { start, end, error } = table
  const came = new Float64Array(jobs).fill(Number.NaN)
  const left = new Float64Array(jobs).fill(Number.NaN)
  const failed = new Int32Array(jobs).fill(NONE)
  const least = new Float64Array(jobs).fill(Number.POSITIVE_INFINITY)
  for (let i = 0; i < span.length; i++) least[job[i]] = Math.min(least[job[i]], start[span[i]])
  for (let each = 0; each < kind.length; each++) {
    if (kind[each] !== AROUND) continue
    const of = jobOf[each]
    // One that begins after its job did is around a part of it.
    if (start[each] <= least[of] + CLOCKS && !(start[each] >= came[of])) came[of] = Math.min(start[each], least[of])
    if (!(end[each] <= left[of])) left[of] = end[each]
    if (error[each] !== NONE) failed[of] = error[each]
  }
  for (const [each, time] of told?.entries() ?? []) {
    const of = jobOf[each]
    if (of !== NONE && time <= least[of] && !(time >= came[of])) came[of] = time
  }
  const without = came.reduce(
    (sum, time, of) => sum + (Number.isNaN(time) && least[of] < Number.POSITIVE_INFINITY ? 1 : 0),
    0,
  )
  if (without > 0)
    notes.push(
      t(
        'Jobs without an arrival time: {without} of {jobs}. Their flow time begins at their first span, without the wait before it.',
        { without, jobs },
      ),
    )
  for (let of = 0; of < jobs; of++) if (Number.isNaN(came[of])) came[of] = least[of]
  return { came, left, failed }
}

function namesOf({ stage }: SpanServices, texts: readonly string[]) {
  const numbers = new Map<number, number>()
  const names: string[] = []
  const column = stage.map((text) => {
    let number = numbers.get(text)
    if (number === undefined) {
      number = names.length
      numbers.set(text, number)
      names.push(texts[text])
    }
    return number
  })
  return { stage: column, names }
}
