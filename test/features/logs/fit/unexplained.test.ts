import { scaleLinear } from 'd3-scale'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitBands } from '../../../../src/features/logs/draw/fitBands.ts'
import { unexplainedIn } from '../../../../src/features/logs/fit/comparison.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'

const time = Float64Array.from({ length: 25 }, (_, k) => k * 10)
/** A stage of 24 parts, with the mean queues of log and run in each. */
function stageOf(pairs: readonly (readonly [logged: number, run: number])[]) {
  const mean = (k: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length
  const parts = pairs.map(([logged, run], k) => ({ from: k, to: k + 1, logged, run }))
  return { name: 'A', logged: mean(0), run: mean(1), whole: mean(1), error: 0, parts }
}

describe('what a run does not explain', () => {
  test('is every part in which it is off by half of the mean queue and by two jobs, and nothing else', () => {
    const queue = fc.double({ min: 0, max: 40, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.tuple(queue, queue), { minLength: 24, maxLength: 24 }), (pairs) => {
        const stage = stageOf(pairs)
        const gaps = unexplainedIn(stage, time)
        const isOff = pairs.map(([logged, run]) => Math.abs(logged - run) > Math.max(2, stage.logged / 2))
        expect(pairs.map((_, k) => gaps.some(({ from, to }) => time[k] >= from && time[k + 1] <= to))).toEqual(isOff)
        expect(unexplainedIn(stageOf(pairs.map(() => [1, 3])), time)).toEqual([])
        expect(gaps.every(({ to }, k) => k === 0 || gaps[k].from > gaps[k - 1].to || to > gaps[k].from)).toBe(true)
      }),
    )
  })

  test('is named with both queues and has a ground of its own in the picture', () => {
    const pairs = Array.from({ length: 24 }, (_, k) => (k === 4 || k === 5 ? ([10, 2] as const) : ([1, 1] as const)))
    const gaps = unexplainedIn(stageOf(pairs), time)
    expect(gaps).toEqual([{ name: 'A', from: 40, to: 60, logged: 10, run: 2 }])
    const queues = new Float64Array(25)
    const [A, B] = fitBands({
      palette: defaultPalette('light'),
      time,
      gaps,
      stages: ['A', 'B'].map((name, k) => ({ name, colourIndex: k, logged: queues, run: queues })),
    })
    const plot = { x: scaleLinear([0, 240], [0, 240]), y: scaleLinear([0, 10], [100, 0]) }
    expect(A.series(plot).map(({ part, d }) => (part === 'gap' ? d : part))).toEqual(['M40.0,100V0H60.0V100Z', 'logged', 'run'])
    expect(B.series(plot).map(({ part }) => part)).toEqual(['logged', 'run'])
  })
})
