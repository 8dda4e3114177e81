import { ARRIVED, STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { eachRow, rowsUntil, type Trace } from '../../trace/trace.ts'

/**
 * Returns by stage the first job whose service time has not influenced the run before `at`. It can change without changing a
 * row before `at`. A service time influences the run once the job is begun; where the shortest goes first, once it is in the
 * queue.
 */
export function firstUntouchedJobs(trace: Trace, at: Micros): readonly number[] {
  const { stages } = trace.scenario
  const begun = new Array<number>(stages.length).fill(0)
  let arrived = 0
  eachRow(trace, 0, rowsUntil(trace, at - 1), ({ kind, stage, job }, i) => {
    if (kind[i] === STARTED && job[i] >= begun[stage[i]]) begun[stage[i]] = job[i] + 1
    else if (kind[i] === ARRIVED && job[i] >= arrived) arrived = job[i] + 1
  })
  return begun.map((jobs, s) => (stages[s].discipline === 'shortest' ? arrived : jobs))
}
