import type { ThreadsListener } from '../../../src/engine/conductor/conductedRun.ts'
import type { TilePixels } from '../../../src/engine/work/mandelbrot.ts'
import type { Output } from '../../../src/engine/work/payloads.ts'
import type { Ending, Failure } from '../../../src/pipeline/journal.ts'
import { kinds } from '../../../src/pipeline/rows.ts'
import type { EngineName } from '../../../src/scenario/model/engines.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { append, createTrace, eachRow, endOf, type Trace, traceRow } from '../../../src/trace/trace.ts'

/** All events that a listener received in one run. */
export interface RunRecording {
  readonly trace: Trace
  readonly failures: Failure[]
  readonly endings: Ending[]
  output: Output | null
  /** In order of arrival. */
  readonly tiles: TilePixels[]
  /** On `performance.now()`: when the first `started` row came. */
  firstStart: number
  readonly listener: ThreadsListener
}

export function listen(scenario: Scenario, engine: EngineName = 'threads'): RunRecording {
  const trace = createTrace(scenario, engine, 0)
  const recording: RunRecording = {
    trace,
    failures: [],
    endings: [],
    output: null,
    tiles: [],
    firstStart: Number.NaN,
    listener: {
      journal(journal) {
        append(trace, journal)
        if (
          Number.isNaN(recording.firstStart) &&
          journal.rows.kind.subarray(0, journal.rows.length).includes(kinds.indexOf('started'))
        )
          recording.firstStart = performance.now()
      },
      failure: (failure) => recording.failures.push(failure),
      output: (output) => {
        recording.output = output
      },
      tiles: (tiles) => recording.tiles.push(...tiles),
      ended: (ending) => recording.endings.push(ending),
    },
  }
  return recording
}

/** The seats of the decisions of a run, stages in listing order, without repeats. */
export function seatsOf({ decisions, scenario }: Trace): string[] {
  const seats = scenario.stages.map(() => 0)
  const seen: string[] = []
  for (let d = 0; d < decisions.length; d++) {
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++)
      seats[decisions.stage[c]] = decisions.seats[c]
    if (seen.at(-1) !== seats.join()) seen.push(seats.join())
  }
  return seen
}

/** Rows of one kind. */
export function rowsOf(trace: Trace, kind: (typeof kinds)[number]) {
  const found: number[] = []
  eachRow(trace, 0, trace.length, (rows, i, row) => {
    if (kinds[rows.kind[i]] === kind) found.push(row)
  })
  return found.map((row) => traceRow(trace, row))
}

export const makespan = endOf

/** Resolves after this time. Timers fire in order even on a busy machine, so a promise that loses against this one was not running. */
export function late(milliseconds: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, 'late'))
}
