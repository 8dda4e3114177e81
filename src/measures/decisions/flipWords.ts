import type { Flip } from '../../allocation/flip.ts'
import { savedWithin } from '../../allocation/switchAware.ts'
import { t } from '../../language/translate.ts'
import { hires } from '../../scenario/model/defaults.ts'
import type { Micros, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import type { Decision } from './decision.ts'
import { numbersWhere } from './placements.ts'
import { createSpeech, merged, plain, type SentencePart, type Speech, sentence, tParts } from './speech.ts'

/** What a policy without quotients looks at: no queue or service time alone would move a seat. */
const without = (): Readonly<Partial<Record<PolicyKind, string>>> => ({
  backpressure: t(
    'no single queue decides here: the stage with the greatest pressure gets all the workers it can keep busy, then the next. Another order of the pressures would have changed the targets',
  ),
  sinkFirst: t('no votes were counted: the stage nearest the sink gets all the workers that it can keep busy, then the one before it'),
  onePerStage: t('nothing would have changed it: queues and service times are not looked at'),
  fixed: t('nothing would have changed it: queues and service times are not looked at'),
  greenThreads: t('nothing would have changed it: queues and service times are not looked at'),
  byHand: t('nothing would have changed it: the targets were set by hand'),
  code: t('what would have changed it is not known: the code of the policy decides in its own way'),
  single: t('no length of a queue and no service time would have changed it: one worker takes each job to its end'),
})

/** How many stages the sentence names at most. A table has the rest. */
const MAX_STAGES_NAMED = 3

/**
 * Returns what would have changed the decision, in plain words. For every stage whose target fell, what would have kept it:
 *
 *   "The target for Validate would not have fallen with 12 waiting instead of 7, or above 15.2 ms a service instead of 9.1 ms; at the cost of Write."
 *
 * Where no target fell but workers left a stage, what would have raised its target. Otherwise the stage whose target was nearest
 * to a change. Where the policy does not set targets by votes, what it looks at instead.
 *
 * @param duration writes a length of time
 */
export function flipSentenceOf(scenario: Scenario, decision: Decision, duration: (us: Micros) => string): SentencePart[] {
  const { stages, orders } = decision
  const elsewhere = hires(decision.policy)
    ? t('no votes were counted: every stage has a pool of its own, which its controller changes at its next tick')
    : without()[decision.policy]
  if (elsewhere !== undefined) return merged(sentence([plain(elsewhere)]))
  const speech = createSpeech(scenario)
  if (scenario.policy.kind === 'switchAware') return merged(sentence(moveNotPaid(scenario, scenario.policy.horizon, decision, speech, duration)))
  const losers = numbersWhere(stages, ({ seatsBefore, seatsAfter }) => seatsAfter < seatsBefore)
  const left = losers.length > 0 ? losers : numbersWhere(stages, (_, s) => orders.some(({ from, stage }) => from === s && stage !== s))
  const told = left.slice(0, MAX_STAGES_NAMED).flatMap((s) => sentence(keptBy(decision, s, speech, duration)))
  return merged(left.length > 0 ? told : sentence(nearest(decision, speech)))
}

/** The best move of a seat that was not made, and the cost at which it would have paid. */
function moveNotPaid(
  { switchCost }: Scenario,
  horizon: Micros,
  { alternative, scoreAfter }: Decision,
  speech: Speech,
  duration: (us: Micros) => string,
): SentencePart[] {
  const saved = alternative === null ? 0 : savedWithin(horizon, alternative.scoreBefore - alternative.scoreAfter, scoreAfter)
  if (alternative === null || saved <= 0) return [plain(t('no other move of a worker would have saved time'))]
  const tags = { from: [speech.stage(alternative.from)], to: [speech.stage(alternative.to)] }
  return tParts(
    'one worker fewer for <from></from> and one more for <to></to> would have saved {saved} within the horizon of {horizon}; a change of stage costs {cost}',
    tags,
    { saved: duration(saved), horizon: duration(horizon), cost: duration(switchCost) },
  )
}

/** What would have kept a seat at stage s, or brought one where it lost none. */
function keptBy({ stages, flips }: Decision, s: number, speech: Speech, duration: (us: Micros) => string): SentencePart[] {
  const { done, seatsBefore, seatsAfter } = stages[s]
  const stage = [speech.stage(s)]
  if (done) return tParts('<stage></stage> is done: its target is 0', { stage })
  const gain = flips[s]?.gain ?? null
  const lost = seatsBefore - seatsAfter
  if (gain === null) return []
  const ways = waysTo(gain, stages[s], duration)
  if (ways.length === 0)
    return lost <= 0
      ? tParts('no queue length at <stage></stage> would have raised its target', { stage })
      : tParts('no queue length at <stage></stage> would have kept its target', { stage })
  const tags = { stage, other: [speech.stage(gain.with)] }
  const values = { ways: ways.join(t(', or ')), n: lost }
  return lost <= 0
    ? tParts('the target for <stage></stage> would have been one higher {ways}; at the cost of <other></other>', tags, values)
    : tParts(
        'the target for <stage></stage> would {n, plural, one {not have fallen} other {have been one higher}} {ways}; at the cost of <other></other>',
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
    ? tParts('closest call: {ways}, the target for <stage></stage> would be one higher; at the cost of <other></other>', tags, values)
    : tParts('closest call: {ways}, the target for <stage></stage> would be one lower; in favour of <other></other>', tags, values)
}

/** Returns `with 12 waiting instead of 7`, `with 3 waiting instead of none`. */
function withWaiting(n: number, now: number): string {
  return t('with {n, plural, =0 {none} other {#}} waiting instead of {now, plural, =0 {none} other {#}}', { n, now })
}
