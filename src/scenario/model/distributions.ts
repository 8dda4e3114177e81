import { t } from '../../language/translate.ts'
import { MAX_ALPHA, MAX_CV, MAX_ERLANG_K, MIN_ALPHA } from './limits.ts'
import { type Kind, type NumberParam, type Param, type Params, paramsIn, type ValuesOf } from './params.ts'
import { countText, foundText } from './words.ts'

/** A distribution of service times. How it is drawn is in workload/laws.ts. Times are in microseconds. */
interface Distribution<P extends Params, V = ValuesOf<P>> extends Kind {
  readonly params: P
  /** Not rounded. */
  readonly mean: (values: V) => number
  /** In square microseconds. Draws are rounded to whole microseconds, which matters only for means of a few microseconds. */
  readonly variance: (values: V) => number
  /** The approximate maximum draw: exact for bounded kinds, else the mean plus 40 standard deviations. For rough bounds only. */
  readonly greatest: (values: V) => number
  /** Values with this mean, for a form to begin with. `part` returns a share of it. */
  readonly start: (mean: number, part: (share: number) => number) => V
  /** The key and the message if well-formed parameters contradict each other. */
  readonly problem?: (values: V) => readonly [key: string, message: string] | null
}

/** Infers the values from the parameters. */
function distribution<const P extends Params>(row: Distribution<P>): Distribution<P> {
  return row
}

type Wording = Pick<Required<NumberParam>, 'label'>
const time = (words: Wording) => ({ is: 'micros', min: 1, slider: [10, 10_000_000], ...words }) as const satisfies Param
const ratio = (row: Wording & Omit<NumberParam, 'is'>) => ({ is: 'real', by: 0.1, ...row }) as const satisfies Param
const mean = time({ label: () => t('Mean') })
const declared = (values: { readonly mean: number }) => values.mean

/** Every distribution, described once. Types, checks, JSON Schema, short links and forms are made from this table, in its order. */
export const distributions = {
  constant: distribution({
    name: () => t('Constant'),
    link: 0,
    params: { mean: time({ label: () => t('Time') }) },
    mean: declared,
    variance: () => 0,
    greatest: declared,
    start: (mean) => ({ mean }),
  }),
  uniform: distribution({
    name: () => t('Uniform'),
    link: 4,
    params: { min: time({ label: () => t('Least') }), max: time({ label: () => t('Most') }) },
    mean: ({ min, max }) => (min + max) / 2,
    // Of n whole numbers in a row: (n^2 - 1) / 12.
    variance: ({ min, max }) => ((max - min + 1) * (max - min + 1) - 1) / 12,
    greatest: ({ max }) => max,
    start: (_, part) => ({ min: part(0.5), max: part(1.5) }),
    problem: ({ min, max }) =>
      min > max ? ['max', foundText(max, t('at least min, {min}', { min: countText(min) }))] : null,
  }),
  exponential: distribution({
    name: () => t('Exponential'),
    link: 1,
    params: { mean },
    mean: declared,
    variance: ({ mean }) => mean * mean,
    greatest: ({ mean }) => mean * 41,
    start: (mean) => ({ mean }),
  }),
  erlang: distribution({
    name: () => t('Erlang'),
    link: 2,
    params: {
      mean,
      k: { is: 'whole', min: 1, max: MAX_ERLANG_K, label: () => t('Phases'), slider: [1, 20, 'linear'] },
    },
    mean: declared,
    variance: ({ mean, k }) => (mean * mean) / k,
    greatest: ({ mean, k }) => mean * (1 + 40 / Math.sqrt(k)),
    start: (mean) => ({ mean, k: 4 }),
  }),
  lognormal: distribution({
    name: () => t('Lognormal'),
    link: 3,
    params: {
      mean,
      cv: ratio({
        min: 0,
        max: MAX_CV,
        label: () => t('Spread'),
        hint: () => t('Standard deviation over mean'),
        slider: [0.05, 5],
      }),
    },
    mean: declared,
    variance: ({ mean, cv }) => mean * mean * cv * cv,
    greatest: ({ mean, cv }) => mean * (1 + 40 * cv),
    start: (mean) => ({ mean, cv: 0.6 }),
  }),
  pareto: distribution({
    name: () => t('Pareto'),
    link: 5,
    params: {
      mean,
      alpha: ratio({
        min: MIN_ALPHA,
        max: MAX_ALPHA,
        label: () => t('Tail'),
        slider: [1.05, 10],
      }),
    },
    mean: declared,
    // least^2 alpha / ((alpha - 1)^2 (alpha - 2)), with least = mean (alpha - 1) / alpha. Infinite up to alpha 2.
    variance: ({ mean, alpha }) => (alpha > 2 ? (mean * mean) / (alpha * (alpha - 2)) : Infinity),
    greatest: ({ mean }) => mean * 1000,
    start: (mean) => ({ mean, alpha: 2.5 }),
  }),
  bimodal: distribution({
    name: () => t('Two times'),
    link: 6,
    params: {
      fast: time({ label: () => t('Fast') }),
      slow: time({ label: () => t('Slow') }),
      pSlow: ratio({ min: 0, max: 1, by: 0.01, label: () => t('Share slow'), slider: [0, 1, 'linear'] }),
    },
    mean: ({ fast, slow, pSlow }) => fast + pSlow * (slow - fast),
    variance: ({ fast, slow, pSlow }) => pSlow * (1 - pSlow) * (slow - fast) * (slow - fast),
    greatest: ({ fast, slow }) => Math.max(fast, slow),
    start: (_, part) => ({ fast: part(0.5), slow: part(5.5), pSlow: 0.1 }),
  }),
  empirical: distribution({
    name: () => t('Measured times'),
    link: 7,
    params: { values: { is: 'samples', label: () => t('Times') } },
    mean: ({ values }) => meanOf(values),
    variance({ values }) {
      const mean = meanOf(values)
      return values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / values.length
    },
    greatest: ({ values }) => values.reduce((most, value) => Math.max(most, value), 0),
    start: (mean, part) => ({ values: [part(0.5), part(0.75), mean, part(1.75)] }),
  }),
} as const

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

type Table = typeof distributions
export type DistributionKind = keyof Table
/** A service time as written in a scenario. */
export type DescribedService = {
  [K in DistributionKind]: { readonly kind: K } & ValuesOf<Table[K]['params']>
}[DistributionKind]

export const distributionKinds = Object.keys(distributions) as DistributionKind[]

function rowOf(kind: DistributionKind): Distribution<Params, DescribedService> {
  return distributions[kind] as unknown as Distribution<Params, DescribedService>
}

/** Returns the declared mean of a service time in microseconds, not rounded. */
export function serviceMean(service: DescribedService): number {
  return rowOf(service.kind).mean(service)
}

/** Returns the variance of a declared service time; Infinity for `pareto` up to alpha 2. */
export function serviceVariance(service: DescribedService): number {
  return rowOf(service.kind).variance(service)
}

/** Returns about the greatest draw of a service time. */
export function greatestService(service: DescribedService): number {
  return rowOf(service.kind).greatest(service)
}

/** Returns the key and the message if the parameters of a service time contradict each other; else null. */
export function serviceProblem(service: DescribedService): readonly [key: string, message: string] | null {
  return rowOf(service.kind).problem?.(service) ?? null
}

/** Returns the mean that each stage declares at the start, in listing order. */
export function declaredMeans({
  stages,
}: {
  readonly stages: readonly { readonly service: DescribedService }[]
}): number[] {
  return stages.map(({ service }) => serviceMean(service))
}

/** Returns another distribution with the same mean. */
export function serviceOfKind(kind: DistributionKind, before: DescribedService): DescribedService {
  const mean = Math.max(1, Math.round(serviceMean(before)))
  const values: object = rowOf(kind).start(mean, (share) => Math.max(1, Math.round(mean * share)))
  return { kind, ...values } as DescribedService
}

/** Returns the distribution with every time multiplied by `factor`, in whole microseconds and at least 1. */
export function scaledService(service: DescribedService, factor: number): DescribedService {
  const scaled = (time: number) => Math.max(1, Math.round(time * factor))
  const values = new Map<string, unknown>(Object.entries(service))
  for (const [key, { is }] of paramsIn(rowOf(service.kind))) {
    if (is === 'micros') values.set(key, scaled(values.get(key) as number))
    if (is === 'samples') values.set(key, (values.get(key) as readonly number[]).map(scaled))
  }
  return Object.fromEntries(values) as unknown as DescribedService
}
