import { describe, expect, test } from 'vitest'
import { publishedOf } from '../../../src/features/pools/published.ts'
import type { Policy } from '../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import golden from '../../golden/elastic-pool.json'

const names = {
  'elastic-p': '1.0-0.0-0.0',
  'elastic-pi': '1.0-5.0e-2-0.0',
  'elastic-pid': '1.0-5.0e-2-5.0e-2',
} as const

describe('the published trajectories', () => {
  test.each(Object.entries(names))('belong to the preset %s, and are those of the file', (key, name) => {
    const preset = presetOf(key)
    if (preset === undefined) throw new Error(`no preset ${key}`)
    const samples = golden.published[name]
    expect(publishedOf(preset.scenario)).toEqual({
      queue: samples.map(({ queueLength }) => queueLength),
      workers: samples.map(({ workers }) => workers),
    })
  })

  test('belong only to their controller and load', () => {
    const scenario = valid(presetOf('elastic-pid')?.scenario)
    const policy = scenario.policy as Extract<Policy, { kind: 'pid' }>
    for (const other of [{ ki: 0.06 }, { kd: 0.1 }, { kp: 2 }, { clamp: 15 }, { every: 20_000 }, { up: -50 }])
      expect(publishedOf({ ...scenario, policy: { ...policy, ...other } })).toBeNull()
    expect(publishedOf({ ...scenario, source: { kind: 'batch', jobs: 9 } })).toBeNull()
    expect(publishedOf({ ...scenario, policy: { kind: 'leastScore', lend: true } })).toBeNull()
  })
})
