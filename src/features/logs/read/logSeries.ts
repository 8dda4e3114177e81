import { t } from '../../../language/translate.ts'
import { CLOCK_END, MAX_ERLANG_K, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Micros, Service } from '../../../scenario/model/scenario.ts'
import { countText, foundText, quoted } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { exp, log } from '../../../workload/elementary.ts'
import { shapeOf } from '../../../workload/laws.ts'
import { MAX_LOG_QUEUE, noteBadRow, noteCounts } from './log.ts'
import { unitIn } from './logColumns.ts'
import { addLogRow, allowed, type LogRows, stageNamed } from './logRows.ts'
import { createSeries, type Series, type SeriesFile } from './prometheus.ts'
import { isCounter, isService, type Mapping, type SeriesGroup, seriesGroups, withBirths } from './seriesRoles.ts'

/**
 * Adds a row for every time of a sample, once a stage's queue and service are known. A series without a sample keeps its value. The
 * instances of a stage are combined. Jobs that left a stage are counted by its own counters, or else by those of its services. Throws a
 * Refusal if the series are not a log.
 */
export function addSeries(rows: LogRows, read: SeriesFile, mapping: Mapping): void {
  const { stageLabel, roles } = mapping
  const file = withBirths(read, mapping)
  const stages = new Map<string, Record<Part, Series[]> & { scale: number; adds: boolean; spread: Series[][] }>()
  let isCombined = false
  const groups = seriesGroups(file, stageLabel).map((group, g) => ({ group, role: roles[g] ?? 'nothing' }))
  // A file sorts its series by name. Queues and services say which stages there are.
  const rank = ({ role }: (typeof groups)[number]) =>
    role === 'queue' || isService(role) ? 0 : role === 'workers' ? 1 : 2
  for (const { group, role } of groups.sort((a, b) => rank(a) - rank(b))) {
    if (role === 'nothing') continue
    const part = isService(role) ? 'service' : (role as Part)
    const complete = new Set(Array.from(stages).flatMap(([name, stage]) => (stage[part].length > 0 ? [name] : [])))
    const isLabelled = group.series.some((i) => file.series[i].labels[stageLabel])
    for (const [k, i] of group.series.entries()) {
      const name = file.series[i].labels[stageLabel] ?? ''
      // Beside series with the label, one without it is of all stages together; counts of other stages say nothing.
      if ((isLabelled && name === '') || (part !== 'queue' && part !== 'service' && !stages.has(name))) continue
      const stage = stages.get(name) ?? {
        ...{ queue: [], service: [], workers: [], completed: [], arrivals: [], spread: [] },
        scale: 1,
        adds: true,
      }
      if (complete.has(name))
        throw new Refusal(
          `data.result[${i}]`,
          t('is a second {part} of stage {name}; allowed: one', { part, name: quoted(name) }),
        )
      stage[part].push(seriesOf(file, group, k, part))
      if (stage[part].length > 1) isCombined = true
      if (part === 'service') {
        stage.spread.push((group.parts[k] ?? []).map((s) => file.series[s]))
        stage.scale = unitIn(role)
      }
      if (part === 'completed' || part === 'arrivals') stage.adds = isCounter(group, file)
      stages.set(name, stage)
    }
  }
  const columns: Row[] = []
  const isAlone = file.series.every(({ length }) => length <= 1)
  for (const [name, { queue, service, workers, completed, arrivals, scale, adds, spread }] of stages) {
    if (queue.length === 0 || service.length === 0)
      throw lacking(`stage ${quoted(name)}`, queue.length === 0 ? 'queue' : 'service')
    const stage = stageNamed(rows, name)
    if (typeof stage === 'string') throw new Refusal('data.result', stage)
    const counts = service.flatMap(({ count, ...rest }) =>
      count === null ? [] : [{ ...rest, value: count, count: null }],
    )
    const count = adds ? totalled : summed
    columns.push({
      stage,
      name,
      scale,
      queue: summed(queue),
      service: fromFirst(averaged(service, isAlone)),
      workers: summed(workers),
      completed: completed.length > 0 ? count(completed) : totalled(counts.length === service.length ? counts : []),
      arrivals: count(arrivals),
      p95: quantile(spread, 0.95),
      p99: quantile(spread, 0.99),
      squares: fromFirst(squaresOf(spread, service, isAlone)),
    })
  }
  if (columns.length === 0) throw lacking('data.result', 'queue')
  if (isCombined) rows.notes.push(t('Instances of a stage are combined.'))
  rows.log.isSorted = true
  merge(rows, columns)
}

const lacking = (path: string, what: 'queue' | 'service'): Refusal =>
  new Refusal(path, t('found no {what}; allowed: a queue and a service time for every stage', { what }))

type Part = 'queue' | 'service' | 'workers' | 'completed' | 'arrivals'
/** What histograms and summaries tell of the spread of the service times. */
type Spread = 'p95' | 'p99' | 'squares'

/** Returns the k-th series of a group, with its counts. Throws a Refusal if it cannot measure its role. */
function seriesOf(file: SeriesFile, group: SeriesGroup, k: number, part: Part): Series {
  const { series, counts } = group
  const own = file.series[series[k]]
  const path = `data.result[${series[k]}]`
  if (part === 'service' && isCounter(group, file))
    throw new Refusal(
      path,
      t('{name} is a counter; allowed: a mean, or a sum and its count', {
        name: group.name,
      }),
    )
  if ((part === 'queue' || part === 'workers') && (counts !== null || own.count !== null))
    throw new Refusal(path, t('{name} is a histogram; allowed: as a service time', { name: group.name }))
  if (counts === null) return part === 'service' || own.count === null ? own : { ...own, value: own.count, count: null }
  return part === 'service' ? withCounts(own, file.series[counts[k]]) : file.series[counts[k]]
}

/** The series of one stage; workers and counts are empty if unknown. */
interface Row extends Readonly<Record<Part | Spread, Series>> {
  readonly stage: number
  readonly name: string
  readonly scale: number
}

/** Merges the series of all stages by time. */
function merge(rows: LogRows, columns: readonly Row[]): void {
  // The latest values of each stage. NaN, or -1 workers: none yet.
  const parts = ['queue', 'service', 'workers', 'completed', 'arrivals', 'p95', 'p99', 'squares'] as const
  const unknown = Object.fromEntries(parts.map((part) => [part, part === 'workers' ? -1 : Number.NaN]))
  const known = columns.map(() => ({ ...unknown }) as Record<Part | Spread, number>)
  const all = columns.flatMap((row) => parts.map((part) => row[part]))
  walk(all, (time, at) => {
    columns.forEach((row, c) => {
      let isNew = false
      parts.forEach((part, p) => {
        const i = at[parts.length * c + p]
        if (i < 0) return
        isNew = true
        // NaN: nothing was served, so nothing was measured.
        const value = row[part].value[i]
        const isTime = part === 'service' || part === 'p95' || part === 'p99' || part === 'squares'
        if (!isTime) known[c][part] = value
        else if (!Number.isNaN(value)) known[c][part] = value * row.scale * (part === 'squares' ? row.scale : 1)
      })
      if (isNew) addState(rows, row, time, known[c])
    })
  })
}

/** Visits the times of all series in order, with the index of each series' sample at that time, or -1. */
function walk(all: readonly Series[], visit: (time: Micros, at: Int32Array) => void): void {
  const next = new Int32Array(all.length)
  const at = new Int32Array(all.length)
  for (;;) {
    let time = Infinity
    for (let k = 0; k < all.length; k++) if (next[k] < all[k].length) time = Math.min(time, all[k].time[next[k]])
    if (time === Infinity) return
    for (let k = 0; k < all.length; k++)
      at[k] = next[k] < all[k].length && all[k].time[next[k]] === time ? next[k]++ : -1
    visit(time, at)
  }
}

function addState(
  rows: LogRows,
  { stage, name }: Row,
  time: Micros,
  state: Readonly<Record<Part | Spread, number>>,
): void {
  // Not all values are known yet.
  if (Number.isNaN(state.queue) || Number.isNaN(state.service)) return
  // A mean over an interval need not be whole.
  const queue = Math.round(state.queue)
  const workers = Math.round(state.workers)
  const isIn = {
    queue: queue >= 0 && queue <= MAX_LOG_QUEUE,
    service: state.service > 0 && state.service < CLOCK_END,
    workers: workers >= -1 && workers <= MAX_WORKERS,
  }
  const outside = (['queue', 'service', 'workers'] as const).find((part) => !isIn[part])
  const problem =
    outside === undefined
      ? addLogRow(rows, time, stage, queue, state.service, workers)
      : `${outside} ${foundText(state[outside], allowed[outside]())}`
  if (problem === null)
    noteCounts(rows.log, state.completed, state.arrivals, Number.NaN, state.p95, state.p99, state.squares)
  else
    noteBadRow(
      rows,
      () => t('stage {name} at {time} s', { name: quoted(name), time: countText(time / 1_000_000) }),
      problem,
    )
}

/** Returns the sum at each time, over the series that have a sample there: a missing instance does not count. */
export function summed(instances: readonly Series[]): Series {
  if (instances.length === 1) return instances[0]
  return combined(instances, (at) =>
    at.reduce((sum, i, k) => (i < 0 || Number.isNaN(instances[k].value[i]) ? sum : sum + instances[k].value[i]), 0),
  )
}

/** Returns what counters have counted together. A counter that falls has started again. */
export function totalled(instances: readonly Series[]): Series {
  const last = instances.map(() => 0)
  let total = 0
  return combined(instances, (at) => {
    at.forEach((i, k) => {
      const value = i < 0 ? Number.NaN : instances[k].value[i]
      if (Number.isNaN(value)) return
      total += value < last[k] ? value : value - last[k]
      last[k] = value
    })
    return total
  })
}

/** Returns the mean at each time: the growth of all sums over the growth of all counts; of plain means, their mean. NaN if nothing was counted. `isAlone`: there is one scrape, with the means since the processes began. */
export function averaged(instances: readonly Series[], isAlone = false): Series {
  if (instances.length === 1 && instances[0].count === null) return instances[0]
  return combined(instances, (at) => {
    let [sum, count] = [0, 0]
    at.forEach((i, k) => {
      if (i < 0) return
      const { value, count: counts } = instances[k]
      if (counts === null) {
        if (Number.isNaN(value[i])) return
        sum += value[i]
        count++
      } else if (isAlone) {
        sum += value[i]
        count += counts[i]
      } else if (i > 0) {
        // A count falls when its process restarts.
        const restarted = counts[i] < counts[i - 1]
        sum += restarted ? value[i] : value[i] - value[i - 1]
        count += restarted ? counts[i] : counts[i] - counts[i - 1]
      }
    })
    return count > 0 ? sum / count : Number.NaN
  })
}

/** Returns means that begin with the first one that is measured: before the growth of a sum is known, a log already has queues and counts. */
function fromFirst(means: Series): Series {
  const first = means.value.subarray(0, means.length).findIndex((mean) => !Number.isNaN(mean))
  return first <= 0 ? means : { ...means, value: means.value.map((mean, k) => (k < first ? means.value[first] : mean)) }
}

/** Returns the mean of a quantile over the instances of a stage, which cannot be combined exactly; no samples if a summary has none. */
const quantile = (spread: readonly (readonly Series[])[], share: number): Series =>
  fromFirst(averaged(spread.flat().filter(({ labels }) => Number(labels.quantile) === share)))

/**
 * Returns the mean of the squares of the service times, as the numbers in the buckets and the mean tell it. No samples without buckets.
 */
export function squaresOf(spread: readonly (readonly Series[])[], sums: readonly Series[], isAlone = false): Series {
  const bounds = [...new Set(spread.flat().map(boundOf))].filter((le) => le > 0).sort((a, b) => a - b)
  const finite = bounds.filter((le) => le < Infinity)
  if (finite.length === 0 || bounds.length === finite.length || sums.some(({ count }) => count === null))
    return createSeries({})
  const grown = (series: Series) => {
    const { value, length } = totalled([series])
    return length === 0 ? 0 : value[length - 1] - (isAlone ? 0 : value[0])
  }
  const below = bounds.map((le) =>
    spread.flat().reduce((sum, each) => (boundOf(each) === le ? sum + grown(each) : sum), 0),
  )
  const served = sums.reduce((sum, each) => sum + grown({ ...each, value: each.count ?? each.value }), 0)
  const mean = sums.reduce((sum, each) => sum + grown(each), 0) / served
  if (!(mean > 0)) return createSeries({})
  const squares = squaresIn(
    bounds.map((le, b) => ({
      from: bounds[b - 1] ?? 0,
      // Above the last bound nothing is known.
      width: le < Infinity ? le - (bounds[b - 1] ?? 0) : finite[finite.length - 1],
      jobs: Math.max(0, below[b] - (below[b - 1] ?? 0)),
    })),
    mean,
  )
  // What is at most a bound also is in all later buckets, so each counts by what it lacks to the next.
  const weight = bounds.map((_, b) => squares[b] - (squares[b + 1] ?? 0))
  const instances = spread.map((each) => bounds.map((le) => each.find((series) => boundOf(series) === le)))
  const whole = instances.filter((each): each is Series[] => each.every((series) => series !== undefined))
  const sumsOf = whole.map((each) => {
    const sum = combined(each, (at) =>
      at.reduce((all, i, b) => all + (i < 0 ? Number.NaN : weight[b] * each[b].value[i]), 0),
    )
    return withCounts(sum, each[each.length - 1])
  })
  return averaged(sumsOf, isAlone)
}

const boundOf = ({ labels }: Series): number => Number(labels.le?.replace('+Inf', 'Infinity'))

interface Bucket {
  readonly from: number
  readonly width: number
  readonly jobs: number
}

/** Coefficients of variation that are tried, from 0.1 to 6. */
const spreadsTried = Array.from({ length: 32 }, (_, k) => 0.1 * exp(k * 0.132))
/** Parts of a bucket in which the density counts as constant, and where its tail is cut, in standard deviations above the mean. */
const [PARTS, TAIL] = [60, 10]
/** A wider distribution counts as likely as the likeliest if its logarithm of the likelihood is at most this much less: narrow ones may all fit one bucket. */
const ALIKE = 0.5
/** The least probability of a bucket. */
const LEAST = 1e-7

/**
 * Returns by bucket the mean of the squares of its times: those of the Erlang or lognormal distribution with this mean that makes these
 * numbers in the buckets most likely.
 */
function squaresIn(buckets: readonly Bucket[], mean: number): number[] {
  // In units in which whole numbers are fine enough.
  const unit = mean / 1e6
  const scaled = buckets.map(({ from, width, jobs }) => ({ from: from / unit, width: width / unit, jobs }))
  const lognormal = spreadsTried.map((cv) => momentsIn(scaled, { kind: 'lognormal', mean: 1e6, cv }, cv))
  const phases = [...new Set(spreadsTried.map((cv) => Math.round(1 / (cv * cv))))].filter(
    (k) => k > 0 && k <= MAX_ERLANG_K,
  )
  const erlang = phases.map((k) => momentsIn(scaled, { kind: 'erlang', mean: 1e6, k }, 1 / Math.sqrt(k)))
  const best = [...lognormal, ...erlang].reduce((one, other) => (other.likelihood > one.likelihood ? other : one))
  const alike = (lognormal.includes(best) ? lognormal : erlang).filter(
    ({ likelihood }) => likelihood > best.likelihood - ALIKE,
  )
  const { means, squares } = alike.reduce((one, other) => (other.cv > one.cv ? other : one))
  const jobs = scaled.reduce((sum, each) => sum + each.jobs, 0)
  const scale = mean / scaled.reduce((sum, each, b) => sum + (each.jobs * means[b]) / jobs, 0)
  return squares.map((square) => scale * scale * square)
}

/** Returns by bucket the means of the times and of their squares under a distribution, and how likely it makes the numbers in the buckets. */
function momentsIn(buckets: readonly Bucket[], service: Service & { readonly mean: number }, cv: number) {
  const shape = shapeOf(service)
  if (!('logShape' in shape)) throw new RangeError('a density is needed')
  const { mean } = service
  let rest = [1, mean, mean * mean * (1 + cv * cv)]
  let likelihood = 0
  const moments = buckets.map(({ from, width, jobs }, b) => {
    let own = rest
    if (b < buckets.length - 1) {
      const step = Math.max(0, Math.min(width, mean * (1 + TAIL * cv) - from)) / PARTS
      own = [0, 0, 0]
      for (let k = 0; k < PARTS && step > 0; k++) {
        const x = from + (k + 0.5) * step
        const mass = step * exp(Math.max(-700, shape.logShape(x) + shape.logConstant))
        own = [own[0] + mass, own[1] + mass * x, own[2] + mass * x * x]
      }
    }
    rest = rest.map((each, m) => Math.max(0, each - own[m]))
    likelihood += jobs * log(Math.max(LEAST, own[0]))
    const middle = from + width / 2
    return own[0] > LEAST ? [own[1] / own[0], own[2] / own[0]] : [middle, middle * middle]
  })
  return { cv, likelihood, means: moments.map(([first]) => first), squares: moments.map(([, second]) => second) }
}

/** Returns sums with their counts, at the times of both. */
export function withCounts(sums: Series, counts: Series): Series {
  const paired = {
    ...sums,
    count: new Float64Array(sums.length),
    time: new Float64Array(sums.length),
    value: new Float64Array(sums.length),
    length: 0,
  }
  for (let i = 0, k = 0; i < sums.length && k < counts.length; ) {
    const apart = sums.time[i] - counts.time[k]
    if (apart === 0) {
      paired.time[paired.length] = sums.time[i]
      paired.value[paired.length] = sums.value[i]
      paired.count[paired.length++] = counts.value[k]
    }
    if (apart <= 0) i++
    if (apart >= 0) k++
  }
  return paired
}

/** Merges the series by time. `valueAt` gets, by series, the index of its sample at the time, or -1. */
function combined(instances: readonly Series[], valueAt: (at: Int32Array) => number): Series {
  const times: number[] = []
  const values: number[] = []
  walk(instances, (time, at) => {
    times.push(time)
    values.push(valueAt(at))
  })
  return {
    labels: instances[0]?.labels ?? {},
    length: times.length,
    time: Float64Array.from(times),
    value: Float64Array.from(values),
    count: null,
  }
}
