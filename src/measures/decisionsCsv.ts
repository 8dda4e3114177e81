import { countRow, createTally, markDone } from '../pipeline/tally.ts'
import { eachRow, type Trace } from '../trace/trace.ts'
import { type Beliefs, estimatesBefore } from './beliefs.ts'
import { decisionTime } from './decision.ts'

/** Decisions in one part. */
const PART = 2048

/**
 * All decisions as CSV in parts, a line each:
 *
 *   decision, time_us, workers, then for every stage: waiting:A, mean_us:A, done:A, seats:A
 *
 * with what the scheduler saw (mean_us: what it believed a job to take) and the seats after the decision.
 */
export function* writeDecisionsCsv(trace: Trace, beliefs: Beliefs): Generator<string, void, undefined> {
  const { scenario, topology, decisions } = trace
  const { stages } = scenario
  const heads = stages.flatMap(({ id }) => [`waiting:${id}`, `mean_us:${id}`, `done:${id}`, `seats:${id}`])
  yield `${['decision', 'time_us', 'workers', ...heads].join()}\r\n`
  const tally = createTally(scenario)
  const done = new Uint8Array(stages.length)
  const seats = stages.map(() => 0)
  let row = 0
  let lines: string[] = []
  for (let d = 0; d < decisions.length; d++) {
    eachRow(trace, row, decisions.row[d], (rows, i) => countRow(topology, tally, rows, i))
    row = decisions.row[d]
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++) seats[decisions.stage[c]] = decisions.seats[c]
    markDone(topology, tally, done)
    const means = estimatesBefore(beliefs, row, tally)
    const cells = stages.flatMap((_, s) => [tally.waiting[s], means[s], done[s], seats[s]])
    lines.push([d + 1, decisionTime(trace, d), tally.live, ...cells].join())
    if (lines.length < PART) continue
    yield `${lines.join('\r\n')}\r\n`
    lines = []
  }
  if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
}
