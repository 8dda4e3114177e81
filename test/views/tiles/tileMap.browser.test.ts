import { afterEach, describe, expect, test } from 'vitest'
import { GIVEN_UP, IN_HANDS, OUT, PARKED, WAITING } from '../../../src/measures/jobs/jobPlaces.ts'
import type { Picture } from '../../../src/scenario/model/sources.ts'
import { contrast, defaultPalette, hex, stageColour } from '../../../src/views/drawing/palette.ts'
import { mountTileMap, type TileMapData, workRange } from '../../../src/views/tiles/tileMap.ts'

const palette = defaultPalette('light')
const picture: Picture = { kind: 'image', width: 240, height: 160, tile: 40, x: 0, y: 0, span: 3, iterations: 9 }
const place = (what: number, stage = 0, worker = 0) => (what * 256 + stage) * 512 + worker

let host: HTMLElement | null = null
afterEach(() => host?.remove())

function shown(more: Partial<TileMapData>, width = 480, height = 400) {
  host = document.createElement('div')
  Object.assign(host.style, { width: `${width}px`, height: `${height}px` })
  document.body.append(host)
  const map = mountTileMap(host)
  map.update({ palette, picture, places: null, first: 0, pixels: null, worked: null, ...more })
  const canvas = host.querySelector('canvas') as HTMLCanvasElement
  /** The colour at a point of the picture. */
  const at = (x: number, y: number) => {
    const scale = canvas.width / picture.width
    const [r, g, b] =
      canvas.getContext('2d')?.getImageData(Math.floor(x * scale), Math.floor(y * scale), 1, 1).data ?? []
    return hex([r, g, b])
  }
  return { map, canvas, at }
}

function placesWith(places: Readonly<Record<number, number>>): Int32Array {
  const all = new Int32Array(24)
  for (const [job, where] of Object.entries(places)) all[Number(job)] = where
  return all
}

const green = (() => {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 240, height: 160 })
  const context = canvas.getContext('2d')
  if (context !== null) {
    context.fillStyle = '#00ff00'
    context.fillRect(0, 0, 240, 160)
  }
  return canvas
})()

describe('the map of tiles', () => {
  test('has the shape of the picture, and describes in words what it shows', () => {
    const { canvas } = shown({ places: placesWith({ 0: place(OUT), 1: place(IN_HANDS, 2, 3) }) })
    expect([canvas.style.width, canvas.style.height]).toEqual(['480px', '320px'])
    expect(canvas.getAttribute('aria-label')).toBe('Picture of 24 tiles: 1 out, 1 in service')
  })

  test('shows pixels only where a tile has left', () => {
    const { at } = shown({
      pixels: green,
      places: placesWith({ 7: place(OUT), 8: place(WAITING, 1), 9: place(WAITING, 0), 10: place(PARKED) }),
    })
    expect(at(60, 60)).toBe('#00ff00')
    expect(at(20, 20)).toBe(palette.bed)
    expect(at(140, 60)).toBe(palette.bed)
    for (const x of [100, 180]) expect([palette.bed, '#00ff00']).not.toContain(at(x, 60))
  })

  test('frames a tile in the colour of its current stage, and marks waiting tiles by stage', () => {
    const { at } = shown({
      places: placesWith({ 0: place(IN_HANDS, 1), 2: place(WAITING, 1), 4: place(WAITING, 2), 12: place(GIVEN_UP, 1) }),
    })
    expect(at(0.4, 20)).toBe(stageColour(palette, 1).fill)
    expect(at(5, 20)).toBe(at(100, 20))
    expect(at(180, 20)).not.toBe(at(100, 20))
    expect(at(20, 100)).toBe(palette.accent)
  })

  test('shades finished tiles by their work if there are no pixels', () => {
    const places = placesWith({ 0: place(OUT), 1: place(OUT), 2: place(OUT), 3: place(IN_HANDS) })
    const worked = Float64Array.of(...[100, 1000, 10_000, 1_000_000], ...new Array(20).fill(0))
    const { at } = shown({ places, worked })
    expect(at(100, 20)).toBe(palette.accent)
    const [pale, middle] = [at(20, 20), at(60, 20)].map((colour) => contrast(colour, palette.panel))
    expect(pale).toBeLessThan(middle)
    expect(middle).toBeLessThan(contrast(palette.accent, palette.panel))
    expect(workRange(places, worked)).toEqual([100, 10_000])
    expect(workRange(placesWith({}), worked)).toBeNull()
  })

  test('follows the size of its host, and disappears when it is destroyed', () => {
    const { map, canvas } = shown({})
    if (host !== null) host.style.width = '120px'
    map.resize()
    expect(canvas.style.width).toBe('120px')
    map.destroy()
    expect(host?.childElementCount).toBe(0)
  })
})
