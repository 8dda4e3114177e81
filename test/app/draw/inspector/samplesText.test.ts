import { describe, expect, test } from 'vitest'
import { readSamples } from '../../../../src/app/base/forms/typedText.ts'

const valuesOf = (text: string, unit: 'us' | 'ms' | 's' = 'ms') => {
  const read = readSamples(text, unit)
  return 'value' in read ? read.value : read.message
}

describe('measured times as they are pasted', () => {
  test('are separated by lines, commas, semicolons, tabs or spaces', () => {
    expect(valuesOf('1\n2\r\n3')).toEqual([1000, 2000, 3000])
    expect(valuesOf(' 1, 2;3\t4 5 ,\n\n6 ')).toEqual([1000, 2000, 3000, 4000, 5000, 6000])
  })

  test('have a unit of their own, or the chosen unit', () => {
    expect(valuesOf('1.5 2us 3 ms 4s 250 µs', 's')).toEqual([1_500_000, 2, 3000, 4_000_000, 250])
    expect(valuesOf('12', 'us')).toEqual([12])
    expect(valuesOf('1e3 2.5e-1', 'us')).toMatch(/^line 1: found "2.5e-1"; allowed: a time from 1 µs/)
    expect(valuesOf('0.6', 'us')).toEqual([1])
  })

  test('report up to three unreadable lines', () => {
    expect(valuesOf('latency\n1\n-2\n3 0\nx y\nz')).toMatch(
      /^line 1: found "latency"; .*; line 3: found "-2"; .*; line 4: found "0"; .*; …$/,
    )
    expect(valuesOf('5 days')).toMatch(/^line 1: found "days"/)
    expect(valuesOf('1e400')).toMatch(/^line 1: found "1e400"/)
    expect(valuesOf('1e300')).toMatch(/^line 1: found "1e300"/)
    expect(valuesOf('  \n ')).toContain('allowed: a time')
  })

  test('are all kept, up to 100,000; more are refused', () => {
    const times = Array.from({ length: 100_000 }, (_, i) => i + 1)
    expect(String(valuesOf(times.join('\n'), 'us'))).toBe(String(times))
    expect(valuesOf(`${times.join(',')}, 7`, 'us')).toBe('more than 100,000')
  })
})
