import { describe, expect, test } from 'vitest'
import { decisionFormOf, decisionsAt, readDecisions } from '../../../../src/features/logs/read/decisions.ts'

/** 2026-03-02T09:00:00Z. */
const NINE = 1_772_442_000_000_000
const SECOND = 1_000_000
const stages = ['Fetch', 'Resize']
const last = 600 * SECOND

function read(text: string, log = { stages, origin: NINE }) {
  const form = decisionFormOf(text.slice(0, 4096)) ?? expect.fail('is not recognised')
  const { decisions, outside, problems } = readDecisions(text, form, log, last)
  return {
    form,
    decisions: decisions.map(({ time, stage, from, to, reason }) => [
      time / SECOND,
      log.stages[stage],
      from,
      to,
      reason,
    ]),
    outside,
    problems: problems.map(({ path, message }) => `${path}: ${message}`),
  }
}

describe('decisions of another scheduler', () => {
  test('are read from a CSV by its headings, in any order, with reasons in quotes', () => {
    const text =
      'Reason,to,Stage,from,time\n"CPU, above ""target""",3,Resize,2,2026-03-02T09:00:30Z\n"two\nlines",2,Fetch,,2026-03-02T09:00:10.5Z\n'
    expect(read(text)).toEqual({
      form: 'csv',
      decisions: [
        [10.5, 'Fetch', null, 2, 'two\nlines'],
        [30, 'Resize', 2, 3, 'CPU, above "target"'],
      ],
      outside: 0,
      problems: [],
    })
    const semicolons = 'sep=;\ntime_ms;stage;from;to;reason\n1000;Fetch;1;2;a;\n2000;fetch;1;2;b, c\n'
    expect(read(semicolons, { stages, origin: 0 })).toMatchObject({
      decisions: [[2, 'Fetch', 1, 2, 'b, c']],
      problems: ['line 3: has 6 cells; allowed: 5, as the headings have'],
    })
  })

  test('are read from objects of JSON, one a line or in a list', () => {
    const rows = [
      { time: NINE / SECOND + 5, stage: 'Fetch', from: 1, to: 4, reason: 'queue {100}' },
      { time: '2026-03-02T09:00:06Z', stage: 'Resize', from: null, to: 0, reason: null },
    ]
    const decisions = [
      [5, 'Fetch', 1, 4, 'queue {100}'],
      [6, 'Resize', null, 0, ''],
    ]
    for (const text of [rows.map((row) => `${JSON.stringify(row)}\n`).join(''), JSON.stringify(rows, null, 2)])
      expect(read(text)).toEqual({ form: 'objects', decisions, outside: 0, problems: [] })
  })

  test('are read from the events of Kubernetes, in a list or one after the other', () => {
    const event = (name: string, message: string, times: object, reason = 'SuccessfulRescale') => ({
      apiVersion: 'v1',
      kind: 'Event',
      ...{ involvedObject: { kind: 'HorizontalPodAutoscaler', name }, reason, message, ...times },
    })
    const events = [
      event('resize', 'New size: 3; reason: cpu resource utilization (percentage of request) above target', {
        firstTimestamp: '2026-03-02T09:00:20Z',
        lastTimestamp: '2026-03-02T09:02:00Z',
        count: 2,
      }),
      event('resize', 'Started container', { lastTimestamp: '2026-03-02T09:00:21Z' }, 'Started'),
      event('fetch', 'New size: 1; reason: All metrics below target', {
        lastTimestamp: null,
        eventTime: '2026-03-02T09:01:00.250000Z',
      }),
    ]
    const reason = 'cpu resource utilization (percentage of request) above target'
    const decisions = [
      [20, 'Resize', null, 3, reason],
      [60.25, 'Fetch', null, 1, 'All metrics below target'],
      [120, 'Resize', null, 3, reason],
    ]
    const list = { apiVersion: 'v1', items: events, kind: 'List', metadata: { resourceVersion: '' } }
    for (const text of [
      JSON.stringify(list, null, 4),
      JSON.stringify(list),
      events.map((each) => JSON.stringify(each, null, 4)).join('\n'),
    ])
      expect(read(text)).toEqual({ form: 'kubernetes', decisions, outside: 0, problems: [] })
    const unknown = JSON.stringify(
      { ...list, items: [event('web', 'New size: 2; reason: x', { lastTimestamp: '2026-03-02T09:00:20Z' })] },
      null,
      1,
    )
    expect(read(unknown).problems).toEqual(['line 4: stage found "web"; allowed: a stage of the log: Fetch or Resize'])
    expect(read(JSON.stringify({ ...list, items: [events[1]] })).problems.join()).toMatch(
      /^: has no event with the reason SuccessfulRescale/,
    )
  })

  test('are read from the lines of Ray Serve and of Ray Data', () => {
    const text = [
      "\u001b[36m(ServeController pid=17)\u001b[0m INFO 2026-03-02 09:00:01,000 controller 17 -- Deploying new version of Deployment(name='Fetch', app='a').",
      "\u001b[36m(ServeController pid=17)\u001b[0m INFO 2026-03-02 09:00:12,905 controller 17 -- Upscaling Deployment(name='Fetch', app='a') from 1 to 4 replicas. Current ongoing requests: 4.88, current running replicas: 1.",
      "INFO 2026-03-02 09:00:13,000 controller 17 -- Downscaling Deployment(name='Resize', app='a') from 2 to 1 replicas. Current ongoing requests: 0.00, current running replicas: 2.",
      '2026-03-02 09:00:23,922\tDEBUG default_autoscaler.py:190 -- Scaled up actor pool MapBatches(Resize): 2 -> 4, current util: 2.50',
      '2026-03-02 09:00:24,922\tDEBUG default_autoscaler.py:170 -- Scaled down actor pool MapBatches(Write): 2 -> 1, current util: 0.10',
    ].join('\n')
    expect(decisionFormOf(text.split('\n')[0])).toBe('ray')
    expect(read(text)).toEqual({
      form: 'ray',
      decisions: [
        [12.905, 'Fetch', 1, 4, 'Current ongoing requests: 4.88, current running replicas: 1.'],
        [13, 'Resize', 2, 1, 'Current ongoing requests: 0.00, current running replicas: 2.'],
        [23.922, 'Resize', 2, 4, 'current util: 2.50'],
      ],
      outside: 0,
      problems: ['line 5: stage found "MapBatches(Write)"; allowed: a stage of the log: Fetch or Resize'],
    })
    expect(read(text.split('\n')[4].replace('Scaled', 'Looked')).problems.join()).toMatch(
      /^: has no line in which Ray scales/,
    )
  })

  test('that cannot be read are told by their line, every unknown stage by its name, and those outside the log are counted', () => {
    const rows = [
      'soon,Fetch,1,2,',
      '1,Fetch,1,-2,',
      '1,Fetch,x,2,',
      '1,Store,1,2,',
      '2,Store,1,2,',
      '2,Cut,1,2,',
      '700,Fetch,1,2,',
      '599,Fetch,1,2,ok',
    ]
    const { decisions, outside, problems } = read(`time,stage,from,to,reason\n${rows.join('\n')}\n`, {
      stages,
      origin: 0,
    })
    expect([decisions, outside]).toEqual([[[599, 'Fetch', 1, 2, 'ok']], 1])
    expect(problems).toEqual([
      expect.stringMatching(/^line 2: time found "soon"; allowed: /),
      'line 3: to found "-2"; allowed: a whole number from 0 to 10,000',
      'line 4: from found "x"; allowed: a whole number from 0 to 10,000',
      'line 5 and 1 more: stage found "Store"; allowed: a stage of the log: Fetch or Resize',
      'line 7: stage found "Cut"; allowed: a stage of the log: Fetch or Resize',
    ])
    const cut = read('{"time":1,"stage":"Fetch","from":1,"to":2,"reason":""}\noops\n{"time":1,"stage":"Fe', {
      stages,
      origin: 0,
    })
    expect(cut.decisions).toHaveLength(1)
    expect(cut.problems.map((problem) => problem.slice(0, 24))).toEqual([
      'line 2: found "oops" in ',
      'line 3: the object that ',
    ])
  })

  test('are not seen in logs, spans or other texts', () => {
    const others = [
      'time,stage,queue,service_ms,workers\n',
      'time,stage,to,queue,service_ms,reason\n',
      '{"time":1,"stage":"A","queue":3}',
      'a line -- of text\n',
      '',
    ]
    expect(others.map(decisionFormOf)).toEqual(others.map(() => null))
  })

  test('of a point are those up to the next point, or the last before', () => {
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
})
