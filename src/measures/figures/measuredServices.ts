import { FINISHED } from '../../pipeline/rows.ts'
import type { Service } from '../../scenario/model/scenario.ts'
import { eachRow, type Trace } from '../../trace/trace.ts'

/** Values of a measured distribution: few enough for a link. */
const VALUES = 32

/**
 * Returns by stage how long services really took, as a distribution of the same mean: sorted, cut into slices of equal size,
 * and the mean of each. Null where nothing was served.
 */
export function measuredServices(trace: Trace): (Service | null)[] {
  const all: number[][] = trace.scenario.stages.map(() => [])
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === FINISHED) all[rows.stage[i]].push(rows.lasted[i])
  })
  return all.map((times) => (times.length === 0 ? null : { kind: 'empirical', values: slices(times.sort((a, b) => a - b)) }))
}

function slices(sorted: readonly number[]): number[] {
  const many = Math.min(VALUES, sorted.length)
  return Array.from({ length: many }, (_, k) => {
    const slice = sorted.slice(Math.floor((k * sorted.length) / many), Math.floor(((k + 1) * sorted.length) / many))
    return Math.max(1, Math.round(slice.reduce((sum, time) => sum + time, 0) / slice.length))
  })
}
