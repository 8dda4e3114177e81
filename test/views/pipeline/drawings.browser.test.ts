import { afterEach, describe, expect, test } from 'vitest'
import { defaultPalette, rgb, stageColour } from '../../../src/views/drawing/palette.ts'
import { mountParliament } from '../../../src/views/parliament/parliament.ts'
import { mountFlow } from '../../../src/views/pipeline/flow.ts'
import { paintMoving } from '../../../src/views/pipeline/flowPaths.ts'
import { paintCard, type StageCardData } from '../../../src/views/pipeline/stageCard.ts'
import { pictureOf } from '../../fixtures/pictureOf.ts'

const palette = defaultPalette('light')

function hostOf(width: number, height: number): HTMLElement {
  const host = document.createElement('div')
  Object.assign(host.style, { width: `${width}px`, height: `${height}px`, position: 'relative' })
  document.body.append(host)
  return host
}

afterEach(() => document.body.replaceChildren())

describe('the parliament', () => {
  const data = {
    palette,
    workers: 8,
    seats: [2, 5, 1],
    staffed: [2, 4, 1],
    colourIndex: [0, 1, 2],
    names: ['Parse', 'Enrich', 'Save'],
    caption: 'workers · 1.04 s',
  }

  test('shows a seat per worker in the colour of its stage, and an outline for a worker that will join', () => {
    const host = hostOf(210, 108)
    const parliament = mountParliament(host)
    parliament.update(data)
    const seats = [...host.querySelectorAll('svg g g circle:first-child')]
    expect(seats.length).toBe(8)
    const colours = [0, 0, 1, 1, 1, 1].map((stage) => stageColour(palette, stage).fill)
    expect(seats.slice(0, 6).map((seat) => seat.getAttribute('fill'))).toEqual(colours)
    expect(seats[6].getAttribute('fill')).toBe(palette.ground)
    expect(seats[6].getAttribute('stroke')).toBe(stageColour(palette, 1).fill)
    expect(host.textContent).toBe('8workers · 1.04 s')
    const label = host
      .querySelector('svg')
      ?.getAttribute('aria-label')
      ?.replace(/[\u2066-\u2069]/g, '')
    expect(label).toMatch(/Parse 2, Enrich 5, Save 1.*Parse 2, Enrich 4, Save 1/)
  })
})

describe('a stage card', () => {
  const hand = { worker: 3, progress: 0.5, waits: false, followed: false }
  const data: StageCardData = {
    palette,
    colourIndex: 0,
    waiting: 7,
    gathering: 0,
    capacity: null,
    most: 10,
    followed: -1,
    workers: [hand],
    openSeats: 1,
    low: false,
    shape: null,
  }
  const { fill, wash } = palette.stages[0]
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 166, height: 120 })
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const update = (next: StageCardData) => {
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, 166, 120)
    context.translate(4, 4)
    paintCard(context, next, 158)
  }
  /** The colour at a place of the card. */
  function at(x: number, y: number): string {
    const [r, g, b, a] = context.getImageData(Math.floor(x + 4), Math.floor(y + 4), 1, 1).data
    return a === 0 ? '' : `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
  /** The middle of the k-th dot of a row, and of the k-th worker. */
  const dot = (k: number, row = 0) => [3 + k * 8, 46 + row * 9] as const
  const worker = (k: number) => [14.5 + k * 31, 82 + 14.5] as const

  test('shows the queue as dots, and the workers with an open seat next to them', () => {
    update(data)
    expect([at(...dot(0)), at(...dot(6)), at(...dot(7))]).toEqual([fill, fill, ''])
    const [x, y] = worker(0)
    expect(at(x - 8, y)).toBe(fill)
    const [open] = worker(1)
    expect(at(open, y)).toBe(palette.panel)
    update({ ...data, workers: [], openSeats: 0 })
    expect([at(x - 8, y), at(open, y)]).toEqual(['', ''])
  })

  test('shows the progress of a batch as a ring that closes', () => {
    update({ ...data, workers: [{ ...hand, progress: 0.25 }] })
    const [x, y] = worker(0)
    const [right, left] = [() => at(x + 9.5, y - 9.5), () => at(x - 9.5, y + 9.5)]
    expect([right(), left()]).toEqual([fill, wash])
    update({ ...data, workers: [{ ...hand, progress: 0.75 }] })
    expect([right(), left()]).toEqual([fill, fill])
  })

  test('draws a worker that waits for a resource as an outline, and fills it when the worker gets the resource', () => {
    update({ ...data, workers: [{ ...hand, progress: null, waits: true }] })
    const [x, y] = worker(0)
    /** A worker is at a whole pixel, so its edge may be half a pixel from here. */
    const rim = () => Math.hypot(...rgb(at(x - 10.3, y)).map((part, k) => part - rgb(fill)[k]))
    expect(at(x - 7, y)).toBe(palette.panel)
    expect(rim()).toBeLessThan(20)
    update({ ...data, workers: [{ ...hand, progress: 0 }] })
    expect(at(x - 7, y)).toBe(fill)
    expect(rim()).toBeLessThan(20)
  })

  test('marks the followed job: its dot in the queue, its place on the bar, or its worker', () => {
    update(data)
    const ringed = (x: number, y: number) => at(x, y - 5.5) === palette.ink
    expect(ringed(...dot(2))).toBe(false)
    update({ ...data, followed: 2 })
    expect(ringed(...dot(2))).toBe(true)
    // 20 dots per row: the 23rd is in the second row, third from the left.
    update({ ...data, waiting: 30, followed: 22 })
    expect([ringed(...dot(2)), ringed(...dot(2, 1))]).toEqual([false, true])
    update({ ...data, waiting: 1000, most: 2000, followed: 499 })
    expect(ringed(158 / 4, 43 + 11.5)).toBe(true)
    // Outside the queue, after the last job that has room.
    update({ ...data, waiting: 2, followed: 2 })
    expect([ringed(...dot(1)), ringed(...dot(2))]).toEqual([false, false])
    update({ ...data, workers: [{ ...hand, followed: true }] })
    expect(at(worker(0)[0] - 15.5, worker(0)[1])).toBe(palette.ink)
  })
})

describe('the flow', () => {
  const link = { x1: 10, y1: 50, x2: 110, y2: 50, colour: '#0000ff', jobs: [0.5] }
  const alpha = (host: HTMLElement, x: number, y: number) => {
    const picture = pictureOf(host.querySelectorAll('canvas'))
    const ratio = picture.canvas.width / 200
    return picture.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data[3]
  }

  test('paints the live part of a card at its place, and skips a hidden card', () => {
    const host = hostOf(200, 100)
    const flow = mountFlow(host)
    const alive = (waiting: number): StageCardData => ({
      palette,
      colourIndex: 0,
      waiting,
      gathering: 0,
      capacity: null,
      most: 100,
      followed: -1,
      workers: [],
      openSeats: 0,
      low: false,
      shape: null,
    })
    const card = (x: number, waiting: number) => ({
      x,
      y: 0,
      width: 93,
      height: 82,
      inset: { x: 14, y: 37 },
      data: alive(waiting),
    })
    const update = (...cards: ReturnType<typeof card>[]) =>
      flow.update({
        palette,
        cards,
        links: [],
        moves: [],
        ring: null,
        scale: 0.5,
        reducedMotion: false,
        paint: paintMoving,
      })
    // Half as large: the first dot is at (14 + 3, 37 + 43 + 3) / 2.
    update(card(100, 1))
    expect(alpha(host, 108, 41)).toBe(255)
    update(card(100, 1), card(90, 0))
    expect(alpha(host, 108, 41)).toBe(0)
    update()
    expect(alpha(host, 108, 41)).toBe(0)
  })

  test('draws a job where it is and clears it when it has left', () => {
    const host = hostOf(200, 100)
    const flow = mountFlow(host)
    flow.update({
      palette,
      cards: [],
      links: [link],
      moves: [],
      ring: null,
      scale: 1,
      reducedMotion: false,
      paint: paintMoving,
    })
    expect(alpha(host, 60, 50)).toBe(255)
    flow.update({
      palette,
      cards: [],
      links: [{ ...link, jobs: [] }],
      moves: [],
      ring: null,
      scale: 1,
      reducedMotion: false,
      paint: paintMoving,
    })
    expect(alpha(host, 60, 50)).toBe(0)
  })

  test('does not move for people who prefer no motion', () => {
    const host = hostOf(200, 100)
    const flow = mountFlow(host)
    const picture = () => pictureOf(host.querySelectorAll('canvas')).canvas.toDataURL()
    flow.update({
      palette,
      cards: [],
      links: [link],
      moves: [
        { x1: 20, y1: 20, x2: 150, y2: 20, fraction: 0.1, under: 0, worker: 2, colour: '#ff0000', on: '#ffffff' },
      ],
      ring: null,
      scale: 1,
      reducedMotion: true,
      paint: paintMoving,
    })
    const first = picture()
    flow.update({
      palette,
      cards: [],
      links: [{ ...link, jobs: [0.9] }],
      moves: [
        { x1: 20, y1: 20, x2: 150, y2: 20, fraction: 0.8, under: 0, worker: 2, colour: '#ff0000', on: '#ffffff' },
      ],
      ring: null,
      scale: 1,
      reducedMotion: true,
      paint: paintMoving,
    })
    expect(picture()).toBe(first)
  })
})
