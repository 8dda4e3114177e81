import { describe, expect, test } from 'vitest'
import { find } from '../../../../src/app/watch/timeline/TimelineSearch.tsx'
import { defaultPreset } from '../../../../src/scenario/presets/preset.ts'

const { scenario } = defaultPreset
const labels = (text: string, workers = 8, jobs = 600) => find(text, scenario, workers, jobs).map(({ label }) => label)

describe('the hits on the timeline', () => {
  test('are stages by any part of their names; names that begin with the text are first', () => {
    const [first, second] = scenario.stages.map(({ name }) => name)
    expect(labels(first.toUpperCase())[0]).toBe(first)
    expect(labels(second.slice(1))).toContain(second)
    expect(labels('no such stage')).toEqual([])
    expect(labels('  ')).toEqual([])
    expect(find(second, scenario, 8, 600)[0].focus).toEqual({ kind: 'stage', stage: 1 })
  })

  test.each([
    ['w3', ['Worker 3']],
    ['worker 3', ['Worker 3']],
    ['#12', ['Job 12']],
    ['job 12', ['Job 12']],
    ['3', ['Worker 3', 'Job 3']],
    ['1,200', ['Job 1,200']],
    ['w9', []],
    ['job 2,001', []],
    ['0', []],
  ])('by number, as people count, for "%s": %s', (text, found) => {
    expect(labels(text, 8, 2000)).toEqual(found)
    for (const { label, focus } of find(text, scenario, 8, 2000))
      expect(focus).toMatchObject({ [focus.kind]: Number(label.replace(/\D/g, '')) - 1 })
  })
})
