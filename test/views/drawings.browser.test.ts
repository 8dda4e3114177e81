import { afterEach, describe, expect, test } from 'vitest'
import { mountFlow } from '../../src/views/flow.ts'
import { defaultPalette, stageColour } from '../../src/views/palette.ts'
import { mountParliament } from '../../src/views/parliament.ts'
import { mountStageCard, type StageCardData } from '../../src/views/stageCard.ts'

const palette = defaultPalette('light')

function hostOf(width: number, height: number): HTMLElement {
  const host = document.createElement('div')
  Object.assign(host.style, { width: `${width}px`, height: `${height}px`, position: 'relative' })
  document.body.append(host)
  return host
}

afterEach(() => document.body.replaceChildren())

describe('the parliament', () => {
  const data = { palette, workers: 8, seats: [2, 5, 1], posted: [2, 4, 1], colourIndex: [0, 1, 2], caption: 'workers · 1.04 s' }

  test('shows a seat a worker in the colour of its post, and an outline where one is still to come', () => {
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
  })

  test('follows a change of workers and leaves nothing behind', () => {
    const host = hostOf(210, 108)
    const parliament = mountParliament(host)
    parliament.update(data)
    parliament.update({ ...data, workers: 3, seats: [1, 1, 1], posted: [1, 1, 1] })
    expect(host.querySelectorAll('svg g g').length).toBe(3)
    parliament.destroy()
    expect(host.childElementCount).toBe(0)
  })
})

describe('a stage card', () => {
  const data: StageCardData = {
    palette,
    colourIndex: 0,
    waiting: 7,
    gathering: 0,
    capacity: null,
    most: 10,
    followed: -1,
    hands: [{ worker: 3, progress: 0.5, waits: false, followed: false }],
    wanted: 1,
    shape: null,
  }
  const shown = (host: HTMLElement) => [...host.querySelectorAll('text')].map((text) => text.textContent).filter((text) => text !== '')

  test('shows the queue as a number and dots, and the workers with an open seat beside them', () => {
    const host = hostOf(158, 120)
    const card = mountStageCard(host)
    card.update(data)
    expect(shown(host)).toEqual(['7waiting', '3'])
    expect(host.querySelector('path[stroke-linecap=round][stroke-width="6"]')?.getAttribute('d')?.match(/h/g)?.length).toBe(7)
    expect(host.querySelectorAll('g > g > g:not([display=none])').length).toBe(2)
    card.update({ ...data, gathering: 3 })
    expect(shown(host)).toEqual(['7waiting', '3 parts gather', '3'])
    card.update({ ...data, gathering: 1 })
    expect(shown(host)).toEqual(['7waiting', '1 part gathers', '3'])
    card.update({ ...data, waiting: 1268, hands: [], wanted: 0 })
    expect(shown(host)).toEqual(['1,268waiting', '1,268', '3'])
    expect(host.querySelectorAll('g > g > g:not([display=none])').length).toBe(0)
  })

  test('draws a worker who waits for a resource as an outline, and fills it when the worker gets that', () => {
    const host = hostOf(158, 120)
    const card = mountStageCard(host)
    const disc = () => [...host.querySelectorAll('circle')].find((circle) => circle.getAttribute('stroke-width') === '1.5')
    const { fill } = palette.stages[0]
    card.update({ ...data, hands: [{ worker: 3, progress: null, waits: true, followed: false }] })
    expect([disc()?.getAttribute('fill'), disc()?.getAttribute('stroke')]).toEqual([palette.panel, fill])
    card.update({ ...data, hands: [{ worker: 3, progress: 0, waits: false, followed: false }] })
    expect([disc()?.getAttribute('fill'), disc()?.getAttribute('stroke')]).toEqual([fill, 'none'])
  })

  test('rings the job that is followed: its dot in the queue, its place on the bar, or the worker that has it', () => {
    const host = hostOf(158, 120)
    const card = mountStageCard(host)
    const rings = () => [...host.querySelectorAll('circle')].filter((circle) => circle.getAttribute('stroke') === palette.ink)
    const at = () => ['cx', 'cy'].map((name) => Number(rings()[0].getAttribute(name)))
    card.update(data)
    expect(rings()).toEqual([])
    card.update({ ...data, followed: 2 })
    expect(at()).toEqual([19, 3])
    // 20 dots a row: the 23rd stands in the second, third from the left.
    card.update({ ...data, waiting: 30, followed: 22 })
    expect(at()).toEqual([19, 12])
    card.update({ ...data, waiting: 1000, most: 2000, followed: 499 })
    expect(at()[0]).toBeCloseTo(158 / 4, 1)
    // Outside the queue, as it waits behind the last for whom there is room.
    card.update({ ...data, waiting: 2, followed: 2 })
    expect(rings()).toEqual([])
    card.update({ ...data, hands: [{ worker: 3, progress: 0.5, waits: false, followed: true }] })
    expect(rings().map((ring) => ring.parentElement?.textContent)).toEqual(['3'])
    card.update(data)
    expect(rings()).toEqual([])
  })

  test('touches nothing when nothing is new', async () => {
    const host = hostOf(158, 120)
    const card = mountStageCard(host)
    card.update(data)
    const changes: MutationRecord[] = []
    const observer = new MutationObserver((records) => changes.push(...records))
    observer.observe(host, { subtree: true, childList: true, attributes: true, characterData: true })
    card.update({ ...data })
    changes.push(...observer.takeRecords())
    expect(changes).toEqual([])
  })
})

describe('the flow', () => {
  const link = { x1: 10, y1: 50, x2: 110, y2: 50, colour: '#0000ff', jobs: [0.5] }
  const alpha = (host: HTMLElement, x: number, y: number) => {
    const canvas = host.querySelector('canvas')
    const ratio = (canvas?.width ?? 0) / 200
    return canvas?.getContext('2d')?.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data[3]
  }

  test('draws a job where it is and clears it when it has gone', () => {
    const host = hostOf(200, 100)
    const flow = mountFlow(host)
    flow.update({ palette, links: [link], moves: [], ring: null, scale: 1, reducedMotion: false })
    expect(alpha(host, 60, 50)).toBe(255)
    flow.update({ palette, links: [{ ...link, jobs: [] }], moves: [], ring: null, scale: 1, reducedMotion: false })
    expect(alpha(host, 60, 50)).toBe(0)
  })

  test('rings the end of the pipeline where the job that is followed stands', () => {
    const host = hostOf(200, 100)
    const flow = mountFlow(host)
    flow.update({ palette, links: [], moves: [], ring: { x: 100, y: 50, radius: 20 }, scale: 1, reducedMotion: false })
    expect(alpha(host, 124, 50)).toBeGreaterThan(200)
    expect(alpha(host, 100, 50)).toBe(0)
    flow.update({ palette, links: [], moves: [], ring: null, scale: 1, reducedMotion: false })
    expect(alpha(host, 124, 50)).toBe(0)
  })

  test('stands still for people who ask for it', () => {
    const host = hostOf(200, 100)
    const flow = mountFlow(host)
    const picture = () => host.querySelector('canvas')?.toDataURL()
    flow.update({
      palette,
      links: [link],
      moves: [{ x1: 20, y1: 20, x2: 150, y2: 20, fraction: 0.1, worker: 2, colour: '#ff0000', on: '#ffffff' }],
      ring: null,
      scale: 1,
      reducedMotion: true,
    })
    const first = picture()
    flow.update({
      palette,
      links: [{ ...link, jobs: [0.9] }],
      moves: [{ x1: 20, y1: 20, x2: 150, y2: 20, fraction: 0.8, worker: 2, colour: '#ff0000', on: '#ffffff' }],
      ring: null,
      scale: 1,
      reducedMotion: true,
    })
    expect(picture()).toBe(first)
  })
})
