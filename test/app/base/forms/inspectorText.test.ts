import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromStep, nextDifferent, toStep } from '../../../../src/app/base/forms/Slider.tsx'
import {
  readDuration,
  readDurations,
  readIntegers,
  readRates,
  readSamples,
  readSizes,
  readValues,
  writeDuration,
  writeDurations,
  writeIntegers,
  writeRates,
  writeSizes,
  writeValues,
} from '../../../../src/app/base/forms/typedText.ts'
import { arrivalRate } from '../../../../src/app/draw/shapes/sourceShapes.ts'
import { speak } from '../../../../src/language/translate.ts'
import { setSource } from '../../../../src/scenario/edit/edits.ts'
import { distributionKinds, serviceMean, serviceOfKind } from '../../../../src/scenario/model/distributions.ts'
import { MAX_MICROS } from '../../../../src/scenario/model/limits.ts'
import {
  countJobs,
  type GroupOrder,
  shownParams,
  sourceKinds,
  sourceOfKind,
} from '../../../../src/scenario/model/sources.ts'
import { parse } from '../../../../src/scenario/parse/parse.ts'
import { presets } from '../../../../src/scenario/presets/presets.ts'

function comesBack<T>(values: fc.Arbitrary<T>, write: (value: T) => string, read: (text: string) => unknown): void {
  fc.assert(fc.property(values, (value) => void expect(read(write(value))).toEqual({ value })))
}

describe('values, one a line', () => {
  test('are JSON where the line is JSON, and text otherwise', () => {
    expect(readValues('12\n[1, 2]\r\n\nplain text\n"12"\n{ open')).toEqual({
      value: [12, [1, 2], 'plain text', '12', '{ open'],
    })
  })

  test('are written so that they come back', () => {
    comesBack(
      fc.array(fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)))),
      writeValues,
      readValues,
    )
    comesBack(
      fc.array(fc.constantFrom('', ' ', 'null', '12', '"a"', 'two\nlines', ' padded ')),
      writeValues,
      readValues,
    )
  })
})

describe('a time as a person types it', () => {
  test.each([
    ['4 ms', 4000],
    ['4', 4000],
    ['250us', 250],
    ['250 µs', 250],
    ['250 μs', 250],
    ['1.5 s', 1_500_000],
    ['.5s', 500_000],
    ['2 min', 120_000_000],
    ['1 h', 3_600_000_000],
    ['1,234 ms', 1_234_000],
    [' 1e3 US ', 1000],
  ])('%j is %d microseconds', (text, us) => {
    expect(readDuration(text)).toEqual({ value: us })
  })

  test.each(['', 'ms', '4 years', 'four', '4 ms 5', '0x10', '1e'])('%j is refused with a reason', (text) => {
    expect(readDuration(text)).toEqual({ message: expect.stringContaining('allowed') })
  })

  test('is read back as the same value, for any value', () => {
    comesBack(
      fc.oneof(fc.integer({ min: 0, max: 5_000_000 }), fc.integer({ min: 0, max: 1e13 })),
      writeDuration,
      readDuration,
    )
    expect(readDuration(writeDuration(MAX_MICROS))).toEqual({ value: MAX_MICROS })
  })
})

describe('what a Russian reader types', () => {
  beforeEach(() => speak({ locale: 'ru', messages: { '{x} s': '{x} с', '{x} ms': '{x} мс', '{x} µs': '{x} мкс' } }))
  afterEach(() => speak())

  test.each([
    ['1,5 с', 1_500_000],
    ['0,25', 250],
    ['1.5 s', 1_500_000],
    ['1 234,5 мс', 1_234_500],
    ['250 мкс', 250],
    ['2 мин', 120_000_000],
  ])('%j is %d microseconds', (text, us) => {
    expect(readDuration(text)).toEqual({ value: us })
  })

  test('is read back as the same value, in lists too', () => {
    expect(writeDuration(1_500_000)).toBe('1,5 с')
    const time = fc.integer({ min: 0, max: 1e13 })
    comesBack(fc.array(time, { maxLength: 5 }), writeDurations, readDurations)
    comesBack(
      fc.array(
        fc.tuple(
          time,
          fc.nat(100).map((k) => k / 4),
        ),
        { maxLength: 5 },
      ),
      writeRates,
      readRates,
    )
  })

  test('as measured times has a decimal comma', () => {
    expect(readSamples('12,5\n13,75 мс; 4 с', 'ms')).toEqual({ value: [12_500, 13_750, 4_000_000] })
    expect(readSamples('12,5, 13,5', 'us')).toEqual({ value: [13, 14] })
    expect(readSamples('1,2,3', 'ms')).toHaveProperty('message')
  })
})

describe('a list as a person types it', () => {
  test('of times may be separated by commas, semicolons, spaces or new lines', () => {
    expect(readDurations('4 ms, 250us;3\n 1.5 s')).toEqual({ value: [4000, 250, 3000, 1_500_000] })
    expect(readDurations('4 5 6')).toEqual({ value: [4000, 5000, 6000] })
    expect(readDurations('4 ms 5 ms')).toEqual({ value: [4000, 5000] })
    expect(readDurations('')).toEqual({ value: [] })
    expect(readDurations('4, no')).toEqual({ message: expect.stringContaining('item 2') })
  })

  test('of numbers may contain ranges', () => {
    expect(readIntegers('7, 42-44')).toEqual({ value: [7, 42, 43, 44] })
    expect(readIntegers('44-42')).toHaveProperty('message')
    expect(readIntegers('1.5')).toHaveProperty('message')
    expect(readIntegers('0-999999999')).toHaveProperty('message')
  })

  test('of rates has a time and a rate on each line', () => {
    expect(readRates('0 200\n1.5 s 300/s\n2 s: 50')).toEqual({
      value: [
        [0, 200],
        [1_500_000, 300],
        [2_000_000, 50],
      ],
    })
    expect(readRates('200')).toHaveProperty('message')
  })

  test('comes back as it was written', () => {
    const time = fc.integer({ min: 0, max: 1e10 })
    comesBack(fc.array(time), writeDurations, readDurations)
    comesBack(fc.array(fc.nat(1_000_000)), writeIntegers, readIntegers)
    comesBack(fc.array(fc.tuple(time, fc.double({ min: 0.000001, max: 1e6, noNaN: true }))), writeRates, readRates)
  })
})

describe('another kind', () => {
  test('of service time keeps the mean', () => {
    for (const kind of distributionKinds)
      for (const mean of [1000, 4000, 123_456])
        expect(serviceMean(serviceOfKind(kind, { kind: 'exponential', mean }))).toBeCloseTo(mean, -0.5)
  })

  test('of arrivals makes a valid scenario out of every preset, with as many jobs', () => {
    for (const { scenario } of presets)
      for (const kind of sourceKinds) {
        const source = sourceOfKind(kind, scenario.source)
        expect(parse(setSource(scenario, source))).toHaveProperty('scenario')
        if (kind !== 'lines' && kind !== 'times' && kind !== 'sine' && kind !== 'image' && kind !== 'values')
          expect(countJobs(source)).toBe(countJobs(scenario.source) || 100)
      }
  })
})

describe('the drawing of arrivals', () => {
  test('runs from left to right and is as high as its greatest rate', () => {
    for (const kind of sourceKinds) {
      const shape = arrivalRate(sourceOfKind(kind, { kind: 'poisson', rate: 100, jobs: 500 }))
      if (shape === null) continue
      const times = shape.points.map(([time]) => time)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(Math.max(...shape.points.map(([, rate]) => rate))).toBe(shape.maxRate)
    }
  })
})

describe('a slider', () => {
  test('gives numbers of two figures, and finds their steps again', () => {
    const range = { min: 10, max: 10_000_000, whole: true }
    for (let step = 0; step <= 400; step += 7) {
      const value = fromStep(step, range)
      expect(Number(value.toPrecision(2))).toBe(value)
      expect(Math.abs(toStep(value, range) - step)).toBeLessThanOrEqual(2)
    }
    expect([toStep(1, range), toStep(1e9, range)]).toEqual([0, 400])
  })

  test('always moves by at least one step', () => {
    const range = { min: 10, max: 10_000_000, whole: true }
    let value = 10
    let steps = 0
    for (; value < 10_000_000 && steps < 1000; steps++) {
      const next = nextDifferent(value, toStep(value, range) + 1, range)
      expect(next).toBeGreaterThan(value)
      value = next
    }
    expect(value).toBe(10_000_000)
    expect(nextDifferent(12_000, toStep(12_000, range) - 1, range)).toBeLessThan(12_000)
  })
})

describe('sizes of groups as a person types them', () => {
  test.each([
    ['12, 30', [12, 30]],
    ['3 x 8', [8, 8, 8]],
    ['2×5;4 * 1 0', [5, 5, 1, 1, 1, 1, 0]],
    ['', []],
  ])('%j is %j', (text, sizes) => {
    expect(readSizes(text)).toEqual({ value: sizes })
  })

  test.each(['many', '3 x', 'x 8', '3 x 8jobs', '-1', '1.5', '100001 x 1'])('%j is refused with a reason', (text) => {
    expect(readSizes(text)).toEqual({ message: expect.stringMatching(/allowed|more than/) })
  })

  test('come back as they were written', () => {
    expect(writeSizes([4, 8, 8, 8, 2, 2])).toBe('4, 3 × 8, 2, 2')
    comesBack(fc.array(fc.nat(3), { maxLength: 30 }), writeSizes, readSizes)
  })
})

test('a source of groups asks for feeders or a window where the order goes by them, and for neither elsewhere', () => {
  const keys = (order: GroupOrder) =>
    shownParams({ kind: 'groups', groups: [3], order, feeders: 2, window: 2 }).map(([key]) => key)
  expect(keys('spread')).toEqual(['groups', 'order', 'feeders'])
  expect(keys('largestFirst')).toEqual(['groups', 'order', 'feeders'])
  expect(keys('window')).toEqual(['groups', 'order', 'window'])
  expect(keys('shuffled')).toEqual(['groups', 'order'])
  expect(keys('asProduced')).toEqual(['groups', 'order'])
})
