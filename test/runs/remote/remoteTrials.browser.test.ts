import { expect, test } from 'vitest'
import { poolCost, poolUse } from '../../../src/measures/pools/poolCost.ts'
import { playFigures, playSwing, playTrajectory } from '../../../src/runs/play/trial.ts'
import { openTrials, Stopped } from '../../../src/runs/remote/remoteTrials.ts'
import { isPid, withGains } from '../../../src/runs/study/gainSearch.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'

const preset = presetOf('elastic-pi')?.scenario
if (preset === undefined || !isPid(preset)) throw new Error('no such preset')
const scenario = { ...preset, source: { ...preset.source, jobs: 3000 } } as typeof preset

test('trials on threads of their own, more than there are threads, are those worked out here: the same jobs, the same luck', async () => {
  const trials = openTrials(2)
  const gains = [0.5, 1, 5, 20, 80].map((kp) => withGains(scenario, { kp, ki: 0.05, kd: 0 }))
  const there = await Promise.all(gains.map((each) => trials.figures(each)))
  const here = await Promise.all(gains.map((each) => playFigures(each)))
  expect(there).toEqual(here)
  const costs = there.map((figures) => poolCost(poolUse(figures), { worker: 1, wait: 1 }))
  expect(Math.min(...costs)).toBeLessThan(costs[1])
  expect(await trials.swing(scenario, 1e6, 4e6)).toEqual(await playSwing(scenario, 1e6, 4e6))
  expect(await trials.trajectory(scenario, 50)).toEqual(await playTrajectory(scenario, 50))
  trials.stop()
})

test('what is asked of trials that are stopped has no answer, whether it was under way or waited its turn', async () => {
  const trials = openTrials(1)
  const asked = [trials.figures(preset), trials.figures(preset), trials.swing(preset, 0, 1e6)].map((each) => each.catch((error: unknown) => error))
  await new Promise((resolve) => setTimeout(resolve, 100))
  trials.stop()
  for (const each of await Promise.all([...asked, trials.figures(preset).catch((error: unknown) => error)])) expect(each).toBeInstanceOf(Stopped)
})
