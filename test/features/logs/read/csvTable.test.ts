import { describe, expect, test } from 'vitest'
import { tableIn } from '../../../../src/features/logs/read/csvTable.ts'

const read = (text: string, whole = true) => tableIn(new TextEncoder().encode(text), whole)
const names = ['time', 'stage', 'queue', 'service', 'workers']
const guessed = (text: string) =>
  read(text)?.headings.map((heading) => (heading === null ? null : `${names[heading.column]} ${heading.scale}`))

describe('a table whose headings are not those of a log', () => {
  test.each([
    [
      'ts,step,backlog,latency_ms,replicas\n0,A,3,1.5,2\n',
      ['time 0', 'stage 1', 'queue 1', 'service 1000', 'workers 1'],
    ],
    ['Datum;Ort;Anzahl\n2026-03-02 09:00;Berlin;3,5\n', ['time 0', 'stage 1', null]],
    [
      'workers\tduration (µs)\tqueue depth\ttopic\tclock_s\n1\t2\t3\tA\t0\n',
      ['workers 1', 'service 1', 'queue 1', 'stage 1', 'time 1000000'],
    ],
    ['id,amount\n1,20\n2,30\n', [null, null]],
    ['time,stage,len,"took, mean"\n0,A,3,1.5\n', ['time 0', 'stage 1', 'queue 1', 'service 1000000']],
  ])('%j has guesses for its columns', (text, expected) => {
    expect(guessed(text)).toEqual(expected)
  })

  test('is known by its complete lines where the file continues', () => {
    expect(read('id,amount\n1,20\n2,3', false)).toMatchObject({ cells: ['id', 'amount'], example: ['1', '20'] })
    expect(read('id,amount\n1,20', false)).toBeNull()
  })

  test.each([
    ['a log that needs no question', 'time,stage,queue,service_ms\n0,A,3,1.5\n'],
    ['prose', 'Dear all, hello\nI am here, as you see\n'],
    ['JSON lines', '{"a":1,"b":2}\n{"a":3,"b":4}\n'],
    ['a text log', '2026-03-02 09:00:10,123 INFO begun\n2026-03-02 09:00:11,456 INFO done\n'],
    ['numbers without headings', '1,2,3\n4,5,6\n'],
    ['rows of different lengths', 'id,amount\n1,20,3\n2\n'],
    ['headings alone', 'id,amount\n'],
    ['one column', 'amount\n1\n2\n'],
    ['nothing', ''],
  ])('is not seen in %s', (_, text) => {
    expect(read(text)).toBeNull()
  })

  test.each([
    // The first cell that fits by name, then by content; a name that a log knows goes first.
    ['my_time,timestamp,len\n1,2,3\n', [null, 'time 0', 'queue 1']],
    ['amount,stage\n2,2026-03-02\n', [null, 'time 0']],
    ['day,step,amount\n2026-03-02,A,1\n12.11.2026,B,2\n', ['time 0', 'stage 1', null]],
    ['day,step,amount\n2026-03-02,A,1\nsoon,B,2\n', [null, 'stage 1', null]],
    ['depth,amount,unit\nx,1,a\n2,,b\n', ['stage 1', null, null]],
    ['step,depth,took\nA,,1\nB,,2\n', ['stage 1', null, 'service 1000000']],
    ['step,depth\nA,12e10\nB,.25\nC,"12,5"\n', ['stage 1', 'queue 1']],
    ['step,lag ms/s\nA,1\n', ['stage 1', 'queue 1']],
    ['ms,took,step\n1,2,A\n', [null, 'service 1000000', 'stage 1']],
  ])('of %j takes what fits', (text, expected) => {
    expect(guessed(text)).toEqual(expected)
  })

  test('has the mark that gives it the most columns, and space in it does not count', () => {
    expect(read('a;b,c;d\n1;2,3;4\n')?.cells).toEqual(['a', 'b,c', 'd'])
    expect(read('a;b,c,d\n1;2,3,4\n')?.cells).toEqual(['a;b', 'c', 'd'])
    expect(read('\ufeff a , b\t\r\n\n  \n 1 , x \r\n')).toMatchObject({ cells: ['a', 'b'], example: ['1', 'x'] })
    expect(read('  [1,2\n3,4\n')).toBeNull()
    expect(read('a[,b\n3,4\n')?.cells).toEqual(['a[', 'b'])
  })
})
