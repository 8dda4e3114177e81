import { t } from '../../../language/translate.ts'
import { listed, quoted } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { logPointsOf } from '../measure/logPoints.ts'
import type { SystemLog } from '../read/log.ts'

/** The state of one stage at each time of the log; `service` in microseconds. */
export interface StageSamples extends Readonly<Record<'queue' | 'service' | 'workers', Float64Array>> {
  readonly name: string
  /** Jobs that left the stage, and that arrived, since the first time; null where the log does not say. */
  readonly completed: Float64Array | null
  readonly arrivals: Float64Array | null
}

/** A log by stage, in the order of the pipeline, with a sample of every stage at every time. */
export type Samples = { readonly time: Float64Array; readonly stages: readonly StageSamples[] }

/** A fit needs at least this many times. */
const MIN_TIMES = 10
/** A counter falls only when its process restarts: at less than this share of its steps. */
const FALLS = 0.05

/**
 * Returns the log by stage and time. A stage keeps its last values until its next row. `order`: the names of the stages along the
 * pipeline; null: as they appear. Throws a Refusal for a log that cannot be fitted.
 */
export function samplesOf(log: SystemLog, order: readonly string[] | null): Samples {
  const { time, rowsOf, workers } = logPointsOf(log)
  if (time.length < MIN_TIMES) throw new Refusal('time', t('found {times} times; allowed: at least {MIN_TIMES}', { times: time.length, MIN_TIMES }))
  if (workers === 0) throw new Refusal('workers', t('the log does not say how many workers each stage had; add a column "workers"'))
  const numbers = order === null ? log.stages.map((_, s) => s) : order.map((name) => log.stages.indexOf(name))
  if (numbers.length !== log.stages.length || new Set(numbers).size < numbers.length || numbers.includes(-1)) {
    const values = { found: listed((order ?? []).map(quoted)), stages: listed(log.stages.map(quoted)) }
    throw new Refusal('--stages', t('found {found}; allowed: each of {stages} once', values))
  }
  return { time, stages: numbers.map((s) => stageSamples(log, time, s, rowsOf[s])) }
}

function stageSamples(log: SystemLog, time: Float64Array, stage: number, rows: Uint32Array): StageSamples {
  if (rows.length === 0) throw new Refusal('stage', t('{stage} has no valid row', { stage: quoted(log.stages[stage]) }))
  const column = (values: ArrayLike<number>) => {
    let r = 0
    return time.map((at) => {
      while (r + 1 < rows.length && log.time[rows[r + 1]] <= at) r++
      return values[rows[r]]
    })
  }
  const counted = (values: Float64Array | null) => {
    const all = values === null ? null : column(values)
    return all === null || all.some(Number.isNaN) ? null : sinceFirst(all)
  }
  return {
    name: log.stages[stage],
    queue: column(log.queue),
    service: column(log.service),
    workers: column(log.workers).map((workers) => Math.max(0, workers)),
    completed: counted(log.completed),
    arrivals: counted(log.arrivals),
  }
}

/** Returns the sum since the first time, of a counter that may restart, or of counts per sample. */
function sinceFirst(values: Float64Array): Float64Array {
  let falls = 0
  for (let k = 1; k < values.length; k++) if (values[k] < values[k - 1]) falls++
  const isCounter = falls <= FALLS * values.length && values[values.length - 1] !== values[0]
  const sum = new Float64Array(values.length)
  for (let k = 1; k < values.length; k++) sum[k] = sum[k - 1] + (isCounter && values[k] >= values[k - 1] ? values[k] - values[k - 1] : values[k])
  return sum
}
