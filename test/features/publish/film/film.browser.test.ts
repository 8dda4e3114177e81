import { beforeAll, expect, test } from 'vitest'
import { themeStore } from '../../../../src/app/base/page/theme.ts'
import { createRun } from '../../../../src/app/session/run/runStore.ts'
import { filmOf } from '../../../../src/features/publish/film/film.ts'
import { frameAt } from '../../../../src/measures/frame/frame.ts'
import { waysIn } from '../../../../src/measures/workers/ways.ts'
import { playTrial } from '../../../../src/runs/play/play.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { defaultPalette, stageColour } from '../../../../src/views/drawing/palette.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const palette = defaultPalette('light')
beforeAll(() => themeStore.setState({ palette }))

const scenario = valid({
  version: 1,
  source: { kind: 'batch', jobs: 60 },
  stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 10_000 } })),
  workers: 4,
  workerEvents: [{ at: 100_000, kind: 'crash', worker: 2 }],
})

/** Returns how many points below the names and queues of the cards have a colour. */
function countColour(canvas: HTMLCanvasElement, colour: string, [top, height]: readonly [number, number]): number {
  const { data } =
    canvas.getContext('2d')?.getImageData(0, top, canvas.width, height) ?? expect.fail('there is no context')
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  let found = 0
  for (let k = 0; k < data.length; k += 4) if (data[k] === r && data[k + 1] === g && data[k + 2] === b) found++
  return found
}
const FEET = [268, 40] as const

test('a film shows workers as the canvas does: full ones work, pale ones are idle, crossed ones are lost, and one on its way is between the cards', async () => {
  const run = createRun(await playTrial(scenario, {}))
  const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
  const end = endOf(run.trace)
  const draw = filmOf(canvas, run, [0, end], 0)
  const at = (time: number, paint = draw) => {
    paint(time)
    return {
      lost: countColour(canvas, palette.accent, FEET),
      full: countColour(canvas, stageColour(palette, 1).fill, FEET),
    }
  }
  expect(at(50_000).lost).toBe(0)
  expect(at(end).lost).toBeGreaterThan(20)
  expect(at(end - 5000).full).toBeGreaterThan(200)
  // Rings stay where a target differs from who is there.
  expect(at(end).full).toBeLessThan(100)
  const moved =
    Array.from({ length: 100 }, (_, k) => (k * end) / 100).find((time) =>
      waysIn(run.chart.lanes, frameAt(run.trace, time), 8000).some(({ fraction }) => fraction > 0.3),
    ) ?? -1
  expect(moved).toBeGreaterThan(0)
  const between = [308, 12] as const
  draw(moved)
  const colours = () => [0, 1].reduce((sum, s) => sum + countColour(canvas, stageColour(palette, s).fill, between), 0)
  const still = colours()
  filmOf(canvas, run, [0, end], 8000)(moved)
  expect(colours()).toBeGreaterThan(still)
})
