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
    [['scripts/fit.mjs'], /fit\.mjs: line 1: found no time/],
  ])('refuses %j in words, with status 1', async (words, message) => {
    const files: Readonly<Record<string, string>> = { LOG: log, UNCLEAR: join(folder, 'unclear.csv'), UNCOUNTED: join(folder, 'uncounted.json') }
    const { status, out, err } = await fitHere(...words.map((word) => files[word] ?? word))
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(err).not.toMatch(/\bat .*\.(ts|mjs):/)
  })
})
