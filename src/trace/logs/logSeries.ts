import { t } from '../../language/translate.ts'
import { CLOCK_END, MAX_WORKERS } from '../../scenario/model/limits.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { countText, foundText, quoted } from '../../scenario/model/words.ts'
import { Refusal } from '../json/refusal.ts'
import { MAX_LOG_QUEUE } from './log.ts'
import { addLogRow, type LogRows, noteBadRow, stageNamed } from './logRows.ts'
import type { Series, SeriesFile } from './prometheus.ts'

/** The labels of all series of a file. */
export interface SeriesHeads {
  readonly series: readonly Pick<Series, 'labels'>[]
}

/** What a group of series measures. */
export type Role = 'queue' | 'service_s' | 'service_ms' | 'service_us' | 'workers' | 'nothing'

/** Series of one name, one a stage. */
export interface SeriesGroup {
  /** Their name; of series without a name, their labels. */
  readonly name: string
  readonly series: readonly number[]
}

/** How series become a log: the label that names the stage, and what each group measures. */
export interface Mapping {
  readonly stageLabel: string
  readonly roles: readonly Role[]
}

const NAME = '__name__'
const likely = ['stage', 'step', 'queue', 'topic', 'task', 'pool', 'job', 'service']

/** Returns the labels that may name the stage, the likeliest first: those that every series has. */
export function stageLabelsOf({ series }: SeriesHeads): string[] {
  const labels = Object.keys(series[0]?.labels ?? {}).filter((label) => label !== NAME && series.every(({ labels: all }) => Object.hasOwn(all, label)))
  const rank = (label: string) => (likely.includes(label) ? likely.indexOf(label) : likely.length) - (differing(series, label) > 1 ? 100 : 0)
  return labels.sort((a, b) => rank(a) - rank(b))
}

/** Returns the series by their names, in the order of the file. */
export function seriesGroups({ series }: SeriesHeads, stageLabel: string): SeriesGroup[] {
  const groups = new Map<string, number[]>()
  series.forEach(({ labels }, i) => {
    const name = labels[NAME] ?? namelessOf(labels, stageLabel)
    groups.set(name, [...(groups.get(name) ?? []), i])
  })
  return Array.from(groups, ([name, members]) => ({ name, series: members }))
}

/** Guesses the mapping from names. It is certain only where one group is the queue and one the service. */
export function guessMapping(file: SeriesHeads, stageLabel = stageLabelsOf(file)[0] ?? ''): { readonly mapping: Mapping; readonly certain: boolean } {
  const roles = seriesGroups(file, stageLabel).map(({ name }) => roleOf(name))
  const many = (is: (role: Role) => boolean) => roles.filter(is).length
  const certain = stageLabel !== '' && many((role) => role === 'queue') === 1 && many(isService) === 1 && many((role) => role === 'workers') <= 1
  return { mapping: { stageLabel, roles }, certain }
}

/**
 * Adds the rows that the series make: at every time of a sample, once a stage's queue and service are known. A series without a
 * sample keeps its value. Throws a Refusal where no log can be made.
 */
export function addSeries(rows: LogRows, file: SeriesFile, { stageLabel, roles }: Mapping): void {
  const stages = new Map<string, Partial<Record<'queue' | 'service' | 'workers', Series>> & { scale: number }>()
  seriesGroups(file, stageLabel).forEach(({ series }, g) => {
    const role = roles[g] ?? 'nothing'
    if (role === 'nothing') return
    const part = isService(role) ? 'service' : (role as 'queue' | 'workers')
    for (const i of series) {
      const name = file.series[i].labels[stageLabel] ?? ''
      const stage = stages.get(name) ?? { scale: 1 }
      if (stage[part] !== undefined)
        throw new Refusal(
          `data.result[${i}]`,
          t('is a second {part} of stage {name}; allowed: one, as sum by ({label}) (...) makes it', {
            part,
            name: quoted(name),
            label: stageLabel || 'stage',
          }),
        )
      stage[part] = file.series[i]
      if (part === 'service') stage.scale = { service_s: 1_000_000, service_ms: 1000, service_us: 1 }[role as 'service_s']
      stages.set(name, stage)
    }
  })
  const columns: Row[] = []
  for (const [name, { queue, service, workers, scale }] of stages) {
    if (queue === undefined || service === undefined)
      throw new Refusal(
        'data.result',
        t('stage {name} has no {what}; allowed: both for every stage', {
          name: quoted(name),
          what: queue === undefined ? t('queue') : t('service time'),
        }),
      )
    const stage = stageNamed(rows, name)
    if (typeof stage === 'string') throw new Refusal('data.result', stage)
    columns.push({ stage, name, queue, service, workers: workers ?? null, scale, at: [0, 0, 0] })
  }
  if (columns.length === 0) throw new Refusal('data.result', t('found no queue and no service time; allowed: both for every stage'))
  merge(rows, columns)
}

interface Row {
  readonly stage: number
  readonly name: string
  readonly queue: Series
  readonly service: Series
  readonly workers: Series | null
  readonly scale: number
  /** How many samples of each series are read. */
  readonly at: [number, number, number]
}

/** The latest values of a stage's series. NaN, or -1 workers: none yet. */
interface State {
  queue: number
  service: Micros
  workers: number
}

/** Walks along all series at once, from each time to the next that any of them has. */
function merge(rows: LogRows, columns: readonly Row[]): void {
  const known = columns.map((): State => ({ queue: Number.NaN, service: Number.NaN, workers: -1 }))
  let least = nextOf(columns)
  while (least < Infinity) {
    let next = Infinity
    columns.forEach((row, c) => {
      const { queue, service, workers, at } = row
      const state = known[c]
      let spoke = false
      if (at[0] < queue.length && queue.time[at[0]] === least) {
        state.queue = queue.value[at[0]++]
        spoke = true
      }
      if (at[1] < service.length && service.time[at[1]] === least) {
        const value = service.value[at[1]++]
        // NaN: nothing was served, so nothing was measured.
        if (!Number.isNaN(value)) state.service = value * row.scale
        spoke = true
      }
      if (workers !== null && at[2] < workers.length && workers.time[at[2]] === least) {
        state.workers = workers.value[at[2]++]
        spoke = true
      }
      next = Math.min(next, timeOf(queue, at[0]), timeOf(service, at[1]), workers === null ? Infinity : timeOf(workers, at[2]))
      if (spoke) addState(rows, row, least, state)
    })
    least = next
  }
}

function addState(rows: LogRows, { stage, name }: Row, time: Micros, state: State): void {
  // Not all values are known yet.
  if (Number.isNaN(state.queue) || Number.isNaN(state.service)) return
  rows.rows++
  // A mean over an interval need not be whole.
  const queue = Math.round(state.queue)
  const workers = Math.round(state.workers)
  const problem =
    outside('queue', state.queue, queue >= 0 && queue <= MAX_LOG_QUEUE, t('jobs from 0 to {MAX_LOG_QUEUE}', { MAX_LOG_QUEUE: countText(MAX_LOG_QUEUE) })) ??
    outside('service', state.service, state.service > 0 && state.service < CLOCK_END, t('a time above 0')) ??
    outside('workers', state.workers, workers >= -1 && workers <= MAX_WORKERS, t('a number from 0 to {MAX_WORKERS}', { MAX_WORKERS })) ??
    addLogRow(rows, time, stage, queue, state.service, workers)
  if (problem !== null) noteBadRow(rows, t('stage {name} at {time} s', { name: quoted(name), time: countText(time / 1_000_000) }), problem)
}

function outside(what: string, value: number, sound: boolean, allowed: string): string | null {
  return sound ? null : `${what} ${foundText(value, allowed)}`
}

function nextOf(columns: readonly Row[]): number {
  return columns.reduce(
    (least, { queue, service, workers }) => Math.min(least, timeOf(queue, 0), timeOf(service, 0), workers === null ? Infinity : timeOf(workers, 0)),
    Infinity,
  )
}

function timeOf({ time, length }: Series, i: number): number {
  return i < length ? time[i] : Infinity
}

function roleOf(name: string): Role {
  const plain = name.toLowerCase()
  if (/worker|replica|thread|seat|concurrency/.test(plain)) return 'workers'
  if (/queue|waiting|backlog|depth|pending|lag\b/.test(plain)) return 'queue'
  if (!/service|duration|latency|seconds|_ms|_us|time/.test(plain)) return 'nothing'
  return /_ms|milli/.test(plain) ? 'service_ms' : /_us|micro/.test(plain) ? 'service_us' : 'service_s'
}

function isService(role: Role): boolean {
  return role.startsWith('service')
}

function differing(series: SeriesHeads['series'], label: string): number {
  return new Set(series.map(({ labels }) => labels[label])).size
}

function namelessOf(labels: Readonly<Record<string, string>>, stageLabel: string): string {
  const others = Object.keys(labels)
    .filter((label) => label !== stageLabel)
    .sort()
  return `{${others.map((label) => `${label}="${labels[label]}"`).join(', ')}}`
}
