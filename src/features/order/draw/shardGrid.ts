import { isolated, t } from '../../../language/translate.ts'
import { createDrawing, type Drawing, type HostSize } from '../../../views/drawing/drawing.ts'
import { count } from '../../../views/drawing/format.ts'
import { paintedText } from '../../../views/drawing/paintedText.ts'
import { type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { childOf, createSvg, drawEach, setAttributes, writeText } from '../../../views/drawing/svg.ts'
import type { ShardTurn, StageShards } from '../measure/shards.ts'

export type ShardGridData = {
  readonly palette: Palette
  readonly names: readonly string[]
  readonly shards: readonly StageShards[]
}

/** The side of the corner for a finished job that waits for its turn to leave. */
const CORNER = 8

/**
 * Draws the shards of each stage as cells. Filled: the ticket is served. Outlined: it waits here. Dashed: it is missing, in the colour of the
 * stage where it is. Before the sink a cell has a corner, which is full while a finished job may not leave yet.
 */
export function mountShardGrid(host: HTMLElement): Drawing<ShardGridData> {
  const svg = createSvg(host, { role: 'img' })

  function draw({ palette, names, shards }: ShardGridData, size: HostSize): void {
    const width = size.width || 320
    const counts = shards.map(({ turns, maxShards }) => ({ shards: turns.length, maxShards }))
    const { height, rows } = shardGrid(width, counts)
    setAttributes(svg, {
      viewBox: `0 0 ${width} ${height}`,
      height,
      'font-family': palette.font,
      'aria-label': ariaLabel(names, shards),
    })
    drawEach(svg, 'g', rows, (group, { baseline, cells, ticket, detail }, s) => {
      const { turns, behind } = shards[s]
      const head = { x: 0, y: baseline, 'font-size': 12, 'font-weight': 600, fill: stageColour(palette, s).text }
      writeText(childOf(group, 0, 'text'), paintedText(names[s]), head)
      const note = { x: width, y: baseline, 'font-size': 11, 'text-anchor': 'end', fill: palette.soft }
      writeText(childOf(group, 1, 'text'), behindText(behind), note)
      const style = { ticket, detail, palette, names }
      drawEach(childOf(group, 2, 'g'), 'g', cells, (each, cell, k) => drawCell(each, cell, turns[k], s, style))
    })
  }

  return createDrawing(host, draw)
}

type Style = Pick<ShardGridData, 'palette' | 'names'> & Pick<ShardRow, 'ticket' | 'detail'>

function drawCell(
  group: SVGGElement,
  cell: ShardCell,
  turn: ShardTurn,
  stage: number,
  { ticket, detail, palette, names }: Style,
): void {
  const { x, y, width, height } = cell
  const colour = stageColour(palette, stage)
  const here = turn.state === 'here'
  const served = turn.state === 'served'
  const missing = turn.state === 'missing'
  const [place] = turn.where
  const away = 'stage' in place ? stageColour(palette, place.stage).fill : palette.soft
  setAttributes(childOf(group, 0, 'rect'), {
    x: x + 0.7,
    y: y + 0.7,
    width: width - 1.4,
    height: height - 1.4,
    rx: ticket ? 4 : 2,
    fill: served ? colour.fill : here ? colour.wash : palette.bed,
    stroke: served || here ? colour.fill : missing ? away : palette.rule,
    'stroke-width': 1.4,
    'stroke-dasharray': missing && ticket ? '3 2.5' : null,
  })
  const middle = x + width / 2
  const ink = served ? colour.on : here ? colour.text : palette.soft
  const below = detail || served ? stateText(turn, detail, names) : ''
  const text = ticket && turn.state !== 'coming' ? count(turn.ticket) : ''
  const word = { x: middle, 'text-anchor': 'middle', fill: ink }
  writeText(childOf(group, 1, 'text'), text, {
    ...word,
    y: y + (below === '' ? 21 : 15.5),
    'font-size': 12,
    'font-weight': 600,
  })
  writeText(childOf(group, 2, 'text'), ticket ? below : '', { ...word, y: y + 28, 'font-size': 10 })
  // If the cell is too small for a corner, draw a dot in its middle.
  const size = ticket ? CORNER : 5
  const full = turn.held !== null && turn.held >= 0
  if (turn.held === null || !(ticket || full)) {
    group.children[3]?.remove()
    return
  }
  setAttributes(childOf(group, 3, 'rect'), {
    x: ticket ? x + width - CORNER - 3 : x + (width - size) / 2,
    y: ticket ? y + 3 : y + (height - size) / 2,
    width: size,
    height: size,
    rx: 1.5,
    fill: full ? palette.ink : palette.panel,
    stroke: full ? palette.panel : palette.rule,
    'stroke-width': 1,
  })
}

function stateText({ state, where: [place] }: ShardTurn, detail: boolean, names: readonly string[]): string {
  if (state === 'served' && place.at === 'hands')
    return detail ? t('worker {n}', { n: place.worker + 1 }) : t('w{n}', { n: place.worker + 1 })
  if (state === 'here') return t('is here')
  if (state !== 'missing') return ''
  return 'stage' in place ? t('at {stage}', { stage: short(names[place.stage]) }) : t('outside')
}

function short(name: string): string {
  const points = Array.from(name)
  return points.length > 14 ? `${points.slice(0, 13).join('')}…` : name
}

function ariaLabel(names: readonly string[], shards: readonly StageShards[]): string {
  const all = shards.map(({ turns, behind }, s) => {
    const served = turns.flatMap(({ state, ticket }) => (state === 'served' ? [ticket] : []))
    const tickets = served.length === 0 ? '–' : served.join(', ')
    const states = [t('served: {tickets}', { tickets }), ...(behind > 0 ? [behindText(behind)] : [])]
    return `${isolated(names[s])}, ${t('{n, plural, one {# shard} other {# shards}}', { n: turns.length })}: ${states.join(', ')}`
  })
  return all.join('. ')
}

const behindText = (behind: number): string =>
  behind === 0 ? '' : t('{behind} wait behind', { behind: count(behind) })

type ShardCell = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>

interface ShardRow {
  /** The baseline of the stage's name. */
  readonly baseline: number
  readonly cells: readonly ShardCell[]
  /** Whether a cell has room for its ticket, and for a text below it. */
  readonly ticket: boolean
  readonly detail: boolean
}

const GAP = 4
const NAME = 18
const BETWEEN = 10
/** The least width of a cell with a text, and the sizes of one with a ticket of five digits and of one with only a colour. */
const DETAILED = 70
const TICKET = { width: 40, height: 34 }
const BARE = { width: 13, height: 13 }
const WIDEST = 132
/** The most rows of cells with tickets for a stage: more would make the grid too long. */
const MAX_ROWS = 2

/** Returns the cells of every stage in rows below its name. A stage keeps places for `maxShards`, so that nothing moves. */
export function shardGrid(width: number, stages: readonly { readonly shards: number; readonly maxShards: number }[]) {
  let top = 0
  const rows = stages.map(({ shards, maxShards }): ShardRow => {
    const ticket = maxShards <= columnsThatFit(width, TICKET.width) * MAX_ROWS
    const { width: minWidth, height } = ticket ? TICKET : BARE
    const columns = Math.min(maxShards, columnsThatFit(width, minWidth))
    const cellWidth = ticket ? Math.min(WIDEST, (width + GAP) / columns - GAP) : BARE.width
    const baseline = top + 12
    const first = top + NAME
    top = first + Math.ceil(maxShards / columns) * (height + GAP) - GAP + BETWEEN
    const cells = Array.from({ length: shards }, (_, k) => ({
      x: (k % columns) * (cellWidth + GAP),
      y: first + Math.floor(k / columns) * (height + GAP),
      width: cellWidth,
      height,
    }))
    return { baseline, cells, ticket, detail: ticket && cellWidth >= DETAILED }
  })
  return { height: Math.max(0, top - BETWEEN), rows }
}

const columnsThatFit = (width: number, cellWidth: number): number =>
  Math.max(1, Math.floor((width + GAP) / (cellWidth + GAP)))
