import { describe, expect, test } from 'vitest'
import { fitLog } from '../../../../src/features/logs/fit/fitLog.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { countJobs } from '../../../../src/scenario/model/sources.ts'
import { isWithin } from '../../../bench/fit.bench.ts'
import { hiddenSystems } from '../../../bench/hiddenSystems.ts'
import { plainLog } from '../../../bench/plainQueue.ts'
import { inFull } from '../../../fixtures/extent.ts'
import { logOf } from './logs.ts'

describe('a scenario that is fitted to a log of another simulator', () => {
  test.runIf(inFull).each([
    ['steady', 2, false],
    ['surge', 3, true],
    ['wave', 3, false],
  ] as const)(
    'has as many jobs and its mean queues, within 35% or 1.5 jobs: %s, seed %i, counted: %s',
    async (name, seed, completed) => {
      const system = hiddenSystems[name](seed)
      const { stages, scenario } = await fitLog(logOf(plainLog(system, seed, { measured: true, completed })))
      const hidden = Array.from({ length: system.seconds }, (_, t) => system.rate(t)).reduce(
        (sum, rate) => sum + rate,
        0,
      )
      expect(Math.abs(countJobs(scenario.source) / hidden - 1)).toBeLessThan(completed ? 0.1 : 0.2)
      expect(stages.filter((stage) => !isWithin(stage))).toEqual([])
      const { stages: played } = metricsOf(await playSimulation(scenario, 0))
      expect(played.map(({ meanQueue }) => meanQueue.toFixed(6))).toEqual(stages.map(({ whole }) => whole.toFixed(6)))
      expect(scenario.policy.kind).toBe('fixed')
      expect(scenario.stages.map((stage) => stage.name)).toEqual(['stage 1', 'stage 2', 'stage 3'])
    },
  )
})
