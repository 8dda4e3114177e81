import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPanel, panelStore } from '../../../../src/app/session/page/showing.ts'
import { timelineStore } from '../../../../src/app/session/page/timelineStore.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { type Run, runStore } from '../../../../src/app/session/run/runStore.ts'
import { undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import { takeFile } from '../../../../src/app/share/files/input.ts'
import { openTrace } from '../../../../src/app/share/files/openTrace.ts'
import { noteWithin } from '../../../../src/app/watch/timeline/drawTimeline.ts'
import { questionAt, seatsAt } from '../../../../src/features/logs/measure/logPoints.ts'
import {
  answerSentence,
  answerTo,
  decisionSentence,
  seatsSentence,
} from '../../../../src/features/logs/measure/openLoop.ts'
import {
  acceptComing,
  cancelLog,
  closeLogs,
  leaveFor,
  mapComing,
  openLog,
  openRunAsLog,
  readColumns,
  readComing,
  takeAsLines,
} from '../../../../src/features/logs/page/logFile.ts'
import { isImported, logStore, openLogs } from '../../../../src/features/logs/page/logStore.ts'
import { guessMapping } from '../../../../src/features/logs/read/seriesRoles.ts'
import { spanStore } from '../../../../src/features/spans/page/spanStore.ts'
import { spanFormatIn } from '../../../../src/features/spans/study/importSpans.ts'
import { markAt, markTimes } from '../../../../src/measures/series/marks.ts'
import { valueAt } from '../../../../src/measures/series/steps.ts'
import { canvasOf } from '../../../app/pages.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'

const HEADER = 'time,stage,queue,service_s,workers\n'
const row = (time: number, stage: string, queue: number | string, workers: number) =>
  `${time},${stage},${queue},1,${workers}\n`
const small = `${HEADER}${row(0, 'A', 2, 1)}${row(0, 'B', 2, 1)}${row(1, 'A', 9, 1)}${row(1, 'B', 1, 1)}`

const fileOf = (name: string, ...parts: string[]) => new File(parts, name)
const logOf = (session: Session) => logStore(session).getState()
const messagesOf = (session: Session) => logOf(session).problems.map(({ path, message }) => `${path}: ${message}`)
const scenario = scenarioWith({ source: { kind: 'batch', jobs: 1 }, stages: [{ id: 'A' }, { id: 'B' }], workers: 2 })
const notesOn = (session: Session, run: Run) => timelineStore(session).getState().notesOf(run)
const textOf = (parts: ReturnType<typeof answerSentence>) =>
  parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')

beforeEach(() => {
  threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a log that is dropped', () => {
  test('is recognised, and the seats at a point are those of the allocator', async () => {
    const session = pageSession()
    await takeFile(session, fileOf('mine.csv', small))
    const { open, shown } = logOf(session)
    expect([open, shown?.name, shown?.bad]).toEqual([true, 'mine.csv', 0])
    const { points } = shown?.log ?? expect.fail('nothing is shown')
    const sentences = [0, 1].map((p) => {
      const question = questionAt(points, p, scenario, 2)
      const had = seatsAt(points, p) ?? expect.fail('no seats')
      return [textOf(answerSentence(question, answerTo(question, had))), textOf(seatsSentence(scenario, had))]
    })
    expect(sentences).toEqual([
      ['A and B get 1 of 2 seats each.', 'A 1, B 1.'],
      ['A gets 2 of 2 seats.', 'A 1, B 1.'],
    ])
    const loop = await shown?.thread.weigh(scenario.policy, 2)
    expect(loop?.differing.length).toBe(1)
    expect(loop && markAt(loop.differing, 0)).toBe(points.time[1])
    expect(loop?.seats.map((steps) => valueAt(steps, points.time[1]))).toEqual([2, 0])
  })

  test('names a bad row by its line, and leaves it out if the person continues', async () => {
    const session = pageSession()
    await takeFile(session, fileOf('mine.csv', small, row(2, 'A', 'abc', 1), row(3, 'A', 1, 1)))
    const { coming } = logOf(session)
    if (coming?.step !== 'bad') return expect.fail('no bad row')
    expect(coming.bad).toBe(1)
    expect(coming.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'line 6: queue found "abc"; allowed: a whole number from 0 to 1,000,000,000',
    ])
    acceptComing(session)
    expect(logOf(session)).toMatchObject({
      coming: null,
      shown: { name: 'mine.csv', bad: 1, log: { points: { length: 3 } } },
    })
  })

  test('and is not a log does not replace the present one', async () => {
    const session = pageSession()
    await takeFile(session, fileOf('mine.csv', small))
    const { shown } = logOf(session)
    await takeFile(session, fileOf('other.csv', 'time,stage,waiting\n'))
    expect(messagesOf(session).join()).toMatch(/^other\.csv, line 1: found no service; allowed: columns named time/)
    expect(logOf(session).shown).toBe(shown)
    closeLogs(session)
    openLogs(session)
    expect(logOf(session)).toMatchObject({ open: true, problems: [], shown })
  })

  test('is recognised as a failed answer of Prometheus; no jobs are made of it', async () => {
    const session = pageSession()
    const before = canvasOf(session).scenario
    await takeFile(
      session,
      fileOf('range.json', '{"status":"error","errorType":"bad_data","error":"parse error: unexpected end"}'),
    )
    expect(messagesOf(session).join()).toMatch(/^range\.json.*the query failed: "parse error: unexpected end"/)
    expect(canvasOf(session).scenario).toBe(before)
  })
})

describe('decisions of another scheduler', () => {
  const decided = 'time,stage,from,to,reason\n1,A,1,2,queue above 5\n0,B,1,1,keeps\n9,B,1,2,late\n'

  test('become marks of the log that is shown, with their reasons, and go with the next log', async () => {
    const session = pageSession()
    await takeFile(session, fileOf('mine.csv', small))
    const { shown } = logOf(session)
    closeLogs(session)
    const before = canvasOf(session).scenario
    await takeFile(session, fileOf('scaler.csv', decided))
    expect(logOf(session)).toMatchObject({
      open: true,
      coming: null,
      problems: [],
      shown: { serial: shown?.serial, decided: { name: 'scaler.csv', outside: 1 } },
    })
    const { decisions, marks } = logOf(session).shown?.decided ?? expect.fail('nothing is decided')
    expect(Array.from(markTimes(marks))).toEqual([0, 1_000_000])
    expect(decisions.map((decision) => textOf(decisionSentence(scenario, decision)))).toEqual([
      'B from 1 to 1: keeps',
      'A from 1 to 2: queue above 5',
    ])
    expect(canvasOf(session).scenario).toBe(before)
    await takeFile(session, fileOf('next.csv', small))
    expect(logOf(session).shown?.decided).toBeUndefined()
  })

  test('are told by file and line where they cannot be read, and the earlier ones stay', async () => {
    const session = pageSession()
    await takeFile(session, fileOf('mine.csv', small))
    await takeFile(session, fileOf('scaler.csv', decided))
    const { shown } = logOf(session)
    await takeFile(session, fileOf('other.csv', 'time,stage,from,to,reason\n1,C,1,2,x\n'))
    expect(messagesOf(session)).toEqual(['other.csv, line 2: stage found "C"; allowed: a stage of the log: A or B'])
    await takeFile(session, fileOf('other.csv', 'time,stage,from,to,reason\n50,A,1,2,x\n'))
    expect(messagesOf(session)).toEqual(['other.csv: 1 decision before or after the log'])
    expect(logOf(session).shown).toBe(shown)
  })

  test('need a log: without one they say so in the dialog, and are lines on the page', async () => {
    const session = pageSession()
    openLogs(session)
    await openLog(session, fileOf('scaler.csv', decided))
    expect(messagesOf(session)).toEqual(['scaler.csv: has decisions of a scheduler; first open its log or its spans'])
    await openLog(session, fileOf('scaler.csv', decided), undefined, () => {})
    expect(logOf(session).coming).toMatchObject({
      step: 'lines',
      why: expect.stringContaining('first open its log'),
    })
  })
})

describe('decisions beside a run that was imported', () => {
  const lines = [0, 1, 2, 3].map((job) =>
    JSON.stringify({ job, stage: 'A', worker: 'w', began: 1_000_000 * (1 + job), ended: 1_000_000 * (2 + job) }),
  )
  const decided = 'time,stage,from,to,reason\n1,A,1,2,queue above 5\n2,A,2,1,idle\n'

  /** Opens the run of the lines. */
  async function openRun(session: Session) {
    await takeFile(session, fileOf('jobs.jsonl', lines.join('\n')))
    const coming = spanStore(session).getState().coming?.read ?? expect.fail('no spans')
    await openTrace(session, new File([coming.file], 'jobs'))
    return runStore(session).getState().run ?? expect.fail('no run')
  }

  test('are not needed: the run becomes a log, at whose points the policy can be asked; a run of our own does not', async () => {
    const session = pageSession()
    await openRunAsLog(session)
    expect(logOf(session)).toMatchObject({ open: true, shown: null })
    closeLogs(session)
    const run = await openRun(session)
    expect(isImported(run)).toBe(true)
    expect(isImported({ ...run, trace: { ...run.trace, engine: 'simulation' } })).toBe(false)
    await openRunAsLog(session)
    const { shown, open } = logOf(session)
    expect([open, shown?.run === run, shown?.decided, shown?.log.points.log.stages]).toEqual([
      true,
      true,
      undefined,
      ['A'],
    ])
    expect(notesOn(session, run)).toBeNull()
    closeLogs(session)
    await openRunAsLog(session)
    expect(logOf(session).shown).toBe(shown)
  })

  test('are marks on its timeline with their reasons; the playhead goes to the first, and the side panel tells it', async () => {
    const session = pageSession()
    const run = await openRun(session)
    openPanel(session, 'figures')
    const notes = () => notesOn(session, run)
    expect(notes()).toBeNull()
    await takeFile(session, fileOf('scaler.csv', decided))
    expect([logOf(session).open, panelStore(session).getState().panel, playback(session).time]).toEqual([
      false,
      'decision',
      1_000_000,
    ])
    expect(Array.from(markTimes(notes()?.marks ?? expect.fail('no notes')))).toEqual([1_000_000, 2_000_000])
    expect(notes()?.tell([0, 1_500_000])).toEqual(['1.000 s: A from 1 to 2: queue above 5'])
    expect(notes()?.tell([0, 2_500_000])).toEqual([
      '1.000 s: A from 1 to 2: queue above 5',
      '2.000 s: A from 2 to 1: idle',
    ])
    expect(notes()?.tell([1_100_000, 1_900_000])).toBeNull()
    expect(noteWithin(notes() ?? expect.fail('no notes'), [1_500_000, 2_000_000])).toBe(2_000_000)
    expect(noteWithin(notes() ?? expect.fail('no notes'), [1_500_000, 1_999_999])).toBeNull()
    // The run of another pipeline has none, and another log takes them away.
    expect(notesOn(session, { ...run, scenario: { ...run.scenario, stages: [] } })).toBeNull()
    await takeFile(session, fileOf('mine.csv', small))
    expect(notes()).toBeNull()
  })

  test('stay in the dialog while it tells of rows that cannot be read', async () => {
    const session = pageSession()
    const run = await openRun(session)
    const { time } = playback(session)
    await takeFile(session, fileOf('scaler.csv', `${decided}3,A,two,1,wrong\n`))
    expect(logOf(session).open).toBe(true)
    expect(messagesOf(session)).toEqual([expect.stringContaining('scaler.csv, line 4: from found "two"')])
    expect(playback(session).time).toBe(time)
    expect(notesOn(session, run)?.marks.length).toBe(2)
  })

  test('of a log are marks in the runs of its scenario: by the names of the stages, from where the part began', async () => {
    const session = pageSession()
    await takeFile(session, fileOf('mine.csv', small))
    await takeFile(session, fileOf('scaler.csv', 'time,stage,from,to,reason\n0.25,B,1,2,early\n0.75,A,1,2,late\n'))
    const run = { ...(await openRun(session)), scenario: { ...scenario, stages: [...scenario.stages].reverse() } }
    expect(notesOn(session, run)).toBeNull()
    leaveFor(session, 500_000)
    expect(logOf(session).open).toBe(false)
    expect(Array.from(markTimes(notesOn(session, run)?.marks ?? expect.fail('no notes')))).toEqual([250_000])
    expect(notesOn(session, run)?.tell([0, 1_000_000])).toEqual(['0.250 s: A from 1 to 2: late'])
    const [first, ...rest] = run.scenario.stages
    expect(
      notesOn(session, { ...run, scenario: { ...scenario, stages: [{ ...first, name: 'C' }, ...rest] } }),
    ).toBeNull()
  })

  test('make a log of the run, and are marks in it; a log in the open dialog comes first', async () => {
    const session = pageSession()
    const run = await openRun(session)
    await takeFile(session, fileOf('scaler.csv', decided))
    const { shown, problems } = logOf(session)
    expect([problems, shown?.decided?.decisions.length, shown?.log.points.log.stages]).toEqual([[], 2, ['A']])
    expect(shown?.run).toBe(run)
    await takeFile(session, fileOf('again.csv', decided.replace('idle', 'quiet')))
    expect(logOf(session).shown?.serial).toBe(shown?.serial)
    expect(logOf(session).shown?.decided?.decisions[1].reason).toBe('quiet')
    await takeFile(session, fileOf('mine.csv', small))
    await takeFile(session, fileOf('scaler.csv', decided))
    expect(logOf(session).shown?.run).toBeUndefined()
    closeLogs(session)
    await takeFile(session, fileOf('scaler.csv', decided))
    expect(logOf(session).shown?.run).toBe(runStore(session).getState().run)
  })
})

describe('a table with unknown headings', () => {
  const table = 'ts,where,n,took\n0,A,2,1000\n0,B,2,1000\n1,A,9,1000\n'
  /** Drops it on the page. Returns what it is asked about. */
  async function ask(session: Session) {
    await takeFile(session, fileOf('export.csv', table))
    const { coming } = logOf(session)
    return coming?.step === 'columns' ? coming : expect.fail('nothing is asked')
  }

  test('leaves the pipeline as it is, and is read with the columns that the person names', async () => {
    const session = pageSession()
    const before = canvasOf(session).scenario
    const { table, asLines } = await ask(session)
    expect(canvasOf(session).scenario).toBe(before)
    expect(asLines).not.toBeNull()
    // What can be guessed is chosen: the time, the stage as the one column of words, and the service.
    expect(table.headings).toEqual([
      { column: 0, scale: 0 },
      { column: 1, scale: 1 },
      null,
      { column: 3, scale: 1_000_000 },
    ])
    const named = [table.headings[0], table.headings[1], { column: 2, scale: 1 }, { column: 3, scale: 1000 }]
    await readColumns(session, named)
    const { points } = logOf(session).shown?.log ?? expect.fail('nothing is shown')
    expect([points.length, points.log.stages, points.log.service[0], points.log.queue[2]]).toEqual([
      2,
      ['A', 'B'],
      1_000_000,
      9,
    ])
    expect(canvasOf(session).scenario).toBe(before)
  })

  test('asks again if the chosen columns cannot be read', async () => {
    const session = pageSession()
    const { table } = await ask(session)
    const named = [table.headings[0], { column: 2, scale: 1 }, { column: 1, scale: 1 }, table.headings[3]]
    await readColumns(session, named)
    expect(messagesOf(session)[0]).toMatch(/^export\.csv, line 2 and 2 more: queue found "A"/)
    expect(logOf(session).coming).toMatchObject({ step: 'columns', table: { headings: named } })
  })

  test('becomes a file of lines on request, and nothing if it is cancelled', async () => {
    const session = pageSession()
    const before = canvasOf(session).scenario
    await ask(session)
    cancelLog(session)
    expect([logOf(session).coming, canvasOf(session).scenario]).toEqual([null, before])
    closeLogs(session)
    await ask(session)
    takeAsLines(session)
    expect(logOf(session)).toMatchObject({ open: false, coming: null })
    await expect.poll(() => canvasOf(session).scenario.source).toMatchObject({ kind: 'lines', jobs: 4 })
  })

  test('that is dropped on the dialog is read as a log or refused', async () => {
    const session = pageSession()
    openLogs(session)
    expect((await ask(session)).asLines).toBeNull()
  })
})

describe('a file that is no log', () => {
  test.each([
    ['notes.txt', 'Dear diary,\ntoday it rained.\n'],
    ['package.json', '{\n  "name": "x",\n  "version": "1"\n}\n'],
    ['one.json', '{"name":"x"}'],
    ['people.jsonl', '{"name":"Ada"}\n{"name":"Grace"}\n'],
    [
      'app.log',
      '{"level":30,"time":1764240000000,"pid":7,"hostname":"a","msg":"started"}\n{"level":30,"time":1764240001000,"pid":7,"hostname":"a","msg":"ready"}\n',
    ],
  ])('replaces nothing until the person says so; one undo leads back: %s', async (name, text) => {
    const session = pageSession()
    const before = canvasOf(session).scenario
    await takeFile(session, fileOf(name, text))
    expect(logOf(session).coming).toMatchObject({ name, step: 'lines' })
    expect(canvasOf(session).scenario).toBe(before)
    takeAsLines(session)
    await expect.poll(() => canvasOf(session).scenario.source.kind).toBe('lines')
    expect(logOf(session).open).toBe(false)
    undo(session)
    expect(canvasOf(session).scenario).toBe(before)
  })

  test('says what lines with a time and a stage lack to be a log', async () => {
    const session = pageSession()
    const lines = [0, 1].map((k) =>
      JSON.stringify({ level: 30, time: 1_764_240_000_000 + k, pid: 7, stage: 'A', job: k, msg: 'done' }),
    )
    await takeFile(session, fileOf('app.log', lines.join('\n')))
    expect(logOf(session)).toMatchObject({
      problems: [],
      coming: {
        step: 'lines',
        why: expect.stringMatching(
          /a log also needs queue \(or queue_length, waiting\); service_us, service_ms or service_s; spans need/,
        ),
      },
    })
    closeLogs(session)
    await takeFile(session, fileOf('other.jsonl', lines.map((line) => line.replace('"stage"', '"module"')).join('\n')))
    expect(logOf(session).coming).toMatchObject({ step: 'lines', why: null })
  })

  test('is not asked about if it is empty: there is nothing to take', async () => {
    const session = pageSession()
    await takeFile(session, fileOf('empty.jsonl', ' \n\n'))
    expect(logOf(session).open).toBe(false)
  })

  test('but lines of pino that tell queues, and lines of apportion:job, are taken as what they are', async () => {
    const session = pageSession()
    const pino = [0, 1].map((k) =>
      JSON.stringify({
        level: 30,
        time: 1_764_240_000_000 + 1000 * k,
        pid: 7,
        stage: 'A',
        queue: k,
        serviceMs: 12,
        msg: '',
      }),
    )
    await takeFile(session, fileOf('app.log', `${pino.join('\n')}\n`))
    expect(logOf(session).shown?.log.points.log).toMatchObject({ stages: ['A'], length: 2 })
    const job = JSON.stringify({ job: 1, stage: 'A', worker: 'w', began: 1, ended: 5 })
    expect(await spanFormatIn(fileOf('jobs.jsonl', `${job}\n`))).toBe('lines')
  })

  test('but text that Prometheus scrapes is read as one', async () => {
    const session = pageSession()
    await takeFile(
      session,
      fileOf(
        'metrics',
        '# TYPE queue_length gauge\nqueue_length{stage="A"} 3\nwork_seconds_sum{stage="A"} 6\nwork_seconds_count{stage="A"} 3\n',
      ),
    )
    expect(logOf(session).shown?.log.points.log).toMatchObject({ stages: ['A'], length: 1 })
  })
})

test('a file dropped on the dialog must be a log: others are refused there, and no pipeline is made of them', async () => {
  const session = pageSession()
  const before = canvasOf(session).scenario
  openLogs(session)
  await takeFile(session, fileOf('other.csv', '1,2,3\n4,5,6\n'))
  expect(messagesOf(session).join()).toMatch(/^other\.csv, line 1: found no time, stage/)
  expect(canvasOf(session).scenario).toBe(before)
})

test('series with unclear names are read as the person assigns them, once that is enough', async () => {
  const session = pageSession()
  const series = (name: string, stage: string, value: string) => ({
    metric: { __name__: name, stage },
    values: [[1000, value]],
  })
  const result = ['A', 'B'].flatMap((stage, s) => [
    series('x_total', stage, String(4 * s)),
    series('y_mean', stage, '25'),
  ])
  await openLog(
    session,
    fileOf('range.json', JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } })),
  )
  const { coming } = logOf(session)
  if (coming?.step !== 'mapping') return expect.fail('no series')
  const { stageLabel } = guessMapping(coming.heads).mapping
  expect(stageLabel).toBe('stage')
  await mapComing(session, { stageLabel, roles: ['queue', 'nothing'] })
  expect(messagesOf(session).join()).toMatch(
    /stage "A": found no service; allowed: a queue and a service time for every stage/,
  )
  await mapComing(session, { stageLabel, roles: ['queue', 'service_ms'] })
  const { points } = logOf(session).shown?.log ?? expect.fail('nothing is shown')
  const question = questionAt(points, 0, { ...scenario, workers: 3 }, 3)
  expect(textOf(answerSentence(question, answerTo(question, null)))).toBe('B gets 3 of 3 seats.')
})

test('a large log waits until the person confirms its size, and can be cancelled while it is read', async () => {
  const session = pageSession()
  await takeFile(session, fileOf('mine.csv', small))
  const { shown } = logOf(session)
  const large = fileOf('large.csv', HEADER, ...Array.from({ length: 52 }, () => '9,A,3,1.25,2\n'.repeat(77_000)))
  await takeFile(session, large)
  expect(logOf(session).coming).toMatchObject({ step: 'waiting', name: 'large.csv', size: large.size })
  const reading = readComing(session)
  expect(logOf(session).coming?.step).toBe('reading')
  cancelLog(session)
  await reading
  expect(logOf(session)).toMatchObject({ open: true, coming: null, problems: [], shown })
})
