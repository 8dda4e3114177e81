import { t } from '../../language/translate.ts'
import type { Micros, WorkerEvent } from '../../scenario/model/scenario.ts'
import { type Palette, type StageColour, stageColour } from '../drawing/palette.ts'
import { element } from '../drawing/svg.ts'
import { HALF, type MarkPlace } from './faultLayout.ts'
import type { TimeRange } from './timelineRange.ts'

/** A mark on the axis of time. */
export interface FaultMark {
  /** No two have the same. */
  readonly key: string
  readonly kind: WorkerEvent['kind'] | 'slower' | 'quicker' | 'turn'
  readonly time: Micros
  /** What it is, and when, in words. */
  readonly words: string
  readonly when: string
  /** In the colour of a stage; null: it befalls a worker, or is a turn of the scheduler. */
  readonly colourIndex: number | null
  /** It was in the scenario of the run that is shown. */
  readonly played: boolean
}

/** A mark as it is on the page: the focus is on its host. */
export interface DrawnMark {
  readonly host: HTMLElement
  readonly body: HTMLElement
  readonly icon: SVGPathElement
  readonly words: HTMLElement
  mark: FaultMark
}

/** The height of a row of marks, and what the first keeps off the axis. */
export const ROW = 24
export const OFF = 4

/** In a box of 16. */
export const icons: Readonly<Record<FaultMark['kind'], string>> = {
  join: 'M8 3.5v9M3.5 8h9',
  leave: 'M3 8h9M8.5 4.5 12 8l-3.5 3.5',
  crash: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  hang: 'M6 4.5v7M10 4.5v7',
  slower: 'M4.5 3.5h7L8 8l3.5 4.5h-7L8 8z',
  quicker: 'M4 4.5 7.5 8 4 11.5M8.5 4.5 12 8l-3.5 3.5',
  turn: 'M3.5 6h8.5L9.5 3.5M12.5 10H4l2.5 2.5',
}

/** The colours of a mark: those of its stage, or of a text on the ground where it stands. */
export function markColour(palette: Palette, colourIndex: FaultMark['colourIndex'], ground: string): Omit<StageColour, 'wash'> {
  return colourIndex === null ? { fill: palette.ink, on: ground, text: palette.ink } : stageColour(palette, colourIndex)
}

/** Room for the words beside a mark in a picture, where nothing can be measured, in pixels: some letters are twice as wide. */
export function wordsWidth({ words }: Pick<FaultMark, 'words'>): number {
  return Math.ceil((words.length + (words.match(wide)?.length ?? 0)) * 6.4) + 12
}
const wide = /[MW@%]|[\u1100-\u{10ffff}]/gu

/** A mark is a slider over time that opens a form. */
export function createMark(mark: FaultMark): DrawnMark {
  const host = document.createElement('div')
  host.tabIndex = 0
  host.dataset.part = 'mark'
  host.dataset.key = mark.key
  host.setAttribute('role', 'slider')
  host.setAttribute('aria-haspopup', 'dialog')
  host.setAttribute('aria-keyshortcuts', 'Enter Delete')
  const body = document.createElement('i')
  const icon = element(element(body, 'svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }), 'path')
  const words = document.createElement('span')
  host.append(body, words)
  return { host, body, icon, words, mark }
}

interface Look {
  readonly palette: Palette
  readonly range: TimeRange
}

/** Puts a mark where it stands; held, it says when instead of what. */
export function showMark(own: DrawnMark, mark: FaultMark, place: MarkPlace, { palette, range }: Look, held: boolean): void {
  const { host, icon, words } = own
  own.mark = mark
  const colour = markColour(palette, mark.colourIndex, palette.panel)
  const top = place.row * ROW + OFF
  host.style.transform = `translate(${(place.x + place.aside - HALF).toFixed(1)}px, ${top}px)`
  const values = { '--tip': `${HALF - place.aside}px`, '--up': `${top}px`, '--fill': colour.fill, '--on': colour.on, '--text': colour.text }
  for (const [name, value] of Object.entries(values)) host.style.setProperty(name, value)
  Object.assign(host.dataset, { played: String(mark.played), held: String(held), words: place.words ?? 'none', row: String(place.row) })
  icon.setAttribute('d', icons[mark.kind])
  const spoken = held ? mark.when : mark.words
  if (words.textContent !== spoken) words.textContent = spoken
  host.title = `${mark.words} ${mark.when}${mark.played ? '' : t(', from the next run on')}`
  host.setAttribute('aria-label', mark.words)
  host.setAttribute('aria-valuemin', String(Math.min(mark.time, Math.round(range[0]))))
  host.setAttribute('aria-valuemax', String(Math.max(mark.time, Math.round(range[1]))))
  host.setAttribute('aria-valuenow', String(Math.round(mark.time)))
  host.setAttribute('aria-valuetext', mark.when)
}
