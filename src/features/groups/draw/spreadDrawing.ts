import { hcl } from 'd3-color'
import { createDrawing, type Drawing } from '../../../views/drawing/drawing.ts'
import { contrast, type Palette, stageColour, towards } from '../../../views/drawing/palette.ts'
import { appendSvg, childOf, createSvg, drawEach, setAttributes, writeText } from '../../../views/drawing/svg.ts'
import {
  type DiscMark,
  type SpreadScene,
  spreadPicture,
  type TextMark,
  type TileMark,
  WORKER_RADIUS,
} from './spreadLayout.ts'

export type SpreadData = { readonly palette: Palette; readonly scene: SpreadScene; readonly description: string }

/** Draws how jobs of groups are spread: dispatcher, feeders, stream, and the groups that workers have. */
export function mountSpread(host: HTMLElement): Drawing<SpreadData> {
  const svg = createSvg(host, { role: 'img' })
  const lines = appendSvg(svg, 'path', { fill: 'none', 'stroke-width': 1 })
  const tiles = appendSvg(svg, 'g')
  const discs = appendSvg(svg, 'g')
  const texts = appendSvg(svg, 'g')
  const pointer = appendSvg(svg, 'path')

  return createDrawing(host, ({ palette, scene, description }: SpreadData, size) => {
    const width = size.width || 290
    const picture = spreadPicture(scene, width)
    setAttributes(svg, {
      viewBox: `0 0 ${width} ${picture.height}`,
      height: picture.height,
      'font-family': palette.font,
      'aria-label': description,
    })
    setAttributes(lines, { d: picture.lines, stroke: palette.rule })
    drawEach(tiles, 'g', picture.tiles, (tile, mark) => drawTile(tile, mark, palette))
    drawEach(discs, 'g', picture.discs, (disc, mark) => drawDisc(disc, mark, palette))
    drawEach(texts, 'text', picture.texts, (text, mark) => drawText(text, mark, palette))
    const at = picture.pointer
    setAttributes(pointer, { d: at === null ? '' : `M${at[0]},${at[1]}l-4,-3v6Z`, fill: palette.accent })
  })
}

const CENTRED = { 'text-anchor': 'middle', 'dominant-baseline': 'central' }

/** Draws a tile half a pixel inside its box, so that its outline is sharp. */
function drawTile(group: SVGGElement, mark: TileMark, palette: Palette): void {
  const { x, y, width, height, look, share, depth = 0, text = '' } = mark
  const none = mark.group < 0
  const colour = none ? { fill: 'none', rim: palette.rule, on: palette.soft } : groupColour(palette, mark.group)
  setAttributes(group, { 'data-part': mark.part, 'data-look': look, 'data-group': none ? null : mark.group })
  setAttributes(childOf(group, 0, 'path'), {
    d: stackPath(mark),
    fill: palette.panel,
    stroke: depth > 0 ? colour.rim : 'none',
    'stroke-width': 1,
  })
  const strokes = { contended: palette.accent, held: palette.ink, hollow: palette.rule, dot: 'none' }
  const line = look === 'held' || look === 'contended' ? 2 : 1
  const box =
    look === 'dot'
      ? { x: x + width / 2 - 1.5, y: y + height / 2 - 1.5, width: 3, height: 3, rx: 1.5 }
      : { x: x + line / 2, y: y + line / 2, width: width - line, height: height - line, rx: width > 20 ? 4 : 2.5 }
  setAttributes(childOf(group, 1, 'rect'), {
    ...box,
    fill: look === 'dot' ? palette.soft : look === 'hollow' ? 'none' : colour.fill,
    stroke: look in strokes ? strokes[look as keyof typeof strokes] : colour.rim,
    'stroke-width': line,
    'stroke-dasharray': none ? '2 2' : null,
    opacity: look === 'faint' ? 0.34 : look === 'dot' ? 0.5 : null,
  })
  const bar = { x, y: y + height + 4, height: 3, rx: 1.5 }
  setAttributes(childOf(group, 2, 'rect'), { ...bar, width: share === undefined ? 0 : width, fill: palette.rule })
  setAttributes(childOf(group, 3, 'rect'), { ...bar, width: share ? Math.max(2, share * width) : 0, fill: colour.rim })
  writeText(childOf(group, 4, 'text'), text, {
    ...CENTRED,
    x: x + width / 2,
    y: y + height / 2 + 0.5,
    fill: look === 'hollow' ? palette.soft : colour.on,
    'font-size': text.length > 3 ? 8.5 : 10.5,
    'font-weight': 650,
  })
}

function stackPath({ x, y, width, height, depth = 0 }: TileMark): string {
  let path = ''
  for (let k = depth; k > 0; k--) {
    const [left, top] = [x + 2 * k + 0.5, y + 2 * k + 0.5]
    path += `M${left},${top}h${width - 5}a4,4 0 0 1 4,4v${height - 9}a4,4 0 0 1 -4,4h${8 - width}a4,4 0 0 1 -4,-4Z`
  }
  return path
}

function drawDisc(group: SVGGElement, { x, y, worker, stage, waits }: DiscMark, palette: Palette): void {
  const colour = stageColour(palette, stage)
  setAttributes(childOf(group, 0, 'circle'), {
    'data-part': waits ? 'waiter' : 'holder',
    cx: x,
    cy: y,
    r: waits ? WORKER_RADIUS - 0.75 : WORKER_RADIUS,
    fill: waits ? palette.panel : colour.fill,
    stroke: waits ? palette.accent : 'none',
    'stroke-width': 1.5,
    'stroke-dasharray': waits ? '3 2' : null,
  })
  const fill = waits ? palette.accent : colour.on
  writeText(childOf(group, 1, 'text'), `${worker}`, {
    ...CENTRED,
    x,
    y: y + 0.5,
    fill,
    'font-size': worker > 99 ? 8 : 10,
    'font-weight': 700,
  })
}

const sizes = { head: 11.5, note: 11, count: 10, key: 10 }

function drawText(target: SVGTextElement, { x, y, text, end = false, kind }: TextMark, palette: Palette): void {
  writeText(target, text, {
    x,
    y,
    'text-anchor': end ? 'end' : kind === 'count' ? 'middle' : 'start',
    'font-size': sizes[kind],
    'font-weight': kind === 'head' ? 600 : 400,
    fill: kind === 'head' ? palette.ink : palette.soft,
  })
}

/** The colours of a group of jobs. Groups are pale tiles with an outline, and stages are plain discs, so the two look different. */
export interface GroupColour {
  readonly fill: string
  /** At least 3 : 1 on the panel. */
  readonly rim: string
  /** For text on `fill`: at least 4.5 : 1. */
  readonly on: string
}

/** Consecutive groups are a golden section of the colour circle apart, so that any number of them has evenly spread hues. */
const GOLDEN = 0.6180339887498949
/** Consecutive groups also differ in lightness. */
const lightness = { light: [84, 70, 77], dark: [43, 32, 38] } as const
const CHROMA = 34

const cache = new WeakMap<Palette, Map<number, GroupColour>>()

/** Returns the colours of group `index`. Numbers are shown beside them wherever there is room: hundreds of hues cannot be distinguished. */
export function groupColour(palette: Palette, index: number): GroupColour {
  const colours = cache.get(palette) ?? new Map<number, GroupColour>()
  cache.set(palette, colours)
  const colour = colours.get(index) ?? makeColour(palette, index)
  colours.set(index, colour)
  return colour
}

function makeColour(palette: Palette, index: number): GroupColour {
  const { theme, ink, panel, ground } = palette
  const hue = ((index * GOLDEN + 0.11) % 1) * 360
  const fill = displayable(lightness[theme][index % 3], CHROMA, hue)
  const strong = displayable(theme === 'light' ? 46 : 73, 46, hue)
  const extreme = contrast('#000000', fill) > contrast('#ffffff', fill) ? '#000000' : '#ffffff'
  return {
    fill,
    rim: towards(strong, ink, (rim) => Math.min(contrast(rim, panel), contrast(rim, ground)) >= 3),
    on: towards(theme === 'light' ? ink : '#ffffff', extreme, (on) => contrast(on, fill) >= 4.5),
  }
}

/** Returns a colour of this lightness, 0 to 100, chroma, and hue in degrees. The chroma is lowered to what a screen can show. */
function displayable(light: number, chroma: number, hue: number): string {
  let colour = hcl(hue, chroma, light)
  while (!colour.displayable() && colour.c > 0) colour = hcl(hue, colour.c - 1, light)
  return colour.formatHex()
}
