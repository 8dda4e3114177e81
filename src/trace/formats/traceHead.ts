import { t } from '../../language/translate.ts'
import type { Ending, Failure } from '../../pipeline/journal.ts'
import { kinds } from '../../pipeline/rows.ts'
import { workersEver } from '../../pipeline/topology.ts'
import { engineNames } from '../../scenario/model/engines.ts'
import { CLOCK_END, MAX_JOBS } from '../../scenario/model/limits.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { checkVersion } from '../../scenario/parse/schemaParts.ts'
import {
  anything,
  type Check,
  type CheckedBy,
  checkList,
  checkOneOf,
  checkRecord,
  checkText,
  checkWhole,
  optional,
  orNull,
} from '../../scenario/parse/shape.ts'
import { TRACE_FORMAT, TRACE_VERSION } from './traceJson.ts'

/** Rows and failures that a trace may have. The longest possible run has fewer. */
export const MAX_ROWS = 30_000_000
/** Characters of one failure's reason. */
const MAX_REASON = 10_000

// A key that is left out stays out.
const checkFailure = ({ stages }: Scenario, workers: number) =>
  checkRecord(() => t('an object that describes a failure'), {
    time: checkWhole(0, CLOCK_END),
    kind: checkOneOf(['job', 'worker']),
    job: optional(checkWhole(0, MAX_JOBS)),
    stage: optional(checkWhole(0, stages.length - 1)),
    worker: optional(checkWhole(0, workers - 1)),
    reason: checkText(MAX_REASON),
  }) as Check<Failure>

/** Checked as soon as they are read: a newer version may look different further down. */
export const formatChecks = { format: checkOneOf([TRACE_FORMAT]), version: checkVersion(TRACE_VERSION) }

/** Returns the check of everything in a trace file that is no column, for a run of this scenario. */
export function checkHead(scenario: Scenario) {
  const workers = workersEver(scenario)
  return checkRecord(() => t('an object, the trace'), {
    ...formatChecks,
    engine: checkOneOf(engineNames),
    scenario: anything,
    startedAt: checkWhole(0, CLOCK_END),
    threads: checkWhole(0, workers),
    ending: orNull(checkOneOf<Ending>(['drained', 'stopped', 'stuck'])),
    kinds: checkList(checkOneOf(kinds)),
    failures: checkList(checkFailure(scenario, workers), MAX_ROWS),
  })
}

export type TraceHead = CheckedBy<ReturnType<typeof checkHead>>
