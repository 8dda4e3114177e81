import { t } from '../../../language/translate.ts'
import { partDefaults } from '../../../scenario/model/defaults.ts'
import { countJobs, lastArrival, MAX_FEEDERS, MAX_SIDE, MAX_TILE } from '../../../scenario/model/limits.ts'
import type { GroupOrder, Source } from '../../../scenario/model/scenario.ts'
import type { Param } from '../../base/forms/param.ts'
import { type SliderRange, upTo } from '../../base/forms/Slider.tsx'

/** A kind of source, as the form offers it. */
interface SourceKind {
  readonly name: string
  readonly about: string
  readonly params: readonly Param[]
}

const perSecond: SliderRange = { least: 1, most: 10_000 }
const jobs = (): Param => ({ key: 'jobs', label: t('Jobs'), kind: 'number', by: 10, slider: upTo(100_000) })
const rate = (): Param => ({ key: 'rate', label: t('Rate'), kind: 'number', by: 10, unit: t('/s'), slider: perSecond })
const span = (key: string, label: string): Param => ({ key, label, kind: 'duration', slider: { least: 1000, most: 60_000_000, whole: true } })
const pixels = (key: string, label: string, most: number): Param => ({ key, label, kind: 'number', by: 8, unit: 'px', slider: { least: 8, most, whole: true } })

/** Returns the orders of jobs in groups, and the parameter of each. */
export const groupOrders = (): Readonly<
  Record<GroupOrder, { readonly name: string; readonly about: string; readonly field: 'feeders' | 'window' | null }>
> => ({
  asProduced: { name: t('As produced'), about: t('One group after the other: jobs that want the same thing stand next to each other.'), field: null },
  shuffled: { name: t('All shuffled'), about: t('All jobs of all groups in random order.'), field: null },
  window: { name: t('Shuffled in windows'), about: t('Some groups at a time, their jobs in random order.'), field: 'window' },
  spread: { name: t('Spread by feeders'), about: t('One job of each open group in turn; a group that ends makes room for the next.'), field: 'feeders' },
  largestFirst: {
    name: t('Spread, largest first'),
    about: t('Spread by feeders, with the largest groups opened first, so that none of them is left alone at the end.'),
    field: 'feeders',
  },
})
const groupOrderNames = () => Object.entries(groupOrders()).map(([order, { name }]) => [order, name] as const)

export const sourceKinds = (): Readonly<Record<Source['kind'], SourceKind>> => ({
  batch: { name: t('All at once'), about: t('Every job is there when the clock starts.'), params: [jobs()] },
  poisson: { name: t('Poisson'), about: t('Independent of each other, at a mean rate.'), params: [rate(), jobs()] },
  regular: { name: t('Regular'), about: t('One after the other at even distances.'), params: [rate(), jobs()] },
  sine: {
    name: t('Sine'),
    about: t('The rate swells and ebbs, a round every 6.28 s.'),
    params: [
      { key: 'max', label: t('At the peak'), kind: 'number', slider: upTo(10_000), hint: t('Jobs in each stretch') },
      span('every', t('Stretch')),
      span('duration', t('Lasts')),
      { key: 'jobs', label: t('At most'), kind: 'optional', hint: t('Jobs; empty: no end but the time') },
    ],
  },
  bursts: {
    name: t('Bursts'),
    about: t('A quiet rate, and a higher one for part of every round.'),
    params: [
      { ...rate(), label: t('Quiet') },
      { ...rate(), key: 'burstRate', label: t('Burst') },
      span('on', t('Burst lasts')),
      span('off', t('Quiet lasts')),
      jobs(),
    ],
  },
  steps: {
    name: t('Steps or square'),
    about: t('Each rate holds until the next; the last one stays.'),
    params: [{ key: 'at', label: t('Time and rate'), kind: 'rates' }, jobs()],
  },
  curve: {
    name: t('Drawn by hand'),
    about: t('The rate runs straight from point to point; the last one stays.'),
    params: [{ key: 'points', label: t('Time and rate'), kind: 'rates' }, jobs()],
  },
  times: { name: t('Set times'), about: t('One job at each of these times, in order.'), params: [{ key: 'at', label: t('Times'), kind: 'durations' }] },
  groups: {
    name: t('Groups'),
    about: t('Groups of jobs, all there at once, in the order chosen. A stage may serve them one at a time.'),
    params: [
      { key: 'groups', label: t('Sizes'), kind: 'sizes', hint: t('Jobs in each group, such as 12, 30, or 25 × 8 for 25 groups of 8') },
      { key: 'order', label: t('Order'), kind: 'choice', options: groupOrderNames() },
      {
        key: 'feeders',
        label: t('Feeders'),
        kind: 'number',
        hint: t('How many groups are open at a time'),
        slider: upTo(MAX_FEEDERS),
      },
      {
        key: 'window',
        label: t('Groups at a time'),
        kind: 'number',
        hint: t('Their jobs are shuffled together'),
        slider: upTo(1000),
      },
    ],
  },
  lines: { name: t('Lines of a file'), about: t('Drop a text file on the page: each of its lines is a job.'), params: [] },
  image: {
    name: t('Tiles of a picture'),
    about: t('The Mandelbrot set, all tiles there at once. Black ones, and those at its edge, take longest.'),
    params: [
      pixels('width', t('Width'), MAX_SIDE),
      pixels('height', t('Height'), MAX_SIDE),
      pixels('tile', t('Tile'), MAX_TILE),
      { key: 'x', label: t('Middle, x'), kind: 'number', by: 0.01 },
      { key: 'y', label: t('Middle, y'), kind: 'number', by: 0.01 },
      { key: 'span', label: t('Spans'), kind: 'number', by: 0.1, slider: { least: 0.000_001, most: 4 }, hint: t('How much of the plane; less is deeper') },
      {
        key: 'iterations',
        label: t('Iterations'),
        kind: 'number',
        by: 100,
        slider: { least: 50, most: 20_000, whole: true },
        hint: t('At most, for one point'),
      },
    ],
  },
})

/** Returns the parameters of a source; for groups only those that its order uses. */
export function sourceParams(source: Source): readonly Param[] {
  const { params } = sourceKinds()[source.kind]
  if (source.kind !== 'groups') return params
  const { field } = groupOrders()[source.order]
  return params.filter(({ key }) => (key !== 'feeders' && key !== 'window') || key === field)
}

/** Returns another kind of source with as many jobs and about the same rate. */
export function sourceOfKind(kind: Source['kind'], before: Source): Source {
  const jobs = Math.round(countJobs(before)) || 100
  const seconds = lastArrival(before) / 1e6
  const rate = 'rate' in before && before.rate > 0 ? before.rate : seconds > 0 ? tidy(jobs / seconds) : 200
  const third = Math.max(1, Math.round((jobs / rate / 3) * 1e6))
  const points = [[0, tidy(rate / 2)] as const, [third, tidy(rate * 2)] as const, [2 * third, rate] as const]
  const { x, y, span, iterations } = partDefaults
  const values: { readonly [K in Source['kind']]: Omit<Extract<Source, { readonly kind: K }>, 'kind'> } = {
    batch: { jobs },
    poisson: { rate, jobs },
    regular: { rate, jobs },
    sine: { max: Math.max(1, Math.round(rate / 5)), every: 100_000, duration: Math.max(100_000, 3 * third), jobs },
    bursts: { rate: tidy(rate / 4), burstRate: tidy(rate * 3), on: 250_000, off: 750_000, jobs },
    steps: { at: points, jobs },
    curve: { points, jobs },
    // A list to edit by hand: nobody edits thousands of times.
    times: { at: Array.from({ length: Math.min(jobs, 100) }, (_, i) => Math.round((i / rate) * 1e6)) },
    groups: { groups: unevenGroups(jobs), order: 'spread', feeders: 4, window: 4 },
    lines: { jobs: 0, digest: '' },
    image: { width: 768, height: 512, tile: 64, x, y, span, iterations },
  }
  return { kind, ...values[kind] } as Source
}

/** Returns twenty groups of uneven sizes: five, three, one, four, two parts each and so on. */
function unevenGroups(jobs: number): number[] {
  const parts = [5, 3, 1, 4, 2]
  const ends = Array.from({ length: 20 }, (_, k) => 15 * Math.floor(k / 5) + parts.slice(0, (k % 5) + 1).reduce((sum, part) => sum + part, 0))
  const upTo = (end: number) => Math.round((jobs * end) / 60)
  return ends.map((end, k) => upTo(end) - upTo(ends[k - 1] ?? 0)).filter((size) => size > 0)
}

const tidy = (rate: number) => Math.max(0.001, Number(rate.toPrecision(3)))
