import { describe, expect, test } from 'vitest'
import { commandsOf, registerCommands } from '../../../src/app/session/commands.ts'
import { limitPlayhead, onScene, paint } from '../../../src/app/session/page/painter.ts'
import { openPanel, panelStore } from '../../../src/app/session/page/showing.ts'
import { openScenario, showRun } from '../../../src/app/session/run/opening.ts'
import { playback } from '../../../src/app/session/run/playback.ts'
import { movePlayback, type Run, runStore } from '../../../src/app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore, select, undo } from '../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import { branchCommands } from '../../../src/app/shell/features/coreCommands.ts'
import { createChart } from '../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { setWorkers } from '../../../src/scenario/edit/edits.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { catchUp } from '../../../src/trace/trace.ts'

const scenarioOf = (preset: string) => presetOf(preset)?.scenario ?? expect.fail(`no preset ${preset}`)
const opened = (session: Session) => scenarioStore(session).getState().scenario

async function runOf(session: Session): Promise<Run> {
  const scenario = opened(session)
  const trace = await playSimulation(scenario, 0)
  catchUp(trace)
  return { scenario, trace, chart: createChart(trace), startedAt: 0 }
}

describe('two sessions in one page', () => {
  test('have their own scenarios, undo and problems', () => {
    const [a, b] = [createSession(), createSession()]
    openScenario(a, scenarioOf('worked-example'))
    openScenario(b, scenarioOf('rush-hour'))
    editOrShowProblems(a, (now) => setWorkers(now, 5))
    editOrShowProblems(b, (now) => setWorkers(now, 0))
    expect([opened(a).workers, opened(b).workers]).toEqual([5, 8])
    expect(scenarioStore(a).getState().problems).toEqual([])
    expect(scenarioStore(b).getState().problems[0]).toMatchObject({ path: 'workers' })
    undo(a)
    expect([opened(a).workers, opened(b).title]).toEqual([2, scenarioOf('rush-hour').title])
  })

  test('have their own runs and playheads, and stop at their own breakpoints', async () => {
    const [a, b] = [createSession(), createSession()]
    openScenario(a, scenarioOf('worked-example'))
    openScenario(b, scenarioOf('rush-hour'))
    await showRun(a, await runOf(a), 1_500_000)
    expect(runStore(a).getState().run?.scenario).toBe(opened(a))
    expect(runStore(b).getState()).toMatchObject({ run: null, phase: 'idle' })
    expect([playback(a).time, playback(b).time]).toEqual([1_500_000, 0])
    const times: number[] = []
    limitPlayhead(a, (_, __, wanted) => Math.min(wanted, 2_000_000))
    onScene(a, (scene) => scene !== null && times.push(scene.frame.time))
    movePlayback(a, { playing: true })
    paint(a, 5000)
    paint(b, 5000)
    expect(times).toEqual([2_000_000])
  })

  test('open their own panels and offer their own commands', () => {
    const [a, b] = [createSession(), createSession()]
    openPanel(b, 'figures')
    expect(panelStore(a).getState().panel).toBe('decision')
    select(a, 'source')
    expect([panelStore(a).getState().panel, panelStore(b).getState().panel]).toEqual(['scenario', 'figures'])
    const end = registerCommands(a, branchCommands)
    expect(commandsOf(a).map(({ name }) => name)).toEqual(['fork'])
    expect(commandsOf(b)).toEqual([])
    end()
    expect(commandsOf(a)).toEqual([])
  })
})
