import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decimal, instantIn, numberIn } from '../../../../src/features/logs/read/logNumber.ts'
import { repeats } from '../../../fixtures/extent.ts'

const encoder = new TextEncoder()

/** What is read from the middle of a longer text, whose neighbours could be part of it. */
function within<T>(text: string, read: (bytes: Uint8Array, from: number, to: number) => T): T {
  const bytes = encoder.encode(`-12${text}34Z`)
  return read(bytes, 3, bytes.length - 3)
}
const numberOf = (text: string, decimal?: Decimal) =>
  within(text, (bytes, from, to) => numberIn(bytes, from, to, decimal))
const instantOf = (text: string) => within(text, instantIn)

describe('a number of a log', () => {
  test('is what JavaScript reads, digit for digit, with up to 20 digits, a sign and an exponent', () => {
    const digits = (most: number) => fc.array(fc.nat(9), { maxLength: most }).map((list) => list.join(''))
    const text = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        digits(12),
        fc.constantFrom('', '.'),
        digits(8),
        fc.constantFrom('', 'e3', 'E-7', 'e+12'),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (each) => {
        const isNumber = /\d/.test(each.replace(/e.*/i, ''))
        expect(numberOf(each), each).toBe(isNumber ? Number(each) : Number.NaN)
      }),
      { numRuns: repeats(2000) },
    )
  })

  test('is refused where anything else stands in it', () => {
    for (const each of [
      '',
      '-',
      '+',
      '.',
      '1.2.3',
      '1,5',
      '1 ',
      ' 1',
      '1x',
      '--1',
      '+-1',
      '1e',
      'e5',
      '0x10',
      'Infinity',
      '1:0',
      `1${'0'.repeat(400)}`,
    ])
      expect(numberOf(each), each).toBe(Number.NaN)
  })

  test('has a comma before decimals if the log says so, and points between thousands', () => {
    const pairs = [
      ['1,5', 1.5],
      ['-0,25', -0.25],
      ['1.234', 1234],
      ['12.345.678,9', 12_345_678.9],
      ['1.234.567', 1_234_567],
      ['12.34', Number.NaN],
      ['1234.567', Number.NaN],
      ['1.234,5e3', Number.NaN],
      ['1,5e3', 1500],
      ['1,2,3', Number.NaN],
    ] as const
    for (const [text, value] of pairs) expect(numberOf(text, 'comma'), text).toBe(value)
  })

  test('may have either mark where the log does not say, but a point before three digits is no number', () => {
    const pairs = [
      ['1,5', 1.5],
      ['1,234', 1.234],
      ['3.14', 3.14],
      ['1234.567', 1234.567],
      ['0.125', 0.125],
      ['-1.5', -1.5],
    ] as const
    for (const [text, value] of pairs) expect(numberOf(text, 'unknown'), text).toBe(value)
    for (const text of ['1.234', '-12.345', '999.999']) expect(numberOf(text, 'unknown'), text).toBe(Number.NaN)
  })
})

describe('an instant of a log', () => {
  const instant = fc.integer({ min: Date.UTC(1, 0, 1) / 1000, max: Date.UTC(9999, 11, 31) / 1000 })
  const two = (n: number) => String(n).padStart(2, '0')

  test('is that of the calendar, on any day of any year, with a zone or without', () => {
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        fc.constantFrom('T', 't', ' '),
        (seconds, ahead, mark) => {
          const [day, clock] = new Date(seconds * 1000).toISOString().slice(0, -5).split('T')
          const zone = `${ahead < 0 ? '-' : '+'}${two(Math.floor(Math.abs(ahead) / 60))}`
          const minutes = two(Math.abs(ahead) % 60)
          const text = `${day}${mark}${clock}`
          if (!/^\d{4}-/.test(day)) return
          for (const utc of ['', 'Z', 'z']) expect(instantOf(`${text}${utc}`), text).toBe(seconds * 1e6)
          for (const each of [`${zone}:${minutes}`, `${zone}${minutes}`])
            expect(instantOf(`${text}${each}`), text + each).toBe((seconds - ahead * 60) * 1e6)
          if (minutes === '00') expect(instantOf(`${text}${zone}`)).toBe((seconds - ahead * 60) * 1e6)
        },
      ),
      { numRuns: repeats(1000) },
    )
  })

  test('is refused with anything but a digit in the place of one', () => {
    for (const good of ['2026-03-01T12:34:56+01:30', '2026-03-01 12:34', '01.03.2026'])
      for (const [at, digit] of [...good].entries())
        for (const other of /\d/.test(digit) ? ['/', ':', 'a', '-'] : []) {
          const text = good.slice(0, at) + other + good.slice(at + 1)
          expect(instantOf(text), text).toBe(Number.NaN)
        }
  })

  test('may be a day, and that may stand with points', () => {
    const day = Date.UTC(2026, 2, 1) * 1000
    expect(instantOf('1.1.2026')).toBe(Date.UTC(2026, 0, 1) * 1000)
    for (const text of ['2026-03-01', '1.3.2026', '01.03.2026', '01.3.2026', '2026-03-01T00:00', '1.3.2026 00:00:00'])
      expect(instantOf(text), text).toBe(day)
    expect(instantOf('31.12.2026 23:59:59.5+01:00')).toBe(Date.UTC(2026, 11, 31, 22, 59, 59, 500) * 1000)
  })

  test('has a fraction of a second after a point or a comma, rounded to microseconds', () => {
    const noon = Date.UTC(2026, 2, 1, 12) * 1000
    const pairs = [
      ['.5', 500_000],
      [',25', 250_000],
      ['.000001', 1],
      ['.0000004', 0],
      ['.0000006', 1],
      ['.123456789012345678', 123_457],
    ] as const
    for (const [fraction, micros] of pairs)
      expect(instantOf(`2026-03-01T12:00:00${fraction}Z`) - noon, fraction).toBe(micros)
    expect(instantOf('2026-03-01T12:00:00.')).toBe(Number.NaN)
  })

  test('may be a leap second, which is the first second of the next minute', () => {
    expect(instantOf('2016-12-31T23:59:60Z')).toBe(Date.UTC(2017, 0, 1) * 1000)
  })

  test('is refused on a day that its month does not have, and at a time that no clock shows', () => {
    const wrong = [
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '0.3.2026',
      '1.13.2026',
      '31.4.2026',
      '2026-3-01',
      '1.3.26',
    ]
    const clocks = [
      'T24:00',
      'T12:60',
      'T12:00:61',
      'T1:00',
      'T12',
      'T12-00',
      'T12:00:00+01:60',
      'T12:00:00+1',
      'T12:00:00ZZ',
      'x12:00',
      'T12:00x',
      'T',
    ]
    for (const text of [
      ...wrong,
      ...clocks.map((clock) => `2026-03-01${clock}`),
      '26-03-01',
      '2026/03/01',
      '2026-03',
      '',
    ])
      expect(instantOf(text), text).toBe(Number.NaN)
    for (const text of ['2024-02-29', '2000-02-29', '2026-12-31', '2026-01-31'])
      expect(instantOf(text), text).toBe(Date.parse(text) * 1000)
  })
})
