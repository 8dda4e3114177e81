import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerFigures } from '../../../src/features/logs/ask/askTable.ts'
import { logPointAt, logPointsOf } from '../../../src/features/logs/measure/logPoints.ts'
import { answerAt, firstRule, questionOver } from '../../../src/features/logs/measure/openLoop.ts'
import { hiddenSystems } from '../../bench/hiddenSystems.ts'
import { plainLog } from '../../bench/plainQueue.ts'
import { runHere, runScript } from '../../fixtures/commandHere.ts'
import { soundLog } from './read/logFiles.ts'

let folder = ''
let log = ''
let decided = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apportion-fit-'))
  log = join(folder, 'log.csv')
  decided = join(folder, 'decided.csv')
  const rows = Array.from({ length: 40 }, (_, k) => `${k},Late,1,100,2,${3 * k}\n${k},Early,1,100,2,${30 * k}\n`)
  writeFileSync(join(folder, 'unclear.csv'), `time,stage,queue,service_ms,workers,completed\n${rows.join('')}`)
  const gauge = (name: string, stage: string, of: (k: number) => number) => ({
    metric: { __name__: name, stage },
    values: Array.from({ length: 40 }, (_, k) => [k, String(of(k))]),
  })
  const result = ['enrich', 'fetch'].flatMap((stage, s) => [
    gauge('queue_length', stage, (k) => (k > 5 - s ? (k * (s + 1)) % 7 : 0)),
    gauge('service_seconds', stage, () => 0.2),
    gauge('workers', stage, () => 2),
  ])
  writeFileSync(
    join(folder, 'uncounted.json'),
    JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }),
  )
  const plain = plainLog({ ...hiddenSystems.steady(1), seconds: 20 }, 1, { measured: false, completed: true })
  writeFileSync(join(folder, 'named.csv'), plain.replace(/^.*$/m, 'ts,step,backlog,avg_duration,replicas,done'))
  const [, ...rows0] = plain.trim().split('\n')
  const pino = rows0
    .map((row) => row.split(','))
    .map(([time, stage, queue, took, workers, done]) => ({
      ...{
        level: 30,
        time: 1_772_442_000_000 + 1000 * Number(time),
        pid: 7,
        hostname: 'etl',
        step: stage,
        queueLength: Number(queue),
      },
      ...{
        avgDurationMs: took === '' ? null : Number(took),
        workerCount: Number(workers),
        completedJobs: Number(done),
        msg: 'state',
      },
    }))
  writeFileSync(join(folder, 'pino.jsonl'), pino.map((row) => JSON.stringify(row)).join('\n'))
  const busy = Array.from({ length: 60 }, (_, k) => `${k},A,${(k * 7) % 11},0.001,5,${400_000 * k}\n`)
  writeFileSync(join(folder, 'failed.json'), '{"status": "error", "errorType": "bad_data", "error": "parse error"}\n')
  writeFileSync(join(folder, 'many.csv'), `time,stage,queue,service_ms,workers,completed\n${busy.join('')}`)
  writeFileSync(
    decided,
    'time,stage,from,to,reason\n10.5,stage 2,,3,queue above 5\n20,Stage 1,2,1,\n99,stage 1,2,1,late\n',
  )
  writeFileSync(join(folder, 'trace.json'), '{"format":"apportion-trace","version":1}\n')
  writeFileSync(join(folder, 'late.csv'), 'time,stage,from,to,reason\n99,stage 1,2,1,late\n')
  writeFileSync(log, plainLog({ ...hiddenSystems.steady(1), seconds: 20 }, 1, { measured: false, completed: true }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fitHere = (...words: string[]) => runHere('fit', ...words)

/** Runs a fit that succeeds. Returns what `--json` prints, and the report. */
async function fitOf(...words: string[]) {
  const { status, out, err } = await fitHere(...words, '--json')
  expect([status, status === 0 ? '' : err]).toEqual([0, ''])
  return { json: JSON.parse(out), report: err }
}

describe('the fit in the terminal', () => {
  let plain: Awaited<ReturnType<typeof fitOf>>
  beforeAll(async () => {
    plain = await fitOf(log)
  })

  test('prints a scenario that the headless command plays with the queues of the report', async () => {
    const file = join(folder, 'fitted.json')
    writeFileSync(file, JSON.stringify(plain.json))
    const [{ stages }] = JSON.parse((await runHere('headless', file, '--json')).out) as [
      { stages: { meanQueue: number }[] },
    ]
    for (const { meanQueue } of stages) expect(plain.report).toContain(meanQueue.toFixed(2))
    expect(plain.report).toMatch(/^mean queue +logged +of the run +until its end +mean error +in jobs$/m)
    expect(plain.report).toMatch(/^#s=[\w-]{20,4000}$/m)
  })

  test('plays changes on days like the log, and says what their results are and how far they spread', async () => {
    const words = ['--change', '+1 stage 2', '--change=policy leastScore', '--at', '00:10']
    const { json, report } = await fitOf(log, ...words)
    expect(json.scenario).toEqual(plain.json)
    const spread = { median: expect.any(Number), low: expect.any(Number), high: expect.any(Number) }
    const result = (change: string) => ({
      change,
      meanFlowTime: spread,
      peaks: { 'stage 1': spread, 'stage 2': spread, 'stage 3': spread },
      better: expect.any(Number),
      runs: 20,
    })
    expect(json.changes).toEqual([result('+1 stage 2'), result('policy leastScore')])
    expect(report).toMatch(
      /^With 1 worker more at stage 2 from 10\.000 s the queue at stage \d would have peaked at \d+ \(\d+ to \d+\) instead of/m,
    )
    expect(report).toMatch(/^\+1 stage 2 .* \d+ of 20$/m)
  })

  test('lists what another scheduler decided, each decision beside the answer of the allocator at that point', async () => {
    const { json, report } = await fitOf(log, '--decisions', decided)
    const points = logPointsOf(soundLog(readFileSync(log, 'utf8')))
    const asked = questionOver(points.log.stages, firstRule, 1)
    if ('problems' in asked) return expect.fail('no question')
    const oursAt = (time: number) => {
      const { question, decision } = answerAt(points, logPointAt(points, time), asked.question.scenario)
      return answerFigures(question, decision)
    }
    expect(json.decisions).toEqual([
      { time: 9_500_000, stage: 'stage 2', from: null, to: 3, reason: 'queue above 5', ours: oursAt(9_500_000) },
      { time: 19_000_000, stage: 'stage 1', from: 2, to: 1, reason: '', ours: oursAt(19_000_000) },
    ])
    expect(oursAt(19_000_000)).not.toEqual(oursAt(9_500_000))
    expect(report).toMatch(
      /^2 decisions of another scheduler in .*decided\.csv, and 1 more before or after the log\. Ours is Least total time,/m,
    )
    expect(report).toMatch(/^9\.500 s +stage 2 to 3: queue above 5\n +ours: stage \d gets \d/m)
    // The script prints the report that stands beside the JSON.
    expect(await runScript('fit', log, '--decisions', decided)).toMatchObject({ status: 0, err: '', out: report })
  })

  test.each([
    [
      'the columns that headings seem to be, where options name the others and the unit',
      ['named.csv', '--unit', 'ms', '--completed', 'done'],
      /^Columns: time = ts, stage = step, queue = backlog, service = avg_duration \(ms\), workers = replicas, completed = done\.$/m,
    ],
    [
      'the columns that keys of JSON seem to be',
      ['pino.jsonl'],
      /^Columns: time = time, stage = step, queue = queueLength, service = avgDurationMs \(ms\), workers = workerCount, completed = completedJobs\.$/m,
    ],
  ])('takes %s, and says so', async (_, [file, ...options], columns) => {
    const { json, report } = await fitOf(join(folder, file), ...options)
    expect(json).toEqual(plain.json)
    expect(report).toMatch(columns)
  })

  test('takes a part of a log, whose stages begin as they were, and prints its link alone', async () => {
    const { json, report } = await fitOf(log, '--from', '5', '--to', '00:15')
    expect(Math.max(...json.source.at)).toBeLessThanOrEqual(10e6)
    const within = (at: readonly number[], from: number, to: number) =>
      at.filter((time) => time > from && time < to).length
    // The counted arrivals of the part are those of the whole.
    expect(within(json.source.at, 0, 10e6)).toBe(within(plain.json.source.at, 5e6, 15e6))
    const { out } = await fitHere(log, '--from', '5', '--to', '15', '--link')
    expect([out.split('\n').length, report.includes(out.trim())]).toEqual([2, true])
  })

  test.each([
    [[], /^which log\? .* is missing/],
    [['/nowhere/log.csv'], /^\/nowhere\/log\.csv: cannot be read/],
    [
      ['LOG', '--stages', 'stage 1'],
      /^--stages: found "stage 1"; allowed: each of "stage 1", "stage 2" and "stage 3" once/,
    ],
    [['UNCLEAR'], /^stage: 117 jobs left "Late", but 1,170 came to "Early".*, such as --stages Early,Late$/m],
    [
      ['UNCOUNTED'],
      /^stage: the log does not tell the order of the stages, perhaps .*, such as --stages (fetch,enrich|enrich,fetch)$/m,
    ],
    [['NAMED'], /named\.csv: the column "avg_duration" names no unit; say it: --unit us, --unit ms or --unit s$/m],
    [['NAMED', '--unit', 'h'], /^--unit: found "h"; allowed: us, ms or s$/m],
    [
      ['NAMED', '--queue', 'depth'],
      /^--queue: found "depth"; allowed: "ts", "step", "backlog", "avg_duration", "replicas" or "done"$/m,
    ],
    [
      ['NAMED', '--time', 'backlog', '--unit', 's'],
      /named\.csv: no column seems to be queue; name it: --queue NAME\. It has the columns "ts", /,
    ],
    [['LOG', '--from', '99'], /^--from: found "99"; allowed: a time of the log, which goes from 0 s to 19 s$/m],
    [['LOG', '--from', '10', '--to', '5'], /^--to: found "5"; allowed: a time after /],
    [
      ['MANY'],
      /the log contains about 23,600,006 jobs; allowed: 1,000,000\. Fit a part of it, such as --from \d+ --to \d+$/m,
    ],
    [['LOG', '--seed', '3'], /^--seed: unknown option/],
    [['LOG', '--change'], /^--change: stands without its value/],
    [['LOG', '--at', '3'], /^--at: needs a --change/],
    [
      ['LOG', '--change', '+1 stage 1', '--at', '99:00'],
      /^--at: found "99:00"; allowed: a time of the log, which goes from 0 s to 19 s$/m,
    ],
    [['LOG', '--change', '+1 stage 9'], /^--change: found "stage 9"; allowed: "stage 1", "stage 2" or "stage 3"$/m],
    [['scripts/fit.mjs'], /fit\.mjs: line 1: found no time/],
    [
      ['LOG', '--decisions', 'LOG'],
      /log\.csv: has no decisions of a scheduler; allowed: CSV or JSON lines with .*reason$/m,
    ],
    [['LOG', '--decisions', 'LATE'], /late\.csv: 1 decision before or after the log/],
    [['LATE'], /late\.csv: has decisions of a scheduler; first open its log/],
    [['TRACE'], /trace\.json: is a trace; open it as a trace$/m],
    [['FAILED'], /failed\.json: the query failed: "parse error"$/m],
  ])('refuses %j in words, with status 1', async (words, message) => {
    const files: Readonly<Record<string, string>> = {
      LOG: log,
      UNCLEAR: join(folder, 'unclear.csv'),
      UNCOUNTED: join(folder, 'uncounted.json'),
      NAMED: join(folder, 'named.csv'),
      MANY: join(folder, 'many.csv'),
      FAILED: join(folder, 'failed.json'),
      LATE: join(folder, 'late.csv'),
      TRACE: join(folder, 'trace.json'),
    }
    const { status, out, err } = await fitHere(...words.map((word) => files[word] ?? word))
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(err).not.toMatch(/\bat .*\.(ts|mjs):/)
  })
})
