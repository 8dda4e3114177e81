import { expect, test } from 'vitest'
import { frameAt, serviceIn } from '../../../src/measures/frame/frame.ts'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { FINISHED, rowTime, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { frontPreset } from '../../../src/scenario/presets/preset.ts'
import { eachRow, traceRow } from '../../../src/trace/trace.ts'
import { serviceNote } from '../../../src/views/pipeline/stageCard.ts'

const SLOW = 2

test('a stage that gets slower is marked from the first slower job on; on real workers with the time measured since', async () => {
  const { scenario } = frontPreset
  const trace = await playSimulation(scenario, 0)
  const chart = createChart(trace)
  extendChart(chart)
  const rows = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).filter(({ stage }) => stage === SLOW)
  const since = rows.find(({ kind, job }) => kind === STARTED && job >= 50)?.time ?? expect.fail('no job got slower')
  const noteAt = (time: number, real = false) => serviceNote(serviceIn(chart, frameAt(trace, time), SLOW), real)
  expect(noteAt(since - 1)).toBeNull()
  for (const time of [since, since + 1, 2 * since])
    expect(noteAt(time)).toEqual({ texts: ['20 ms → 100 ms'], slow: true })
  const end = 2 * since
  const lasted: number[] = []
  eachRow(trace, 0, trace.length, (rows, i) => {
    const time = rowTime(rows, i)
    if (rows.kind[i] === FINISHED && rows.stage[i] === SLOW && time > since && time <= end) lasted.push(rows.lasted[i])
  })
  const { measured, services } = serviceIn(chart, frameAt(trace, end), SLOW)
  expect(services).toBe(lasted.length)
  expect(measured).toBeCloseTo(lasted.reduce((sum, each) => sum + each, 0) / lasted.length)
  expect(noteAt(end, true)?.texts[0]).toMatch(/^20 ms → 100 ms · measured \d/)
  expect(serviceNote(serviceIn(chart, frameAt(trace, end), 0), false)).toBeNull()
})
