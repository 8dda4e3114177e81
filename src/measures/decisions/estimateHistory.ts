import { createEstimates, type Estimates, estimateInto, observe } from '../../allocation/estimate.ts'
import { grown } from '../../pipeline/column.ts'
import type { Counts } from '../../pipeline/counts.ts'
import { FINISHED, serviceAt } from '../../pipeline/rows.ts'
import type { Estimator, Micros } from '../../scenario/model/scenario.ts'
import { phasesOf, scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { declaredMeans } from '../../scenario/model/serviceMean.ts'
import { eachRow, stateBefore, type Trace } from '../../trace/trace.ts'

/**
 * What the scheduler believed a job to cost at each stage, at any row of a trace that may still grow.
 *
 * What is believed of a stage depends on the jobs finished there and on nothing else, so the number of them says where to
 * look it up. The plain mean is even in the counts of the trace; for the other estimators each stage keeps a column:
 *
 *   finished at stage s       1st   2nd   3rd  ...
 *   history[s].mean         [ m1,   m2,   m3   ...      8 bytes a service
 *
 * Where the scenario turns to another estimator, that one has learned all there was from the start.
 */
export interface EstimateHistory {
  readonly trace: Trace
  readonly learners: ReadonlyMap<Estimator, Learner>
  /** Rows taken in so far. */
  rows: number
}

interface Learner {
  readonly estimates: Estimates
  readonly history: readonly History[]
}

interface History {
  length: number
  mean: Float64Array
}

export function createEstimateHistory(trace: Trace): EstimateHistory {
  const { scenario } = trace
  const learner = (estimator: Estimator): Learner => ({
    estimates: createEstimates(estimator, estimator.prior, declaredMeans(scenario)),
    history: scenario.stages.map(() => ({ length: 0, mean: new Float64Array(16) })),
  })
  return { trace, learners: new Map(phasesOf(scenario).map(({ estimator }) => [estimator, learner(estimator)])), rows: 0 }
}

/** Takes in at most `most` of the rows the trace has got since the last time; returns whether it is up to date. Looking up does so by itself, all at once. */
export function extendEstimateHistory(estimateHistory: EstimateHistory, most = Infinity): boolean {
  const { trace, learners } = estimateHistory
  const end = Math.min(trace.length, estimateHistory.rows + most)
  for (const { estimates, history } of learners.values()) {
    if (estimates.kind.kind === 'mean') continue
    eachRow(trace, estimateHistory.rows, end, (rows, i) => {
      if (rows.kind[i] !== FINISHED) return
      const stage = rows.stage[i]
      observe(estimates, stage, serviceAt(rows, i))
      remember(history[stage], estimates.mean[stage])
    })
  }
  estimateHistory.rows = end
  return end === trace.length
}

/**
 * The estimated service times by stage before row `row`, in microseconds, as the scheduler had them, digit for digit.
 *
 * @param tally how things stood there, for whoever has it already
 */
export function estimatesBefore(estimateHistory: EstimateHistory, row: number, counts: Counts = stateBefore(estimateHistory.trace, row).counts): Float64Array {
  if (estimateHistory.rows < row) extendEstimateHistory(estimateHistory, row - estimateHistory.rows)
  const { estimator } = scenarioAtPhase(estimateHistory.trace.scenario, counts.phase)
  const { estimates, history } = estimateHistory.learners.get(estimator) as Learner
  const plain = estimator.kind === 'mean'
  const count = new Float64Array(counts.finished)
  const mean = new Float64Array(count.length)
  let unmeasured = 0
  // A plain loop: a log of all decisions asks for each.
  for (let s = 0; s < count.length; s++) {
    const n = count[s]
    if (n === 0) unmeasured++
    else mean[s] = plain ? counts.serviceSum[s] / n : history[s].mean[n - 1]
  }
  const out = new Float64Array(count.length)
  estimateInto({ ...estimates, count, mean, unmeasured }, out)
  return out
}

function remember(history: History, mean: Micros): void {
  if (history.length === history.mean.length) history.mean = grown(history.mean, history.length)
  history.mean[history.length++] = mean
}
