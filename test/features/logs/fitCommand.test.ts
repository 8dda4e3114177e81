import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hiddenSystems } from '../../bench/hiddenSystems.ts'
import { plainLog } from '../../bench/plainQueue.ts'
import { runHere, runScript } from '../../fixtures/commandHere.ts'

let folder = ''
let log = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apportion-fit-'))
  log = join(folder, 'log.csv')
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
  writeFileSync(join(folder, 'uncounted.json'), JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }))
  writeFileSync(log, plainLog({ ...hiddenSystems.steady(1), seconds: 40 }, 1, { measured: false, completed: true }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fitHere = (...words: string[]) => runHere('fit', ...words)

describe('the fit in the terminal', () => {
  test('prints a scenario that the headless command plays with the queues of the report', async () => {
    const { status, out, err } = await fitHere(log, '--json')
    expect(status).toBe(0)
    const file = join(folder, 'fitted.json')
    writeFileSync(file, out)
    const [{ stages }] = JSON.parse((await runHere('headless', file, '--json')).out) as [{ stages: { meanQueue: number }[] }]
    for (const { meanQueue } of stages) expect(err).toContain(meanQueue.toFixed(2))
    const output = await runScript('fit', log)
    expect([output.status, output.err]).toEqual([0, ''])
    expect(output.out).toBe(err)
    expect(output.out).toMatch(/^mean queue +logged +of the run +until its end +mean error +in jobs$/m)
    expect(output.out).toMatch(/^#s=[\w-]+$/m)
  })

  test('plays changes on days like the log, and says what their results are and how far they spread', async () => {
    const words = ['--change', '+1 stage 2', '--change=policy leastScore', '--at', '00:10', '--json']
    const { status, out, err } = await fitHere(log, ...words)
    expect([status, status === 0 ? '' : err]).toEqual([0, ''])
    const { scenario, changes } = JSON.parse(out) as { scenario: unknown; changes: Record<string, unknown>[] }
    expect(JSON.stringify(scenario)).toBe((await fitHere(log, '--json')).out.trim())
    const spread = { median: expect.any(Number), low: expect.any(Number), high: expect.any(Number) }
    const result = (change: string) => ({
      change,
      meanFlowTime: spread,
      peaks: { 'stage 1': spread, 'stage 2': spread, 'stage 3': spread },
      better: expect.any(Number),
      runs: 20,
    })
    expect(changes).toEqual([result('+1 stage 2'), result('policy leastScore')])
    expect(err).toMatch(/^With 1 worker more at stage 2 from 10\.000 s the queue at stage \d would have peaked at \d+ \(\d+ to \d+ in 20 runs\) instead of/m)
    expect(err).toMatch(/^\+1 stage 2 .* \d+ of 20$/m)
  })

  test.each([
    [[], /^which log\? A file is missing/],
    [['/nowhere/log.csv'], /^\/nowhere\/log\.csv: cannot be read/],
    [['LOG', '--stages', 'stage 1'], /^--stages: found "stage 1"; allowed: each of "stage 1", "stage 2" and "stage 3" once/],
    [['UNCLEAR'], /^stage: 117 jobs left "Late" and 1,170 jobs came to "Early".*, such as --stages Early,Late$/m],
    [
      ['UNCOUNTED'],
      /^stage: the log does not count jobs, so it does not tell the order of the stages, perhaps .*, such as --stages (fetch,enrich|enrich,fetch)$/m,
    ],
    [['LOG', '--seed', '3'], /^--seed: unknown option/],
    [['LOG', '--change'], /^--change: stands without its value/],
    [['LOG', '--at', '3'], /^--at: needs a --change/],
    [['LOG', '--change', '+1 stage 1', '--at', '99:00'], /^--at: found "99:00"; allowed: a time of the log, which goes from 0 s to 39 s$/m],
    [['LOG', '--change', '+1 stage 9'], /^--change: found "stage 9"; allowed: "stage 1", "stage 2" or "stage 3"$/m],
    [['LOG', '--change', 'capacity 3 stage 2', '--at', '9'], /^--change: "capacity 3 stage 2": a capacity cannot change during the run/],
    [['scripts/fit.mjs'], /fit\.mjs: line 1: found no time/],
  ])('refuses %j in words, with status 1', async (words, message) => {
    const files: Readonly<Record<string, string>> = { LOG: log, UNCLEAR: join(folder, 'unclear.csv'), UNCOUNTED: join(folder, 'uncounted.json') }
    const { status, out, err } = await fitHere(...words.map((word) => files[word] ?? word))
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(err).not.toMatch(/\bat .*\.(ts|mjs):/)
  })
})
