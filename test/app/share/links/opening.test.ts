import { beforeEach, describe, expect, test } from 'vitest'
import { chooseEngine, openScenario, runStore } from '../../../../src/app/session/run/runStore.ts'
import { scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createEstimateHistory } from '../../../../src/measures/decisions/estimateHistory.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { createTrace } from '../../../../src/trace/trace.ts'

const scenarioOf = (key: string) => {
  const preset = presetOf(key)
  if (preset === undefined) throw new Error('there is no such preset')
  return preset.scenario
}
const [rush, tie] = ['rush-hour', 'a-tie'].map(scenarioOf)

beforeEach(() => chooseEngine('simulation'))

describe('another scenario that is opened', () => {
  test('takes the run of the one before off the screen', () => {
    const trace = createTrace(rush, 'simulation', 0)
    const run = { scenario: rush, trace, chart: createChart(trace), estimateHistory: createEstimateHistory(trace), startedAt: 0 }
    runStore.setState({ phase: 'ended', run, status: () => 'Finished.' })
    openScenario(tie)
    expect(scenarioStore.getState().scenario).toBe(tie)
    expect(runStore.getState()).toMatchObject({ phase: 'idle', run: null, output: null })
    expect(runStore.getState().status()).toBe('Ready. Press Run.')
    runStore.setState({ phase: 'running', run })
    openScenario(rush)
    expect(runStore.getState()).toMatchObject({ phase: 'idle', run: null })
    expect(runStore.getState().status()).toBe('Stopped: another scenario was opened. Press Run.')
  })

  test('sets the engine it wishes for itself alone: the next goes back to the one that was chosen by hand', () => {
    openScenario(rush, 'threads')
    expect(runStore.getState().engine).toBe('threads')
    openScenario(tie)
    expect(runStore.getState().engine).toBe('simulation')
    chooseEngine('threads')
    openScenario(rush)
    expect(runStore.getState().engine).toBe('threads')
    openScenario(tie, 'simulation')
    openScenario(rush)
    expect(runStore.getState().engine).toBe('threads')
  })
})
