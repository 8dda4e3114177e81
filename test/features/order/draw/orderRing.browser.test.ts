import { afterEach, expect, test } from 'vitest'
import { mountOrderRing } from '../../../../src/features/order/draw/orderRing.ts'
import type { Ring } from '../../../../src/features/order/measure/order.ts'
import { defaultPalette, stageColour } from '../../../../src/views/drawing/palette.ts'

const palette = defaultPalette('light')
const empty = { slots: 1, parked: 0, trashed: 0, missing: 0, stages: [] }
const ring: Ring = {
  slots: 4,
  tail: 6,
  awaited: [{ at: 'hands', stage: 1, worker: 0 }],
  parked: 1,
  trashed: 1,
  missing: 1,
  beyond: 0,
  cells: [{ ...empty, trashed: 1 }, empty, { ...empty, missing: 1, stages: [1] }, { ...empty, parked: 1 }],
}

function mounted(size = 148, ringIn = (_: number) => ring) {
  const host = document.createElement('div')
  Object.assign(host.style, { width: `${size}px`, height: `${size}px` })
  document.body.append(host)
  const drawing = mountOrderRing(host)
  drawing.update({ palette, ringIn })
  return { host, drawing }
}

afterEach(() => document.body.replaceChildren())

/** The topmost colour at an angle, in turns from twelve o'clock, in the middle of the ring's band. */
function colourAt(host: HTMLElement, turns: number): string | null {
  const { left, top, width } = host.getBoundingClientRect()
  const radius = (width / 2 - 9) * 0.86
  const angle = turns * 2 * Math.PI
  const found = document.elementFromPoint(
    left + width / 2 + Math.sin(angle) * radius,
    top + width / 2 - Math.cos(angle) * radius,
  )
  return found?.getAttribute('fill') ?? null
}

test('a ring shows its parked jobs, its holes in the colour of the stage where the job is, and its trashed tickets', () => {
  const { host } = mounted()
  expect(colourAt(host, 3.5 / 4)).toBe(palette.ink)
  expect(colourAt(host, 2.5 / 4)).toBe(stageColour(palette, 1).wash)
  expect(colourAt(host, 1.5 / 4)).toBe(palette.bed)
  expect(host.querySelector(`path[stroke="${palette.accent}"]`)?.getAttribute('d')).toMatch(/^M/)
  expect(host.textContent).toBe('1held')
  expect(host.querySelector('svg')?.getAttribute('aria-label')).toBe(
    'Order buffer of 4 slots: waiting for ticket 6; 1 held, 1 missing, 1 trashed',
  )
})

test('a hole of a job that is missing in two parts has the colours of both stages, side by side', () => {
  const { host, drawing } = mounted()
  drawing.update({
    palette,
    ringIn: () => ({
      ...ring,
      cells: [empty, empty, { ...empty, missing: 1, stages: [1, 4] }, { ...empty, parked: 1 }],
    }),
  })
  expect([2.25 / 4, 2.75 / 4].map((turn) => colourAt(host, turn))).toEqual([
    stageColour(palette, 1).wash,
    stageColour(palette, 4).wash,
  ])
})
