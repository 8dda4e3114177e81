import { afterEach, expect, test } from 'vitest'
import { type Hint, hintOver } from '../../../../src/app/base/ui/hint.ts'

let hint: Hint | null = null

afterEach(() => {
  hint?.end()
  document.body.replaceChildren()
})

/** A canvas in the middle of the window, with cards in it, and its tooltip once a pointer is at a place in the canvas. */
function canvasWith(...cards: readonly (readonly [left: number, top: number, width: number, height: number])[]) {
  const host = document.createElement('div')
  Object.assign(host.style, { position: 'fixed', left: '50px', top: '50px', width: '300px', height: '240px' })
  for (const [left, top, width, height] of cards) {
    const card = document.createElement('i')
    card.className = 'card'
    Object.assign(card.style, {
      position: 'absolute',
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    })
    host.append(card)
  }
  document.body.append(host)
  hint = hintOver(host, () => ['Worker 3', 'Job 12'], '.card')
  return (x: number, y: number): DOMRect => {
    host.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse', clientX: 50 + x, clientY: 50 + y }))
    const { left, top, width, height } =
      document.querySelector('.hint')?.getBoundingClientRect() ?? expect.fail('there is no tooltip')
    return new DOMRect(left - 50, top - 50, width, height)
  }
}

test('a tooltip stays inside the element under the pointer, and never under the pointer itself', () => {
  const pointAt = canvasWith()
  for (let x = 0; x <= 300; x += 20)
    for (let y = 0; y <= 240; y += 20) {
      const { left, top, right, bottom } = pointAt(x, y)
      expect([left >= 0, top >= 0, right <= 300, bottom <= 240], `${x}, ${y}`).toEqual([true, true, true, true])
      expect(x > left && x < right && y > top && y < bottom, `${x}, ${y}`).toBe(false)
    }
})

test('a tooltip is below its pointer on the right, or elsewhere if it would cover a card there', () => {
  const free = canvasWith()(100, 100)
  expect(free.left).toBeGreaterThan(100)
  expect(free.top).toBeGreaterThan(100)
  hint?.end()
  document.body.replaceChildren()
  const beside = canvasWith([110, 110, 190, 130])(100, 100)
  expect(beside.right < 110 || beside.bottom < 110).toBe(true)
})
