import type { Palette, StageColour } from './palette.ts'
import { element, type Svg, set } from './svg.ts'

/** A worker at its post. */
export interface Hand {
  /** Its number as people count: from 1. */
  readonly worker: number
  /** How far its batch is, 0 to 1; null when it has none, or nobody knows. */
  readonly progress: number | null
  /** It waits, a job in hand, for a resource that another has. */
  readonly waits: boolean
  /** It has the job that is followed. */
  readonly followed: boolean
}

const DISC = 11
const RING = 13.5
const RIM = 14.5
const ROOMY = 31
/** As close as discs come: beyond that their numbers would be covered. */
const TIGHT = 24

/** How many hands and open seats of a stage are drawn in a width, how far apart, and how many stand behind '+n'. */
export interface HandRow {
  readonly hands: number
  readonly open: number
  readonly pitch: number
  readonly more: number
}

/** Hands come before open seats. They stand clear of each other, then overlap; what still finds no room is counted. */
export function handRow(hands: number, open: number, width: number): HandRow {
  const all = hands + open
  const fits = (marks: number, room: number) => (marks <= 1 ? ROOMY : (room - 2 * RIM) / (marks - 1))
  const pitch = Math.min(ROOMY, fits(all, width))
  if (pitch >= TIGHT) return { hands, open, pitch, more: 0 }
  const room = width - 28
  const shown = Math.max(1, Math.floor((room - 2 * RIM) / TIGHT) + 1)
  const shownHands = Math.min(hands, shown)
  const shownOpen = Math.min(open, shown - shownHands)
  return { hands: shownHands, open: shownOpen, pitch: Math.min(ROOMY, fits(shownHands + shownOpen, room)), more: all - shownHands - shownOpen }
}

export interface HandsData {
  readonly palette: Palette
  readonly colour: StageColour
  readonly hands: readonly Hand[]
  /** Seats of the stage on which nobody sits yet. */
  readonly wanted: number
}

interface Mark {
  readonly group: SVGGElement
  readonly halo: SVGCircleElement
  readonly disc: SVGCircleElement
  readonly track: SVGCircleElement
  readonly ring: SVGCircleElement
  readonly label: SVGTextElement
}

/** Draws the workers at a post into a group of an SVG: numbered discs with a ring of progress, outlines where they wait for a resource, dotted where a seat is still empty. */
export function hands(parent: Svg): (data: HandsData, width: number) => void {
  const row = element(parent, 'g')
  const more = element(parent, 'text', { y: RIM, 'dominant-baseline': 'central', 'font-size': 11.5, 'font-weight': 600 })
  const marks: Mark[] = []

  function markAt(k: number): Mark {
    while (marks.length <= k) marks.push(createMark(row))
    return marks[k]
  }

  return ({ palette, colour, hands: all, wanted }, width) => {
    const { hands: shown, open, pitch, more: behind } = handRow(all.length, wanted, width)
    for (let k = 0; k < shown + open; k++) {
      const mark = markAt(k)
      set(mark.group, { transform: `translate(${(RIM + k * pitch).toFixed(1)} ${RIM})`, display: null })
      if (k < shown) fill(mark, all[k], palette, colour)
      else leaveOpen(mark, palette, colour)
    }
    for (let k = shown + open; k < marks.length; k++) set(marks[k].group, { display: 'none' })
    set(more, { x: width, 'text-anchor': 'end', fill: all.slice(shown).some(({ followed }) => followed) ? palette.ink : palette.soft })
    const text = behind > 0 ? `+${behind}` : ''
    if (more.textContent !== text) more.textContent = text
  }
}

function createMark(row: Svg): Mark {
  const group = element(row, 'g')
  const around = { fill: 'none', 'stroke-width': 2, r: RING, transform: 'rotate(-90)' }
  const mark = {
    group,
    halo: element(group, 'circle', { r: RIM + 1, 'stroke-width': 2 }),
    disc: element(group, 'circle', { 'stroke-width': 1.5 }),
    track: element(group, 'circle', around),
    ring: element(group, 'circle', { ...around, pathLength: 1, 'stroke-linecap': 'round' }),
    label: element(group, 'text', { 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-weight': 700, y: 0.5 }),
  }
  return mark
}

function fill(mark: Mark, { worker, progress, waits, followed }: Hand, palette: Palette, colour: StageColour): void {
  set(mark.halo, { fill: palette.panel, stroke: followed ? palette.ink : 'none', 'data-followed': followed ? '' : null })
  // Who waits is an outline, until the resource fills it.
  set(mark.disc, { r: DISC - (waits ? 0.75 : 0), fill: waits ? palette.panel : colour.fill, stroke: waits ? colour.fill : 'none', 'stroke-dasharray': null })
  set(mark.label, { fill: waits ? colour.text : colour.on, 'font-size': worker > 99 ? 9 : 11 })
  const text = `${worker}`
  if (mark.label.textContent !== text) mark.label.textContent = text
  const known = progress !== null && progress >= 0
  set(mark.track, { stroke: known ? colour.wash : 'none' })
  // A dash of no length still has its round caps: at 0 there is nothing to show.
  set(mark.ring, { stroke: known && progress > 0.01 ? colour.fill : 'none', 'stroke-dasharray': `${known ? Math.min(1, progress).toFixed(3) : 0} 2` })
}

function leaveOpen(mark: Mark, palette: Palette, colour: StageColour): void {
  set(mark.halo, { fill: palette.panel, stroke: 'none', 'data-followed': null })
  set(mark.disc, { r: DISC, fill: 'none', stroke: colour.fill, 'stroke-dasharray': '0 3.46', 'stroke-linecap': 'round' })
  set(mark.track, { stroke: 'none' })
  set(mark.ring, { stroke: 'none' })
  if (mark.label.textContent !== '') mark.label.textContent = ''
}
