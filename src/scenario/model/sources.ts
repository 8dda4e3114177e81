import { t } from '../../language/translate.ts'
import { type DescribedService, greatestService } from './distributions.ts'
import * as limit from './limits.ts'
import { type Kind, type NumberParam, type Param, type Params, paramsIn, type ValuesOf } from './params.ts'
import * as figures from './sourceFigures.ts'
import { countText, problemAt } from './words.ts'

/** A kind of source: everything except the arrival times, which workload/arrivals.ts calculates. Times are in microseconds. */
interface SourceRow<P extends Params, V = ValuesOf<P>> extends Kind {
  readonly params: P
  /** The maximum number of jobs; by default the parameter `jobs`. Exact, except for `sine` without `jobs`. */
  readonly jobs?: (values: V) => number
  /** About when the last job arrives, at the mean rates, and never before the last time in the source; left out: 0. */
  readonly lastArrival?: (values: V) => number
  /** The number of cycles, even if no job arrives in them, and the key of their length. */
  readonly cycles?: { readonly key: string; readonly count: (values: V) => number }
  /** Values for a form to begin with, like those of another source. */
  readonly start: (like: figures.Load) => V
  /** Contradictions between well-formed parameters, with paths below the source. */
  readonly problems?: (values: V) => readonly figures.Wrong[]
}

/** Infers the values from the parameters. */
function source<const P extends Params>(row: SourceRow<P>): SourceRow<P> {
  return row
}

type Wording = Pick<Required<NumberParam>, 'label'>
const number = (is: 'whole' | 'real', min: number, max: number, row: Wording & Partial<NumberParam>) =>
  ({ ...row, is, min, max }) as const satisfies Param
const duration = (min: number, words: Wording) =>
  ({ is: 'micros', min, slider: [1000, 60_000_000], ...words }) as const satisfies Param
const pixels = (min: number, max: number, words: Wording) =>
  number('whole', min, max, { by: 8, unit: () => 'px', slider: [8, max], ...words })
const coordinate = (byDefault: number, words: Wording) =>
  number('real', -limit.MAX_POINT, limit.MAX_POINT, { byDefault, by: 0.01, ...words })

const rates = { label: () => t('Time and rate'), is: 'rates' } as const
const perSecond = { counts: () => t(' of jobs per second'), by: 10, unit: () => t('/s'), slider: [1, 10_000] } as const
const jobs = number('whole', 0, limit.MAX_JOBS, { by: 10, slider: [1, 100_000], label: () => t('Jobs') })
const rate = number('real', limit.MIN_RATE, limit.MAX_RATE, { ...perSecond, label: () => t('Rate') })
const rateOrNone = (words: Wording) => number('real', 0, limit.MAX_RATE, { ...perSecond, ...words })
type Steady = Readonly<Record<'rate' | 'jobs', number>>
const steady = {
  params: { rate, jobs },
  lastArrival: ({ jobs, rate }: Steady) => (jobs / rate) * 1e6,
  start: ({ jobs, rate }: Steady) => ({ rate, jobs }),
} as const

/** The orders of jobs in groups, and the parameter that each of them uses. */
export const groupOrders = {
  asProduced: {
    name: () => t('As produced'),
    uses: null,
  },
  shuffled: { name: () => t('All shuffled'), uses: null },
  window: {
    name: () => t('Shuffled in windows'),
    uses: 'window',
  },
  spread: {
    name: () => t('Spread by feeders'),
    uses: 'feeders',
  },
  largestFirst: {
    name: () => t('Spread, largest first'),
    uses: 'feeders',
  },
} as const
export type GroupOrder = keyof typeof groupOrders

/** Every kind of source, described once, for types, checks, JSON Schema, links and forms, in this order. Jobs are numbered from 0 as they arrive. */
export const sources = {
  batch: source({
    name: () => t('All at once'),
    link: 0,
    params: { jobs },
    start: ({ jobs }) => ({ jobs }),
  }),
  poisson: source({
    name: () => t('Poisson'),
    link: 1,
    ...steady,
  }),
  regular: source({
    name: () => t('Regular'),
    link: 2,
    ...steady,
  }),
  /** round(sin(t) * max / 2 + max / 2) jobs, t in seconds, spread evenly over each `every`. */
  sine: source({
    name: () => t('Sine'),
    link: 3,
    params: {
      max: number('whole', 1, limit.MAX_JOBS, {
        label: () => t('At the peak'),
        unit: () => t('jobs'),
        slider: [1, 10_000],
      }),
      every: duration(1, { label: () => t('Stretch') }),
      duration: duration(0, { label: () => t('Lasts') }),
      jobs: {
        is: 'whole',
        min: 0,
        max: limit.MAX_JOBS,
        orNone: true,
        byDefault: null,
        label: () => t('At most'),
        hint: () => t('Empty: no limit'),
      },
    },
    jobs({ max, jobs, every, duration }) {
      const most = max * Math.ceil(duration / every)
      return jobs === null ? most : Math.min(jobs, most)
    },
    lastArrival: ({ duration }) => duration,
    cycles: { key: 'every', count: ({ duration, every }) => Math.ceil(duration / every) },
    start: ({ jobs, rate, third }) => ({
      max: Math.max(1, Math.round(rate / 5)),
      every: 100_000,
      duration: Math.max(100_000, 3 * third),
      jobs,
    }),
  }),
  /** Poisson at `rate`, and at `burstRate` for the `on` part of every `on + off` (each cycle begins with `off`). */
  bursts: source({
    name: () => t('Bursts'),
    link: 4,
    params: {
      rate: rateOrNone({ label: () => t('Quiet') }),
      burstRate: rateOrNone({ label: () => t('Burst') }),
      on: duration(1, { label: () => t('Burst lasts') }),
      off: duration(0, { label: () => t('Quiet lasts') }),
      jobs,
    },
    lastArrival: figures.lastOfBursts,
    cycles: { key: 'on', count: (values) => Math.ceil(figures.lastOfBursts(values) / (values.on + values.off)) },
    start: ({ jobs, rate }) => ({
      rate: figures.tidy(rate / 4),
      burstRate: figures.tidy(rate * 3),
      on: 250_000,
      off: 750_000,
      jobs,
    }),
    problems: ({ rate, burstRate, on, off }) =>
      rate * off + burstRate * on > 0
        ? []
        : problemAt('burstRate', t('no job would arrive; allowed: a rate or burstRate above 0')),
  }),
  /** Regular arrivals whose rate changes at the given times. */
  steps: source({
    name: () => t('Steps or square'),
    link: 5,
    params: { at: rates, jobs },
    lastArrival: ({ at, jobs }) => figures.afterLast('steps', at, jobs),
    start: (load) => ({ at: figures.risingRate(load), jobs: load.jobs }),
    problems: ({ at }) => figures.ratesAreSound('at', at),
  }),
  /** Regular arrivals whose rate goes in straight lines through the given points. */
  curve: source({
    name: () => t('Drawn by hand'),
    link: 6,
    params: { points: rates, jobs },
    lastArrival: ({ points, jobs }) => figures.afterLast('curve', points, jobs),
    start: (load) => ({ points: figures.risingRate(load), jobs: load.jobs }),
    problems: ({ points }) => figures.ratesAreSound('points', points),
  }),
  times: source({
    name: () => t('Set times'),
    link: 7,
    params: { at: { is: 'times', label: () => t('Times') } },
    jobs: ({ at }) => at.length,
    lastArrival: ({ at }) => at.at(-1) ?? 0,
    // At most 100 times: people edit this list by hand.
    start: ({ jobs, rate }) => ({
      at: Array.from({ length: Math.min(jobs, 100) }, (_, i) => Math.round((i / rate) * 1e6)),
    }),
    problems: ({ at }) => figures.ascend('at', at, ''),
  }),
  groups: source({
    name: () => t('Groups'),
    link: 8,
    params: {
      groups: {
        is: 'sizes',
        label: () => t('Sizes'),
      },
      order: { is: 'choice', options: groupOrders, byDefault: 'asProduced', label: () => t('Order') },
      feeders: number('whole', 1, limit.MAX_FEEDERS, {
        byDefault: 4,
        label: () => t('Feeders'),
        slider: [1, limit.MAX_FEEDERS],
      }),
      window: number('whole', 1, limit.MAX_ITEMS, {
        byDefault: 100,
        label: () => t('Groups at a time'),
        slider: [1, 1000],
      }),
    },
    jobs: ({ groups }) => sum(groups),
    start: ({ jobs }) => ({ groups: figures.unevenGroups(jobs), order: 'spread', feeders: 4, window: 4 }),
    problems: ({ groups }) => figures.boundedJobs('groups', sum(groups)),
  }),
  /** The lines of a file that a person drops on the page. Its bytes are not in the scenario. */
  lines: source({
    name: () => t('Lines of a file'),
    link: 9,
    params: { jobs: { is: 'whole', min: 0, max: limit.MAX_JOBS }, digest: { is: 'digest', byDefault: '' } },
    start: () => ({ jobs: 0, digest: '' }),
  }),
  /** The Mandelbrot set row by row in square tiles, smaller at the right and lower edges, each a job at time 0. By default the whole set. */
  image: source({
    name: () => t('Tiles of a picture'),
    link: 10,
    params: {
      width: pixels(1, limit.MAX_SIDE, { label: () => t('Width') }),
      height: pixels(1, limit.MAX_SIDE, { label: () => t('Height') }),
      tile: pixels(limit.MIN_TILE, limit.MAX_TILE, { label: () => t('Tile') }),
      x: coordinate(-0.6, { label: () => t('Middle, x') }),
      y: coordinate(0, { label: () => t('Middle, y') }),
      span: number('real', limit.MIN_SPAN, limit.MAX_SPAN, {
        byDefault: 3.2,
        by: 0.1,
        slider: [0.000_001, 4],
        label: () => t('Spans'),
      }),
      iterations: number('whole', 1, limit.MAX_ITERATIONS, {
        byDefault: 1000,
        by: 100,
        slider: [50, 20_000],
        label: () => t('Iterations'),
      }),
    },
    jobs: (picture) => figures.tileColumns(picture) * figures.tileRows(picture),
    start: () => ({ width: 768, height: 512, tile: 64, x: -0.6, y: 0, span: 3.2, iterations: 1000 }),
    problems: figures.pictureIsBounded,
  }),
  /** Values that stand in the scenario: each is the input of a job. */
  values: source({
    name: () => t('Values'),
    link: 11,
    params: {
      values: {
        is: 'values',
        label: () => t('Values'),
        hint: () => t('One a line, JSON or text'),
      },
    },
    jobs: ({ values }) => values.length,
    start: ({ jobs }) => ({ values: Array.from({ length: Math.min(jobs, 100) }, (_, i) => i) }),
    problems: figures.valuesAreBounded,
  }),
} as const

type Table = typeof sources
export type SourceKind = keyof Table
/** A source as written in a scenario. */
export type DescribedSource = {
  [K in SourceKind]: {
    readonly kind: K
    readonly retry?: Retry | undefined
    readonly classes?: Classes | undefined
  } & ValuesOf<Table[K]['params']>
}[SourceKind]
/** By class, the most urgent first: how likely a job is of it, as a weight. */
export type Classes = readonly number[]
/** A client gives up a job that waited for `after` before its first start, and sends it again up to `limit` times: after `backoff`, then twice as long each time. */
export interface Retry {
  readonly after: DescribedService
  readonly limit: number
  readonly backoff: number
}
export type Picture = Extract<DescribedSource, { readonly kind: 'image' }>

export const sourceKinds = Object.keys(sources) as SourceKind[]

function rowOf(kind: SourceKind): SourceRow<Params, DescribedSource> {
  return sources[kind] as unknown as SourceRow<Params, DescribedSource>
}

/** Returns the maximum number of jobs of a source. It is exact, except for `sine` without `jobs`. */
export function countJobs(source: DescribedSource): number {
  return rowOf(source.kind).jobs?.(source) ?? ('jobs' in source ? (source.jobs ?? 0) : 0)
}

/** Returns the number of services if every job passes every stage. */
export function countServices(scenario: {
  readonly source: DescribedSource
  readonly stages: readonly unknown[]
}): number {
  return countJobs(scenario.source) * scenario.stages.length
}

/** Returns about when the last job arrives, at the mean rates, and never before the last time in the source. */
export function lastArrival(source: DescribedSource): number {
  return rowOf(source.kind).lastArrival?.(source) ?? 0
}

/** Returns how long after its arrival a job may still be sent again, at most; 0 without retries. */
export function lastRetry({ retry }: { readonly retry?: Retry | undefined }): number {
  return retry === undefined
    ? 0
    : (retry.limit + 1) * greatestService(retry.after) + retry.backoff * ((1 << retry.limit) - 1)
}

/** Returns about how many steps of a sine or cycles of bursts a source walks through; 0 for other kinds. */
export function countCycles(source: DescribedSource): number {
  return rowOf(source.kind).cycles?.count(source) ?? 0
}

/** Checks what arrives: that times are in order, that every job comes, and that jobs, cycles and pictures stay within their bounds. */
export function sourceProblems(source: DescribedSource): readonly figures.Wrong[] {
  const { problems, cycles } = rowOf(source.kind)
  const found = problems?.(source) ?? []
  if (found.length > 0) return found.map(({ path, message }) => ({ path: `source.${path}`, message }))
  const walked = countCycles(source)
  const message = t('the source has {cycles} cycles; allowed: {most}', {
    cycles: countText(walked),
    most: countText(limit.MAX_CYCLES),
  })
  return [
    ...(walked <= limit.MAX_CYCLES ? [] : [{ path: `source.${cycles?.key}`, message }]),
    ...figures.boundedJobs('source', countJobs(source)),
  ]
}

/** Returns another kind of source with the same number of jobs and about the same rate. */
export function sourceOfKind(kind: SourceKind, before: DescribedSource): DescribedSource {
  const jobs = Math.round(countJobs(before)) || 100
  const seconds = lastArrival(before) / 1e6
  const rate = 'rate' in before && before.rate > 0 ? before.rate : seconds > 0 ? figures.tidy(jobs / seconds) : 200
  const values: object = rowOf(kind).start({ jobs, rate, third: Math.max(1, Math.round((jobs / rate / 3) * 1e6)) })
  return { kind, ...values } as DescribedSource
}

/** Returns the parameters that a form shows of a source: those with a label; for groups only those that its order uses. */
export function shownParams(source: DescribedSource): readonly (readonly [key: string, param: Param])[] {
  const unused = (key: string) =>
    source.kind === 'groups' && (key === 'feeders' || key === 'window') && key !== groupOrders[source.order].uses
  return paramsIn(sources[source.kind]).filter(([key, { label }]) => label !== undefined && !unused(key))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, size) => total + size, 0)
