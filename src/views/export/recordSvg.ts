import { scaleLinear } from 'd3-scale'
import { t } from '../../language/translate.ts'
import { laneStates } from '../../measures/series/laneStates.ts'
import { type Lanes, teamShares } from '../../measures/series/lanes.ts'
import { extremes, greatest, means, type Steps } from '../../measures/series/steps.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { clock, count } from '../drawing/format.ts'
import { cutText } from '../drawing/paintedText.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { escaped } from '../drawing/svg.ts'
import { timeTicks } from '../drawing/timeTicks.ts'
import { parliamentLayout, seatDots, seatMarks, seatPlan } from '../parliament/seats.ts'
import { type FaultMark, MARK_RADIUS, placedMarks, ROW_HEIGHT } from '../timeline/faultMark.ts'
import { laneCount, type Teams, teamsOf, workersOf } from '../timeline/teams.ts'

/** What a picture of a run shows: the whole run, and the parliament at one instant. */
export interface RecordData {
  readonly palette: Palette
  readonly title: string
  readonly end: Micros
  readonly at: Micros
  readonly stages: readonly string[]
  readonly workers: number
  /** How many of them there are at that instant; by default all. */
  readonly workersAt?: number
  /** By stage, at that instant: the seats, and the workers staffed there. */
  readonly seatsAt: readonly number[]
  readonly staffedAt: readonly number[]
  /** By stage, over time. */
  readonly queues: readonly Steps[]
  readonly seats: readonly Steps[]
  readonly lanes: Lanes
  /** Returns the width of a text in the font of the palette, in pixels. */
  readonly widthOf: WidthOf
  /** Faults and other mid-run events, in order of time. */
  readonly marks?: readonly Pick<FaultMark, 'time' | 'kind' | 'label' | 'colourIndex'>[]
}

type WidthOf = (text: string, size: number, weight: number) => number

const WIDTH = 1200
const LEFT = 118
const PLOT = WIDTH - LEFT - 26
const SIZE = 12
const HEAD = 168
const QUEUE = 42
const SEATS = 40
const GAP = 22
/** From the lanes to the marks below the axis. */
const AXIS = 30

/** Returns a run as the text of an SVG without other files. A column shows what lasted longest; each text has its width, so that it fits in any font. */
export function recordSvg(data: RecordData): string {
  const { palette, title, stages, workers, marks = [], widthOf } = data
  const teams = teamsOf(0, workers)
  const lane = Math.max(2, Math.min(14, 340 / laneCount(teams)))
  const queuesTop = HEAD
  const seatsTop = queuesTop + stages.length * QUEUE + GAP
  const lanesTop = seatsTop + SEATS + GAP
  const foot = lanesTop + laneCount(teams) * lane
  const rows = marks.length > 2 ? 2 : marks.length > 0 ? 1 : 0
  const height = Math.ceil(foot + 40 + rows * ROW_HEIGHT)
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="${escaped(palette.font)}" font-size="${SIZE}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="${palette.ground}"/>`,
    text(widthOf, 24, 32, title, palette.ink, { size: 16, weight: 700, room: (WIDTH - 230) / 2 - 40 }),
    parliament(data),
    // On one scale, as on the page.
    ...stages.map((name, s) => queue(data, s, name, queuesTop + s * QUEUE, Math.max(1, ...data.queues.map(greatest)))),
    text(widthOf, 24, seatsTop + 16, t('Targets'), palette.soft),
    seatBands(data, seatsTop),
    text(widthOf, 24, lanesTop + 12, t('Workers'), palette.soft),
    teams.each === 1 ? laneRuns(data, lanesTop, lane) : teamAreas(data, lanesTop, lane, teams),
    axis(data, foot),
    ...faults(data, rows, foot + AXIS),
    '</svg>\n',
  ]
  return parts.join('\n')
}

function parliament({
  palette,
  workers: all,
  workersAt: workers = all,
  seatsAt,
  staffedAt,
  at,
  widthOf,
}: RecordData): string {
  const { dots, each, ...of } = seatDots(workers, seatsAt, staffedAt)
  const layout = parliamentLayout(dots, 230, 118)
  const { centre } = layout
  const x = (WIDTH - 230) / 2
  const colour = (stage: number) => (stage < 0 ? palette.soft : stageColour(palette, stage).fill)
  const circles = seatMarks(layout, seatPlan(dots, of.seats, of.staffed), colour, palette.ground).map(
    ({ x, y, radius, fill, stroke, line }) => {
      const outline = stroke === null ? '' : ` stroke="${stroke}" stroke-width="${short(line)}"`
      return `<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}" fill="${fill}"${outline}/>`
    },
  )
  return [
    `<g transform="translate(${x},36)">`,
    ...circles,
    text(widthOf, centre.x, centre.y - (each > 1 ? 36 : 26), count(workers), palette.ink, {
      anchor: 'middle',
      size: each > 1 ? 24 : 30,
      weight: 700,
    }),
    text(widthOf, centre.x, centre.y - (each > 1 ? 18 : 6), `${t('workers')} · ${clock(at)}`, palette.soft, {
      anchor: 'middle',
    }),
    ...(each > 1
      ? [
          text(widthOf, centre.x, centre.y - 4, t('a dot is {each}', { each: count(each) }), palette.soft, {
            anchor: 'middle',
            size: 10,
          }),
        ]
      : []),
    '</g>',
  ].join('\n')
}

function queue(
  { palette, queues, end, widthOf }: RecordData,
  s: number,
  name: string,
  top: number,
  most: number,
): string {
  const min = new Int32Array(PLOT)
  const max = new Int32Array(PLOT)
  extremes(queues[s], 0, end, PLOT, min, max)
  const scale = scaleLinear([0, most], [top + QUEUE - 4, top + 10])
  const y = (value: number) => short(scale(value))
  const colour = stageColour(palette, s)
  const outline = `M${LEFT},${y(0)}${changes(max)
    .map((x) => `H${LEFT + x}V${y(max[x])}`)
    .join('')}`
  return [
    text(widthOf, 24, top + QUEUE - 12, name, colour.text, { room: LEFT - 30 }),
    text(widthOf, LEFT - 8, top + 12, t('max {n}', { n: count(greatest(queues[s])) }), palette.soft, {
      anchor: 'end',
      size: 10,
    }),
    `<path d="${outline}H${LEFT + PLOT}V${y(0)}Z" fill="${colour.fill}" fill-opacity="0.3" stroke="${colour.fill}" stroke-width="1"/>`,
  ].join('\n')
}

function seatBands({ palette, seats, workers, end }: RecordData, top: number): string {
  const scale = scaleLinear([0, Math.max(1, workers)], [top + SEATS, top])
  const mean = seats.map((steps) => {
    const column = new Float64Array(PLOT)
    means(steps, 0, end, PLOT, column)
    return column
  })
  return stacked(palette, mean, scale)
}

/** Returns columns of each stage on top of those of the stages before it. */
function stacked(palette: Palette, columns: readonly Float64Array[], scale: (value: number) => number): string {
  const below = new Float64Array(PLOT)
  const y = (value: number) => short(scale(value))
  return columns
    .map((column, s) => {
      // Backwards, from the right end of each column to its left.
      const back = changes(below).map((x) => `V${y(below[x])}H${LEFT + x}`)
      for (let x = 0; x < PLOT; x++) below[x] += column[x]
      const up = changes(below).map((x) => `H${LEFT + x}V${y(below[x])}`)
      return `<path d="M${LEFT},${y(below[0])}${up.join('')}H${LEFT + PLOT}${back.reverse().join('')}Z" fill="${stageColour(palette, s).fill}"/>`
    })
    .join('\n')
}

/** Returns what every worker did. Consecutive columns of one stage are one rectangle. */
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
      rects.push(
        `<rect x="${LEFT + from}" y="${y}" width="${x - from}" height="${short(height * 0.82)}" fill="${stageColour(palette, stage[from]).fill}"/>`,
      )
    }
  }
  return rects.join('\n')
}

function teamAreas({ palette, lanes, stages, end }: RecordData, top: number, height: number, teams: Teams): string {
  const shares = stages.map(() => new Float64Array(PLOT + 2))
  const row = height * 0.82
  return Array.from({ length: laneCount(teams) }, (_, lane) => {
    const y = top + lane * height
    const [from, to] = workersOf(teams, lane)
    teamShares(lanes, [from, to], 0, Math.max(1, end), PLOT, shares)
    const bed = `<rect x="${LEFT}" y="${short(y)}" width="${PLOT}" height="${short(row)}" fill="${palette.bed}"/>`
    return bed + stacked(palette, shares, scaleLinear([0, to - from], [y + row, y]))
  }).join('\n')
}

function axis({ palette, end, widthOf }: RecordData, top: number): string {
  if (end === 0) return ''
  const x = scaleLinear([0, end], [LEFT, LEFT + PLOT])
  return timeTicks(0, end, 10)
    .map(({ time, label }) => text(widthOf, x(time), top + 20, label, palette.soft, { anchor: 'middle' }))
    .join('\n')
}

/** Returns the marks below the axis as on the page, each with a line up to its instant. */
function faults({ palette, end, marks = [], widthOf }: RecordData, rows: number, top: number): string[] {
  const room = { plot: { x: LEFT, width: PLOT }, width: WIDTH }
  return placedMarks(marks, room, [0, Math.max(1, end)], rows, palette).flatMap(
    ({ tip, x, y: below, colour, icon, label }) => {
      const y = top + below
      return [
        `<path d="M${short(tip)},${short(top - 28)}v5M${short(tip)},${short(top - 4)}V${short(y)}" stroke="${colour.fill}" stroke-width="1.5"/>`,
        `<circle cx="${short(x)}" cy="${short(y)}" r="${MARK_RADIUS}" fill="${colour.fill}"/>`,
        `<path transform="translate(${short(x - 8)},${short(y - 8)})" d="${icon}" fill="none" stroke="${colour.on}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
        ...(label === null
          ? []
          : [
              text(widthOf, label.x, y + 4, label.text, colour.text, {
                size: 11.5,
                anchor: label.end ? 'end' : 'start',
              }),
            ]),
      ]
    },
  )
}

function changes(values: ArrayLike<number>): number[] {
  const starts: number[] = []
  for (let x = 0; x < PLOT; x++) if (x === 0 || values[x] !== values[x - 1]) starts.push(x)
  return starts
}

interface TextStyle {
  readonly size?: number
  readonly weight?: number
  readonly anchor?: 'start' | 'middle' | 'end'
  /** The most pixels that it may take. What is too long ends in an ellipsis. */
  readonly room?: number
}

function text(widthOf: WidthOf, x: number, y: number, content: string, fill: string, style: TextStyle = {}): string {
  const { size = SIZE, weight = 400, anchor = 'start', room = Number.POSITIVE_INFINITY } = style
  const width = (part: string) => widthOf(part, size, weight)
  const painted = cutText(content, room, width)
  const attributes = [
    `x="${short(x)}" y="${short(y)}" fill="${fill}"`,
    ...(anchor === 'start' ? [] : [`text-anchor="${anchor}"`]),
    ...(size === SIZE ? [] : [`font-size="${size}"`]),
    ...(weight === 400 ? [] : [`font-weight="${weight}"`]),
    ...(width(painted) > 0 ? [`textLength="${short(width(painted))}" lengthAdjust="spacingAndGlyphs"`] : []),
  ]
  return `<text ${attributes.join(' ')}>${escaped(painted)}</text>`
}

const short = (value: number): string => String(Math.round(value * 100) / 100)
