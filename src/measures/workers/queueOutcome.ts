import { t } from '../../language/translate.ts'
import { MAX_JOBS } from '../../scenario/model/limits.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import type { StageBallot } from '../decisions/decision.ts'
import { createSpeech, merged, plain, type SentencePart, type Speech, sentence, tParts } from '../decisions/speech.ts'

/** The outcome of a decision for a worker and a stage if another number of jobs had waited there. */
export interface QueueOutcome {
  /** The target of the stage. */
  readonly target: number
  /** Where the worker would have gone: -1 if it would have stayed idle, null if the record does not tell. */
  readonly destination: number | null
}

/** Numbers of waiting jobs with one outcome, both ends included; `to` is Infinity if no longer queue changes it. */
export type QueueRange = { readonly from: number; readonly to: number; readonly outcome: QueueOutcome }

/** How many numbers on either side are tried one by one. Farther away the end is searched: a longer queue never lowers a target. */
const MAX_TRIED = 400

/** Returns the numbers around `waiting` with the same outcome: the same destination of the worker, or the same target where that is unknown. */
export function rangeAround(outcomeOf: (waiting: number) => QueueOutcome, waiting: number): QueueRange {
  const outcome = outcomeOf(waiting)
  const isSame = (n: number) => {
    const other = outcomeOf(n)
    return (
      other.destination === outcome.destination && (outcome.destination !== null || other.target === outcome.target)
    )
  }
  const from = waiting - distanceWhile((by) => isSame(waiting - by), waiting)
  const maxMore = MAX_JOBS - waiting
  const up = distanceWhile((by) => isSame(waiting + by), maxMore)
  return { from, to: up === maxMore ? Infinity : waiting + up, outcome }
}

/** Returns the greatest distance, up to `limit`, until which a test holds. */
function distanceWhile(holds: (distance: number) => boolean, limit: number): number {
  let far = 0
  while (far < Math.min(limit, MAX_TRIED) && holds(far + 1)) far++
  if (far < MAX_TRIED) return far
  let end = limit + 1
  while (far + 1 < end) {
    const next = end > limit ? Math.min(limit, 2 * far) : Math.floor((far + end) / 2)
    if (holds(next)) far = next
    else end = next
  }
  return far
}

/** The worker and the stage that are asked about, and what the record says of them. */
export interface QueueQuestion {
  readonly worker: number
  readonly stage: number
  /** Where the worker was; -1 if nowhere yet. */
  readonly from: number
  /** Where it went. */
  readonly went: number
}

/** Returns the outcome of another queue length: "With 9 or fewer waiting at Write, worker 3 would have stayed at Parse." */
export function queueOutcomeSentence(
  scenario: Scenario,
  stages: readonly Pick<StageBallot, 'seatsAfter'>[],
  question: QueueQuestion,
  range: QueueRange,
): SentencePart[] {
  const speech = createSpeech(scenario)
  const then =
    range.outcome.destination === null
      ? targetPhrase(stages[question.stage].seatsAfter, range.outcome, speech, question)
      : destinationPhrase(range.outcome.destination, question, speech)
  return merged(
    sentence(tParts('<queue></queue>, <then></then>', { queue: queuePhrase(range, speech, question), then })),
  )
}

function queuePhrase({ from, to }: QueueRange, speech: Speech, question: QueueQuestion): SentencePart[] {
  const stage = { stage: [speech.stage(question.stage)] }
  if (from === to) return tParts('with {n, plural, =0 {none} other {#}} waiting at <stage></stage>', stage, { n: from })
  if (to === Infinity)
    return from === 0
      ? tParts('with any number waiting at <stage></stage>', stage)
      : tParts('with {from, number} or more waiting at <stage></stage>', stage, { from })
  if (from === 0) return tParts('with {to, number} or fewer waiting at <stage></stage>', stage, { to })
  return tParts('with {from, number} to {to, number} waiting at <stage></stage>', stage, { from, to })
}

function destinationPhrase(
  destination: number,
  { worker, from, went: recorded }: QueueQuestion,
  speech: Speech,
): SentencePart[] {
  const who = [speech.worker(worker)]
  if (destination < 0) return tParts('worker <who></who> would have stayed idle', { who })
  const tags = { who, stage: [speech.stage(destination)] }
  const phrase =
    destination === from
      ? tParts('worker <who></who> would have stayed at <stage></stage>', tags)
      : tParts('worker <who></who> would have gone to <stage></stage>', tags)
  return destination === recorded ? [...phrase, plain(t(', as it did'))] : phrase
}

function targetPhrase(
  recorded: number,
  { target }: QueueOutcome,
  speech: Speech,
  question: QueueQuestion,
): SentencePart[] {
  const stage = { stage: [speech.stage(question.stage)] }
  return target === recorded
    ? tParts('the target for <stage></stage> would have been {target, number}, as it was', stage, { target })
    : tParts('the target for <stage></stage> would have been {target, number} instead of {recorded, number}', stage, {
        target,
        recorded,
      })
}
