import { createEstimates, estimateInto, observe } from '../../allocation/estimate.ts'
import { grown } from '../../pipeline/column.ts'
import type { Counts } from '../../pipeline/counts.ts'
import { looksAtAges } from '../../pipeline/outlook.ts'
import { ARRIVED, FINISHED, rowTime } from '../../pipeline/rows.ts'
import { declaredMeans } from '../../scenario/model/distributions.ts'
import type { Estimator, Micros, Scenario } from '../../scenario/model/scenario.ts'
import { phasesOf, scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { eachRow, stateBefore, type Trace } from '../../trace/trace.ts'

/** Returns the estimated service times at any row. Estimators but the mean keep a column, 8 bytes a service. */
export function createEstimateHistory(trace: Trace) {
  const learners = new Map(
    phasesOf(trace.scenario).map(({ estimator }) => [estimator, createLearner(trace.scenario, estimator)]),
  )
  const arrivals = phasesOf(trace.scenario).some(({ policy }) => looksAtAges(policy)) ? createColumn() : null
  // `rows`: read so far.
  return { trace, learners, arrivals, rows: 0 }
}

function createLearner(scenario: Scenario, estimator: Estimator) {
  return {
    estimates: createEstimates(estimator, estimator.prior, declaredMeans(scenario)),
    history: scenario.stages.map(createColumn),
  }
}

function createColumn() {
  return { length: 0, values: new Float64Array(16) }
}

const histories = new WeakMap<Trace, EstimateHistory>()

/** Returns the history of a trace, made when it is first asked for. */
export function estimateHistoryOf(trace: Trace): EstimateHistory {
  const history = histories.get(trace) ?? createEstimateHistory(trace)
  histories.set(trace, history)
  return history
}

export type EstimateHistory = ReturnType<typeof createEstimateHistory>

/** Reads at most `maxRows` new rows. Returns whether it is up to date. */
export function extendEstimateHistory(estimateHistory: EstimateHistory, maxRows = Infinity): boolean {
  const { trace, learners, arrivals } = estimateHistory
  const end = Math.min(trace.length, estimateHistory.rows + maxRows)
  if (arrivals !== null)
    eachRow(trace, estimateHistory.rows, end, (rows, i) => {
      if (rows.kind[i] === ARRIVED) remember(arrivals, rowTime(rows, i))
    })
  for (const { estimates, history } of learners.values()) {
    if (estimates.kind.kind === 'mean') continue
    eachRow(trace, estimateHistory.rows, end, (rows, i) => {
      if (rows.kind[i] !== FINISHED) return
      const stage = rows.stage[i]
      observe(estimates, stage, rows.lasted[i])
      remember(history[stage], estimates.mean[stage])
    })
  }
  estimateHistory.rows = end
  return end === trace.length
}

/** Returns the estimates by stage before row `row`, in microseconds, as the scheduler had them. */
export function estimatesBefore(
  estimateHistory: EstimateHistory,
  row: number,
  counts: Counts = stateBefore(estimateHistory.trace, row).counts,
): Float64Array {
  if (estimateHistory.rows < row) extendEstimateHistory(estimateHistory, row - estimateHistory.rows)
  const { estimator } = scenarioAtPhase(estimateHistory.trace.scenario, counts.phase)
  const { estimates, history } = estimateHistory.learners.get(estimator) as ReturnType<typeof createLearner>
  const plain = estimator.kind === 'mean'
  const count = new Float64Array(counts.finished)
  const mean = new Float64Array(count.length)
  let unmeasured = 0
  // A plain loop: the log of decisions asks for each.
  for (let s = 0; s < count.length; s++) {
    const n = count[s]
    if (n === 0) unmeasured++
    else mean[s] = plain ? counts.serviceSum[s] / n : history[s].values[n - 1]
  }
  const out = new Float64Array(count.length)
  estimateInto({ ...estimates, count, mean, unmeasured }, out)
  return out
}

/** Returns when each job before row `row` arrived; none if no policy asks. */
export function arrivalsBefore(estimateHistory: EstimateHistory, row: number): ArrayLike<Micros> {
  if (estimateHistory.rows < row) extendEstimateHistory(estimateHistory, row - estimateHistory.rows)
  return estimateHistory.arrivals?.values ?? []
}

function remember(column: { length: number; values: Float64Array }, value: Micros): void {
  if (column.length === column.values.length) column.values = grown(column.values, column.length)
  column.values[column.length++] = value
}
