import { expect, test } from 'vitest'
import { decisionFormOf, decisionsAt, readDecisions } from '../../../../src/features/logs/read/decisions.ts'
import { otherIn } from '../../../../src/features/logs/read/readLog.ts'

/** 2026-03-02T09:00:00Z. */
const NINE = 1_772_442_000_000_000
const SECOND = 1_000_000
const stages = ['Fetch', 'Resize']
const last = 600 * SECOND
const objects = [
  { time: NINE / SECOND + 5, stage: 'Fetch', from: 1, to: 4, reason: 'queue {100}' },
  { time: '2026-03-02T09:00:06Z', stage: 'Resize', from: null, to: 0, reason: null },
]
const ofObjects = [
  [5, 'Fetch', 1, 4, 'queue {100}'],
  [6, 'Resize', null, 0, ''],
]
const object = '{"time":1,"stage":"Fetch","from":1,"to":2,"reason":""}'
const HEADINGS = 'time,stage,from,to,reason\n'
const counts = 'allowed: a whole number from 0 to 10,000'
const known = 'allowed: a stage of the log: Fetch or Resize'

type Case = [
  name: string,
  text: string,
  decisions: readonly (readonly unknown[])[],
  problems?: readonly unknown[],
  origin?: number,
  outside?: number,
]

test.each<Case>([
  [
    'a CSV with its columns in any order, an empty cell, and reasons in quotes over several lines',
    'Reason,to,Stage,from,time\n"CPU, above ""target""",3,Resize,2,2026-03-02T09:00:30Z\n"two\nlines",2,Fetch,,2026-03-02T09:00:10.5Z\n',
    [
      [10.5, 'Fetch', null, 2, 'two\nlines'],
      [30, 'Resize', 2, 3, 'CPU, above "target"'],
    ],
    [],
    NINE,
  ],
  [
    'a CSV with semicolons, a unit of time, other capitals of a stage, and a row with a cell too many',
    'sep=;\ntime_ms;stage;from;to;reason\n1000;Fetch;1;2;a;\n2000;fetch;1;2;b, c\n',
    [[2, 'Fetch', 1, 2, 'b, c']],
    ['line 3: has 6 cells; allowed: 5, as the headings have'],
  ],
  ['other names of columns', 'timestamp,pool,before,after,message\n3,Fetch,1,2,x\n', [[3, 'Fetch', 1, 2, 'x']]],
  ['JSON with one object per line', objects.map((each) => `${JSON.stringify(each)}\n`).join(''), ofObjects, [], NINE],
  ['a list of JSON', JSON.stringify(objects, null, 2), ofObjects, [], NINE],
  ['a table without rows', HEADINGS, [], [': the file has no rows']],
  ['a wrong time', `${HEADINGS}soon,Fetch,1,2,`, [], [expect.stringMatching(/^line 2: time found "soon"; allowed: /)]],
  ['a target below 0', `${HEADINGS}1,Fetch,1,-2,`, [], [`line 2: to found "-2"; ${counts}`]],
  ['a target above the limit', `${HEADINGS}1,Fetch,1,10001,`, [], [`line 2: to found "10001"; ${counts}`]],
  ['a wrong size before', `${HEADINGS}1,Fetch,x,2,`, [], [`line 2: from found "x"; ${counts}`]],
  [
    'unknown stages, each told once',
    `${HEADINGS}1,Store,1,2,\n2,Store,1,2,\n2,Cut,1,2,`,
    [],
    [`line 2 and 1 more: stage found "Store"; ${known}`, `line 4: stage found "Cut"; ${known}`],
  ],
  [
    'a table with one after the log, in order of time',
    `${HEADINGS}700,Fetch,1,2,\n599,Fetch,1,2,ok\n0,Resize,1,3,`,
    [
      [0, 'Resize', 1, 3, ''],
      [599, 'Fetch', 1, 2, 'ok'],
    ],
    [],
    0,
    1,
  ],
  [
    'a table with all of them after the log',
    `${HEADINGS}700,Fetch,1,2,`,
    [],
    [expect.stringMatching(/^: 1 decision before or after the log/)],
    0,
    1,
  ],
  [
    'lines that are not JSON, or cut off',
    `${object}\noops\n{"time":1,"stage":"Fe`,
    [[1, 'Fetch', 1, 2, '']],
    [expect.stringMatching(/^line 2: found "oops" in /), expect.stringMatching(/^line 3: this is not JSON/)],
  ],
])('decisions are read from %s', (_, text, decisions, problems = [], origin = 0, outside = 0) => {
  const form = decisionFormOf(text.slice(0, 4096)) ?? expect.fail('is not recognised')
  const read = readDecisions(text, form, { stages, origin }, last)
  expect({
    decisions: read.decisions.map(({ time, stage, from, to, reason }) => [
      ...[time / SECOND, stages[stage], from, to, reason],
    ]),
    outside: read.outside,
    problems: read.problems.map(({ path, message }) => `${path}: ${message}`),
  }).toEqual({ decisions, outside, problems })
})

const columns = 'time, stage, from, to and reason'

test.each<[name: string, text: string, error: string | null]>([
  ['a log', 'time,stage,queue,service_ms,workers\n', null],
  ['a log with targets', 'time,stage,to,queue,service_ms,reason\n', null],
  ['a row of a log', '{"time":1,"stage":"A","queue":3}', null],
  ['a text', 'a line -- of text\n', null],
  ['an empty text', '', null],
  ['a Kubernetes event', '{"items":[{"involvedObject":{"name":"a"},"reason":"SuccessfulRescale"}]}', columns],
  ['the log of Ray Serve', "INFO controller 17 -- Upscaling Deployment(name='Fetch') from 1 to 4 replicas.", columns],
  [
    'the log of Ray Data',
    'DEBUG default_autoscaler.py:190 -- Scaled up actor pool MapBatches(Resize): 2 -> 4',
    columns,
  ],
])('%s is not read as decisions', (_, text, error) => {
  expect(decisionFormOf(text)).toBeNull()
  expect(otherIn(text)).toEqual(error === null ? null : expect.stringContaining(error))
})

test('the decisions of a point are those up to the next point, or the last before', () => {
  const all = [1, 3, 3, 8].map((time) => ({ time, stage: 0, from: 1, to: 2, reason: '' }))
  const times = (from: number, to: number) => decisionsAt(all, from, to).map(({ time }) => time)
  expect([times(0, 1), times(1, 3), times(3, 5), times(5, 8), times(8, Infinity)]).toEqual([
    [],
    [1],
    [3, 3],
    [3, 3],
    [8],
  ])
})
