import { describe, expect, test } from 'vitest'
import { roomRefusal } from '../../../src/app/session/run/startStop.ts'
import { allowCode, stageCodeWaits, unseenStages } from '../../../src/app/session/scenario/allowedCode.ts'
import { createSession } from '../../../src/app/session/session.ts'
import { problemOfCode } from '../../../src/features/code/sandbox/loadCode.ts'
import { valuesIn } from '../../../src/features/stageCode/page/dropData.ts'
import { lineBefore, wrongIn } from '../../../src/features/stageCode/page/StageCodeForm.tsx'
import { codePresets, templates } from '../../../src/features/stageCode/page/templates.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { codeOf } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const coded = valid({
  version: 1,
  stages: [
    { id: 'A', name: 'First', work: { code: 'export default (x) => x' } },
    { id: 'B' },
    { id: 'C', name: 'Third', work: { code: 'export default (x) => [x]' } },
  ],
  workers: 1,
})

const problemIn = async (code: string) => wrongIn(code, await problemOfCode(code))

describe('code to begin with', () => {
  test.each(templates.map(({ name, code }) => [name(), code]))('can be read: %s', async (_, code) => {
    expect(await problemIn(code)).toBe(null)
  })

  test('makes scenarios of the gallery that can be shared as a link or a file', () => {
    const presets = codePresets(createSession())
    expect(presets).toHaveLength(3)
    for (const { scenario } of presets) {
      expect(parse(JSON.parse(JSON.stringify(compact(scenario))))).toEqual({ scenario })
      expect(scenario.stages.every((stage) => codeOf(stage) !== null)).toBe(true)
    }
  })
})

describe('an error in the code of a stage', () => {
  test.each([
    ['a word too many', 'export default (x) => {\n  const n = x length\n  return n\n}\n', 2],
    ['a bracket that is not closed', 'export default (x) => {\n  return [x\n}\n', 3],
    ['an import', "const a = 1\nimport { b } from 'c'\nexport default () => b", 2],
    ['no function as the default', 'export const f = (x) => x', 0],
    ['nothing at all', '', 0],
  ])('is found before the run, with its line: %s', async (_, code, line) => {
    expect(await problemIn(code)).toMatchObject({
      line,
      message: expect.stringMatching(line === 0 ? /./ : new RegExp(`^Line ${line}\\b`)),
    })
  })

  test('is not seen where there is none', async () => {
    for (const code of [
      'export default async (x) => await x',
      'function f(x) { return x }\nexport { f as default }',
      'export default class {}',
      "export default () => 'import x from y'",
    ])
      expect(await problemIn(code)).toBe(null)
  })
})

describe('code of a link', () => {
  test('waits on real workers until it was typed or run here, and never in the simulation', () => {
    const session = createSession()
    expect(unseenStages(session, coded).map(({ name }) => name)).toEqual(['First', 'Third'])
    expect([
      stageCodeWaits(session, coded, 'threads'),
      stageCodeWaits(session, coded, 'room'),
      stageCodeWaits(session, coded, 'simulation'),
    ]).toEqual([true, true, false])
    allowCode(session, 'export default (x) => x')
    expect(unseenStages(session, coded).map(({ name }) => name)).toEqual(['Third'])
    allowCode(session, 'export default (x) => [x]')
    expect(stageCodeWaits(session, coded, 'threads')).toBe(false)
  })

  test('goes to no device of a room', () => {
    expect(roomRefusal({ refusal: () => null }, coded)).toMatch(/^No code of a stage goes to the devices/)
    expect(roomRefusal({ refusal: () => null }, valid({ version: 1, stages: [{ id: 'A' }], workers: 1 }))).toBe(null)
  })
})

test('the stages before a stage are those of a line; a fork, and a circle in a draft, have none', () => {
  const { stages } = coded
  const before = (links: readonly (readonly [string, string])[]) =>
    lineBefore(stages, links, stages[2]).map(({ id }) => id)
  const line = [
    ['source', 'A'],
    ['A', 'B'],
    ['B', 'C'],
  ] as const
  expect(before(line)).toEqual(['A', 'B'])
  expect(before([...line, ['source', 'C']])).toEqual([])
  expect(before([...line.slice(1), ['B', 'A']])).toEqual([])
  expect(before([...line.slice(1), ['C', 'A']])).toEqual([])
})

describe('the data of a dropped file', () => {
  test('are the items of a JSON list, the rows of a CSV, or the lines of a text', () => {
    expect(valuesIn('a.json', ' [1, {"b": [2]}, "c"]')).toEqual([1, { b: [2] }, 'c'])
    expect(valuesIn('a.csv', '\ufeffname,note\r\nAda,"said ""no"", twice"\r\n\r\n"two\nlines",\n')).toEqual([
      { name: 'Ada', note: 'said "no", twice' },
      { name: 'two\nlines', note: '' },
    ])
    expect(valuesIn('a.txt', 'first\r\n\n[second\n 3 ')).toEqual(['first', '[second', ' 3 '])
    expect(valuesIn('a.csv', 'one,two')).toEqual([])
  })
})
