import { describe, expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { runJob } from '../../../src/runs/remote/jobThreads.ts'
import { hires } from '../../../src/scenario/model/defaults.ts'
import { MAX_REAL_WORKERS } from '../../../src/scenario/model/limits.ts'
import type { Scenario, Source } from '../../../src/scenario/model/scenario.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
import { logFile } from '../../fixtures/logFile.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { listen, type RunRecording, rowsOf } from './runRecording.ts'

/** Enough jobs to show that a preset runs; people watch the full number. */
const JOBS = 24
const DURATION = 800_000

function shortSource(source: Source): Source {
  if (source.kind === 'sine') return { ...source, duration: DURATION }
  if (source.kind === 'image')
    return { ...source, width: 5 * source.tile, height: 4 * source.tile, iterations: Math.min(source.iterations, 500) }
  if (source.kind === 'groups') return { ...source, groups: source.groups.map((jobs) => Math.ceil(jobs / 3)) }
  return 'jobs' in source && source.jobs !== null ? { ...source, jobs: Math.min(source.jobs, JOBS) } : source
}

async function shortened({ scenario }: (typeof presets)[number]): Promise<{ scenario: Scenario; file: Blob | null }> {
  const file = scenario.source.kind === 'lines' ? logFile(400) : null
  const source =
    file === null
      ? shortSource(scenario.source)
      : { kind: 'lines', ...(await runJob('countLines', { file, most: 400 })) }
  // Presets with more workers than threads allow are for the simulation; a few workers show the rest.
  const workers = scenario.workers > MAX_REAL_WORKERS ? 16 : scenario.workers
  const parsed = scenarioWith({ ...scenario, source, workers })
  return { scenario: parsed, file }
}

/** All hired workers were dismissed by their controller, and none was lost. */
function isKeptAtNone({ trace, endings }: RunRecording): boolean {
  const { kind } = trace.scenario.policy
  if (!hires(kind)) return false
  return endings[0] === 'stuck' && rowsOf(trace, 'dismissed').length === rowsOf(trace, 'hired').length
}

describe('on real workers', () => {
  test.each(presets.map((preset) => ({ preset, title: preset.title })))(
    '$title comes to its end, and every job with it',
    async ({ preset }) => {
      const { scenario, file } = await shortened(preset)
      const recording = listen(scenario)
      await createConductor(pageEnvironment(), { file }).start(scenario, recording.listener)
      const { jobs, completed, failed } = metricsOf(recording.trace)
      expect(jobs).toBeGreaterThan(0)
      // On a busy machine a pool may dismiss its last worker before the last job is served, and a
      // controller without an integral part then sees too few waiting jobs to hire again.
      if (isKeptAtNone(recording)) expect(recording.endings).toEqual(['stuck'])
      else {
        expect(recording.endings, JSON.stringify(recording.failures.slice(0, 5))).toEqual(['drained'])
        expect(completed + failed).toBe(jobs)
      }
      const left = rowsOf(recording.trace, 'released').map(({ job }) => job)
      expect(new Set(left).size).toBe(completed)
      if (scenario.order.kind !== 'none') expect(left).toEqual([...left].sort((a, b) => a - b))
    },
  )
})
