import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tableIn } from '../../../../src/features/logs/read/csvTable.ts'
import { cellText } from '../../../../src/features/logs/read/logColumns.ts'
import { readLog, rowsOf, soundLog } from './logFiles.ts'

/** What spreadsheets make of a log. Each of these is read as it was meant, or refused with a question; none is read as something else. */
const servicesOf = (text: string | Uint8Array) => {
  const read = readLog(text)
  return 'log' in read ? rowsOf(read.log).map(({ service }) => service / 1000) : []
}
const problemsOf = (text: string) => readLog(text).problems.map(({ path, message }) => `${path}: ${message}`)
const semicolons = (...rows: string[]) => ['time;stage;queue;service_ms', ...rows, ''].join('\n')

describe('a spreadsheet', () => {
  test('that writes Windows-1252 keeps its names', () => {
    const bytes = (text: string) =>
      Uint8Array.from(text, (character) => (character === '€' ? 0x80 : character.charCodeAt(0)))
    const read = readLog(bytes('time,stage,queue,service_ms\n1,Büro,1,2\n2,Büro €,1,2\n3,"B""ü",1,2\n'))
    expect('log' in read && read.log.stages).toEqual(['Büro', 'Büro €', 'B"ü'])
    expect(soundLog('time,stage,queue,service_ms\n1,Büro €,1,2\n2,\ufffd?,1,2\n').stages).toEqual(['Büro €', '\ufffd?'])
  })

  test('has each byte that is no UTF-8 as Windows-1252 has it', () => {
    const nameOf = (...bytes: number[]) => cellText(Uint8Array.from(bytes))
    // Three bytes of a character of four: as many as the mark for it would have.
    expect(nameOf(0x61, 0xf0, 0x9f, 0x98)).toBe('að\u0178\u02dc')
    expect([nameOf(0x61, 0xff), nameOf(0xa0), nameOf(0x80, 0x9f, 0x81)]).toEqual(['aÿ', '\u00a0', '€Ÿ\u0081'])
    expect([nameOf(0x61, 0xef, 0xbf, 0xbd), nameOf(0xc3, 0xa4)]).toEqual(['a\ufffd', 'ä'])
  })

  test('that names the mark between cells in its first line is read with that line left out', () => {
    expect(servicesOf(`sep=;\r\n${semicolons('1;A;1;2,5')}`)).toEqual([2.5])
    expect(problemsOf(`sep=;\n${semicolons('1;A;x;2,5')}`)).toEqual([expect.stringMatching(/^line 3: queue found "x"/)])
    expect(tableIn(new TextEncoder().encode('sep=;\nts;step;backlog\n0;A;3\n'), true)?.cells).toEqual([
      'ts',
      'step',
      'backlog',
    ])
  })

  test('with decimal commas has points between thousands', () => {
    expect(servicesOf(semicolons('1;A;1;2,5', '2;A;1;1.115,5', '3;A;1;1.115', '4;A;1.115;3'))).toEqual([
      2.5, 1115.5, 1115, 3,
    ])
    expect(problemsOf(semicolons('1;A;1;2,5', '2;A;1;1.5'))).toEqual([
      expect.stringMatching(/^line 3: service found "1.5"/),
    ])
  })

  test('with decimal points has none between thousands', () => {
    expect(servicesOf(semicolons('1;A;1;2.5', '2;A;1;1.115'))).toEqual([2.5, 1.115])
  })

  test('that does not show which of both it has is asked, where it matters', () => {
    expect(problemsOf(semicolons('1;A;1;2', '2;A;1;1.115'))).toEqual([
      'line 3: service found "1.115"; allowed: 1115 or 1,115, since a point before three digits may mean either',
    ])
    expect(servicesOf(semicolons('1;A;1;2', '2;A;1;0.115'))).toEqual([2, 0.115])
    expect(servicesOf('time,stage,queue,service_ms\n1,A,1,1.115\n')).toEqual([1.115])
  })

  test('may write a day as 22.11.2026', () => {
    const times = rowsOf(
      soundLog(semicolons('22.11.2026 09:00:00;A;1;2', '22.11.2026 09:00:10,5;A;1;2', '1.12.2026;A;1;2')),
    ).map(({ time }) => time)
    expect(times.map((time) => new Date(time / 1000).toISOString())).toEqual([
      '2026-11-22T09:00:00.000Z',
      '2026-11-22T09:00:10.500Z',
      '2026-12-01T00:00:00.000Z',
    ])
  })

  test('that counts days is asked whether they are days, and read as such where the heading says it', () => {
    expect(problemsOf(semicolons('46348,375;A;1;2,5', '46348,3751;A;1;2,5'))).toEqual([
      ': the time 46348.3751 may be in days or seconds; allowed: a date, or a heading time_days or time_s',
    ])
    const [first, second] = rowsOf(soundLog('time_days,stage,queue,service_ms\n46348.375,A,1,2\n46348.5,A,1,2\n'))
    expect(new Date(first.time / 1000).toISOString()).toBe('2026-11-22T09:00:00.000Z')
    expect(second.time - first.time).toBe(3 * 3600 * 1_000_000)
    expect(rowsOf(soundLog('time_s,stage,queue,service_ms\n46348.3751,A,1,2\n'))[0].time).toBe(46_348_375_100)
  })

  test('whatever number it writes with a comma for decimals and points for thousands is that number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.boolean(), (thousandths, dotted) => {
        const value = thousandths / 1000
        const [whole, decimals = ''] = String(value).split('.')
        const grouped = dotted ? whole.replace(/\B(?=(\d{3})+$)/g, '.') : whole
        expect(
          servicesOf(semicolons('1;A;1;2,5', `2;A;1;${grouped}${decimals === '' ? '' : `,${decimals}`}`))[1],
        ).toBeCloseTo(value, 9)
      }),
    )
  })
})
