import { createChart, extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, rest, stepInSlices } from '../../../runs/remote/inSlices.ts'
import type { Compared } from '../../../runs/study/compare.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { append, catchUp, createTrace } from '../../../trace/trace.ts'
import type { Run } from '../run/runStore.ts'

/** Returns a run made of the record that a thread has sent. Reads it in slices, so that the page keeps answering. */
export async function runOfJournals(
  scenario: Scenario,
  { metrics, failures, ending, journals }: Compared,
  note?: string,
): Promise<Run> {
  const trace = createTrace(scenario, 'simulation', Date.now())
  await rest()
  const remaining = (journals ?? []).values()
  await stepInSlices(() => {
    const { value, done = false } = remaining.next()
    if (value !== undefined) append(trace, value)
    return done
  })
  trace.failures.push(...failures)
  trace.ending = ending
  const run: Run = {
    scenario,
    trace,
    chart: createChart(trace),
    startedAt: 0,
    figures: metrics,
    ...(note !== undefined && { note }),
  }
  await stepInSlices(() => catchUp(trace, ROWS_A_STEP))
  await stepInSlices(() => extendChart(run.chart, ROWS_A_STEP))
  return run
}
