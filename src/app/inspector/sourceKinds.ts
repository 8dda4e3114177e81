import { partDefaults } from '../../scenario/defaults.ts'
import { countJobs, lastArrival, MAX_SIDE, MAX_TILE } from '../../scenario/limits.ts'
import type { Source } from '../../scenario/scenario.ts'
import type { Param } from './Params.tsx'
import type { SliderRange } from './Slider.tsx'

/** The ways in which jobs arrive, as the form offers them. */
interface SourceKind {
  readonly name: string
  readonly about: string
  readonly params: readonly Param[]
}

const perSecond: SliderRange = { least: 1, most: 10_000 }
const jobs: Param = { key: 'jobs', label: 'Jobs', kind: 'number', by: 10, slider: { least: 1, most: 100_000, whole: true } }
const rate: Param = { key: 'rate', label: 'Rate', kind: 'number', by: 10, unit: '/s', slider: perSecond }
const span = (key: string, label: string): Param => ({ key, label, kind: 'duration', slider: { least: 1000, most: 60_000_000, whole: true } })
const pixels = (key: string, label: string, most: number): Param => ({ key, label, kind: 'number', by: 8, unit: 'px', slider: { least: 8, most, whole: true } })

export const sourceKinds: Readonly<Record<Source['kind'], SourceKind>> = {
  batch: { name: 'All at once', about: 'Every job is there when the clock starts.', params: [jobs] },
  poisson: { name: 'Poisson', about: 'Independent of each other, at a mean rate.', params: [rate, jobs] },
  regular: { name: 'Regular', about: 'One after the other at even distances.', params: [rate, jobs] },
  sine: {
    name: 'Sine',
    about: 'The rate swells and ebbs, a round every 6.28 s.',
    params: [
      { key: 'max', label: 'At the peak', kind: 'number', slider: { least: 1, most: 10_000, whole: true }, hint: 'Jobs in each stretch' },
      span('every', 'Stretch'),
      span('duration', 'Lasts'),
      { key: 'jobs', label: 'At most', kind: 'optional', hint: 'Jobs; empty: no end but the time' },
    ],
  },
  bursts: {
    name: 'Bursts',
    about: 'A quiet rate, and a higher one for part of every round.',
    params: [{ ...rate, label: 'Quiet' }, { ...rate, key: 'burstRate', label: 'Burst' }, span('on', 'Burst lasts'), span('off', 'Quiet lasts'), jobs],
  },
  steps: {
    name: 'Steps or square',
    about: 'Each rate holds until the next; the last one stays.',
    params: [{ key: 'at', label: 'Time and rate', kind: 'rates' }, jobs],
  },
  curve: {
    name: 'Drawn by hand',
    about: 'The rate runs straight from point to point; the last one stays.',
    params: [{ key: 'points', label: 'Time and rate', kind: 'rates' }, jobs],
  },
  times: { name: 'Set times', about: 'One job at each of these times, in order.', params: [{ key: 'at', label: 'Times', kind: 'durations' }] },
  groups: {
    name: 'Groups',
    about: 'Groups of jobs, all there at once, in the order chosen. A stage may serve them one at a time.',
    params: [
      { key: 'groups', label: 'Sizes', kind: 'wholes', hint: 'Jobs in each group' },
      {
        key: 'order',
        label: 'Order',
        kind: 'choice',
        options: [
          ['asProduced', 'As produced'],
          ['shuffled', 'Shuffled'],
          ['window', 'Shuffled in a window'],
          ['spread', 'Spread evenly'],
          ['largestFirst', 'Largest first'],
        ],
      },
      { key: 'feeders', label: 'Feeders', kind: 'number' },
      { key: 'window', label: 'Window', kind: 'number', by: 10 },
    ],
  },
  lines: { name: 'Lines of a file', about: 'Drop a text file on the page: each of its lines is a job.', params: [] },
  image: {
    name: 'Tiles of a picture',
    about: 'The Mandelbrot set, all tiles there at once. Black ones, and those at its edge, take longest.',
    params: [
      pixels('width', 'Width', MAX_SIDE),
      pixels('height', 'Height', MAX_SIDE),
      pixels('tile', 'Tile', MAX_TILE),
      { key: 'x', label: 'Middle, x', kind: 'number', by: 0.01 },
      { key: 'y', label: 'Middle, y', kind: 'number', by: 0.01 },
      { key: 'span', label: 'Spans', kind: 'number', by: 0.1, slider: { least: 0.000_001, most: 4 }, hint: 'How much of the plane; less is deeper' },
      { key: 'iterations', label: 'Iterations', kind: 'number', by: 100, slider: { least: 50, most: 20_000, whole: true }, hint: 'At most, for one point' },
    ],
  },
}

/** Another way to arrive, with as many jobs and about the same rate. */
export function sourceOfKind(kind: Source['kind'], before: Source): Source {
  const jobs = Math.round(countJobs(before)) || 100
  const seconds = lastArrival(before) / 1e6
  const rate = 'rate' in before && before.rate > 0 ? before.rate : seconds > 0 ? tidy(jobs / seconds) : 200
  const third = Math.max(1, Math.round((jobs / rate / 3) * 1e6))
  switch (kind) {
    case 'batch':
      return { kind, jobs }
    case 'poisson':
    case 'regular':
      return { kind, rate, jobs }
    case 'sine':
      return { kind, max: Math.max(1, Math.round(rate / 5)), every: 100_000, duration: Math.max(100_000, 3 * third), jobs }
    case 'bursts':
      return { kind, rate: tidy(rate / 4), burstRate: tidy(rate * 3), on: 250_000, off: 750_000, jobs }
    case 'steps':
    case 'curve': {
      const points = [[0, tidy(rate / 2)] as const, [third, tidy(rate * 2)] as const, [2 * third, rate] as const]
      return kind === 'steps' ? { kind, at: points, jobs } : { kind, points, jobs }
    }
    case 'times':
      // A list for the hand: nobody edits thousands of times.
      return { kind, at: Array.from({ length: Math.min(jobs, 100) }, (_, i) => Math.round((i / rate) * 1e6)) }
    case 'groups':
      return {
        kind,
        groups: [0.4, 0.3, 0.2]
          .map((share) => Math.floor(jobs * share))
          .concat(jobs - Math.floor(jobs * 0.4) - Math.floor(jobs * 0.3) - Math.floor(jobs * 0.2)),
        order: 'spread',
        feeders: 4,
        window: 100,
      }
    case 'lines':
      return { kind, jobs: 0, digest: '' }
    case 'image': {
      const { x, y, span, iterations } = partDefaults
      return { kind, width: 768, height: 512, tile: 64, x, y, span, iterations }
    }
  }
}

const tidy = (rate: number) => Math.max(0.001, Number(rate.toPrecision(3)))
