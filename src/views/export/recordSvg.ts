import { t } from '../../language/translate.ts'
import { type Lanes, laneStates } from '../../measures/series/lanes.ts'
import { extremes, greatest, means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { paintedText } from '../drawing/drawnText.ts'
import { clock, count, ticks } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { parliamentLayout, seatPlan } from '../parliament/parliamentLayout.ts'
import { HALF, sabotageLayout } from '../timeline/faultLayout.ts'
import { type FaultMark, icons, markColour, OFF, ROW, wordsWidth } from '../timeline/faultMark.ts'

/** What a picture of a run shows: the whole of it, and the parliament at one instant. */
export interface RecordData {
  readonly palette: Palette
  readonly title: string
  readonly end: Micros
  /** The instant that the parliament shows. */
  readonly at: Micros
  readonly stages: readonly string[]
  readonly workers: number
  /** How many of them there are at that instant; all, where nothing is said. */
  readonly workersAt?: number
  /** By stage, at that instant: seats given, and workers whose post is there. */
  readonly seatsAt: readonly number[]
  readonly postedAt: readonly number[]
  /** By stage, over time. */
  readonly queues: readonly Steps[]
  readonly seats: readonly Steps[]
  readonly lanes: Lanes
  /** What befell the run, in order of time. */
  readonly marks?: readonly Pick<FaultMark, 'time' | 'kind' | 'words' | 'colourIndex'>[]
}

const WIDTH = 1200
const LEFT = 118
const PLOT = WIDTH - LEFT - 26
const HEAD = 168
const QUEUE = 42
const SEATS = 40
const GAP = 22
/** From the lanes to the marks below the axis. */
const AXIS = 30

/**
 * A run as one SVG text of its own, with nothing outside of it needed: the parliament, the queues, the seats and what every
 * worker did. Of a long run each column of pixels shows what held there longest, so the picture stays small.
 */
export function recordSvg(data: RecordData): string {
  const { palette, title, stages, workers, marks = [] } = data
  const lane = Math.max(2, Math.min(14, 340 / workers))
  const queuesTop = HEAD
  const seatsTop = queuesTop + stages.length * QUEUE + GAP
  const lanesTop = seatsTop + SEATS + GAP
  const foot = lanesTop + workers * lane
  const rows = marks.length > 2 ? 2 : marks.length > 0 ? 1 : 0
  const height = Math.ceil(foot + 40 + rows * ROW)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${escaped(palette.font)}" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="${palette.ground}"/>`,
    text(24, 32, title, palette.ink, 'font-size="16" font-weight="700"'),
    parliament(data),
    ...stages.map((name, s) => queue(data, s, name, queuesTop + s * QUEUE)),
    text(24, seatsTop + 16, t('Seats'), palette.soft),
    seatBands(data, seatsTop),
    text(24, lanesTop + 12, t('Workers'), palette.soft),
    laneRuns(data, lanesTop, lane),
    axis(data, foot),
    ...fault(data, rows, foot + AXIS),
    '</svg>\n',
  ]
  return parts.join('\n')
}

function parliament({ palette, workers: all, workersAt: workers = all, seatsAt, postedAt, at }: RecordData): string {
  const { seats, seatRadius, centre } = parliamentLayout(workers, 230, 118)
  const x = (WIDTH - 230) / 2
  const line = Math.max(1, seatRadius * 0.15)
  const circles = seatPlan(workers, seatsAt, postedAt).map(({ stage, filled }, i) => {
    const colour = stage < 0 ? palette.soft : stageColour(palette, stage).fill
    const paint = filled ? `fill="${colour}"` : `fill="${palette.ground}" stroke="${colour}" stroke-width="${short(line)}"`
    return `<circle cx="${short(seats[i].x)}" cy="${short(seats[i].y)}" r="${short(filled ? seatRadius : seatRadius - line / 2)}" ${paint}/>`
  })
  return [
    `<g transform="translate(${x},36)">`,
    ...circles,
    text(centre.x, centre.y - 26, `${workers}`, palette.ink, 'text-anchor="middle" font-size="30" font-weight="700"'),
    text(centre.x, centre.y - 6, `${t('workers')} · ${clock(at)}`, palette.soft, 'text-anchor="middle"'),
    '</g>',
  ].join('\n')
}

/** The queue of a stage: in every column the most that waited. */
function queue({ palette, queues, end }: RecordData, s: number, name: string, top: number): string {
  const min = new Int32Array(PLOT)
  const max = new Int32Array(PLOT)
  extremes(queues[s], 0, end, PLOT, min, max)
  const most = Math.max(1, greatest(queues[s]))
  const y = (value: number) => short(top + QUEUE - 4 - (value / most) * (QUEUE - 14))
  const colour = stageColour(palette, s)
  const outline = `M${LEFT},${y(0)}${changes(max)
    .map((x) => `H${LEFT + x}V${y(max[x])}`)
    .join('')}`
  return [
    // In a picture of its own, which clips what is too long.
    `<svg x="24" y="${top}" width="${LEFT - 30}" height="${QUEUE}">${text(0, QUEUE - 12, name, colour.text)}</svg>`,
    text(LEFT - 8, top + 12, count(greatest(queues[s])), palette.soft, 'text-anchor="end" font-size="10"'),
    `<path d="${outline}H${LEFT + PLOT}V${y(0)}Z" fill="${colour.fill}" fill-opacity="0.3" stroke="${colour.fill}" stroke-width="1"/>`,
  ].join('\n')
}

function seatBands({ palette, seats, workers, end }: RecordData, top: number): string {
  const below = new Float64Array(PLOT)
  const mean = new Float64Array(PLOT)
  return seats
    .map((steps, s) => {
      means(steps, 0, end, PLOT, mean)
      const y = (share: number) => short(top + SEATS - (share / Math.max(1, workers)) * SEATS)
      // Backwards, from the right end of each column to its left.
      const back = changes(below).map((x) => `V${y(below[x])}H${LEFT + x}`)
      for (let x = 0; x < PLOT; x++) below[x] += mean[x]
      const up = changes(below).map((x) => `H${LEFT + x}V${y(below[x])}`)
      return `<path d="M${LEFT},${y(below[0])}${up.join('')}H${LEFT + PLOT}${back.reverse().join('')}Z" fill="${stageColour(palette, s).fill}"/>`
    })
    .join('\n')
}

/** Columns in a row with one stage are one rectangle. */
function laneRuns({ palette, lanes, workers, end }: RecordData, top: number, height: number): string {
  const stage = new Int16Array(PLOT)
  const share = new Uint8Array(PLOT)
  const rects: string[] = []
  for (let w = 0; w < workers; w++) {
    const y = short(top + w * height)
    rects.push(`<rect x="${LEFT}" y="${y}" width="${PLOT}" height="${short(height * 0.82)}" fill="${palette.bed}"/>`)
    laneStates(lanes, w, 0, end, PLOT, stage, share)
    for (let x = 0; x < PLOT; ) {
      const from = x
      while (x < PLOT && stage[x] === stage[from]) x++
      if (stage[from] < 0) continue
      rects.push(`<rect x="${LEFT + from}" y="${y}" width="${x - from}" height="${short(height * 0.82)}" fill="${stageColour(palette, stage[from]).fill}"/>`)
    }
  }
  return rects.join('\n')
}

function axis({ palette, end }: RecordData, top: number): string {
  if (end === 0) return ''
  return ticks(0, end, 10)
    .map(({ time, label }) => text(LEFT + (time / end) * PLOT, top + 20, label, palette.soft, 'text-anchor="middle"'))
    .join('\n')
}

/** The marks below the axis, as they stand on the page, each with a line up to its instant. */
function fault({ palette, end, marks = [] }: RecordData, rows: number, top: number): string[] {
  const room = { plot: { x: LEFT, width: PLOT }, width: WIDTH }
  const placeable = marks.map((mark) => ({ time: mark.time, words: wordsWidth(mark) }))
  return sabotageLayout(placeable, room, [0, Math.max(1, end)], rows).flatMap((place, i) => {
    if (place === null) return []
    const { kind, words, colourIndex } = marks[i]
    const colour = markColour(palette, colourIndex, palette.panel)
    const x = place.x + place.aside
    const y = top + OFF + place.row * ROW + HALF
    return [
      `<path d="M${short(place.x)},${short(top - 28)}v5M${short(place.x)},${short(top - 4)}V${short(y)}" stroke="${colour.fill}" stroke-width="1.5"/>`,
      `<circle cx="${short(x)}" cy="${short(y)}" r="${HALF}" fill="${colour.fill}"/>`,
      `<path transform="translate(${short(x - 8)},${short(y - 8)})" d="${icons[kind]}" fill="none" stroke="${colour.on}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
      ...(place.words === null
        ? []
        : [
            text(
              place.words === 'right' ? x + HALF + 5 : x - HALF - 5,
              y + 4,
              words,
              colour.text,
              place.words === 'right' ? 'font-size="11.5"' : 'font-size="11.5" text-anchor="end"',
            ),
          ]),
    ]
  })
}

/** The columns in which a stepped line begins another step: a queue grows by one, and not by and by. */
function changes(values: ArrayLike<number>): number[] {
  const begun: number[] = []
  for (let x = 0; x < PLOT; x++) if (x === 0 || values[x] !== values[x - 1]) begun.push(x)
  return begun
}

function text(x: number, y: number, words: string, fill: string, more = ''): string {
  return `<text x="${short(x)}" y="${short(y)}" fill="${fill}"${more === '' ? '' : ` ${more}`}>${escaped(paintedText(words))}</text>`
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** What stands in a title may be anything, also what no XML may have in it. */
function escaped(words: string): string {
  return words.replace(notXml, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** XML 1.0, production 2, turned round: control characters, halves of characters, and two that are none. */
const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
