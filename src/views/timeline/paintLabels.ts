import { format } from 'd3-format'
import { t } from '../../language/translate.ts'
import { greatest } from '../../measures/series/steps.ts'
import type { Context } from '../drawing/canvas.ts'
import { count } from '../drawing/format.ts'
import { fittedText } from '../drawing/paintedText.ts'
import { laneCount, teamsIn, workersOf } from './teams.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'

/** The last worker of a team where there is little room: '500', '9.5k'. */
const short = format('~s')

/** Paints all text of a timeline: headings, names, the longest queues and the workers' numbers. */
export function paintLabels(context: Context, ratio: number, layout: TimelineLayout, data: TimelineData): void {
  const { palette } = data
  const write = (text: string, x: number, y: number, align: CanvasTextAlign): void => {
    context.textAlign = align
    // Text in the plots gets an outline in the colour of the background, so that no curve runs through it.
    if (layout.narrow) context.strokeText(text, Math.round(x * ratio), Math.round(y * ratio))
    context.fillText(text, Math.round(x * ratio), Math.round(y * ratio))
  }
  const setFont = (size: number, weight: number, colour: string, spacing = 0): void => {
    context.font = `${weight} ${size * ratio}px ${palette.font}`
    context.letterSpacing = `${spacing * ratio}px`
    context.fillStyle = colour
  }
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 3.5 * ratio
  context.strokeStyle = palette.panel
  headings(layout, data, setFont, write)
  queueScale(layout, data, setFont, write)
  queueLabels(context, ratio, layout, data, setFont, write)
  workerNumbers(layout, data, setFont, write)
}

type Write = (text: string, x: number, y: number, align: CanvasTextAlign) => void
type SetFont = (size: number, weight: number, colour: string, spacing?: number) => void

const LEFT = 18
/** The middle of a name below the longest queue, from the top of its row. */
const BELOW_MOST = 17

function headings(
  { headings: at, narrow, plot }: TimelineLayout,
  { notes, palette }: TimelineData,
  setFont: SetFont,
  write: Write,
): void {
  setFont(11, 600, palette.soft, 0.6)
  const x = narrow ? plot.x : LEFT
  if (notes != null) write(notes.name, x, at.notes, 'left')
  write(t('QUEUES'), x, at.queues, 'left')
  write(t('Targets').toUpperCase(), x, at.seats, 'left')
  write(t('Workers').toUpperCase(), x, at.workers, 'left')
}

/** Writes the scale that all queues share: the height of a row stands for the longest of all. */
function queueScale(
  { headings, narrow, plot }: TimelineLayout,
  { queues, palette }: TimelineData,
  setFont: SetFont,
  write: Write,
): void {
  const most = Math.max(1, ...queues.map(greatest))
  setFont(10, 400, palette.soft)
  const text = `0–${most > 9999 ? short(most) : count(most)}`
  write(text, narrow ? plot.x + plot.width : plot.x - 9, headings.queues, 'right')
}

function queueLabels(
  context: Context,
  ratio: number,
  { queues: rows, plot, narrow }: TimelineLayout,
  { queues, stageOrder, stages, palette }: TimelineData,
  setFont: SetFont,
  write: Write,
): void {
  const named = stageOrder.flatMap((s, row) =>
    row % rows.labelEvery === 0
      ? [
          {
            name: stages[s].name,
            top: rows.y + row * rows.pitch,
            most: t('max {n}', { n: count(greatest(queues[s])) }),
          },
        ]
      : [],
  )
  const beside = rows.row < 26
  setFont(10, 400, palette.soft)
  const widest = beside ? Math.max(...named.map(({ most }) => context.measureText(most).width)) / ratio : 0
  // Names first, then numbers: a change of font costs more than a text.
  setFont(narrow ? 11 : 12, 500, palette.ink)
  for (const { name, top } of named) {
    if (narrow) write(fittedText(context, name, plot.width * 0.5 * ratio), plot.x, top + 5, 'left')
    else
      write(
        fittedText(context, name, (plot.x - LEFT - (beside ? widest + 10 : 16)) * ratio),
        LEFT,
        beside ? top + rows.row / 2 : top + Math.max(rows.row / 2, BELOW_MOST),
        'left',
      )
  }
  setFont(10, 400, palette.soft)
  for (const { top, most } of named) {
    // At the other end than the name.
    if (narrow) write(most, plot.x + plot.width, top + 5, 'right')
    else write(most, plot.x - (beside ? 6 : 9), beside ? top + rows.row / 2 : top + 5, 'right')
  }
}

function workerNumbers(
  { workers: rows, plot, narrow }: TimelineLayout,
  data: TimelineData,
  setFont: SetFont,
  write: Write,
): void {
  const teams = teamsIn(data)
  const lanes = laneCount(teams)
  setFont(11, 400, data.palette.soft)
  for (let lane = 0; lane < lanes; lane++) {
    if (lane !== 0 && (lane + 1) % rows.labelEvery !== 0) continue
    // A long number would run into the heading.
    if (lane === 0 && (rows.labelEvery === 2 || (!narrow && teams.from >= 1000))) continue
    // The axis would cover a number that reaches below the last lane.
    const y = Math.min(rows.y + lane * rows.pitch + rows.row / 2 + 0.5, rows.y + rows.height - 4.5)
    const [from, to] = workersOf(teams, lane)
    write(
      teams.each === 1 ? `${from + 1}` : narrow ? short(to) : count(to),
      plot.x - (narrow && teams.to > 999 ? 2 : 9),
      y,
      'right',
    )
  }
}
