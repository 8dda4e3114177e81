import { expect, test } from 'vitest'
import { adviceFor } from '../../../../src/app/watch/transport/Advice.tsx'
import { valid } from '../../../fixtures/anyScenario.ts'

const scenario = (mean: number, work: string, more = {}) =>
  valid({ version: 1, stages: [{ id: 'A', service: { kind: 'constant', mean }, work }], workers: 4, ...more })

test('a service below 2 ms on threads is advised against, unless batches make up for it', () => {
  expect(adviceFor(scenario(1999, 'wait'), 'threads', 8)).toContain('messages between threads will show')
  expect(adviceFor(scenario(2000, 'wait'), 'threads', 8)).toBe('')
  expect(adviceFor(scenario(1999, 'wait', { batch: { size: 10 } }), 'threads', 8)).toBe('')
  expect(adviceFor(scenario(1999, 'wait'), 'simulation', 8)).toBe('')
})

test('more burning workers than cores are named, waiting ones are not', () => {
  expect(adviceFor(scenario(5000, 'burn'), 'threads', 2)).toContain('share the 2 cores')
  expect(adviceFor(scenario(5000, 'burn'), 'threads', 4)).toBe('')
  expect(adviceFor(scenario(5000, 'wait'), 'threads', 2)).toBe('')
})

test('a picture is not computed in the simulation', () => {
  const picture = scenario(20, 'mandelbrot', { source: { kind: 'image', width: 64, height: 64, tile: 32 } })
  expect(adviceFor(picture, 'simulation', 2)).toContain('uses the declared service times')
})

test('a pipeline over a file that is not there yet says how to give it one', () => {
  expect(adviceFor(scenario(20, 'parseJson', { source: { kind: 'lines', jobs: 0, digest: '' } }), 'threads', 2)).toContain('Drop one on the page')
})
