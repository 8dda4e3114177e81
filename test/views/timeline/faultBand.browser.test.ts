import { afterEach, expect, test, vi } from 'vitest'
import { defaultPalette } from '../../../src/views/drawing/palette.ts'
import { type FaultBandData, mountFaultBand } from '../../../src/views/timeline/faultBand.ts'
import type { FaultMark } from '../../../src/views/timeline/faultMark.ts'

afterEach(() => document.body.replaceChildren())

const crash: FaultMark = {
  key: 'crash 7',
  kind: 'crash',
  time: 500,
  label: 'Worker 8 crashes',
  when: 'at 0.500 ms',
  colourIndex: null,
  played: true,
}
const slow: FaultMark = {
  key: 'change B 9',
  kind: 'slower',
  time: 700,
  label: 'Enrich 5 times slower',
  when: 'from job 9 on',
  colourIndex: 1,
  played: false,
}

function mount() {
  const host = document.createElement('div')
  Object.assign(host.style, { width: '834px' })
  document.body.append(host)
  const options = {
    whenAt: vi.fn((_: string, time: number) => ({ time, when: `at ${time}` })),
    move: vi.fn(),
    step: vi.fn(),
    remove: vi.fn(),
    open: vi.fn(),
    add: vi.fn(),
  }
  const band = mountFaultBand(host, options)
  const data: FaultBandData = { palette: defaultPalette('light'), range: [0, 1000], marks: [crash, slow], axis: false }
  band.update(data)
  const rows = host.querySelector<HTMLElement>('[data-part=rows]') as HTMLElement
  const named = (label: string) => host.querySelector<HTMLElement>(`[aria-label="${label}"]`) as HTMLElement
  const left = host.getBoundingClientRect().left
  // The plot is 700 wide and begins at 112. A mark that gets the focus may scroll the page.
  const xOf = (time: number) => Math.round(host.getBoundingClientRect().left + 112 + time * 0.7)
  const mouse = (type: string, target: HTMLElement | Window, time: number) =>
    target.dispatchEvent(new MouseEvent(type, { bubbles: true, view: window, clientX: xOf(time) }))
  return { host, rows, band, data, options, named, mouse, left, xOf }
}

test('a mark is a slider that names the fault, its worker or stage, and its time', () => {
  const { named } = mount()
  const mark = named('Worker 8 crashes')
  expect([
    mark.getAttribute('role'),
    mark.getAttribute('aria-valuetext'),
    mark.getAttribute('aria-valuenow'),
    mark.tabIndex,
  ]).toEqual(['slider', 'at 0.500 ms', '500', 0])
  expect(named('Enrich 5 times slower').title).toBe('Enrich 5 times slower from job 9 on, from the next run on')
  // Its tip is at its time.
  expect(mark.getBoundingClientRect().left + 10).toBeCloseTo(document.body.getBoundingClientRect().left + 112 + 350, 0)
})

test('dragged, it shows its time and moves when released; a press alone opens it', () => {
  const { named, mouse, options, band, data } = mount()
  const mark = named('Worker 8 crashes')
  mouse('mousedown', mark, 500)
  mouse('mousemove', window, 600)
  expect(mark.textContent).toBe('at 600')
  expect(options.move).not.toHaveBeenCalled()
  mouse('mouseup', window, 600)
  expect(options.move).toHaveBeenCalledExactlyOnceWith('crash 7', 600)
  expect(options.open).not.toHaveBeenCalled()
  band.update({ ...data, marks: [{ ...crash, time: 600 }, slow] })
  expect(mark.textContent).toBe('Worker 8 crashes')
  mouse('mousedown', mark, 600)
  mouse('mousemove', window, 601)
  mouse('mouseup', window, 601)
  expect(options.open).toHaveBeenCalledExactlyOnceWith('crash 7')
})

test('Escape, or a touch that the browser takes over, ends a drag where it began', () => {
  const { named, mouse, options, xOf } = mount()
  const mark = named('Worker 8 crashes')
  mark.focus()
  mouse('mousedown', mark, 500)
  mouse('mousemove', window, 900)
  mark.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  mouse('mouseup', window, 900)
  expect(mark.getAttribute('aria-valuenow')).toBe('500')
  const touch = (type: string, time: number) => {
    const changedTouches = [new Touch({ identifier: 1, target: mark, clientX: xOf(time), clientY: 5 })]
    mark.dispatchEvent(
      new TouchEvent(type, { bubbles: true, cancelable: true, touches: changedTouches, changedTouches }),
    )
  }
  for (const taken of ['touchcancel', 'pointercancel']) {
    touch('touchstart', 500)
    touch('touchmove', 900)
    expect(mark.getAttribute('aria-valuenow')).toBe('900')
    if (taken === 'touchcancel') touch(taken, 900)
    else mark.dispatchEvent(new PointerEvent(taken, { bubbles: true }))
    touch('touchend', 900)
  }
  expect(options.move).not.toHaveBeenCalled()
  expect(mark.getAttribute('aria-valuenow')).toBe('500')
})

test('all actions work by keys too', () => {
  const { named, options } = mount()
  const mark = named('Worker 8 crashes')
  const press = (key: string, shiftKey = false) =>
    mark.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }))
  for (const [key, hundredths] of [
    ['ArrowRight', 1],
    ['ArrowLeft', -1],
    ['PageUp', 10],
  ] as const) {
    press(key)
    expect(options.step).toHaveBeenLastCalledWith('crash 7', hundredths)
  }
  press('ArrowLeft', true)
  expect(options.step).toHaveBeenLastCalledWith('crash 7', -10)
  press('End')
  expect(options.move).toHaveBeenLastCalledWith('crash 7', 1000)
  press('Enter')
  expect(options.open).toHaveBeenLastCalledWith('crash 7')
  press('Delete')
  expect(options.remove).toHaveBeenLastCalledWith('crash 7')
  press('+')
  expect(options.add).toHaveBeenLastCalledWith(expect.objectContaining({ time: null }))
  // Keys without a function here reach the page.
  expect(press('x')).toBe(true)
})

test('the menu opens at the time under the pointer, and the form at a mark', () => {
  const { rows, named, options, left } = mount()
  rows.dispatchEvent(
    new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left + 112 + 140, clientY: 5 }),
  )
  expect(options.add).toHaveBeenLastCalledWith({ time: 200, x: left + 252, y: 5 })
  named('Worker 8 crashes').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
  expect(options.open).toHaveBeenCalledWith('crash 7')
})

test('Tab visits marks in order of time; removed marks disappear; an axis is drawn if there is none above', () => {
  const { host, band, data } = mount()
  const labels = () => [...host.querySelectorAll('[role=slider]')].map((mark) => mark.getAttribute('aria-label'))
  expect(labels()).toEqual(['Worker 8 crashes', 'Enrich 5 times slower'])
  band.update({ ...data, marks: [{ ...slow, time: 100 }, crash] })
  expect(labels()).toEqual(['Enrich 5 times slower', 'Worker 8 crashes'])
  const canvas = host.querySelector('canvas') as HTMLCanvasElement
  expect(canvas.getBoundingClientRect().height).toBe(0)
  band.update({ ...data, marks: [slow], axis: true })
  expect(canvas.getBoundingClientRect().height).toBe(28)
  expect(labels()).toEqual(['Enrich 5 times slower'])
  band.destroy()
  expect(host.children).toHaveLength(0)
})
