import { isolated } from '../../language/isolated.ts'
import { t } from '../../language/translate.ts'
import type { ShardTurn, StageShards } from '../../measures/order/shardState.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { paintedText } from '../drawing/drawnText.ts'
import { count } from '../drawing/format.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { element, set } from '../drawing/svg.ts'
import { type ShardCell, shardGrid } from './shardGridLayout.ts'

export interface ShardGridData {
  readonly palette: Palette
  /** By stage. */
  readonly names: readonly string[]
  readonly shards: readonly StageShards[]
}

/** The side of the corner where a job that is done stands until its turn to leave. */
const PLACE = 8

/**
 * Who serves which tickets, as an SVG as wide as `host`: a line of cells a stage, a cell a shard. Filled: the ticket is being
 * served. Outlined: it is here. Dashed: it is waited for, in the colour of the stage where it is. At the stages before the
 * sink each cell has a corner, which is full while a job stands there that is done and may not leave yet.
 */
export function mountShardGrid(host: HTMLElement): Drawing<ShardGridData> {
  const svg = element(host, 'svg', { role: 'img', width: '100%' })
  Object.assign(svg.style, { display: 'block', overflow: 'visible' })
  let width = 0
  let last: ShardGridData | null = null

  function update(data: ShardGridData): void {
    const { palette, names, shards } = data
    if (width === 0) width = host.clientWidth || 320
    last = data
    const { height, rows } = shardGrid(
      width,
      shards.map(({ turns, most }) => ({ shards: turns.length, most })),
    )
    set(svg, { viewBox: `0 0 ${width} ${height}`, height, 'font-family': palette.font, 'aria-label': inWords(names, shards) })
    rows.forEach(({ baseline, cells, ticket, words }, s) => {
      const group = child(svg, s, 'g')
      const { turns, behind } = shards[s]
      write(child(group, 0, 'text'), paintedText(names[s]), { x: 0, y: baseline, 'font-size': 12, 'font-weight': 600, fill: stageColour(palette, s).text })
      write(child(group, 1, 'text'), behind === 0 ? '' : t('{behind} wait behind', { behind: count(behind) }), {
        x: width,
        y: baseline,
        'font-size': 11,
        'text-anchor': 'end',
        fill: palette.soft,
      })
      for (const [k, cell] of cells.entries()) drawCell(child(group, 2 + k, 'g'), cell, turns[k], s, { ticket, words, palette, names })
      trim(group, 2 + cells.length)
    })
    trim(svg, rows.length)
  }

  return {
    update,
    resize() {
      width = 0
      if (last !== null) update(last)
    },
    destroy() {
      svg.remove()
    },
  }
}

interface Style extends Pick<ShardGridData, 'palette' | 'names'> {
  readonly ticket: boolean
  readonly words: boolean
}

function drawCell(group: SVGGElement, cell: ShardCell, turn: ShardTurn, stage: number, { ticket, words, palette, names }: Style): void {
  const { x, y, width, height } = cell
  const own = stageColour(palette, stage)
  const served = turn.state === 'served'
  const missing = turn.state === 'missing'
  const [place] = turn.where
  const away = 'stage' in place ? stageColour(palette, place.stage).fill : palette.soft
  set(child(group, 0, 'rect'), {
    x: x + 0.7,
    y: y + 0.7,
    width: width - 1.4,
    height: height - 1.4,
    rx: ticket ? 4 : 2,
    fill: served ? own.fill : turn.state === 'here' ? own.wash : palette.bed,
    stroke: served || turn.state === 'here' ? own.fill : missing ? away : palette.rule,
    'stroke-width': 1.4,
    'stroke-dasharray': missing && ticket ? '3 2.5' : null,
  })
  const middle = x + width / 2
  const ink = served ? own.on : turn.state === 'here' ? own.text : palette.soft
  const below = words || served ? wordsOf(turn, words, names) : ''
  const text = ticket && turn.state !== 'coming' ? count(turn.ticket) : ''
  write(child(group, 1, 'text'), text, {
    x: middle,
    y: y + (below === '' ? 21 : 15.5),
    'font-size': 12,
    'font-weight': 600,
    'text-anchor': 'middle',
    fill: ink,
  })
  write(child(group, 2, 'text'), ticket ? below : '', { x: middle, y: y + 28, 'font-size': 10, 'text-anchor': 'middle', fill: ink })
  // Where there is no room for a corner, a point in the middle.
  const size = ticket ? PLACE : 5
  const full = turn.held !== null && turn.held >= 0
  const shown = turn.held !== null && (ticket || full)
  trim(group, shown ? 4 : 3)
  if (!shown) return
  set(child(group, 3, 'rect'), {
    x: ticket ? x + width - PLACE - 3 : x + (width - size) / 2,
    y: ticket ? y + 3 : y + (height - size) / 2,
    width: size,
    height: size,
    rx: 1.5,
    fill: full ? palette.ink : palette.panel,
    stroke: full ? palette.panel : palette.rule,
    'stroke-width': 1,
  })
}

function wordsOf({ state, where: [place] }: ShardTurn, words: boolean, names: readonly string[]): string {
  if (state === 'served' && place.at === 'hands') return words ? t('worker {n}', { n: place.worker + 1 }) : t('w{n}', { n: place.worker + 1 })
  if (state === 'here') return t('is here')
  if (state !== 'missing') return ''
  return 'stage' in place ? t('at {stage}', { stage: short(names[place.stage]) }) : t('outside')
}

function short(name: string): string {
  const points = Array.from(name)
  return points.length > 14 ? `${points.slice(0, 13).join('')}…` : name
}

/** The child at this place, made where there is none yet. */
function child<Name extends 'g' | 'rect' | 'text'>(parent: SVGElement, place: number, name: Name): SVGElementTagNameMap[Name] {
  return (parent.children[place] as SVGElementTagNameMap[Name] | undefined) ?? element(parent, name)
}

function trim(parent: SVGElement, length: number): void {
  while (parent.childElementCount > length) parent.lastElementChild?.remove()
}

function write(text: SVGTextElement, words: string, values: Parameters<typeof set>[1]): void {
  set(text, values)
  if (text.textContent !== words) text.textContent = words
}

function inWords(names: readonly string[], shards: readonly StageShards[]): string {
  const all = shards.map(({ turns, behind }, s) => {
    const served = turns.flatMap(({ state, ticket }) => (state === 'served' ? [ticket] : []))
    const what =
      served.length === 0
        ? t('nothing is served')
        : t('{n, plural, one {ticket} other {tickets}} {tickets} served', { n: served.length, tickets: served.join(', ') })
    return `${isolated(names[s])}, ${t('{n, plural, one {# shard} other {# shards}}', { n: turns.length })}: ${what}${behind > 0 ? t(', {behind} wait behind', { behind }) : ''}`
  })
  return `${t('Shards.')} ${all.join('. ')}`
}
