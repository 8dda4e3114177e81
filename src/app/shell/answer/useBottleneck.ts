import { useMemo } from 'react'
import { bottleneckOf, type StagePeak } from '../../../measures/figures/occupancy.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { ROWS_A_STEP, stepInSlices } from '../../../runs/remote/inSlices.ts'
import { useLater } from '../../base/page/useLater.ts'
import type { Run } from '../../session/run/runStore.ts'

/** Returns the bottleneck of a run that has ended; null until its record is read, in slices. */
export function useBottleneck(run: Run | null): StagePeak | null {
  const isRead = run !== null && run.chart.rows === run.trace.length
  const later = useLater(isRead ? null : run, readChart)
  return useMemo(
    () => (run !== null && (isRead || later !== null) ? bottleneckOf(run.trace, run.chart) : null),
    [run, isRead, later],
  )
}

async function readChart({ chart }: Run, signal: AbortSignal): Promise<true> {
  await stepInSlices(() => signal.aborted || extendChart(chart, ROWS_A_STEP))
  return true
}
