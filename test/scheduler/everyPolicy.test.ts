import { expect, test } from 'vitest'
import { loadCode } from '../../src/features/code/sandbox/loadCode.ts'
import { metricsOf } from '../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { setPolicy } from '../../src/scenario/edit/edits.ts'
import { policies } from '../../src/scenario/model/policies.ts'
import type { PolicyKind } from '../../src/scenario/model/scenario.ts'
import { presetOf } from '../../src/scenario/presets/presets.ts'
import { valid } from '../fixtures/anyScenario.ts'

const rush = presetOf('rush-hour')?.scenario
if (rush === undefined) throw new Error('there is no such scenario')

test.each(Object.keys(policies) as PolicyKind[])(
  '%s plays the rush hour to its end, and every job comes out',
  async (kind) => {
    const trace = await playSimulation(valid(setPolicy(rush, kind)), 0, undefined, loadCode)
    expect(trace.ending).toBe('drained')
    expect(metricsOf(trace)).toMatchObject({ jobs: 600, completed: 600 })
  },
)
