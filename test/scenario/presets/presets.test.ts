import { describe, expect, test } from 'vitest'
import { declaredMeans } from '../../../src/scenario/model/distributions.ts'
import { MAX_SERVICES_ON_THREADS } from '../../../src/scenario/model/limits.ts'
import { countJobs, lastArrival } from '../../../src/scenario/model/sources.ts'
import { defaultPreset, frontPreset } from '../../../src/scenario/presets/preset.ts'
import { momentOf, presetOf, presets } from '../../../src/scenario/presets/presets.ts'
import { valid } from '../../fixtures/anyScenario.ts'

describe('presets', () => {
  test.each(presets.map((preset) => ({ preset, title: preset.title })))(
    '$title is a scenario as parse returns it',
    ({ preset }) => {
      expect(valid(preset.scenario)).toEqual(preset.scenario)
      expect(preset.scenario.title).toBe(preset.title)
    },
  )

  test.each(presets.map((preset) => ({ preset, title: preset.title })))(
    '$title is short: ten seconds, and at most 2,000 jobs unless theory or the published figures need many',
    ({ preset: { key, scenario } }) => {
      // The published load lasts a minute.
      if (key.startsWith('elastic-')) {
        expect(countJobs(scenario.source)).toBeLessThanOrEqual(MAX_SERVICES_ON_THREADS)
        return
      }
      // Thousands of workers are busy with thousands of jobs.
      const many = key === 'ten-thousand-workers' ? 30_000 : /one-queue/.test(key) ? 20_000 : 2000
      expect(countJobs(scenario.source)).toBeLessThanOrEqual(many)
      const work = (countJobs(scenario.source) * declaredMeans(scenario).reduce((a, b) => a + b, 0)) / scenario.workers
      expect(Math.max(work, lastArrival(scenario.source))).toBeLessThan(8_000_000)
    },
  )

  test('with a moment to show are recognised by it, also from a link, until the scenario is edited', () => {
    const alabama = presetOf('alabama')
    if (alabama === undefined) throw new Error('there is no such preset')
    expect(momentOf(valid(JSON.parse(JSON.stringify(alabama.scenario))))).toBe(300_000)
    expect(momentOf({ ...alabama.scenario, workers: 9 })).toBeNull()
    for (const { about, scenario } of presets)
      expect(momentOf(scenario) !== null, about).toBe(/^At 0\.3 s|^After a second/.test(about))
  })

  test('have keys of their own, and say in one sentence what they show', () => {
    expect(new Set(presets.map(({ key }) => key)).size).toBe(presets.length)
    for (const { title } of presets) expect(title).toMatch(/^[A-Z].{3,50}$/)
    expect(new Set(presets.map(({ title }) => title)).size).toBe(presets.length)
    for (const { about } of presets) expect(about).toMatch(/^[A-Z].{20,160}\.$/)
  })

  test('begin with the preset of the front page, the worked example and the one on the screen', () => {
    expect(presets.slice(0, 3).map(({ key }) => key)).toEqual([frontPreset.key, 'worked-example', defaultPreset.key])
    expect(presetOf('no such key')).toBeUndefined()
  })

  test('contain the example that explains the format, in seconds from its first vote on', () => {
    const written = {
      version: 1,
      title: 'Worked example',
      seed: 1,
      source: { kind: 'batch', jobs: 3 },
      stages: [
        { id: 'A', name: 'A', service: { kind: 'constant', mean: 1_000_000 }, work: 'wait' },
        { id: 'B', name: 'B', service: { kind: 'constant', mean: 1_000_000 }, work: 'wait' },
      ],
      workers: 2,
      policy: { kind: 'leastScore' },
      estimator: { kind: 'mean', prior: 'declared' },
    }
    expect(presetOf('worked-example')?.scenario).toEqual(valid(written))
  })
})
