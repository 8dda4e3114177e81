import { describe, expect, test } from 'vitest'
import {
  createBadRows,
  createLog,
  logPart,
  noteBadRow,
  noteCounts,
  pushLogRow,
  toldProblems,
  trimLog,
} from '../../../../src/features/logs/read/log.ts'
import { createLogReader, type LogRead } from '../../../../src/features/logs/read/readLog.ts'

/** Reads a text in parts of this many bytes. */
function read(text: string, length: number): LogRead {
  const bytes = new TextEncoder().encode(text)
  const reader = createLogReader()
  for (let at = 0; at < bytes.length; at += length) reader.push(bytes.slice(at, at + length))
  const found = reader.end()
  if ('series' in found) expect.fail('series')
  return found
}

describe('a log that comes in parts is the same log, however it is cut:', () => {
  // Long enough that the form of the file is known before its end.
  const filler = ' '.repeat(5000)
  const rows = [
    { time: 0, stage: 'A "é"', queue: 3, service_ms: 1.5, workers: null, other: { a: [1, '}'] } },
    { time: 1, stage: 'B\n', queue: 0, service_ms: 2, workers: 4, completed: 7 },
    { time: 2, stage: 'A "é"', queue: 1, service_ms: 0.25, p95: 3 },
  ]
  const cells = [
    'time,stage,queue,service_ms,workers',
    '0,"A ""é""",3,1.5,',
    '1,"B\r\n,x", 0 ,2,4',
    '',
    '2,"A ""é""",1,0.25,-',
    '3,x',
    '4,"y"z,1,1,1',
  ]
  test.each([
    ['a list of objects', `[${filler}${rows.map((row) => JSON.stringify(row, null, 1)).join(' , ')} ]`],
    ['objects, one a line', `${filler}\n${rows.map((row) => JSON.stringify(row)).join('\n')}\n`],
    [
      'objects with a line between that is none',
      `${filler}\n${JSON.stringify(rows[0])}\n{"time":1,}\n${JSON.stringify(rows[1])}`,
    ],
    ['a table', `${'\n'.repeat(5000)}${cells.join('\n')}\n`],
    ['a table whose last line has no end', `${'\n'.repeat(5000)}${cells.slice(0, 5).join('\r\n')}`],
  ])('%s', (_, text) => {
    const whole = read(text, 1_000_000)
    expect(whole).toHaveProperty('log.length', expect.any(Number))
    for (const length of [1, 2, 3, 7]) expect(read(text, length), `in parts of ${length}`).toEqual(whole)
  })
})

describe('the part of a log between two times', () => {
  const log = createLog()
  log.stages.push('A', 'B', 'C')
  log.isSorted = true
  log.origin = 500
  for (const [time, stage, queue, busy] of [
    [0, 1, 10, 1],
    [10, 0, 11, 2],
    [20, 1, 12, Number.NaN],
    [30, 0, 13, 4],
    [40, 1, 14, 5],
    [50, 2, 15, 6],
  ]) {
    pushLogRow(log, time, stage, queue, 100 + queue, 200 + queue)
    noteCounts(log, 1000 + queue, Number.NaN, busy)
  }
  trimLog(log)
  const part = (from: number, to: number) => {
    const { time, stage, queue, service, workers, completed, busy, arrivals, ...rest } = logPart(log, from, to)
    expect(
      [service, workers, completed].map((column) =>
        Array.from(column as ArrayLike<number>, (value, i) => value - queue[i]),
      ),
    ).toEqual([100, 200, 1000].map((more) => Array.from(queue, () => more)))
    expect([arrivals, rest.p95]).toEqual([null, null])
    return { time: [...time], stage: [...stage], queue: [...queue], busy: busy && [...busy], ...rest }
  }

  test('begins with the last row of each stage before it, in their order, and ends with its last row', () => {
    expect(part(20, 40)).toMatchObject({
      ...{ origin: 520, isSorted: true, stages: ['A', 'B', 'C'], length: 4 },
      // At its beginning everything that is known counts as measured then.
      ...{ time: [0, 0, 10, 20], stage: [0, 1, 0, 1], queue: [11, 12, 13, 14], busy: [2, Number.NaN, 4, 5] },
    })
    expect(part(0, 10)).toMatchObject({ time: [0, 10], stage: [1, 0], queue: [10, 11], origin: 500 })
    expect(part(35, 49)).toMatchObject({ time: [0, 0, 5], stage: [1, 0, 1], queue: [12, 13, 14] })
    expect(part(50, 60)).toMatchObject({ time: [0, 0, 0], stage: [0, 1, 2] })
  })
})

describe('bad rows', () => {
  const problemsOf = (...messages: readonly string[]) => {
    const bad = createBadRows()
    for (const [k, message] of messages.entries()) noteBadRow({ bad }, () => `line ${k + 1}`, message)
    return toldProblems(bad)
  }

  test('of one kind are told once, with the first place and the number of the others', () => {
    const { problems, untold } = problemsOf(
      'queue "a" is 1,000.5',
      'no stage',
      'queue "bb 7" is 3',
      'queue is "c"',
      'queue "" is 2',
    )
    expect(problems).toEqual([
      { path: 'line 1 and 2 more', message: 'queue "a" is 1,000.5' },
      { path: 'line 2', message: 'no stage' },
      { path: 'line 4', message: 'queue is "c"' },
    ])
    expect(untold).toBe(0)
  })

  test('of more than 20 kinds are counted', () => {
    const kinds = Array.from('abcdefghijklmnopqrst')
    expect(problemsOf(...kinds, 'u', 'a', 'v', 'u')).toMatchObject({
      problems: [{ path: 'line 1 and 1 more' }, ...kinds.slice(1).map((_, k) => ({ path: `line ${k + 2}` }))],
      untold: 3,
    })
  })
})
