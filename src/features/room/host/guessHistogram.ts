import { max, range } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { createDrawing, type Drawing, type HostSize } from '../../../views/drawing/drawing.ts'
import { cutText } from '../../../views/drawing/paintedText.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { appendSvg, childOf, createSvg, drawEach, setAttributes, writeText } from '../../../views/drawing/svg.ts'

export interface GuessHistogramData {
  readonly palette: Palette
  readonly columns: readonly GuessColumn[]
  /** The text above the columns of correct answers. */
  readonly rightNote: string
}

export interface GuessColumn {
  readonly name: string
  readonly count: number
  readonly right: boolean
  /** The stage whose colour the column has. */
  readonly stage?: number
}

/** In pixels, for a host without a width. */
const WIDTH = 300
/** The size of letters as a share of the width, so that a projector shows them large, and its limits in pixels. */
const LETTERS = 0.034
const SMALLEST = 12
const LARGEST = 30
/** The height of the columns as a share of the width, and the width of a letter as a share of its height. */
const TALL = 0.32
const NARROW = 0.56

/** Draws how many devices guessed each answer; a correct answer has a mark and the note. */
export function mountGuessHistogram(host: HTMLElement): Drawing<GuessHistogramData> {
  const svg = createSvg(host, { 'aria-hidden': 'true' })
  const columnGroup = appendSvg(svg, 'g')
  const foot = appendSvg(svg, 'path', { fill: 'none' })

  return createDrawing(host, ({ palette, columns, rightNote }: GuessHistogramData, size: HostSize) => {
    const width = size.width || WIDTH
    const font = Math.min(LARGEST, Math.max(SMALLEST, width * LETTERS))
    const top = 2.9 * font
    const bottom = top + TALL * width
    const x = scaleBand(range(columns.length), [0, width]).paddingInner(0.18).paddingOuter(0.1)
    const y = scaleLinear([0, Math.max(1, max(columns, ({ count }) => count) ?? 1)], [bottom, top])
    // Where ranges are too narrow for their names, some are left out, but never the right one. Names of stages are cut.
    const widest = max(columns, ({ name, stage }) => (stage === undefined ? name.length : 0)) ?? 0
    const firstRight = columns.findIndex(({ right }) => right)
    // The note stands above its column, and inside the picture.
    const noteHalf = Math.min(width, rightNote.length * font * NARROW) / 2
    const every = Math.max(1, Math.ceil(((widest + 1) * font * NARROW) / x.step()))
    setAttributes(svg, {
      viewBox: `0 0 ${width} ${bottom + 2 * font}`,
      height: bottom + 2 * font,
      'font-family': palette.font,
      'font-size': font,
    })
    setAttributes(foot, { d: `M0,${bottom}H${width}`, stroke: palette.soft })
    drawEach(columnGroup, 'g', columns, (group, { name, count, right, stage }, k) => {
      const left = x(k) ?? 0
      const middle = left + x.bandwidth() / 2
      const fill = stage === undefined ? (right ? palette.accent : palette.soft) : stageColour(palette, stage).fill
      const room = Math.max(x.step(), every > 1 ? widest * font : 0)
      const named = right || (k % every === 0 && !columns.some((other, at) => other.right && Math.abs(at - k) < every))
      setAttributes(childOf(group, 0, 'rect'), {
        x: left,
        y: y(count),
        width: x.bandwidth(),
        height: bottom - y(count),
        fill,
        'fill-opacity': right || stage !== undefined ? 1 : 0.55,
        'data-right': right ? 'true' : null,
      })
      const write = (child: number, text: string, x: number, y: number, fill: string, weight: 400 | 700) =>
        writeText(childOf(group, child, 'text'), text, { x, 'text-anchor': 'middle', y, fill, 'font-weight': weight })
      write(1, count === 0 ? '' : `${count}`, middle, y(count) - 0.4 * font, palette.ink, 400)
      const shown = named ? cutText(name, room, (part) => part.length * font * NARROW) : ''
      write(2, shown, middle, bottom + 1.35 * font, right ? palette.accent : palette.soft, right ? 700 : 400)
      write(
        3,
        k === firstRight ? rightNote : '',
        Math.max(noteHalf, Math.min(width - noteHalf, middle)),
        1.1 * font,
        palette.accent,
        700,
      )
      setAttributes(childOf(group, 4, 'path'), {
        // A high column has no room for it above, and does not need it.
        d: right && y(count) - top > font ? `M${middle},${1.45 * font}V${y(count) - 1.5 * font}` : '',
        stroke: palette.accent,
        'stroke-width': 2,
      })
    })
  })
}
