import { bisectRight } from 'd3-array'
import { isolated, t } from '../../language/translate.ts'
import { ABSENT, BUSY, type Counts, GONE, IDLE } from '../../pipeline/counts.ts'
import { STARTED } from '../../pipeline/rows.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime, isPrefetch, ordersInHand } from '../../trace/follow.ts'
import { rowsUntil, stateAt, type Trace, traceRow } from '../../trace/trace.ts'
import { type Decision, decisionAt } from '../decisions/decision.ts'
import type { EstimateHistory } from '../decisions/estimateHistory.ts'
import { type Placement, type PlacementReason, placementOf, placementReasonPhrase } from '../decisions/placements.ts'
import {
  createSpeech,
  enumerated,
  merged,
  plain,
  type SentencePart,
  type Speech,
  sentence,
  tParts,
} from '../decisions/speech.ts'
import { targetChanges, targetReason, targetReasonPhrase } from '../decisions/targetWords.ts'
import { type Frame, isPresent } from '../frame/frame.ts'
import { startUpAt } from '../frame/startUps.ts'
import type { Chart } from '../series/chart.ts'
import { firstMark } from '../series/marks.ts'

/** The parts of a decision that the chain needs. */
export type Chained = Pick<Decision, 'policy' | 'former' | 'workers' | 'stages' | 'orders' | 'free' | 'flips'>

/** Returns why a worker is where it is: "Write had 12 jobs waiting, 8.2 s of work. That raised its target from 1 to 2. [...]" Writes times by `duration`. */
export function workerSentence(
  scenario: Scenario,
  decision: Chained,
  worker: number,
  order: WorkerOrder,
  duration: (us: Micros) => string,
): SentencePart[] {
  const placement = placementOf(decision, worker, order.prefetch)
  if (placement === null) return []
  const speech = createSpeech(scenario)
  return merged([
    ...queuePhrase(decision, order, speech, duration),
    ...targetPhrase(decision, order.stage, speech),
    ...placementPhrase(decision, placement, order, speech),
  ])
}

function queuePhrase(
  { stages }: Chained,
  { stage }: WorkerOrder,
  speech: Speech,
  duration: (us: Micros) => string,
): SentencePart[] {
  const { waiting, coming, age, work } = stages[stage]
  const tags = { stage: [speech.stage(stage)] }
  const values = { n: waiting, work: duration(work), coming, age: duration(age) }
  if (coming > 0)
    return sentence(
      tParts(
        '<stage></stage> had {n, plural, one {# job} other {# jobs}} waiting and {coming, number} on the way, {work} of work',
        tags,
        values,
      ),
    )
  if (age > 0)
    return sentence(
      tParts(
        '<stage></stage> had {n, plural, one {# job} other {# jobs}} waiting, {work} of work, the oldest job {age} old',
        tags,
        values,
      ),
    )
  return sentence(
    tParts('<stage></stage> had {n, plural, one {# job} other {# jobs}} waiting, {work} of work', tags, values),
  )
}

function targetPhrase({ policy, former, stages, flips }: Chained, stage: number, speech: Speech): SentencePart[] {
  const { seatsBefore: from, seatsAfter: to } = stages[stage]
  if (from === to) return sentence([plain(t('its target stayed at {n, number}', { n: to }))])
  if (to < from) return sentence([plain(t('its target fell from {from, number} to {to, number}', { from, to }))])
  // The queue raised the target only if a shorter queue would not have done so.
  const raised = former === undefined && to === from + 1 && (flips[stage]?.loss?.waiting ?? null) !== null
  const rise = raised
    ? t('that raised its target from {from, number} to {to, number}', { from, to })
    : t('its target rose from {from, number} to {to, number}', { from, to })
  return [
    ...sentence([plain(rise)]),
    ...sentence(targetReasonPhrase(policy, targetReason({ policy, former, stages }, targetChanges(stages)), speech)),
  ]
}

function placementPhrase(
  { stages }: Chained,
  placement: Placement,
  order: WorkerOrder,
  speech: Speech,
): SentencePart[] {
  const [worker] = placement.workers
  const who = [speech.worker(worker)]
  const stage = [speech.stage(placement.stage)]
  const did = tParts('<moved></moved> and <took></took>', {
    moved: movedPhrase(placement, speech),
    took: tookPhrase(order),
  })
  if (placement.does === 'prefetches')
    return sentence(
      tParts('worker <who></who> was still at work at <stage></stage>, so it got <took></took>', {
        who,
        stage,
        took: inAdvancePhrase(order),
      }),
    )
  const was =
    placement.does === 'starts'
      ? tParts('worker <who></who> had not worked yet', { who })
      : tParts('worker <who></who> was free at <from></from>', { who, from: [speech.stage(placement.from)] })
  const lacking = placement.short[placement.stage]
  const need =
    lacking > 0
      ? tParts('<stage></stage> was {n, number} below its target', { stage }, { n: lacking })
      : tParts(
          '<stage></stage> had reached its target of {target, number}',
          { stage },
          { target: stages[placement.stage].seatsAfter },
        )
  const why = whyPhrases(placement, speech)
  if (why === null) return [was, need, did].flatMap(sentence)
  return sentence(tParts('<why></why>, so <did></did>', { why: enumerated([was, need, ...why]), did }))
}

/** Returns the other reason, as far as the record proves it; null if it does not prove that this stage had priority. */
function whyPhrases({ short, passed, reason }: Placement, speech: Speech): SentencePart[][] | null {
  if (passed) return null
  switch (reason?.kind) {
    case 'noJob':
      return [tParts('no other job waited at <stage></stage>', { stage: [speech.stage(reason.stage)] })]
    case 'asFar':
      return [tParts('<other></other> was no further below its own', { other: [speech.stage(reason.stage)] })]
    case 'further':
      return [tParts('<other></other> was less far below its own', { other: [speech.stage(reason.stage)] })]
  }
  return short.some((missing) => missing > 0) ? [] : [[plain(t('no stage was below its target'))]]
}

function movedPhrase({ does, from, stage, workers }: Placement, speech: Speech): SentencePart[] {
  const tags = {
    who: [speech.worker(workers[0])],
    from: from < 0 ? [] : [speech.stage(from)],
    stage: [speech.stage(stage)],
  }
  if (does === 'starts') return tParts('worker <who></who> started at <stage></stage>', tags)
  if (does === 'stays') return tParts('worker <who></who> stayed at <stage></stage>', tags)
  return tParts('worker <who></who> moved from <from></from> to <stage></stage>', tags)
}

function tookPhrase({ job, jobs }: WorkerOrder): SentencePart[] {
  return [
    plain(
      t('{n, plural, one {took job {job}} other {took # jobs, the first of them job {job}}}', {
        n: jobs,
        job: job + 1,
      }),
    ),
  ]
}

function inAdvancePhrase({ job, jobs }: WorkerOrder): SentencePart[] {
  return [
    plain(
      t('{n, plural, one {job {job} in advance} other {# jobs in advance, the first of them job {job}}}', {
        n: jobs,
        job: job + 1,
      }),
    ),
  ]
}

/** Returns why a worker does nothing at time t: "Worker 3 has been idle since 1.200 s: no other job waits." None where it serves a job. */
export function idleSentence(
  trace: Trace,
  estimateHistory: EstimateHistory,
  worker: number,
  t: Micros,
  clock: (us: Micros) => string,
): SentencePart[] {
  const speech = createSpeech(trace.scenario)
  const { counts } = stateAt(trace, t)
  const since = counts.since[worker]
  const tags = { who: [speech.worker(worker)] }
  const values = { since: clock(since) }
  switch (counts.status[worker]) {
    case IDLE: {
      const starting = startUpAt(trace, worker, { status: 'idle', stage: counts.stage[worker] }, t)
      if (starting !== null)
        return merged(
          sentence(
            tParts(
              'worker <who></who> starts up at <stage></stage> until {until}',
              { ...tags, stage: [speech.stage(starting.stage)] },
              { until: clock(starting.until) },
            ),
          ),
        )
      const does = tParts('worker <who></who> has been idle since {since}', tags, values)
      const reason = idleReasonAt(trace, estimateHistory, worker, since)
      return merged(
        sentence(
          reason === null
            ? does
            : tParts('<does></does>: <reason></reason>', { does, reason: placementReasonPhrase(reason, -1, speech) }),
        ),
      )
    }
    case ABSENT:
      return merged(
        sentence(
          since > 0
            ? tParts('worker <who></who> left at {since}', tags, values)
            : tParts('worker <who></who> has not joined yet', tags),
        ),
      )
    case GONE:
      return merged(sentence(tParts('worker <who></who> has been gone since {since}', tags, values)))
    default:
      return []
  }
}

/** Returns why the decisions of the instant at which a worker became free gave it nothing; null if no decision explains it. */
function idleReasonAt(
  trace: Trace,
  estimateHistory: EstimateHistory,
  worker: number,
  since: Micros,
): PlacementReason | null {
  for (let d = decisionIndexAt(trace, since); d >= 0 && decisionTime(trace, d) === since; d--) {
    const placement = placementOf(decisionAt(trace, estimateHistory, d), worker)
    if (placement !== null) return placement.does === 'idles' ? placement.reason : null
  }
  return null
}

const SECOND = 1e6

/** Returns how many workers have moved in the last second, and the last move, or how many are hired, in one line: all that one can read while a run plays. */
export function movesLine({ trace, moves }: Chart, { time, workers }: Pick<Frame, 'time' | 'workers'>): string {
  if (isElastic(trace.scenario.policy))
    return t('{n} of {workers} workers are hired.', {
      n: workers.filter(isPresent).length,
      workers: trace.scenario.workers,
    })
  const moved = workers.flatMap(({ movedFrom, movedAt }, worker) => (movedFrom < 0 ? [] : [{ worker, movedAt }]))
  if (moved.length === 0) return t('No worker has moved yet.')
  const { worker } = moved.reduce((last, move) => (move.movedAt >= last.movedAt ? move : last))
  const { movedFrom, stage } = workers[worker]
  const nameOf = (s: number) => isolated(trace.scenario.stages[s].name)
  return t('{n, plural, one {# move} other {# moves}} in the last second. Last: worker {worker}, {from} → {to}.', {
    n: firstMark(moves, time, 0, 0, true) - firstMark(moves, time - SECOND, 0, 0, true),
    worker: worker + 1,
    from: nameOf(movedFrom),
    to: nameOf(stage),
  })
}

/** The batch that a worker is at, or was at last, and the decision that gave it. */
export interface WorkerOrder {
  readonly decision: number
  readonly stage: number
  /** The first job, and how many there are. */
  readonly job: number
  readonly jobs: number
  /** Whether it was given while the worker was at another batch. */
  readonly prefetch: boolean
}

/** Returns the latest batch that a worker has begun by time t, by rows, so that decisions of one instant can be distinguished; null before its first. */
export function workerOrderAt(trace: Trace, worker: number, t: Micros): WorkerOrder | null {
  const { counts } = stateAt(trace, t)
  const row =
    counts.status[worker] === BUSY
      ? ordersInHand(trace, counts, worker, rowsUntil(trace, t))[0]
      : lastOrder(trace, counts, worker)
  return row === undefined ? null : orderIn(trace, row)
}

/** Returns a row of the last order that a worker without jobs has had. */
function lastOrder(trace: Trace, { since }: Counts, worker: number): number | undefined {
  for (let row = rowsUntil(trace, since[worker]) - 1; row >= 0; row--) if (isOrderFor(trace, row, worker)) return row
  return undefined
}

/** Returns the whole order that a row is part of: its rows are adjacent. */
function orderIn(trace: Trace, row: number): WorkerOrder {
  const { worker, stage } = traceRow(trace, row)
  let first = row
  while (first > 0 && isOrderFor(trace, first - 1, worker)) first--
  let end = row + 1
  while (end < trace.length && isOrderFor(trace, end, worker)) end++
  const { row: decisions, length } = trace.decisions
  return {
    decision: bisectRight(decisions, first, 0, length) - 1,
    stage,
    job: traceRow(trace, first).job,
    jobs: end - first,
    prefetch: isPrefetch(trace, first),
  }
}

function isOrderFor(trace: Trace, row: number, worker: number): boolean {
  const { kind, worker: other } = traceRow(trace, row)
  return kind === STARTED && other === worker
}
