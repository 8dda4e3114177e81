import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addBusy, appendSpan, createLanes, teamShares } from '../../../src/measures/series/lanes.ts'

const STAGES = 3
const anySpans = fc.array(
  fc.record({
    worker: fc.nat(5),
    stage: fc.nat(STAGES - 1),
    gap: fc.nat(40),
    length: fc.integer({ min: 1, max: 200 }),
  }),
  {
    maxLength: 120,
  },
)

test('the shares of a team are the activities of its workers in each part of the time, worker by worker', () => {
  fc.assert(
    fc.property(
      anySpans,
      fc.nat(300),
      fc.integer({ min: 1, max: 900 }),
      fc.integer({ min: 1, max: 20 }),
      (spans, t0, width, pixels) => {
        const lanes = createLanes(STAGES)
        const ended = new Array<number>(6).fill(0)
        for (const { worker, stage, gap, length } of spans) {
          const began = ended[worker] + gap
          ended[worker] = began + length
          appendSpan(lanes, worker, stage, began, ended[worker])
        }
        const t1 = t0 + width
        const into = Array.from({ length: STAGES }, () => new Float64Array(pixels + 2).fill(7))
        teamShares(lanes, [1, 5], t0, t1, pixels, into)
        for (let p = 0; p < pixels; p++) {
          const [a, b] = [t0 + (p * width) / pixels, t0 + ((p + 1) * width) / pixels]
          const busy = new Float64Array(STAGES)
          for (let worker = 1; worker < 5; worker++) addBusy(lanes, worker, a, b, busy)
          for (let s = 0; s < STAGES; s++) expect(into[s][p]).toBeCloseTo(busy[s] / (b - a), 6)
        }
      },
    ),
  )
})

test('unfinished work counts from its start to the end of the shown time', () => {
  const into = [new Float64Array(6), new Float64Array(6)]
  teamShares(createLanes(2), [0, 3], 0, 40, 4, into, [
    { stage: 1, since: 15 },
    { stage: -1, since: 0 },
    { stage: 1, since: 50 },
  ])
  expect([...into[1].slice(0, 4)]).toEqual([0, 0.5, 1, 1])
  expect([...into[0].slice(0, 4)]).toEqual([0, 0, 0, 0])
})
