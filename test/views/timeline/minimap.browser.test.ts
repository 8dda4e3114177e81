import { afterEach, expect, test, vi } from 'vitest'
import { appendStep, createSteps } from '../../../src/measures/series/steps.ts'
import { defaultPalette } from '../../../src/views/drawing/palette.ts'
import { type MinimapData, mountMinimap } from '../../../src/views/timeline/minimap.ts'
import { pictureOf } from '../../fixtures/pictureOf.ts'

afterEach(() => document.body.replaceChildren())

function mount() {
  const host = document.createElement('div')
  Object.assign(host.style, { position: 'relative', width: '500px', height: '30px' })
  document.body.append(host)
  const showRange = vi.fn()
  const queue = createSteps()
  appendStep(queue, 0, 4)
  appendStep(queue, 500, 0)
  const data: MinimapData = {
    palette: defaultPalette('light'),
    end: 1000,
    range: [200, 400],
    playhead: 300,
    selection: null,
    marks: [],
    stages: [{ colourIndex: 0 }],
    queues: [queue],
    version: 1,
  }
  const minimap = mountMinimap(host, { showRange })
  minimap.update(data)
  const named = (label: string) => host.querySelector<HTMLElement>(`[aria-label="${label}"]`) as HTMLElement
  const left = host.getBoundingClientRect().left
  const drag = (target: HTMLElement, from: number, to: number) => {
    target.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, view: window, clientX: left + from }))
    window.dispatchEvent(new MouseEvent('mousemove', { view: window, clientX: left + to }))
    window.dispatchEvent(new MouseEvent('mouseup', { view: window, clientX: left + to }))
  }
  return { host, minimap, data, showRange, named, drag }
}

test('the window of the minimap can be dragged, and so can each edge', () => {
  const { showRange, named, drag } = mount()
  drag(named('Shown'), 125, 175)
  expect(showRange).toHaveBeenLastCalledWith([300, 500])
  drag(named('Shown from'), 100, 50)
  expect(showRange).toHaveBeenLastCalledWith([100, 400])
  drag(named('Shown to'), 200, 450)
  expect(showRange).toHaveBeenLastCalledWith([200, 900])
})

test('a press next to the window centres it there, as far as the run reaches', () => {
  const { host, showRange, drag } = mount()
  drag(host, 300, 300)
  expect(showRange.mock.calls[0][0]).toEqual([500, 700])
  drag(host, 490, 490)
  expect(showRange).toHaveBeenLastCalledWith([800, 1000])
})

test('window and edges are sliders with a value, and move by keys', () => {
  const { showRange, named } = mount()
  const pane = named('Shown')
  expect([pane.getAttribute('role'), pane.getAttribute('aria-valuetext'), pane.tabIndex]).toEqual([
    'slider',
    '0.000 s to 0.000 s',
    0,
  ])
  const press = (target: HTMLElement, key: string) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  press(pane, 'ArrowRight')
  expect(showRange).toHaveBeenLastCalledWith([220, 420])
  press(pane, 'End')
  expect(showRange).toHaveBeenLastCalledWith([800, 1000])
  press(pane, '+')
  expect(showRange).toHaveBeenLastCalledWith([250, 350])
  press(named('Shown from'), 'ArrowLeft')
  expect(showRange).toHaveBeenLastCalledWith([190, 400])
  press(named('Shown to'), 'Home')
  expect(showRange).toHaveBeenLastCalledWith([200, 220])
  expect(press(pane, 'x')).toBe(true)
})

test('faults are in the minimap at their times, paler if the run has not reached them', () => {
  const { host, minimap, data } = mount()
  const canvas = host.querySelector('canvas') as HTMLCanvasElement
  const alphaAt = (time: number) => {
    const x = Math.round((time / data.end) * canvas.width)
    return pictureOf([canvas]).getImageData(x, Math.round(canvas.height / 2), 1, 1).data[3]
  }
  expect([alphaAt(700), alphaAt(900)]).toEqual([0, 0])
  const marks = [
    { time: 700, colourIndex: null, played: true },
    { time: 900, colourIndex: 0, played: false },
  ]
  minimap.update({ ...data, marks })
  expect(alphaAt(700)).toBeGreaterThan(100)
  expect(alphaAt(900)).toBeGreaterThan(20)
  expect(alphaAt(900)).toBeLessThan(alphaAt(700))
})

test('moving the playhead writes nothing else; nor does an update without changes', () => {
  const { host, minimap, data } = mount()
  const observer = new MutationObserver(() => {})
  const written = () =>
    observer
      .takeRecords()
      .map(({ target, attributeName }) => `${(target as HTMLElement).dataset.part} ${attributeName}`)
  observer.observe(host, { subtree: true, childList: true, characterData: true, attributes: true })
  minimap.update({ ...data, range: [200, 400], queues: [...data.queues] })
  expect(written()).toEqual([])
  minimap.update({ ...data, playhead: 310 })
  expect(written()).toEqual([])
  const head = host.querySelector('[data-part=head]')
  const from = (element: Element | null | undefined) => element?.getBoundingClientRect().left ?? Number.NaN
  expect(from(head) - from(host)).toBeCloseTo((310 / data.end) * host.clientWidth, -1)
  minimap.update({ ...data, playhead: 310, range: [200, 500] })
  expect(new Set(written())).toContain('pane style')
})
