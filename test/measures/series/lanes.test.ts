import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { laneStates } from '../../../src/measures/series/laneStates.ts'
import {
  addBusy,
  appendSpan,
  createLanes,
  nextSpan,
  progressAt,
  spanAt,
  spanBegan,
  spanLength,
  spansWithin,
} from '../../../src/measures/series/lanes.ts'

type Span = readonly [stage: number, began: number, ended: number]

/** The plain version: for every pixel, all spans. */
function plainStates(spans: readonly Span[], stages: number, t0: number, t1: number, pixels: number) {
  const width = (t1 - t0) / pixels
  return Array.from({ length: pixels }, (_, p) => {
    const busy = new Array(stages).fill(0)
    for (const [stage, began, ended] of spans)
      busy[stage] += Math.max(0, Math.min(ended, t0 + (p + 1) * width) - Math.max(began, t0 + p * width))
    const most = Math.max(...busy)
    const sum = busy.reduce((a, b) => a + b, 0)
    return {
      stage: most > 0 ? busy.indexOf(most) : -1,
      share: most > 0 ? Math.max(1, Math.min(255, Math.round((sum / width) * 255))) : 0,
    }
  })
}

function states(spans: readonly Span[], stages: number, t0: number, t1: number, pixels: number) {
  const lanes = createLanes(stages)
  for (const [stage, began, ended] of spans) appendSpan(lanes, 0, stage, began, ended)
  const stage = new Int16Array(pixels).fill(7)
  const share = new Uint8Array(pixels).fill(7)
  laneStates(lanes, 0, t0, t1, pixels, stage, share)
  return Array.from(stage, (s, p) => ({ stage: s, share: share[p] }))
}

/** Reads a lane drawn as text, a character a microsecond: 'AAB..' is two of stage 0, one of stage 1, two idle. */
function drawn(text: string): Span[] {
  return [...text].flatMap((letter, t): Span[] => (letter === '.' ? [] : [[letter.charCodeAt(0) - 65, t, t + 1]]))
}
const letters = (all: { stage: number }[]) =>
  all.map(({ stage }) => (stage < 0 ? '.' : String.fromCharCode(65 + stage))).join('')

describe('the states of a lane', () => {
  test.each([
    ['AAB..BBA', 8, 'AAB..BBA'],
    ['AAB..BBA', 4, 'ABBA'],
    ['AABB....', 2, 'A.'],
    ['...A....', 1, 'A'],
    ['........', 3, '...'],
  ])('%s in %d pixels reads %s', (text, pixels, seen) =>
    expect(letters(states(drawn(text), 3, 0, text.length, pixels))).toBe(seen),
  )

  test('equal the plain sum over all spans, for any spans, range and width', () => {
    const gap = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4096 }))
    const span = fc.tuple(fc.integer({ min: 0, max: 3 }), gap, fc.integer({ min: 1, max: 4096 }))
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 900, size: 'max' }),
        fc.integer({ min: -64, max: 4096 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 64 }),
        (gaps, from, zoom, pixels) => {
          let time = 0
          const spans = gaps.map(([stage, idle, length]): Span => {
            const began = time + idle
            time = began + length
            return [stage, began, time]
          })
          // A power of two keeps every pixel edge exact, so that the two sums agree to the last bit.
          const width = 2 ** (zoom - 1)
          expect(states(spans, 4, from, from + width * pixels, pixels)).toEqual(
            plainStates(spans, 4, from, from + width * pixels, pixels),
          )
        },
      ),
      { numRuns: 80 },
    )
  })
})

test('the work of a stretch is the sum of its parts, and that of the whole run is the total work', () => {
  const spans = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 20 })),
    { maxLength: 120 },
  )
  fc.assert(
    fc.property(spans, fc.array(fc.integer({ min: 0, max: 2500 }), { minLength: 1, maxLength: 5 }), (gaps, cuts) => {
      const lanes = createLanes(3)
      const plain = [0, 0, 0]
      let time = 0
      for (const [stage, idle, length] of gaps) {
        appendSpan(lanes, 0, stage, time + idle, time + idle + length)
        time += idle + length
        plain[stage] += length
      }
      const edges = [-5, ...[...cuts].sort((a, b) => a - b), 6000]
      const busy = new Float64Array(3)
      for (let k = 1; k < edges.length; k++) addBusy(lanes, 0, edges[k - 1], edges[k], busy)
      expect([...busy]).toEqual(plain)
    }),
  )
})

test('a span that overlaps the previous one starts at its end, and one without length is left out', () => {
  const lanes = createLanes(2)
  appendSpan(lanes, 1, 0, 0, 10)
  appendSpan(lanes, 1, 1, 8, 12)
  appendSpan(lanes, 1, 1, 11, 12)
  appendSpan(lanes, 1, 0, 20, 20)
  expect(lanes.length).toBe(2)
  expect(spansWithin(lanes, 1, 0, 100)).toEqual({ first: 0, count: 2 })
  expect([spanBegan(lanes, 1, 1), spanLength(lanes, 1, 1)]).toEqual([10, 2])
  expect(spansWithin(lanes, 1, 10, 11)).toEqual({ first: 1, count: 1 })
  expect(spansWithin(lanes, 5, 0, 1)).toEqual({ first: 0, count: 0 })
})

describe('the spans of a worker', () => {
  const gaps = fc.array(fc.tuple(fc.nat(2), fc.nat(4), fc.integer({ min: 1, max: 5 })), { maxLength: 60 })

  test('are found by time like in a plain search: those of a stretch, its last one, the next at a stage, and the distance', () => {
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: -3, max: 300 }),
        fc.nat(40),
        fc.integer({ min: -1, max: 3 }),
        (all, t, length, stage) => {
          const lanes = createLanes(3)
          let time = 0
          const spans = all.map(([at, idle, lasted]): Span => {
            const began = time + idle
            time = began + lasted
            appendSpan(lanes, 2, at, began, time)
            return [at, began, time]
          })
          const within = (to: number) => spans.filter(([, began, ended]) => began < to && ended > t)
          expect(spansWithin(lanes, 2, t, t + length + 1).count).toBe(within(t + length + 1).length)
          const last = within(t + length + 1).at(-1)
          expect(spanAt(lanes, 2, t, t + length)).toEqual(
            last === undefined ? null : { began: last[1], ended: last[2] },
          )
          const one = within(t + 1)[0]
          expect(spanAt(lanes, 2, t)).toEqual(one === undefined ? null : { began: one[1], ended: one[2] })
          expect(progressAt(lanes, 2, t)).toBe(one === undefined ? null : (t - one[1]) / (one[2] - one[1]))
          expect(nextSpan(lanes, 2, stage, t)).toBe(
            spans.find(([at, began]) => began > t && (stage < 0 || at === stage))?.[1] ?? Infinity,
          )
          for (const worker of [1, 3]) {
            expect([spanAt(lanes, worker, t), progressAt(lanes, worker, t), nextSpan(lanes, worker, stage, t)]).toEqual(
              [null, null, Infinity],
            )
          }
        },
      ),
    )
  })
})
