import { ARRIVED, STARTED } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { eachRow, rowsUntil, type Trace } from '../../trace/trace.ts'

/**
 * By stage, one more than the greatest number of a job whose service time had borne on the run before `at`: from that job on it
 * may be another without a row before `at` being another. A job's time bears on the run once it is begun; where the shortest goes
 * first, once it has come to the queue, and what has arrived may be there.
 */
export function begunBefore(trace: Trace, at: Micros): readonly number[] {
  const { stages } = trace.scenario
  const begun = new Array<number>(stages.length).fill(0)
  let arrived = 0
  eachRow(trace, 0, rowsUntil(trace, at - 1), ({ kind, stage, job }, i) => {
    if (kind[i] === STARTED && job[i] >= begun[stage[i]]) begun[stage[i]] = job[i] + 1
    else if (kind[i] === ARRIVED && job[i] >= arrived) arrived = job[i] + 1
  })
  return begun.map((jobs, s) => (stages[s].discipline === 'shortest' ? arrived : jobs))
}
