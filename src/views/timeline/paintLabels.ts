import { t } from '../../language/translate.ts'
import { greatest } from '../../measures/series/steps.ts'
import { drawnWithin } from '../drawing/drawnText.ts'
import { count } from '../drawing/format.ts'
import type { TimelineData } from './timelineData.ts'
import type { TimelineLayout } from './timelineLayout.ts'

type Context = CanvasRenderingContext2D

/** Paints every word of a timeline: headings, names, the longest queues and the workers' numbers. */
export function paintLabels(context: Context, ratio: number, layout: TimelineLayout, data: TimelineData): void {
  const { palette } = data
  const write = (text: string, x: number, y: number, align: CanvasTextAlign): void => {
    context.textAlign = align
    // Where words stand in the plots they have a rim of the ground, so that no line runs through them.
    if (layout.narrow) context.strokeText(text, Math.round(x * ratio), Math.round(y * ratio))
    context.fillText(text, Math.round(x * ratio), Math.round(y * ratio))
  }
  const letters = (size: number, weight: number, colour: string, spacing = 0): void => {
    context.font = `${weight} ${size * ratio}px ${palette.font}`
    context.letterSpacing = `${spacing * ratio}px`
    context.fillStyle = colour
  }
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 3.5 * ratio
  context.strokeStyle = palette.panel
  headings(layout, letters, write, palette.soft)
  queueLabels(context, ratio, layout, data, letters, write)
  workerNumbers(layout, data, letters, write)
}

type Write = (text: string, x: number, y: number, align: CanvasTextAlign) => void
type Letters = (size: number, weight: number, colour: string, spacing?: number) => void

const LEFT = 18

function headings({ headings: at, narrow, plot }: TimelineLayout, letters: Letters, write: Write, soft: string): void {
  letters(11, 600, soft, 0.6)
  const x = narrow ? plot.x : LEFT
  write(t('QUEUES'), x, at.queues, 'left')
  write(t('IN · OUT'), x, at.traffic, 'left')
  write(t('SEATS'), x, at.seats, 'left')
  write(t('WORKERS'), x, at.workers, 'left')
}

function queueLabels(
  context: Context,
  ratio: number,
  { queues: rows, plot, narrow }: TimelineLayout,
  { queues, line, stages, palette }: TimelineData,
  letters: Letters,
  write: Write,
): void {
  const named = line.flatMap((s, row) =>
    row % rows.labelEvery === 0 ? [{ name: stages[s].name, top: rows.y + row * rows.pitch, most: count(greatest(queues[s])) }] : [],
  )
  const beside = rows.row < 26
  // Names first, then numbers: a change of letters costs more than a word.
  letters(narrow ? 11 : 12, 500, palette.ink)
  for (const { name, top } of named) {
    if (narrow) write(drawnWithin(context, name, plot.width * 0.5 * ratio), plot.x, top + 5, 'left')
    else write(drawnWithin(context, name, (plot.x - LEFT - (beside ? 40 : 16)) * ratio), LEFT, top + rows.row / 2, 'left')
  }
  letters(11, 400, palette.soft)
  for (const { top, most } of named) {
    // Away from the name, which stands at the left end of the plot.
    if (narrow) write(most, plot.x + plot.width, top + 5, 'right')
    else write(most, plot.x - 9, beside ? top + rows.row / 2 : top + 5, 'right')
  }
}

function workerNumbers({ workers: rows, plot }: TimelineLayout, { workers, palette }: TimelineData, letters: Letters, write: Write): void {
  letters(11, 400, palette.soft)
  for (let worker = 0; worker < workers; worker++) {
    if (worker !== 0 && (worker + 1) % rows.labelEvery !== 0) continue
    if (worker === 0 && rows.labelEvery === 2) continue
    // The number of a low last lane would reach into the axis, which covers it.
    const y = Math.min(rows.y + worker * rows.pitch + rows.row / 2 + 0.5, rows.y + rows.height - 4.5)
    write(`${worker + 1}`, plot.x - 9, y, 'right')
  }
}
