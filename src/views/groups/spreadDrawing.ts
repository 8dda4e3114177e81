import { createDrawing, type Drawing } from '../drawing/drawing.ts'
import { type Palette, stageColour } from '../drawing/palette.ts'
import { appendSvg, createSvg, setAttributes, setText } from '../drawing/svg.ts'
import { groupColour } from './groupColour.ts'
import { WORKER_RADIUS } from './heldGroups.ts'
import { spreadPicture } from './spreadLayout.ts'
import type { DiscMark, SpreadScene, TextMark, TileMark } from './spreadMarks.ts'

export interface SpreadData {
  readonly palette: Palette
  readonly scene: SpreadScene
  /** The picture as text, for screen readers. */
  readonly description: string
}

/** Draws how jobs of groups are spread: dispatcher, feeders, stream, and the groups that workers have. */
export function mountSpread(host: HTMLElement): Drawing<SpreadData> {
  const svg = createSvg(host, { role: 'img' })
  const lines = appendSvg(svg, 'path', { fill: 'none', 'stroke-width': 1 })
  const tiles = marks<Tile, TileMark>(svg, createTile)
  const discs = marks<Disc, DiscMark>(svg, createDisc)
  const texts = marks<SVGTextElement, TextMark>(svg, (parent) => appendSvg(parent, 'text'))
  const pointer = appendSvg(svg, 'path')

  return createDrawing(host, ({ palette, scene, description }: SpreadData, size) => {
    const width = size.width || 290
    const picture = spreadPicture(scene, width)
    setAttributes(svg, { viewBox: `0 0 ${width} ${picture.height}`, height: picture.height, 'font-family': palette.font, 'aria-label': description })
    setAttributes(lines, { d: picture.lines, stroke: palette.rule })
    tiles(picture.tiles, (tile, mark) => drawTile(tile, mark, palette))
    discs(picture.discs, (disc, mark) => drawDisc(disc, mark, palette))
    texts(picture.texts, (text, mark) => drawText(text, mark, palette))
    const at = picture.pointer
    setAttributes(pointer, { d: at === null ? '' : `M${at[0]},${at[1]}l-4,-3v6Z`, fill: palette.accent })
  })
}

/** Returns a function that draws marks, each in a group of its own, which is made when it is first needed and hidden when it is not. */
function marks<Made, Mark>(svg: Element, make: (group: SVGGElement) => Made): (all: readonly Mark[], draw: (made: Made, mark: Mark) => void) => void {
  const group = appendSvg(svg, 'g')
  const made: { readonly own: SVGGElement; readonly parts: Made }[] = []
  return (all, draw) => {
    all.forEach((mark, k) => {
      if (k === made.length) {
        const own = appendSvg(group, 'g')
        made.push({ own, parts: make(own) })
      }
      setAttributes(made[k].own, { display: null })
      draw(made[k].parts, mark)
    })
    for (let k = all.length; k < made.length; k++) setAttributes(made[k].own, { display: 'none' })
  }
}

interface Tile {
  readonly group: SVGGElement
  readonly behind: SVGPathElement
  readonly face: SVGRectElement
  readonly bed: SVGRectElement
  readonly bar: SVGRectElement
  readonly label: SVGTextElement
}

function createTile(group: SVGGElement): Tile {
  return {
    group,
    behind: appendSvg(group, 'path', { 'stroke-width': 1 }),
    face: appendSvg(group, 'rect'),
    bed: appendSvg(group, 'rect', { height: 3, rx: 1.5 }),
    bar: appendSvg(group, 'rect', { height: 3, rx: 1.5 }),
    label: appendSvg(group, 'text', { 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-size': 10.5, 'font-weight': 650 }),
  }
}

/** Draws a tile half a pixel inside its box, so that its outline is sharp. */
function drawTile({ group, behind, face, bed, bar, label }: Tile, mark: TileMark, palette: Palette): void {
  const { x, y, width, height, look, share, depth, text } = mark
  const none = mark.group < 0
  const colour = none ? { fill: 'none', rim: palette.rule, on: palette.soft } : groupColour(palette, mark.group)
  setAttributes(group, { 'data-part': mark.part, 'data-look': look, 'data-group': none ? null : mark.group })
  setAttributes(behind, { d: stackPath(mark), fill: palette.panel, stroke: depth > 0 ? colour.rim : 'none' })
  const strong = look === 'held' || look === 'contended'
  const small = look === 'dot'
  const line = strong ? 2 : 1
  setAttributes(face, {
    x: small ? x + width / 2 - 1.5 : x + line / 2,
    y: small ? y + height / 2 - 1.5 : y + line / 2,
    width: small ? 3 : width - line,
    height: small ? 3 : height - line,
    rx: small ? 1.5 : width > 20 ? 4 : 2.5,
    fill: small ? palette.soft : look === 'hollow' ? 'none' : colour.fill,
    stroke: small ? 'none' : look === 'contended' ? palette.accent : look === 'held' ? palette.ink : look === 'hollow' ? palette.rule : colour.rim,
    'stroke-width': line,
    'stroke-dasharray': none ? '2 2' : null,
    opacity: look === 'faint' ? 0.34 : small ? 0.5 : null,
  })
  setAttributes(bed, { x, y: y + height + 4, width: share === null ? 0 : width, fill: palette.rule })
  setAttributes(bar, { x, y: y + height + 4, width: share === null || share === 0 ? 0 : Math.max(2, share * width), fill: colour.rim })
  setAttributes(label, {
    x: x + width / 2,
    y: y + height / 2 + 0.5,
    fill: look === 'hollow' ? palette.soft : colour.on,
    'font-size': text.length > 3 ? 8.5 : 10.5,
  })
  setText(label, text)
}

/** Returns the corners of the tiles behind. */
function stackPath({ x, y, width, height, depth }: TileMark): string {
  let path = ''
  for (let k = depth; k > 0; k--) {
    const [left, top] = [x + 2 * k + 0.5, y + 2 * k + 0.5]
    path += `M${left},${top}h${width - 5}a4,4 0 0 1 4,4v${height - 9}a4,4 0 0 1 -4,4h${8 - width}a4,4 0 0 1 -4,-4Z`
  }
  return path
}

interface Disc {
  readonly circle: SVGCircleElement
  readonly label: SVGTextElement
}

function createDisc(group: SVGGElement): Disc {
  return {
    circle: appendSvg(group, 'circle'),
    label: appendSvg(group, 'text', { 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-weight': 700 }),
  }
}

function drawDisc({ circle, label }: Disc, { x, y, worker, stage, waits }: DiscMark, palette: Palette): void {
  const colour = stageColour(palette, stage)
  setAttributes(circle, {
    'data-part': waits ? 'waiter' : 'holder',
    cx: x,
    cy: y,
    r: waits ? WORKER_RADIUS - 0.75 : WORKER_RADIUS,
    fill: waits ? palette.panel : colour.fill,
    stroke: waits ? palette.accent : 'none',
    'stroke-width': 1.5,
    'stroke-dasharray': waits ? '3 2' : null,
  })
  setAttributes(label, { x, y: y + 0.5, fill: waits ? palette.accent : colour.on, 'font-size': worker > 99 ? 8 : 10 })
  setText(label, `${worker}`)
}

const sizes = { head: 11.5, note: 11, count: 10, key: 10 }

function drawText(target: SVGTextElement, { x, y, text, end, kind }: TextMark, palette: Palette): void {
  setAttributes(target, {
    x,
    y,
    'text-anchor': end ? 'end' : kind === 'count' ? 'middle' : 'start',
    'font-size': sizes[kind],
    'font-weight': kind === 'head' ? 600 : 400,
    fill: kind === 'head' ? palette.ink : palette.soft,
  })
  setText(target, text)
}
