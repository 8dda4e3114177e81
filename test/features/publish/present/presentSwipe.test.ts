import { beforeEach, expect, test } from 'vitest'
import { listenToSwipes } from '../../../../src/features/publish/present/presentControls.ts'

type Finger = Pick<Touch, 'clientX' | 'clientY'>

let host: EventTarget
let steps: number[]
let taken = false
const at = (clientX: number, clientY: number): Finger => ({ clientX, clientY })

beforeEach(() => {
  host = new EventTarget()
  steps = []
  taken = false
  const takes = () => taken
  listenToSwipes(host, takes, (by) => steps.push(by), new AbortController().signal)
})

function touch(
  type: string,
  timeStamp: number,
  touches: readonly Finger[],
  changedTouches: readonly Finger[] = [],
): void {
  const event = new Event(type)
  Object.defineProperty(event, 'timeStamp', { value: timeStamp })
  host.dispatchEvent(Object.assign(event, { touches, changedTouches }))
}

function drag(from: Finger, to: Finger, ms = 150): void {
  touch('touchstart', 0, [from])
  touch('touchend', ms, [], [to])
}

test('a swipe to the left steps forward, one to the right steps back', () => {
  drag(at(300, 200), at(180, 210))
  drag(at(100, 200), at(190, 190))
  expect(steps).toEqual([1, -1])
})

test('a tap, a slow drag, a scroll and a slanting drag do not step', () => {
  drag(at(300, 200), at(290, 200))
  drag(at(300, 200), at(100, 200), 1500)
  drag(at(300, 200), at(300, 400))
  drag(at(300, 200), at(200, 270))
  expect(steps).toEqual([])
})

test('neither a pinch nor a drag that the browser or the page has taken steps', () => {
  touch('touchstart', 0, [at(300, 200)])
  touch('touchstart', 20, [at(300, 200), at(200, 200)])
  touch('touchend', 150, [at(100, 200)], [at(380, 200)])
  touch('touchend', 170, [], [at(20, 200)])
  touch('touchstart', 1000, [at(300, 200)])
  touch('touchcancel', 1050, [])
  touch('touchend', 1100, [], [at(100, 200)])
  taken = true
  drag(at(300, 200), at(100, 200))
  expect(steps).toEqual([])
})
