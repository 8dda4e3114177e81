import type { Flip } from '../../allocation/flip.ts'
import { t } from '../../language/translate.ts'
import type { Micros, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import type { Decision } from './decision.ts'
import { createSpeech, merged, plain, type SentencePart, sentence, tParts } from './sentence.ts'

type Speech = ReturnType<typeof createSpeech>

/** What a policy without quotients looks at: no queue or service time alone would move a seat. */
const without = (): Readonly<Partial<Record<PolicyKind, string>>> => ({
  backpressure: t(
    'no seat hangs on one queue alone here: the stage with the greatest pressure gets all the seats it can keep busy, then the next. Another order of the pressures would have changed it',
  ),
  sinkFirst: t('no votes were counted: the stage nearest the sink gets all the seats that it can keep busy, then the one before it'),
  pid: t('no seat was given by a vote: every stage has a pool of its own, which its controller changes at its next tick'),
  threshold: t('no seat was given by a vote: every stage has a pool of its own, which its controller changes at its next tick'),
  onePerStage: t('nothing would have changed it: queues and service times are not looked at'),
  fixed: t('nothing would have changed it: queues and service times are not looked at'),
  greenThreads: t('nothing would have changed it: queues and service times are not looked at'),
  byHand: t('nothing would have changed it: somebody gave the seats by hand'),
  single: t('no length of a queue and no service time would have changed it: one worker takes each job to its end'),
})

/** The sentence names at most so many stages. A table has the rest. */
const MOST = 3

/**
 * Returns what would have changed the decision, in plain words. For every stage that lost a seat, what would have kept it:
 *
 *   "Validate would have kept its seat with 12 waiting instead of 7, or above 15.2 ms a service instead of 9.1 ms; at the cost of Write."
 *
 * Where no stage lost one but workers left it, what would have brought it another seat. Otherwise the stage that was nearest
 * to a seat more or less. Where the policy gives no seat by votes, what it looks at instead.
 *
 * @param duration writes a length of time
 */
export function flipSentenceOf(scenario: Scenario, decision: Decision, duration: (us: Micros) => string): SentencePart[] {
  const { stages, orders } = decision
  const elsewhere = without()[decision.policy]
  if (elsewhere !== undefined) return merged(sentence([plain(elsewhere)]))
  const speech = createSpeech(scenario)
  const losers = numbers(stages, ({ seatsBefore, seatsAfter }) => seatsAfter < seatsBefore)
  const left = losers.length > 0 ? losers : numbers(stages, (_, s) => orders.some(({ from, stage }) => from === s && stage !== s))
  const told = left.slice(0, MOST).flatMap((s) => sentence(keptBy(decision, s, speech, duration)))
  return merged(left.length > 0 ? told : sentence(nearest(decision, speech)))
}

/** What would have kept a seat at stage s, or brought one where it lost none. */
function keptBy({ stages, flips }: Decision, s: number, speech: Speech, duration: (us: Micros) => string): SentencePart[] {
  const { done, seatsBefore, seatsAfter } = stages[s]
  const stage = [speech.stage(s)]
  if (done) return tParts('<stage></stage> is done: nothing would have kept a seat there', { stage })
  const gain = flips[s]?.gain ?? null
  const lost = seatsBefore - seatsAfter
  if (gain === null) return []
  const ways = waysTo(gain, stages[s], duration)
  if (ways.length === 0)
    return lost <= 0
      ? tParts('no queue at <stage></stage> would have brought it another seat', { stage })
      : tParts('no queue at <stage></stage> would have kept its seat', { stage })
  const tags = { stage, other: [speech.stage(gain.with)] }
  const values = { ways: ways.join(t(', or ')), n: lost }
  return lost <= 0
    ? tParts('<stage></stage> would have had another seat {ways}; at the cost of <other></other>', tags, values)
    : tParts(
        '<stage></stage> would have kept {n, plural, =1 {its seat} one {one of its # seats} other {one of its # seats}} {ways}; at the cost of <other></other>',
        tags,
        values,
      )
}

/** Returns `with 12 waiting instead of 7`, `above 15.2 ms a service instead of 9.1 ms`. */
function waysTo({ waiting, mean }: Flip, stage: Decision['stages'][number], duration: (us: Micros) => string): string[] {
  const ways: string[] = []
  if (waiting !== null) ways.push(withWaiting(waiting, stage.waiting))
  if (mean === null) return ways
  const [limit, present] = [duration(mean), duration(stage.mean)]
  // At a tie any more would do, and the two would read the same.
  ways.push(limit === present ? t('at anything above {limit} a service', { limit }) : t('above {limit} a service instead of {present}', { limit, present }))
  return ways
}

/** Returns the stage for which the fewest jobs more or less would have moved a seat. */
function nearest({ stages, flips }: Decision, speech: Speech): SentencePart[] {
  let best: { readonly s: number; readonly flip: Flip; readonly waiting: number } | null = null
  const distance = ({ s, waiting }: { readonly s: number; readonly waiting: number }) => Math.abs(waiting - stages[s].waiting)
  for (const [s, both] of flips.entries()) {
    for (const flip of both === null ? [] : [both.gain, both.loss]) {
      if (flip === null || flip.waiting === null) continue
      const here = { s, flip, waiting: flip.waiting }
      if (best === null || distance(here) < distance(best)) best = here
    }
  }
  if (best === null) return [plain(t('nothing at one stage alone would have changed it'))]
  const { s, flip, waiting } = best
  const more = waiting > stages[s].waiting
  const tags = { stage: [speech.stage(s)], other: [speech.stage(flip.with)] }
  const values = { ways: withWaiting(waiting, stages[s].waiting) }
  return more
    ? tParts('nearest to another answer was <stage></stage>: {ways} it would have taken a seat from <other></other>', tags, values)
    : tParts('nearest to another answer was <stage></stage>: {ways} it would have lost a seat to <other></other>', tags, values)
}

/** Returns `with 12 waiting instead of 7`, `with 3 waiting instead of none`. */
function withWaiting(n: number, now: number): string {
  return t('with {n, plural, =0 {none} other {#}} waiting instead of {now, plural, =0 {none} other {#}}', { n, now })
}

function numbers<T>(values: readonly T[], holds: (value: T, i: number) => boolean): number[] {
  return values.flatMap((value, i) => (holds(value, i) ? [i] : []))
}
