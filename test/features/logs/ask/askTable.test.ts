import { describe, expect, test } from 'vitest'
import {
  askDraftOf,
  cellProblem,
  exampleDraft,
  readAskDraft,
  readTable,
} from '../../../../src/features/logs/ask/askTable.ts'

const row = (name: string, waiting: string, mean: string, done = false) => ({ name, waiting, mean, done })

describe('a table that is pasted', () => {
  test.each([
    [
      'as a spreadsheet copies it',
      'A\t900\t1 ms\nB\t100\t1 ms\t1',
      [row('A', '900', '1 ms'), row('B', '100', '1 ms', true)],
    ],
    [
      'with headings in any order',
      'service time,Stage,Queue length\n250 us,Parse,12\r\n4 ms,Write,3\r\n',
      [row('Parse', '12', '250 us'), row('Write', '3', '4 ms')],
    ],
    ['with the unit in the heading', 'stage;waiting;mean (us)\nA;5;1000', [row('A', '5', '1000 us')]],
    ['without names', '900\t4\n100\t2.5 s', [row('Stage 1', '900', '4'), row('Stage 2', '100', '2.5 s')]],
    [
      'with quotes',
      '"Parse, then check",900,1 ms\n"say ""hi""",1,"2 ms"',
      [row('Parse, then check', '900', '1 ms'), row('say "hi"', '1', '2 ms')],
    ],
    ['with gaps', 'A\t900\nB', null],
    ['but is only a word', 'Parse', null],
    ['but is empty', '\n \n', null],
  ])('%s', (_, text, rows) => {
    expect(readTable(text)).toEqual(rows)
  })
})

describe('a question as it is typed', () => {
  test('is the worked example at first, and is read back as written', () => {
    const read = readAskDraft(exampleDraft())
    if ('problems' in read) throw new Error(JSON.stringify(read.problems))
    expect(askDraftOf(read.question)).toEqual(exampleDraft())
    const other = readAskDraft({ workers: '3', policy: 'power', power: 8, rows: [row('A', '1,200', '1.5 s', true)] })
    if ('problems' in other) throw new Error(JSON.stringify(other.problems))
    expect(other.question.asked).toEqual([{ waiting: 1200, mean: 1_500_000, done: true }])
    expect(other.question.scenario.policy).toMatchObject({ kind: 'power', p: 8 })
  })

  test('problems are named cell by cell', () => {
    const read = readAskDraft({
      ...exampleDraft(),
      workers: 'many',
      rows: [row('', '900', '1 ms'), row('B', 'x', 'soon'), row('C', '1', '')],
    })
    expect(cellProblem(read, 'workers')).toContain('found "many"')
    expect(cellProblem(read, 'stages[0].name')).toContain('found ""')
    expect(cellProblem(read, 'stages[1].waiting')).toContain('found "x"')
    expect(cellProblem(read, 'stages[1].mean')).toContain('found "soon"; allowed: a time')
    expect(cellProblem(read, 'stages[2].mean')).toContain('found ""')
    expect(cellProblem(read, 'stages[0].waiting')).toBeUndefined()
  })

  test('problems stand in the order of the cells, and speak of times as they were typed', () => {
    const read = readAskDraft({
      ...exampleDraft(),
      workers: 'many',
      rows: [row('A', '-1', '0 ms'), row('', 'x', 'soon')],
    })
    if (!('problems' in read)) throw new Error('nothing is wrong')
    expect(read.problems.map(({ path }) => path)).toEqual([
      'workers',
      'stages[0].waiting',
      'stages[0].mean',
      'stages[1].name',
      'stages[1].waiting',
      'stages[1].mean',
    ])
    expect(cellProblem(read, 'stages[0].mean')).toMatch(/^found "0 ms"; allowed: a time from 1 µs/)
  })
})
