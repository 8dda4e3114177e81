import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHere, runScript } from '../../fixtures/commandHere.ts'
import { threeStages } from '../../fixtures/scenarios.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apportion-find-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const asked = ['--worse', 'leastScore', '--than', 'sinkFirst', '--measure', 'meanFlowTime', '--runs', '120']

describe('the finder in the terminal', () => {
  test('prints a scenario that the headless command plays with exactly the same ratio', async () => {
    const { status, out, err } = await runScript('find', ...asked, '--seed', '3', '--json')
    expect([status, err]).toEqual([0, ''])
    const found = JSON.parse(out)
    expect(Object.keys(found)).toEqual(['scenario', 'ratio', 'runs'])
    expect(found.ratio).toBeGreaterThan(1)
    expect(found.runs).toBeLessThanOrEqual(120)
    const file = join(folder, 'found.json')
    writeFileSync(file, JSON.stringify(found.scenario))
    const [one, other] = JSON.parse((await runHere('headless', file, '--policy', 'leastScore,sinkFirst', '--json')).out)
    expect([one.policy, other.policy]).toEqual(['leastScore', 'sinkFirst'])
    expect(one.meanFlowTime / other.meanFlowTime).toBe(found.ratio)
  })

  test('prints the two figures and a link to the comparison as text; around a file too', async () => {
    const file = join(folder, 'three.json')
    writeFileSync(file, JSON.stringify(threeStages))
    const { status, out, err } = await runScript('find', ...asked, '--from', file)
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/^leastScore +[\d,.]+\nsinkFirst +[\d,.]+\nratio +[\d.]+$/m)
    expect(out).toMatch(/^#s=[\w-]+&t=\d+&record=compare&policies=leastScore,sinkFirst$/m)
    expect((await runHere('find', '--help')).out).toContain('usage: ')
  })

  test.each([
    [['--worse', 'nobody', ...asked.slice(2)], /^--worse: found "nobody"; allowed: leastScore, /],
    [['--worse', 'sinkFirst', ...asked.slice(2)], /^--than: sinkFirst stands on both sides/],
    [
      [...asked.slice(0, 4), '--measure', 'throughput'],
      /^--measure: found "throughput"; allowed: makespan, meanWait, meanFlowTime/,
    ],
    [asked.slice(2), /^--worse: is missing/],
    [[...asked.slice(0, 6), '--runs', 'many'], /^--runs: found "many"; allowed: a whole number from 1 to /],
    [[...asked, '--sed', '3'], /^--sed: unknown option/],
    [[...asked, '--from', '/nowhere/scenario.json'], /^\/nowhere\/scenario\.json: cannot be read/],
  ])('refuses %j in words, with status 1', async (words, message) => {
    const { status, out, err } = await runHere('find', ...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(err).not.toMatch(/\bat .*\.(ts|mjs):/)
  })
})
