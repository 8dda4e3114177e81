import { describe, expect, test } from 'vitest'
import { createSpeech, crowd, enumerated, merged, plain, sentence, sentenceText, stageNames, tParts } from '../../../src/measures/decisions/speech.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

const stages = ['Parse', 'write', 'C', 'D', 'E'].map((name, s) => ({ id: 'ABCDE'[s], name }))
const speech = createSpeech(scenarioWith({ source: { kind: 'batch', jobs: 1 }, stages, workers: 1 }))
const list = (n: number, most?: number) =>
  sentenceText(
    enumerated(
      Array.from({ length: n }, (_, i) => [plain('abcdefgh'[i])]),
      most,
    ),
  )

describe('names in sentences', () => {
  test('of workers and stages are all told up to three, and counted from four on', () => {
    expect([[7], [7, 0], [7, 0, 1], [7, 0, 1, 2]].map((workers) => sentenceText(crowd(workers, speech)))).toEqual([
      'worker 8',
      'workers 8 and 1',
      'workers 8, 1 and 2',
      '4 workers',
    ])
    expect([[1], [1, 0], [1, 0, 2], [1, 0, 2, 3]].map((some) => sentenceText(stageNames(some, speech)))).toEqual([
      'write',
      'write and Parse',
      'write, Parse and C',
      '4 stages',
    ])
  })

  test('carry the number of what they name', () => {
    expect(crowd([7, 0], speech)).toEqual([plain('workers '), { text: '8', worker: 7 }, plain(' and '), { text: '1', worker: 0 }])
    expect(tParts('at <stage></stage> and <none></none>.', { stage: [speech.stage(1)] })).toEqual([
      plain('at '),
      { text: 'write', stage: 1 },
      plain(' and '),
      plain('.'),
    ])
  })

  test('are listed with an and, and beyond the most the first four', () => {
    expect([0, 1, 2, 5].map((n) => list(n))).toEqual(['', 'a', 'a and b', 'a, b, c, d and e'])
    expect([6, 8].map((n) => list(n))).toEqual(['a, b, c, d and 2 more', 'a, b, c, d and 4 more'])
    expect(list(8, 8)).toBe('a, b, c, d, e, f, g and h')
  })
})

describe('a sentence', () => {
  test('begins with a capital, but a name keeps its letters', () => {
    expect(sentence([plain('no other'), plain(' job')])).toEqual([plain('No other'), plain(' job'), plain('. ')])
    expect(sentenceText(sentence([speech.stage(1), plain(' waits')]))).toBe('write waits. ')
    expect(sentence([])).toEqual([])
  })

  test('is merged where neighbours name nothing, without the space at its end', () => {
    const name = speech.stage(0)
    const worker = speech.worker(2)
    expect(merged([plain('a'), plain('b '), name, name, plain(' c'), plain('. '), worker, plain('d '), plain(' ')])).toEqual([
      plain('ab '),
      name,
      name,
      plain(' c. '),
      worker,
      plain('d'),
    ])
    expect(merged([])).toEqual([])
  })
})
