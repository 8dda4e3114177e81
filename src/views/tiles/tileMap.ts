import { interpolateRgb, quantize } from 'd3-interpolate'
import { scaleLog } from 'd3-scale'
import { t } from '../../language/translate.ts'
import {
  GIVEN_UP,
  IN_HANDS,
  kindOfPlace,
  OUT,
  PARKED,
  stageOf,
  WAITING,
  workerOf,
} from '../../measures/jobs/jobPlaces.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { tileColumns, tileRows } from '../../scenario/model/sourceFigures.ts'
import type { Picture } from '../../scenario/model/sources.ts'
import { fitCanvas, pixelRatio } from '../drawing/canvas.ts'
import { createDrawing, type Drawing, type HostSize } from '../drawing/drawing.ts'
import { mix, type Palette, rgb, stageColour } from '../drawing/palette.ts'

export interface TileMapData {
  readonly palette: Palette
  readonly picture: Picture
  /** The place of each tile, by its number, packed as in `measures/jobs/jobPlaces.ts`; null before the first run. */
  readonly places: Int32Array | null
  /** The first stage: tiles that wait there have not been touched. */
  readonly first: number
  /** The pixels computed so far; null in a simulation, or when the work is to be shown instead. */
  readonly pixels: HTMLCanvasElement | null
  /** How long each tile has been worked on. Without pixels, tiles that have left are shaded by it. */
  readonly worked: Float64Array | null
}

/** From these sides on, in pixels of the page, a tile is outlined, and shows the number of its worker. */
const OUTLINED = 5
const NUMBERED = 15
/** With more outlines the picture would be all lines. */
const MAX_OUTLINES = 6000

/** Draws the tiles that have left, and where all others are: pale in the colour of the stage they wait for, or framed in that of the stage that has them. */
export function mountTileMap(host: HTMLElement): Drawing<TileMapData> {
  const canvas = document.createElement('canvas')
  canvas.setAttribute('role', 'img')
  Object.assign(canvas.style, { display: 'block', margin: 'auto' })
  host.append(canvas)
  const context = canvas.getContext('2d')
  const mask = document.createElement('canvas')
  let image = new ImageData(1, 1)

  function draw(data: TileMapData, size: HostSize): void {
    const { picture, palette, pixels, places } = data
    if (context === null) return
    const scale = Math.min(size.width / picture.width, size.height / picture.height)
    if (!(scale > 0)) return
    const [width, height] = [Math.floor(picture.width * scale), Math.floor(picture.height * scale)]
    const ratio = pixelRatio()
    fitCanvas(canvas, width, height, ratio)
    canvas.setAttribute('aria-label', ariaLabel(data))
    context.setTransform((ratio * width) / picture.width, 0, 0, (ratio * height) / picture.height, 0, 0)
    context.imageSmoothingEnabled = true
    context.imageSmoothingQuality = 'high'
    context.fillStyle = palette.bed
    context.fillRect(0, 0, picture.width, picture.height)
    if (pixels !== null) context.drawImage(pixels, 0, 0)
    const side = picture.tile * scale
    shade(data)
    context.imageSmoothingEnabled = false
    context.drawImage(mask, 0, 0, mask.width * picture.tile, mask.height * picture.tile)
    if (side >= OUTLINED) outline(context, data, 1 / scale)
    if (places !== null) frame(context, data, side, 1 / scale)
  }

  /** Paints one pixel a tile, to be scaled up, so that many thousand tiles cost as little as a few. */
  function shade({ palette, picture, places, first, pixels, worked }: TileMapData): void {
    const [columns, rows] = [tileColumns(picture), tileRows(picture)]
    if (mask.width !== columns || mask.height !== rows || image.width !== columns) {
      mask.width = columns
      mask.height = rows
      image = new ImageData(columns, rows)
    }
    const out = new Uint32Array(image.data.buffer)
    const bed = packed(palette.bed)
    const parked = packed(mix(palette.panel, palette.ink, 0.32))
    const shadeOf = pixels === null ? workShades(palette, places, worked) : () => 0
    const pale = palette.stages.map(({ fill }) => packed(mix(palette.panel, fill, 0.34)))
    for (let job = 0; job < out.length; job++) {
      const place = places === null ? 0 : places[job]
      const what = kindOfPlace(place)
      const stage = stageOf(place)
      if (what === OUT) out[job] = shadeOf(job)
      else if (what === PARKED) out[job] = parked
      else if (what === IN_HANDS || (what === WAITING && stage !== first)) out[job] = pale[stage % pale.length]
      else out[job] = bed
    }
    mask.getContext('2d')?.putImageData(image, 0, 0)
  }

  return createDrawing(host, draw)
}

/** Draws hairlines around the tiles that have not left. `hair` is a pixel of the page, in pixels of the picture. */
function outline(
  context: CanvasRenderingContext2D,
  { palette, picture, places, pixels }: TileMapData,
  hair: number,
): void {
  const columns = tileColumns(picture)
  const tiles = columns * tileRows(picture)
  if (tiles > MAX_OUTLINES) return
  context.beginPath()
  for (let job = 0; job < tiles; job++)
    if (places === null || pixels === null || kindOfPlace(places[job]) !== OUT)
      rectangle(context, picture, columns, job, 0)
  context.lineWidth = hair
  context.strokeStyle = palette.panel
  context.stroke()
}

/** Draws which worker has which tile, and which tiles have failed. */
function frame(
  context: CanvasRenderingContext2D,
  { palette, picture, places }: TileMapData,
  side: number,
  hair: number,
): void {
  if (places === null) return
  const columns = tileColumns(picture)
  const thick = Math.min(2.5, Math.max(1, side / 8)) * hair
  context.lineWidth = thick
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.font = `600 ${Math.min(12, side * 0.46) * hair}px ${palette.font}`
  for (let job = 0; job < places.length; job++) {
    const what = kindOfPlace(places[job])
    if (what !== IN_HANDS && what !== GIVEN_UP) continue
    const colour = stageColour(palette, stageOf(places[job]))
    context.strokeStyle = what === IN_HANDS ? colour.fill : palette.accent
    context.fillStyle = colour.text
    context.beginPath()
    if (what === GIVEN_UP) cross(context, picture, columns, job)
    else rectangle(context, picture, columns, job, thick / 2)
    context.stroke()
    if (what !== IN_HANDS || side < NUMBERED) continue
    const [left, top] = cornerOf(picture, columns, job)
    context.fillText(String(workerOf(places[job]) + 1), left + picture.tile / 2, top + picture.tile / 2 + hair * 0.5)
  }
}

function rectangle(
  context: CanvasRenderingContext2D,
  picture: Picture,
  columns: number,
  job: number,
  inside: number,
): void {
  const [left, top] = cornerOf(picture, columns, job)
  const width = Math.min(picture.tile, picture.width - left)
  const height = Math.min(picture.tile, picture.height - top)
  context.rect(left + inside, top + inside, width - 2 * inside, height - 2 * inside)
}

function cross(context: CanvasRenderingContext2D, picture: Picture, columns: number, job: number): void {
  const [left, top] = cornerOf(picture, columns, job)
  const { tile } = picture
  context.moveTo(left + tile * 0.3, top + tile * 0.3)
  context.lineTo(left + tile * 0.7, top + tile * 0.7)
  context.moveTo(left + tile * 0.7, top + tile * 0.3)
  context.lineTo(left + tile * 0.3, top + tile * 0.7)
}

function cornerOf({ tile }: Picture, columns: number, job: number): readonly [left: number, top: number] {
  return [(job % columns) * tile, Math.floor(job / columns) * tile]
}

const SHADES = 24

/** Returns the shade of a tile, from pale to full by the logarithm of its work, which may differ by a factor of a thousand. */
function workShades(palette: Palette, places: Int32Array | null, worked: Float64Array | null): (job: number) => number {
  const range = workRange(places, worked)
  const shades = quantize(interpolateRgb(mix(palette.panel, palette.accent, 0.14), palette.accent), SHADES).map(packed)
  if (range === null || worked === null) return () => shades[0]
  const [least, most] = range
  const shadeOf = most > least ? scaleLog([least, most], [0, SHADES - 1]).clamp(true) : () => 0
  return (job) => shades[Math.round(shadeOf(worked[job]))]
}

/** Returns the least and the most time, in microseconds, that a tile that has left was worked on; null while none has left. */
export function workRange(
  places: Int32Array | null,
  worked: Float64Array | null,
): readonly [least: Micros, most: Micros] | null {
  if (places === null || worked === null) return null
  let [least, most] = [Infinity, 0]
  for (let job = 0; job < places.length; job++) {
    if (kindOfPlace(places[job]) !== OUT) continue
    least = Math.min(least, Math.max(1, worked[job]))
    most = Math.max(most, worked[job])
  }
  return most === 0 ? null : [least, most]
}

/** Returns a colour as 32 bits of an image, whose bytes are red, green, blue and alpha in memory. */
function packed(colour: string): number {
  return new Uint32Array(Uint8Array.of(...rgb(colour), 255).buffer)[0]
}

function ariaLabel({ picture, places }: TileMapData): string {
  const tiles = tileColumns(picture) * tileRows(picture)
  const count = (what: number) => places?.reduce((sum, place) => sum + (kindOfPlace(place) === what ? 1 : 0), 0) ?? 0
  return t('Picture of {tiles} tiles: {out} out, {held} in service', { tiles, out: count(OUT), held: count(IN_HANDS) })
}
