import type { Leg } from '../../measures/jobs/journey.ts'
import type { Context } from '../drawing/canvas.ts'
import { stageColour } from '../drawing/palette.ts'
import { laneCount, laneWith, type Teams, teamsIn } from './teams.ts'
import type { TimelineData } from './timelineData.ts'
import type { LaneRows, TimelineLayout } from './timelineLayout.ts'
import type { Plot } from './timelinePlot.ts'

/** Dims what does not stand out, and paints the path of a job: its waits at the bottom of the queues, its services in the lanes. */
export function paintHighlight(context: Context, plot: Plot, layout: TimelineLayout, data: TimelineData): void {
  const { highlight, palette } = data
  if (highlight === undefined || highlight === null) return
  context.save()
  context.beginPath()
  context.rect(plot.x, 0, plot.columns, context.canvas.height)
  context.clip()
  context.fillStyle = `${palette.panel}c4`
  if (highlight.kind === 'stage') dim(context, plot, layout.queues, data.stages.length, highlight.stage)
  const teams = teamsIn(data)
  if (highlight.kind === 'worker') dim(context, plot, layout.workers, laneCount(teams), laneWith(teams, highlight.worker))
  if (highlight.kind === 'job') {
    dim(context, plot, layout.queues, data.stages.length, -1)
    dim(context, plot, layout.workers, laneCount(teams), -1)
    paintJob(context, plot, layout, data, highlight.legs, teams)
  }
  context.restore()
}

/** Dims all rows but one; -1: all. */
function dim(context: Context, { x, columns, ratio }: Plot, rows: LaneRows, count: number, except: number): void {
  const edge = (row: number) => Math.round((rows.y + row * rows.pitch - (rows.pitch - rows.row) / 2) * ratio)
  const dimmed =
    except < 0
      ? [[0, count]]
      : [
          [0, except],
          [except + 1, count],
        ]
  for (const [from, to] of dimmed) if (to > from) context.fillRect(x, edge(from), columns, edge(to) - edge(from))
}

function paintJob(
  context: Context,
  plot: Plot,
  { queues, workers }: TimelineLayout,
  { stages, palette, end }: TimelineData,
  legs: readonly Leg[],
  teams: Teams,
): void {
  const { ratio, hair, t0, t1, used } = plot
  const at = (time: number) => plot.x + Math.round(((time - t0) / (t1 - t0)) * used)
  /** At least two pixels of the page wide, to be visible. */
  const bar = (from: number, to: number, y: number, height: number): void => {
    const left = at(from)
    context.fillRect(left, Math.round(y * ratio), Math.max(hair * 2, at(to) - left), Math.max(hair * 2, Math.round(height * ratio)))
  }
  const link = (time: number, stage: number, lane: number): void => {
    const from = Math.round((queues.y + stage * queues.pitch + queues.row) * ratio)
    context.fillRect(at(time), from, hair, Math.round((workers.y + lane * workers.pitch) * ratio) - from)
  }
  for (const { stage, worker, queuedAt, startedAt, began, ended, outcome } of legs) {
    const colour = stageColour(palette, stages[stage].colourIndex)
    context.fillStyle = colour.fill
    const foot = queues.y + stage * queues.pitch + queues.row
    bar(queuedAt, startedAt < 0 ? (ended < 0 ? end : ended) : startedAt, foot - 5, 5)
    const lane = laneWith(teams, worker)
    if (startedAt < 0 || lane < 0) continue
    link(startedAt, stage, lane)
    const y = workers.y + lane * workers.pitch
    context.globalAlpha = 0.45
    if (outcome !== 'served') bar(startedAt, ended < 0 ? end : ended, y, workers.row)
    else if (began > startedAt) bar(startedAt, began, y + workers.row * 0.3, workers.row * 0.4)
    context.globalAlpha = 1
    if (outcome === 'served') bar(began, ended, y, workers.row)
  }
}
