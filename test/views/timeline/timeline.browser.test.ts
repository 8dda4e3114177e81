import { afterEach, describe, expect, test, vi } from 'vitest'
import { appendSpan, createLanes } from '../../../src/measures/series/lanes.ts'
import { appendMark, createMarks, type Marks } from '../../../src/measures/series/marks.ts'
import { appendStep, createSteps } from '../../../src/measures/series/steps.ts'
import { defaultPalette, type Rgb, rgb, stageColour } from '../../../src/views/drawing/palette.ts'
import { mountTimeline, type Timeline, type TimelineEvents } from '../../../src/views/timeline/timeline.ts'
import type { TimelineData } from '../../../src/views/timeline/timelineData.ts'
import { leastHeight, timelineLayout } from '../../../src/views/timeline/timelineLayout.ts'
import { xOf } from '../../../src/views/timeline/timelinePlot.ts'
import { pictureOf } from '../../fixtures/pictureOf.ts'

const WIDTH = 900
const HEIGHT = 360
const layout = timelineLayout(WIDTH, HEIGHT, 2, 2)
const mounted: Timeline[] = []

function marks(...times: number[]): Marks {
  const all = createMarks()
  for (const time of times) appendMark(all, time)
  return all
}

/** Two workers: the first at stage 0, then at stage 1; the second idle, then at stage 1. */
function data(changes: Partial<TimelineData> = {}): TimelineData {
  const lanes = createLanes(2)
  appendSpan(lanes, 0, 0, 0, 500)
  appendSpan(lanes, 0, 1, 500, 1000)
  appendSpan(lanes, 1, 1, 500, 1000)
  const queue = createSteps()
  appendStep(queue, 0, 10)
  appendStep(queue, 500, 2)
  const seats = createSteps()
  appendStep(seats, 0, 1)
  return {
    palette: defaultPalette('light'),
    range: [0, 1000],
    end: 1000,
    playhead: 250,
    stages: [
      { name: 'Parse', colourIndex: 0 },
      { name: 'Write', colourIndex: 3 },
    ],
    stageOrder: [0, 1],
    workers: 2,
    queues: [queue, createSteps()],
    seats: [seats, seats],
    lanes,
    decisions: marks(500),
    version: 1,
    ...changes,
  }
}

function mount(options: Partial<TimelineEvents> = {}) {
  const host = document.createElement('div')
  Object.assign(host.style, { width: `${WIDTH}px`, height: `${HEIGHT}px` })
  document.body.append(host)
  const timeline = mountTimeline(host, { seek: () => {}, showRange: () => {}, ...options })
  mounted.push(timeline)
  return { host, timeline }
}

function pixel(host: HTMLElement, x: number, y: number): Rgb {
  const picture = pictureOf([...host.querySelectorAll('canvas')].slice(0, 1))
  const ratio = picture.canvas.width / WIDTH
  const [r, g, b] = picture.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data
  return [r, g, b]
}

const { palette } = data()
const laneY = (worker: number) => layout.workers.y + worker * layout.workers.pitch + layout.workers.row / 2
const at = (time: number) => xOf(layout, [0, 1000], time)

afterEach(() => {
  for (const timeline of mounted.splice(0)) timeline.destroy()
  document.body.replaceChildren()
})

describe('the timeline in a browser', () => {
  test('paints each lane in the colour of the stage of the work, and idle time as background', () => {
    const { host, timeline } = mount()
    timeline.update(data())
    expect(pixel(host, at(250), laneY(0))).toEqual(rgb(stageColour(palette, 0).fill))
    expect(pixel(host, at(750), laneY(0))).toEqual(rgb(stageColour(palette, 3).fill))
    expect(pixel(host, at(250), laneY(1))).toEqual(rgb(palette.bed))
    expect(pixel(host, at(750), laneY(1))).toEqual(rgb(stageColour(palette, 3).fill))
  })

  test('paints unfinished work paler, up to the end of the run', () => {
    const { host, timeline } = mount()
    timeline.update(
      data({
        range: [0, 2000],
        end: 1500,
        underway: [
          { stage: 1, since: 1000 },
          { stage: -1, since: 1000 },
        ],
      }),
    )
    const x = (time: number) => xOf(layout, [0, 2000], time)
    const fill = rgb(stageColour(palette, 3).fill)
    const bed = rgb(palette.bed)
    expect(pixel(host, x(900), laneY(0))).toEqual(fill)
    const [red] = pixel(host, x(1200), laneY(0))
    expect(red).toBeGreaterThan(fill[0])
    expect(red).toBeLessThan(bed[0])
    expect(pixel(host, x(1200), laneY(1))).toEqual(bed)
    expect(pixel(host, x(1700), laneY(0))).toEqual(bed)
  })

  test('lists and stacks the stages in the order of the pipeline, not of their numbers', () => {
    const { host, timeline } = mount()
    const [own, other] = [data().seats[0], createSteps()]
    appendStep(other, 0, 1)
    timeline.update(data({ stageOrder: [1, 0], seats: [own, other] }))
    const { y, row, pitch } = layout.queues
    expect(pixel(host, at(250), y + pitch + row * 0.3)).toEqual(rgb(stageColour(palette, 0).wash))
    expect(pixel(host, at(250), y + row * 0.3)).not.toEqual(rgb(stageColour(palette, 0).wash))
    const { y: top, height } = layout.seats
    expect(pixel(host, at(250), top + height * 0.75)).toEqual(rgb(stageColour(palette, 3).fill))
    expect(pixel(host, at(250), top + height * 0.25)).toEqual(rgb(stageColour(palette, 0).fill))
    // The lanes know the stages by their numbers.
    expect(pixel(host, at(250), laneY(0))).toEqual(rgb(stageColour(palette, 0).fill))
  })

  test('keeps its axis visible if it is higher than its scroller', () => {
    const frame = document.createElement('div')
    Object.assign(frame.style, { height: '200px', overflowY: 'auto' })
    const { host, timeline } = mount()
    document.body.append(frame)
    frame.append(host)
    timeline.update(data())
    const axis = host.querySelectorAll('canvas')[2]
    const bottom = () => axis.getBoundingClientRect().bottom - frame.getBoundingClientRect().top
    expect(bottom()).toBeCloseTo(200, 0)
    frame.scrollTop = 10_000
    expect(axis.getBoundingClientRect().top - host.getBoundingClientRect().top).toBeCloseTo(layout.foot, 0)
  })

  test('makes its host as high as its rows, and resets the height afterwards', () => {
    const { host, timeline } = mount()
    host.style.height = '100px'
    timeline.update(data())
    const least = leastHeight(WIDTH, 2, 2)
    expect(least).toBeGreaterThan(100)
    expect(host.clientHeight).toBe(least)
    expect(host.querySelector('canvas')?.clientHeight).toBe(least)
    timeline.destroy()
    expect(host.clientHeight).toBe(100)
  })

  test('has a row of notes while there are some: marks that the pointer finds and presses', () => {
    const [seek, pressNotes] = [vi.fn(), vi.fn()]
    const { host, timeline } = mount({ seek, pressNotes })
    const { left, top } = host.getBoundingClientRect()
    const row = timelineLayout(WIDTH, HEIGHT, 2, 2, true).notes
    const y = row.y + row.height / 2
    timeline.update(data())
    expect(timeline.notesUnder(left + at(500), top + y)).toBeNull()
    timeline.update(data({ notes: { name: 'YOURS', marks: marks(250) } }))
    // A mark is somewhere in two pixels.
    const isMark = (x: number) => [-2, -1, 0].some((by) => pixel(host, Math.round(x) + by, y)[0] > 0)
    expect([isMark(at(250)), isMark(at(500))]).toEqual([true, false])
    const [from, to] = timeline.notesUnder(left + at(250), top + y) ?? expect.fail('no notes')
    expect([from, to]).toEqual([
      expect.closeTo(250 - 4000 / layout.plot.width, 6),
      expect.closeTo(250 + 4000 / layout.plot.width, 6),
    ])
    expect(timeline.notesUnder(left + at(250), top + row.y - 1)).toBeNull()
    expect(timeline.notesUnder(left + at(250), top + row.y + row.height)).toBeNull()
    const press = (clientY: number) => {
      host.dispatchEvent(new MouseEvent('mousedown', { view: window, clientX: Math.round(left + at(250)), clientY }))
      window.dispatchEvent(new MouseEvent('mouseup', { view: window, clientX: Math.round(left + at(250)), clientY }))
    }
    press(top + row.y + row.height + 5)
    expect(pressNotes).not.toHaveBeenCalled()
    press(top + y)
    expect(pressNotes).toHaveBeenCalledTimes(1)
    // The row goes with the notes.
    timeline.update(data({ notes: null }))
    expect(timeline.notesUnder(left + at(250), top + y)).toBeNull()
    expect(pixel(host, at(250), laneY(0))).toEqual(rgb(stageColour(palette, 0).fill))
  })

  test('seeks where a person presses, zooms about the pointer, and fits on a double click', () => {
    const seek = vi.fn()
    const showRange = vi.fn()
    const { host, timeline } = mount({ seek, showRange })
    timeline.update(data())
    const left = host.getBoundingClientRect().left
    // A mouse is at whole pixels.
    host.dispatchEvent(new MouseEvent('mousedown', { view: window, clientX: Math.round(left + at(600)) }))
    expect(seek.mock.lastCall?.[0]).toBeCloseTo(600, -1)
    window.dispatchEvent(new MouseEvent('mousemove', { view: window, clientX: Math.round(left + at(700)) }))
    expect(seek.mock.lastCall?.[0]).toBeCloseTo(700, -1)
    window.dispatchEvent(new MouseEvent('mouseup', { view: window }))
    host.dispatchEvent(new WheelEvent('wheel', { deltaY: -320, clientX: left + at(500), cancelable: true }))
    const [from, to] = showRange.mock.lastCall?.[0] ?? []
    expect(from).toBeCloseTo(250, 6)
    expect(to).toBeCloseTo(750, 6)
    host.dispatchEvent(new MouseEvent('dblclick'))
    expect(showRange).toHaveBeenLastCalledWith([0, 1000])
  })

  test('pans by a sideways wheel or with Shift up to the ends of the run, and never scrolls the page', () => {
    const showRange = vi.fn()
    const { host, timeline } = mount({ showRange })
    timeline.update(data({ range: [200, 400] }))
    const wheel = (options: WheelEventInit) =>
      host.dispatchEvent(new WheelEvent('wheel', { clientX: at(300), cancelable: true, ...options }))
    expect(wheel({ deltaX: layout.plot.width / 2 })).toBe(false)
    expect(showRange.mock.lastCall?.[0][0]).toBeCloseTo(300, 6)
    expect(showRange.mock.lastCall?.[0][1]).toBeCloseTo(500, 6)
    // Continues from the requested range, although nothing has been drawn since.
    wheel({ deltaX: layout.plot.width / 2 })
    expect(showRange.mock.lastCall?.[0][0]).toBeCloseTo(400, 6)
    expect(wheel({ deltaY: 1e6, shiftKey: true })).toBe(false)
    expect(showRange.mock.lastCall?.[0][0]).toBeCloseTo(800, 6)
    expect(showRange.mock.lastCall?.[0][1]).toBeCloseTo(1000, 6)
    timeline.update(data())
    showRange.mockClear()
    expect(wheel({ deltaY: 500 })).toBe(false)
    expect(showRange).not.toHaveBeenCalled()
  })

  test('keeps two fingers on their times, also when both move before it is drawn again', () => {
    const showRange = vi.fn()
    const { host, timeline } = mount({ showRange })
    timeline.update(data())
    const { left } = host.getBoundingClientRect()
    const touch = (kind: string, ...times: readonly number[]) => {
      const touches = times.map(
        (time, identifier) => new Touch({ identifier, target: host, clientX: left + at(time), clientY: 100 }),
      )
      host.dispatchEvent(new TouchEvent(kind, { touches, changedTouches: touches, cancelable: true }))
    }
    touch('touchstart', 400)
    touch('touchmove', 300)
    expect(showRange).not.toHaveBeenCalled()
    touch('touchstart', 400, 600)
    touch('touchmove', 350, 650)
    touch('touchmove', 300, 700)
    const [from, to] = showRange.mock.lastCall?.[0] ?? []
    // Touch positions are 32-bit numbers.
    expect(from).toBeCloseTo(250, 3)
    expect(to).toBeCloseTo(750, 3)
  })

  describe('under the pointer', () => {
    function mountWithPointer() {
      const seek = vi.fn()
      const select = vi.fn()
      const showRange = vi.fn()
      const { host, timeline } = mount({ seek, select, showRange })
      timeline.update(data())
      const { left, top } = host.getBoundingClientRect()
      const act = (
        kind: string,
        time: number,
        { on = window, ...options }: MouseEventInit & { on?: EventTarget | null } = {},
      ) =>
        on?.dispatchEvent(
          new MouseEvent(kind, {
            view: window,
            clientX: Math.round(left + at(time)),
            clientY: top + 100,
            bubbles: true,
            ...options,
          }),
        )
      const drag = (from: number, to: number, options: MouseEventInit & { on?: EventTarget | null } = {}) => {
        act('mousedown', from, { on: host, ...options })
        act('mousemove', to, options.shiftKey ? { shiftKey: true } : {})
        act('mouseup', to)
      }
      /** Fingers at these times. The first is the one that has changed. */
      const touch = (kind: string, ...times: readonly number[]) => {
        const touches = times.map(
          (time, identifier) => new Touch({ identifier, target: host, clientX: left + at(time), clientY: top + 100 }),
        )
        host.dispatchEvent(
          new TouchEvent(kind, {
            touches: kind === 'touchend' ? [] : touches,
            changedTouches: touches,
            bubbles: true,
            cancelable: true,
          }),
        )
      }
      return { host, act, drag, touch, seek, select, showRange }
    }

    test('selects the range of a drag, with the playhead under the pointer, and clears it on a press', () => {
      const { host, act, drag, seek, select } = mountWithPointer()
      drag(700, 300)
      expect(select).toHaveBeenLastCalledWith([300, 700])
      expect(seek.mock.calls).toEqual([[700], [300]])
      act('mousedown', 500, { on: host })
      expect(select).toHaveBeenLastCalledWith(null)
      // A movement of two pixels is not a drag.
      act('mousemove', 502)
      act('mouseup', 502)
      expect(select).toHaveBeenLastCalledWith(null)
    })

    test('leaves the playhead in place while Shift is held', () => {
      const { drag, seek, select } = mountWithPointer()
      drag(700, 300, { shiftKey: true })
      expect(select).toHaveBeenLastCalledWith([300, 700])
      expect(seek).not.toHaveBeenCalled()
    })

    test('moves the playhead only on the axis and by its handle, which stays under the pointer where it was grabbed', () => {
      const { host, drag, seek, select } = mountWithPointer()
      drag(700, 300, { on: host.querySelectorAll('canvas')[2] })
      expect(seek.mock.calls).toEqual([[700], [300]])
      // The playhead is at 250.
      drag(260, 610, { on: host.querySelector('[data-part=handle]') })
      expect(seek.mock.calls.slice(2)).toEqual([[250], [600]])
      expect(select).not.toHaveBeenCalled()
    })

    test('moves the playhead with one finger, and selects with one that has rested', async () => {
      const { touch, seek, select } = mountWithPointer()
      touch('touchstart', 700)
      touch('touchmove', 300)
      touch('touchend', 300)
      expect(seek.mock.calls).toEqual([[700], [300]])
      expect(select).not.toHaveBeenCalled()
      touch('touchstart', 400)
      await new Promise((resolve) => setTimeout(resolve, 450))
      touch('touchmove', 600)
      expect(select).toHaveBeenLastCalledWith([400, 600])
    })

    test('lets the browser scroll with a finger, and does not prevent the start', () => {
      const { host, touch, seek } = mountWithPointer()
      expect(host.style.touchAction).toBe('pan-y')
      let prevented = false
      document.body.addEventListener('touchmove', (event) => {
        prevented ||= event.defaultPrevented
      })
      touch('touchstart', 400)
      touch('touchmove', 410)
      host.dispatchEvent(new PointerEvent('pointercancel'))
      touch('touchmove', 700)
      touch('touchend', 700)
      expect(seek.mock.calls).toEqual([[400], [410]])
      expect(prevented).toBe(false)
    })

    test('ignores the finger that is left on the screen after a pinch', () => {
      const { touch, seek, select } = mountWithPointer()
      touch('touchstart', 400)
      touch('touchstart', 400, 600)
      touch('touchmove', 500, 700)
      touch('touchend', 600)
      touch('touchmove', 450)
      expect(seek.mock.calls).toEqual([[400]])
      expect(select).not.toHaveBeenCalled()
    })
  })

  test('shows the selected range as a band, without painting other parts', () => {
    const painted = vi.spyOn(CanvasRenderingContext2D.prototype, 'clearRect')
    const { host, timeline } = mount()
    const first = data()
    timeline.update(first)
    const band = host.querySelector<HTMLElement>('[data-part=selection]')
    expect(band?.hidden).toBe(true)
    timeline.update({ ...first, selection: [200, 600] })
    expect(band?.hidden).toBe(false)
    expect(band?.getBoundingClientRect().width).toBeCloseTo(at(600) - at(200), 0)
    expect((band?.getBoundingClientRect().left ?? 0) - host.getBoundingClientRect().left).toBeCloseTo(at(200), 0)
    timeline.update({ ...first, range: [700, 1000], selection: [200, 600] })
    expect(band?.hidden).toBe(true)
    expect(painted).toHaveBeenCalledTimes(2)
    vi.restoreAllMocks()
  })

  test('dims all but the highlighted part: a worker, a stage, or the path of one job', () => {
    const { host, timeline } = mount()
    const first = data()
    const [parse, write] = [rgb(stageColour(palette, 0).fill), rgb(stageColour(palette, 3).fill)]
    timeline.update({ ...first, highlight: { kind: 'worker', worker: 1 } })
    expect(pixel(host, at(750), laneY(1))).toEqual(write)
    expect(pixel(host, at(750), laneY(0))).not.toEqual(write)
    timeline.update({ ...first, highlight: { kind: 'stage', stage: 0 } })
    expect(pixel(host, at(250), laneY(0))).toEqual(parse)
    expect(pixel(host, at(750), laneY(0))).not.toEqual(write)
    const leg = {
      stage: 1,
      row: 0,
      queuedAt: 100,
      startedAt: 500,
      worker: 1,
      began: 600,
      ended: 900,
      overAt: 900,
      outcome: 'served',
      prefetched: false,
    } as const
    timeline.update({ ...first, highlight: { kind: 'job', legs: [leg] } })
    expect(pixel(host, at(750), laneY(1))).toEqual(write)
    expect(pixel(host, at(950), laneY(1))).not.toEqual(write)
    expect(pixel(host, at(250), laneY(0))).not.toEqual(parse)
    expect(pixel(host, at(300), layout.queues.y + layout.queues.pitch + layout.queues.row - 3)).toEqual(write)
    expect(pixel(host, at(550), layout.queues.y + layout.queues.pitch + layout.queues.row - 3)).not.toEqual(write)
  })

  test('removes everything when destroyed', () => {
    const seek = vi.fn()
    const { host, timeline } = mount({ seek })
    timeline.update(data())
    timeline.destroy()
    expect(host.childElementCount).toBe(0)
    host.dispatchEvent(new MouseEvent('mousedown', { view: window, clientX: 500 }))
    expect(seek).not.toHaveBeenCalled()
  })
})

test('moving the playhead writes nothing else; its label is written only when its text changes', () => {
  const { host, timeline } = mount()
  timeline.update(data({ labelTime: 250_000 }))
  const observer = new MutationObserver(() => {})
  const written = () => observer.takeRecords().map(({ type, attributeName }) => attributeName ?? type)
  observer.observe(host, { subtree: true, childList: true, characterData: true, attributes: true })
  const same = data({ labelTime: 250_000 })
  timeline.update(same)
  observer.takeRecords()
  timeline.update({ ...same })
  expect(written()).toEqual([])
  timeline.update({ ...same, playhead: 300 })
  expect(written()).toEqual([])
  const line = host.querySelector('[data-part=handle]')?.previousElementSibling
  expect((line?.getBoundingClientRect().left ?? 0) - host.getBoundingClientRect().left).toBeCloseTo(at(300), 0)
  timeline.update({ ...same, playhead: 300, labelTime: 300_000 })
  expect(written()).toEqual(['childList'])
})
