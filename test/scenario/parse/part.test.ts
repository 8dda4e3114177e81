import { describe, expect, test } from 'vitest'
import { writePart } from '../../../src/scenario/edit/edits.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse, parseDraft } from '../../../src/scenario/parse/parse.ts'
import { readPart, withPart } from '../../../src/scenario/parse/part.ts'
import { linksOf, scenarioWith } from '../../fixtures/scenarios.ts'

function valid(input: object): Scenario {
  return scenarioWith({ workers: 2, ...input })
}

const fork = valid({
  stages: [{ id: 'A', name: 'Sort', fanOut: { route: { B: 3, C: 1 } } }, { id: 'B', capacity: 4 }, { id: 'C' }],
  links: linksOf('source>A A>B A>C B>sink C>sink'),
})

function read(text: string) {
  const part = readPart(text)
  if ('problems' in part) throw new Error(part.problems[0].message)
  return part
}

const problemsOf = (text: string) => {
  const part = readPart(text)
  return 'problems' in part ? part.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('part of a pipeline', () => {
  test('is written with the links among its stages, and is read under new ids and names, with its weights', () => {
    const { scenario, ids } = withPart(fork, read(writePart(fork, ['A', 'B', 'C'])), { x: 32, y: 32 })
    expect(ids).toEqual(['D', 'E', 'F'])
    expect(scenario.stages.slice(3)).toMatchObject([
      { id: 'D', name: 'Sort 2', fanOut: { route: { E: 3, F: 1 } } },
      { id: 'E', name: 'B 2', capacity: 4 },
      { id: 'F', name: 'C 2' },
    ])
    expect(scenario.links.filter((link) => ids.includes(link[0]))).toEqual([
      ['D', 'E'],
      ['D', 'F'],
    ])
    expect(scenario.stages.slice(0, 3)).toEqual(fork.stages)
  })

  test('keeps its resources if the source makes groups, and otherwise loses them', () => {
    const grouped = valid({ source: { kind: 'groups', groups: [3] }, stages: [{ id: 'A', resource: 'group' }] })
    const part = read(writePart(grouped, ['A']))
    expect(withPart(grouped, part, { x: 0, y: 0 }).scenario.stages[1].resource).toBe('group')
    expect(withPart(fork, part, { x: 0, y: 0 }).scenario.stages[3].resource).toBeNull()
  })

  test('of a route with one link left is no route', () => {
    expect(read(writePart(fork, ['A', 'B'])).stages[0].fanOut).toBe('copy')
  })

  test('may be a whole scenario, whose ends are left out', () => {
    const { stages, links } = read(JSON.stringify(compact(fork)))
    expect(stages).toHaveLength(3)
    expect(links).toEqual([
      ['A', 'B'],
      ['A', 'C'],
    ])
  })

  test.each([
    ['Stages, please', ': not a part of a pipeline'],
    ['[1, 2]', ': not a part of a pipeline'],
    ['{ "stages": [] }', 'stages: found an empty list'],
    [
      '{ "stages": [{ "id": "A", "service": { "kind": "constant", "mean": -5 } }] }',
      'stages[0].service.mean: found -5',
    ],
    ['{ "stages": [{ "id": "A" }, { "id": "A" }] }', 'stages[1].id: "A" is listed twice'],
    ['{ "stages": [{ "id": "A" }], "ways": [] }', 'ways: unknown key'],
    ['{ "stages": [{ "id": "A" }], "links": [["A", "Z"]] }', 'links: "Z" is not a stage'],
    [
      '{ "stages": [{ "id": "A" }, { "id": "B" }], "links": [["A", "B"], ["A", "B"]] }',
      'links: "A" → "B" is listed twice',
    ],
  ])('that is none is refused with a reason: %s', (text, problem) => {
    expect(problemsOf(text)[0]).toContain(problem)
    expect(problemsOf(text)[0]).toContain('(in what was pasted)')
  })
})

describe('an unfinished drawing', () => {
  test('is read with its faults, whose links are counted as they are', () => {
    const drawn = parseDraft({
      ...compact(fork),
      links: linksOf('C>A A>C source>B A>B B>sink'),
    })
    if ('problems' in drawn) throw new Error(drawn.problems[0].message)
    const named = drawn.draftProblems.map(({ path }) => drawn.scenario.links[Number(/\d+/.exec(path)?.[0])].join('>'))
    expect(named).toContain('C>A')
    expect(parse(drawn.scenario)).toEqual({ problems: drawn.draftProblems })
  })

  test('is refused if more than the links between stages is wrong', () => {
    expect(parseDraft({ version: 1, stages: [{ id: 'A' }], links: [], workers: 0 })).toMatchObject({
      problems: [{ path: 'workers' }, { path: 'links' }, {}],
    })
  })

  test('has no problems if it can be played', () => {
    expect(parseDraft(fork)).toEqual({ scenario: fork, draftProblems: [] })
  })
})
