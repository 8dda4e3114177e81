import { expect, test } from 'vitest'
import { adviceFor } from '../../../../src/app/watch/transport/Advice.tsx'
import { valid } from '../../../fixtures/anyScenario.ts'

const scenario = (mean: number, work: string, more = {}) =>
  valid({ version: 1, stages: [{ id: 'A', service: { kind: 'constant', mean }, work }], workers: 4, ...more })

const sends = 'Larger or adaptive batches'
const image = { source: { kind: 'image', width: 64, height: 64, tile: 32 } }
const noFile = { source: { kind: 'lines', jobs: 0, digest: '' } }

test.each([
  ['a service below 2 ms is advised against on threads', scenario(1999, 'wait'), 'threads', 8, sends],
  ['one of 2 ms is not', scenario(2000, 'wait'), 'threads', 8, ''],
  ['batches make up for it', scenario(1999, 'wait', { batch: { size: 10 } }), 'threads', 8, ''],
  ['the simulation sends no messages', scenario(1999, 'wait'), 'simulation', 8, ''],
  ['more burning workers than cores are named', scenario(5000, 'burn'), 'threads', 2, 'share 2 cores'],
  ['as many as there are cores are not', scenario(5000, 'burn'), 'threads', 4, ''],
  ['waiting workers share no core', scenario(5000, 'wait'), 'threads', 2, ''],
  [
    'a picture is not computed in the simulation',
    scenario(20, 'mandelbrot', image),
    'simulation',
    2,
    'Only Web Workers do',
  ],
  [
    'a pipeline over a missing file says how to give it one',
    scenario(20, 'parseJson', noFile),
    'threads',
    2,
    'Drop a file',
  ],
] as const)('advice: %s', (_, asked, engine, cores, words) => {
  const advice = adviceFor(asked, engine, cores)
  expect(words === '' ? advice : advice.includes(words)).toBe(words === '' ? '' : true)
})
