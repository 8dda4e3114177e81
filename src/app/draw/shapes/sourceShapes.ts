import { t } from '../../../language/translate.ts'
import type { Micros, PerSecond, Source } from '../../../scenario/model/scenario.ts'
import { countJobs, lastArrival, type SourceKind, sources } from '../../../scenario/model/sources.ts'
import { count, rate } from '../../../views/drawing/format.ts'

type Points = readonly (readonly [Micros, PerSecond])[]

/** The picture of a kind of source; scenario/model/sources.ts defines the kinds. */
interface SourceShape<S> {
  /** In a box of 20. Time goes to the right. */
  readonly glyph: string
  readonly caption: (source: S) => string
  /** Its rate as the corners of a line until `end`; left out if there is nothing to draw, and for kinds that are drawn by hand. */
  readonly line?: (source: S, end: Micros) => Points
}

const shapes: { readonly [K in SourceKind]: SourceShape<Extract<Source, { readonly kind: K }>> } = {
  batch: { glyph: 'M5 6h10M5 10h10M5 14h10', caption: ({ jobs }) => t('{jobs} at once', { jobs: count(jobs) }) },
  poisson: {
    glyph: 'M3 10c2-7 4.7-7 7 0s5 7 7 0',
    caption: (source) => `${sources.poisson.name()} ${rate(source.rate)}`,
    line: steady,
  },
  regular: {
    glyph: 'M4 6.5v7M8 6.5v7M12 6.5v7M16 6.5v7',
    caption: (source) => `${sources.regular.name()} ${rate(source.rate)}`,
    line: steady,
  },
  sine: {
    glyph: 'M3 14c3.5 0 3.5-8 7-8s3.5 8 7 8',
    caption: ({ max }) => `${sources.sine.name()}, ${t('up to {most}', { most: count(max) })}`,
    line: ({ max, every }, end) =>
      Array.from(
        { length: SAMPLES + 1 },
        (_, i) =>
          [(i / SAMPLES) * end, ((Math.sin(((i / SAMPLES) * end) / 1e6) + 1) / 2) * max * (1e6 / every)] as const,
      ),
  },
  bursts: {
    glyph: 'M3 14h3V6h3v8h4V6h3v8h1',
    caption: ({ burstRate }) => `${sources.bursts.name()} ${rate(burstRate)}`,
    line: bursts,
  },
  steps: {
    glyph: 'M3 14h5v-4h4V6h5',
    caption: ({ at }) => t('{n, plural, one {# rate} other {# rates}}', { n: at.length }),
  },
  curve: {
    glyph: 'M3 14C8 14 9 6 17 5.5',
    caption: ({ points }) => t('Curve, {n, plural, one {# point} other {# points}}', { n: points.length }),
  },
  times: {
    glyph: 'M4 6.5v7M6.5 6.5v7M12 6.5v7M16 6.5v7',
    caption: ({ at }) => t('{n, plural, one {# set time} other {# set times}}', { n: at.length }),
    line: ({ at }, end) => binned(at, end),
  },
  groups: {
    glyph: 'M4 7h.01M7 7h.01M10 7h.01M4 10h.01M7 10h.01M13 13h.01M16 13h.01M10 13h.01',
    caption: ({ groups }) => t('{n, plural, one {# group} other {# groups}}', { n: groups.length }),
  },
  lines: { glyph: 'M5 5.5h10M5 8.5h7M5 11.5h10M5 14.5h5', caption: sources.lines.name },
  image: {
    glyph: 'M4.5 5h11v10h-11zM8.2 5v10M11.8 5v10M4.5 8.3h11M4.5 11.7h11',
    caption: (source) => t('{source, plural, one {# tile} other {# tiles}}', { source: countJobs(source) }),
  },
  values: {
    glyph: 'M7 5.5c-2 0-1 4.5-3 4.5 2 0 1 4.5 3 4.5M13 5.5c2 0 1 4.5 3 4.5-2 0-1 4.5-3 4.5M9 10h.01M11 10h.01',
    caption: ({ values }) => t('{n, plural, one {# value} other {# values}}', { n: values.length }),
  },
}

const SAMPLES = 160
const BINS = 40

function shapeOf({ kind }: Source): SourceShape<Source> {
  return shapes[kind] as unknown as SourceShape<Source>
}

export function sourceGlyph(kind: SourceKind): string {
  return shapes[kind].glyph
}

export function sourceCaption(source: Source): string {
  return shapeOf(source).caption(source)
}

export type ArrivalRate = { readonly points: Points; readonly end: Micros; readonly maxRate: PerSecond }

/** Returns the arrival rate as a line; null if there is nothing to draw, and for kinds that are drawn by hand. */
export function arrivalRate(source: Source): ArrivalRate | null {
  const end = Math.max(1, lastArrival(source))
  const points = shapeOf(source).line?.(source, end) ?? []
  return points.length === 0 ? null : { points, end, maxRate: Math.max(...points.map(([, rate]) => rate), 1e-9) }
}

function steady({ rate }: { readonly rate: PerSecond }, end: Micros): Points {
  return [0, end].map((time) => [time, rate])
}

/** Returns the line of bursts, with as many rounds as can be distinguished. */
function bursts({ rate, burstRate, on, off }: Extract<Source, { kind: 'bursts' }>, end: Micros): [Micros, PerSecond][] {
  const rounds = Math.min(SAMPLES, Math.ceil(end / (on + off)))
  return Array.from({ length: rounds }, (_, k) => k * (on + off)).flatMap((start): [Micros, PerSecond][] => [
    [start, rate],
    [start + off, rate],
    [start + off, burstRate],
    [start + off + on, burstRate],
  ])
}

function binned(times: readonly Micros[], end: Micros): [Micros, PerSecond][] {
  if (times.length === 0) return []
  const counts = new Array<number>(BINS).fill(0)
  for (const time of times) counts[Math.min(BINS - 1, Math.floor((time / end) * BINS))]++
  const width = end / BINS
  return counts.flatMap((count, i) =>
    [i, i + 1].map((edge): [Micros, PerSecond] => [edge * width, (count / width) * 1e6]),
  )
}
