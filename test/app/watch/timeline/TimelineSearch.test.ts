import { describe, expect, test } from 'vitest'
import { find, findable } from '../../../../src/app/watch/timeline/TimelineSearch.tsx'
import { defaultPreset } from '../../../../src/scenario/presets/firstRuns.ts'

const { scenario } = defaultPreset
const labels = (text: string, workers = 8, jobs = 600) => find(text, scenario, workers, jobs).map(({ label }) => label)

describe('what is found on the timeline', () => {
  test('are stages by any part of their names, those that begin so first', () => {
    const [first, second] = scenario.stages.map(({ name }) => name)
    expect(labels(first.toUpperCase())[0]).toBe(first)
    expect(labels(second.slice(1))).toContain(second)
    expect(labels('no such stage')).toEqual([])
    expect(labels('  ')).toEqual([])
  })

  test('are workers and jobs by their numbers, as people count', () => {
    expect(labels('w3')).toEqual(['Worker 3'])
    expect(labels('worker 3')).toEqual(['Worker 3'])
    expect(labels('#12')).toEqual(['Job 12'])
    expect(labels('job 12')).toEqual(['Job 12'])
    expect(labels('3')).toEqual(['Worker 3', 'Job 3'])
    expect(labels('12')).toEqual(['Job 12'])
    expect(labels('1,200', 8, 2000)).toEqual(['Job 1,200'])
    expect(find('job 12', scenario, 8, 600)[0].focus).toEqual({ kind: 'job', job: 11 })
  })

  test('finds no worker or job that does not exist', () => {
    expect(labels('w9')).toEqual([])
    expect(labels('job 601')).toEqual([])
    expect(labels('0')).toEqual([])
  })

  test('may be any of those who are named where nothing is found', () => {
    expect(findable(8, 1200)).toBe('stages by name, workers 1 to 8, jobs 1 to 1,200')
    expect(findable(1, 0)).toBe('stages by name, worker 1')
  })
})
