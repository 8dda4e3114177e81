import { describe, expect, test } from 'vitest'
import { tableIn } from '../../../src/trace/logs/csvTable.ts'

const read = (text: string, whole = true) => tableIn(new TextEncoder().encode(text), whole)
const names = ['time', 'stage', 'queue', 'service', 'workers']
const guessed = (text: string) => read(text)?.headings.map((heading) => (heading === null ? null : `${names[heading.column]} ${heading.scale}`))

describe('a table whose headings are not those of a log', () => {
  test.each([
    ['ts,step,backlog,latency_ms,replicas\n0,A,3,1.5,2\n', ['time 0', 'stage 1', 'queue 1', 'service 1000', 'workers 1']],
    ['Datum;Ort;Anzahl\n2026-03-02 09:00;Berlin;3,5\n', ['time 0', 'stage 1', null]],
    ['workers\tduration (µs)\tqueue depth\ttopic\tclock_s\n1\t2\t3\tA\t0\n', ['workers 1', 'service 1', 'queue 1', 'stage 1', 'time 1000000']],
    ['id,amount\n1,20\n2,30\n', [null, null]],
    ['time,stage,len,"took, mean"\n0,A,3,1.5\n', ['time 0', 'stage 1', 'queue 1', 'service 1000000']],
  ])('%j has guesses for its columns', (text, expected) => {
    expect(guessed(text)).toEqual(expected)
  })

  test('is known by its complete lines where the file goes on', () => {
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
})
