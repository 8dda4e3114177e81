import { beforeEach, describe, expect, test } from 'vitest'
import { chooseEngine, openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { createTrace } from '../../../../src/trace/trace.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'

const session = pageSession()

const scenarioOf = (key: string) => {
  const preset = presetOf(key)
  if (preset === undefined) throw new Error('there is no such preset')
  return preset.scenario
}
const [rush, tie] = ['rush-hour', 'a-tie'].map(scenarioOf)

beforeEach(() => chooseEngine(session, 'simulation'))

describe('another scenario that is opened', () => {
  test('removes the run of the scenario before from the screen', () => {
    const trace = createTrace(rush, 'simulation', 0)
    const run = { scenario: rush, trace, chart: createChart(trace), startedAt: 0 }
    runStore(session).setState({ phase: 'ended', run, status: () => 'Finished.' })
    openScenario(session, tie)
    expect(scenarioStore(session).getState().scenario).toBe(tie)
    expect(runStore(session).getState()).toMatchObject({ phase: 'idle', run: null, output: null })
    expect(runStore(session).getState().status()).toBe('Ready. Press Run.')
    runStore(session).setState({ phase: 'running', run })
    openScenario(session, rush)
    expect(runStore(session).getState()).toMatchObject({ phase: 'idle', run: null })
    expect(runStore(session).getState().status()).toBe('Stopped: another scenario was opened.')
  })

  test('sets the engine only for itself: the next scenario opens with the engine that the person chose', () => {
    openScenario(session, rush, 'threads')
    expect(runStore(session).getState().engine).toBe('threads')
    openScenario(session, tie)
    expect(runStore(session).getState().engine).toBe('simulation')
    chooseEngine(session, 'threads')
    openScenario(session, rush)
    expect(runStore(session).getState().engine).toBe('threads')
    openScenario(session, tie, 'simulation')
    openScenario(session, rush)
    expect(runStore(session).getState().engine).toBe('threads')
  })
})
