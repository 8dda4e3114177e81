import { describe, expect, test } from 'vitest'
import { engineNames, engines, isRealTime, ownEngines } from '../../../src/scenario/model/engines.ts'
import { stageLabels } from '../../../src/scenario/model/linearStages.ts'
import { counted, listed, pathOf, quoted, quotedPath, valueText } from '../../../src/scenario/model/words.ts'
import { valid } from '../../fixtures/anyScenario.ts'

describe('engines', () => {
  test('have different names and places; only a room needs an address, and only the simulation has a clock of its own', () => {
    expect(engineNames.map((name) => `${engines[name].name()}, ${engines[name].where()}`)).toEqual([
      'Simulation, in the simulation',
      'Web Workers, on Web Workers',
      'Own functions, on functions of your own',
      'Room, in the room',
    ])
    expect(ownEngines).toEqual(['simulation', 'threads'])
    expect(engineNames.filter(isRealTime)).toEqual(['threads', 'functions', 'room'])
  })
})

describe('stages', () => {
  test('are shown by name if it is unique, otherwise by id', () => {
    const of = (...stages: readonly object[]) => stageLabels(valid({ version: 1, workers: 1, stages }))
    expect(of({ id: 'A', name: 'Read' }, { id: 'B', name: 'Write' }, { id: 'C' })).toEqual(['Read', 'Write', 'C'])
    expect(of({ id: 'A', name: 'Read' }, { id: 'B', name: 'Read' })).toEqual(['A', 'B'])
    expect(of({ id: 'A', name: 'B' }, { id: 'B', name: 'Write' })).toEqual(['A', 'Write'])
    expect(of({ id: 'A', name: 'B' }, { id: 'B' })).toEqual(['A', 'B'])
  })
})

describe('values in words', () => {
  test('a path that is long keeps its end, and its invisible characters are escaped', () => {
    expect(quotedPath('/a/stäges.js')).toBe('"/a/stäges.js"')
    expect(quotedPath(`/${'deep/'.repeat(40)}stages.js`)).toBe(`"...${'deep/'.repeat(40).slice(-71)}stages.js"`)
    expect(quotedPath('/a\u202eb')).toBe('"/a\\u{202e}b"')
  })

  test('are shown unchanged if they are short, otherwise by their size', () => {
    const values = [undefined, null, true, 1.5, 'x', [], [1, 2], {}, () => 1, 5n]
    expect(values.map(valueText)).toEqual([
      'nothing',
      'null',
      'true',
      '1.5',
      '"x"',
      'an empty list',
      'a list of 2',
      'an object',
      'a function',
      'a bigint',
    ])
  })

  test('are cut at 40 characters, however wide, or earlier if escapes make them long', () => {
    expect(quoted('x'.repeat(40))).toBe(`"${'x'.repeat(40)}"`)
    expect(quoted('x'.repeat(41))).toBe(`"${'x'.repeat(40)}..."`)
    expect(quoted('😀'.repeat(41))).toBe(`"${'😀'.repeat(40)}..."`)
    expect(quoted('x'.repeat(1000))).toBe(`"${'x'.repeat(40)}..."`)
    expect(quoted('\u202e'.repeat(30))).toBe(`"${'\\u{202e}'.repeat(15)}..."`)
    expect(quoted('a"b\\c')).toBe('"a\\"b\\\\c"')
  })

  test('are counted and listed', () => {
    expect([counted(1, 'job'), counted(1000, 'job')]).toEqual(['1 job', '1,000 jobs'])
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'], 'or')]).toEqual([
      '',
      'a',
      'a and b',
      'a, b or c',
    ])
  })

  test('have a path whose keys are in quotes if they are no words', () => {
    expect(pathOf(['stages', 2, 'service', 'mean'])).toBe('stages[2].service.mean')
    expect(pathOf(['a b', '$x', '7', 'x'.repeat(41), Symbol.iterator])).toBe(
      `["a b"].$x["7"]["${'x'.repeat(40)}..."]["Symbol(Symbol.iterator)"]`,
    )
    expect(pathOf([0, 'x-y'])).toBe('[0].x-y')
  })
})
