import { afterEach, expect, test } from 'vitest'
import { appendStep, createSteps } from '../../../src/measures/series/steps.ts'
import { defaultPalette } from '../../../src/views/drawing/palette.ts'
import { mountQueueStrip, stripHeight } from '../../../src/views/timeline/queueStrip.ts'
import { pictureOf } from '../../fixtures/pictureOf.ts'

afterEach(() => document.body.replaceChildren())

/** A queue with this constant length. */
function lasting(length: number) {
  const steps = createSteps()
  appendStep(steps, 0, length)
  return steps
}

test('a queue a quarter as long as the longest is half as high, and a labelled line shows the scale', () => {
  const host = document.createElement('div')
  Object.assign(host.style, { width: '330px', height: `${stripHeight(2)}px` })
  document.body.append(host)
  const strip = mountQueueStrip(host, { seek: () => {} })
  const stages = ['A', 'B'].map((name, colourIndex) => ({ name, colourIndex }))
  strip.update({
    palette: defaultPalette('light'),
    queues: [lasting(400), lasting(100)],
    stageOrder: [0, 1],
    stages,
    most: 400,
    end: 1000,
    until: 1000,
    playhead: 0,
    mark: null,
  })
  const canvas = host.querySelector('canvas') as HTMLCanvasElement
  const column = pictureOf([canvas]).getImageData(150, 0, 1, canvas.height).data
  const painted = Array.from({ length: canvas.height }, (_, y) => column[4 * y + 3] > 0)
  const [upper, lower] = [painted.slice(0, canvas.height / 2), painted.slice(canvas.height / 2)].map(
    (row) => row.filter(Boolean).length,
  )
  // Both have a line on top.
  expect(Math.abs(lower - upper / 2)).toBeLessThanOrEqual(2)
  expect([...host.querySelectorAll('text')].map((text) => text.textContent)).toEqual(['100', '100'])
})
