import { bisectRight } from 'd3-array'
import { t } from '../../language/translate.ts'
import { NONE, type Row } from '../../pipeline/rows.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { foundText } from '../../scenario/model/words.ts'
import { wholeText } from '../../scenario/parse/shape.ts'

/** When each worker works, to check that it does one thing at a time, and nothing before it was given it. */
export type WorkTimes = ReturnType<typeof createWorkTimes>

export function createWorkTimes(workers: number) {
  return {
    /** By worker: when it was given the batch that it works at, and its prefetched batch. */
    given: new Float64Array(workers).fill(NONE),
    prefetched: new Float64Array(workers).fill(NONE),
    /** By worker: its services in the batch that it works at, ascending, and when its last one before that ended. */
    services: Array.from({ length: workers }, () => ({ began: [] as Micros[], ended: [] as Micros[] })),
    servedUntil: new Float64Array(workers),
  }
}

/** Notes the service of a `finished` row. Returns why it cannot be, or null. Rows of a batch may be in another order than its services. */
export function objectionToService(
  { given, prefetched, services, servedUntil }: WorkTimes,
  row: Row,
  ofPrefetched: boolean,
): Objection | null {
  const { worker, job, began, ended } = row
  const since = ofPrefetched ? prefetched[worker] : given[worker]
  if (began < since) return wrong('began', foundText(began, wholeText(since, ended)))
  const { began: begins, ended: ends } = services[worker]
  let i = bisectRight(begins, began)
  // A service of length 0 comes before one that begins at the same time.
  while (i > 0 && begins[i - 1] === began && ends[i - 1] > ended) i--
  const until = i > 0 ? ends[i - 1] : servedUntil[worker]
  if (began < until || (i < begins.length && ended > begins[i]))
    return wrong(
      'began',
      t('worker {worker} serves another job than {job} from {began} to {ended}', {
        worker,
        job,
        began,
        ended,
      }),
    )
  begins.splice(i, 0, began)
  ends.splice(i, 0, ended)
  return null
}

/** A worker has ended its batch, and starts its prefetched batch, if there is one. */
export function endBatch(
  { given, prefetched, services, servedUntil }: WorkTimes,
  worker: number,
  atPrefetched: boolean,
): void {
  const { began, ended } = services[worker]
  if (atPrefetched) given[worker] = prefetched[worker]
  servedUntil[worker] = Math.max(servedUntil[worker], ended.at(-1) ?? 0)
  began.length = 0
  ended.length = 0
}

/** What is wrong with a row: the column, and a message. */
export type Objection = {
  readonly column: 'time' | 'kind' | 'stage' | 'worker' | 'job' | 'began'
  readonly message: string
}

export function wrong(column: Objection['column'], message: string): Objection {
  return { column, message }
}
