import { eachSeat, type Failure } from '../../pipeline/journal.ts'
import { beganAt, endedAt, FINISHED, kinds, type Rows, rowTime } from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { withFormerPolicies } from '../../scenario/parse/gone.ts'
import type { Trace } from '../trace.ts'

/**
 * The downloaded trace, JSON in parts. `readTraceJson` reads it without any loss.
 *
 *   format, version   "apportion-trace", 1
 *   engine, startedAt, threads, ending, scenario      the run; threads: how many workers took part in it; the scenario as parsed
 *   kinds             the names of the kinds of rows
 *   events            columns of one length, a row each: time (us), kind (index of kinds), stage (index of the scenario's stages),
 *                     worker (from 0), job; began, ended: when the work on the job of a `finished` row began and ended; -1: none
 *   decisions         [row it stands before, stage, seats, stage, seats, ...] with the seats that changed
 *   hashes            of what each decision saw
 *   begins            only of the last rows of a run: { row, time, arrived, released, failed }, see Begins
 *   failures          { time, kind: "job" / "worker", job?, stage?, worker?, reason }; one of the whole run is of a worker without a number
 */
export const TRACE_FORMAT = 'apportion-trace'
export const TRACE_VERSION = 1

/** Numbers in one part: a part stays below a megabyte. */
const PART = 1 << 14

/** Writes the trace as JSON in parts: millions of rows must not become one string. */
export function* writeTraceJson(trace: Trace): Generator<string, void, undefined> {
  const { engine, scenario, startedAt, ending, decisions, failures, formerPolicies, begins } = trace
  const head = {
    format: TRACE_FORMAT,
    version: TRACE_VERSION,
    engine,
    scenario: withFormerPolicies(scenario, formerPolicies),
    startedAt,
    threads: workersEver(scenario),
    ending,
    kinds,
    ...(begins && { begins }),
  }
  yield `${JSON.stringify(head).slice(0, -1)},\n"events":{`
  let comma = ''
  for (const [name, numberAt] of Object.entries(columns)) {
    yield `${comma}\n"${name}":[`
    yield* numbers(trace, numberAt)
    yield ']'
    comma = ','
  }
  yield '},\n"decisions":['
  yield* listed(decisions.length, (d) => `[${[decisions.row[d], ...changesOf(trace, d)].join()}]`)
  yield '],\n"hashes":['
  yield* listed(decisions.length, (d) => `${decisions.hash[d]}`)
  yield '],\n"failures":['
  yield* listed(failures.length, (i) => JSON.stringify(inOrder(failures[i])))
  yield ']}\n'
}

type Column = (rows: Rows, i: number) => number

const columns: Readonly<Record<string, Column>> = {
  time: (rows, i) => rowTime(rows, i),
  kind: (rows, i) => rows.kind[i],
  stage: (rows, i) => rows.stage[i],
  worker: (rows, i) => rows.worker[i],
  job: (rows, i) => rows.job[i],
  began: (rows, i) => (rows.kind[i] === FINISHED ? beganAt(rows, i) : -1),
  ended: (rows, i) => (rows.kind[i] === FINISHED ? endedAt(rows, i) : -1),
}
export const columnNames = Object.keys(columns)

function* numbers({ chunks }: Trace, numberAt: Column): Generator<string, void, undefined> {
  let comma = ''
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PART) {
      const to = Math.min(chunk.length, from + PART)
      const part = new Array<number>(to - from)
      for (let i = from; i < to; i++) part[i - from] = numberAt(chunk, i)
      yield comma + part.join()
      comma = ','
    }
  }
}

function* listed(length: number, at: (i: number) => string): Generator<string, void, undefined> {
  for (let from = 0; from < length; from += PART) {
    const part = Array.from({ length: Math.min(PART, length - from) }, (_, i) => at(from + i))
    yield (from > 0 ? ',\n' : '\n') + part.join(',\n')
  }
}

function changesOf({ decisions }: Trace, d: number): number[] {
  const changes: number[] = []
  eachSeat(decisions, d, (stage, seats) => changes.push(stage, seats))
  return changes
}

function inOrder({ time, kind, job, stage, worker, reason }: Failure): object {
  return { time, kind: kind === 'run' ? 'worker' : kind, job, stage, worker, reason }
}
