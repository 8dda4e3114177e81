import { castForeseen, castVotes, createBallot } from '../../allocation/ballot.ts'
import { savedWithin } from '../../allocation/switchAware.ts'
import { t } from '../../language/translate.ts'
import { hires } from '../../scenario/model/defaults.ts'
import { MAX_MICROS } from '../../scenario/model/limits.ts'
import { tieOrder } from '../../scenario/model/linearStages.ts'
import type { Micros, Policy, PolicyKind, Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { type Decision, foreseenIn, policyOf } from './decision.ts'
import { numbersWhere } from './placements.ts'
import { powerOf, ruleOf, seatsBy } from './ruleComparison.ts'
import { createSpeech, merged, plain, type SentencePart, type Speech, sentence, stageNames, tParts } from './speech.ts'

/** The explanation for policies without quotients: no queue or service time alone would move a seat. */
const without = (): Readonly<Partial<Record<PolicyKind, string>>> => ({
  backpressure: t(
    'no single queue decides here: the stage with the greatest pressure gets all the workers it can keep busy, then the next. Another order of the pressures would have changed the targets',
  ),
  sinkFirst: t(
    'no votes were counted: the stage nearest the sink gets all the workers that it can keep busy, then the one before it',
  ),
  onePerStage: t('nothing would have changed it: queues and service times are not looked at'),
  fixed: t('nothing would have changed it: queues and service times are not looked at'),
  byHand: t('nothing would have changed it: the targets were set by hand'),
  code: t('what would have changed it is not known: the code of the policy decides in its own way'),
  perJob: t(
    'no length of a queue and no service time would have changed it: each worker carries its jobs through all stages',
  ),
  workStealing: t(
    'no length of a queue and no service time would have changed it: each worker goes on with its own jobs, or steals some',
  ),
  single: t('no length of a queue and no service time would have changed it: one worker takes each job to its end'),
})

/** How many stages the sentence names at most. A table has the rest. */
const MAX_STAGES_NAMED = 3

/** Another queue length, or another mean service time in whole microseconds, at one stage alone, and the seats that the policy would give. */
export interface Counterfactual {
  readonly stage: number
  readonly change: { readonly waiting: number } | { readonly mean: Micros }
  /** By stage. */
  readonly seats: readonly number[]
}

/**
 * Returns the changes that `flipSentenceOf` tells: the nearest that would give a higher target to each stage whose target fell. Where no target
 * fell but workers left a stage, to that stage. Otherwise the one queue that is the fewest jobs away from another target. None where the policy
 * does not set targets by votes.
 */
export function counterfactualsOf(scenario: Scenario, decision: Decision): Counterfactual[] {
  const { flips, stages } = decision
  if (flips.length === 0) return []
  const policy = policyOf(scenario, decision.phase, decision.index)
  const at = (stage: number, change: Counterfactual['change']) => ({
    stage,
    change,
    seats: seatsWith(scenario, policy, decision, stage, change),
  })
  const explained = stagesToExplain(decision)
  if (explained.length === 0) return nearestQueue(decision).map(({ stage, waiting }) => at(stage, { waiting }))
  return explained.flatMap((s) => {
    const gain = flips[s]?.gain ?? null
    const mean =
      gain === null || gain.mean === null
        ? null
        : wholeMean(gain.mean, (mean) => at(s, { mean }).seats[s], stages[s].seatsAfter)
    return [
      ...(gain === null || gain.waiting === null ? [] : [at(s, { waiting: gain.waiting })]),
      ...(mean === null ? [] : [at(s, { mean })]),
    ]
  })
}

/** The stages whose targets fell, or those that workers left. */
function stagesToExplain({ stages, orders }: Decision): number[] {
  const falling = numbersWhere(stages, ({ seatsBefore, seatsAfter }) => seatsAfter < seatsBefore)
  return (
    falling.length > 0
      ? falling
      : numbersWhere(stages, (_, s) => orders.some(({ from, stage }) => from === s && stage !== s))
  ).slice(0, MAX_STAGES_NAMED)
}

/** The stage for which the fewest jobs more or less would change its target, and its queue then; none where no queue alone would. */
function nearestQueue({ stages, flips }: Decision): { readonly stage: number; readonly waiting: number }[] {
  const queues = flips.flatMap((both, stage) =>
    [both?.gain, both?.loss].flatMap((flip) => (flip?.waiting == null ? [] : [{ stage, waiting: flip.waiting }])),
  )
  const distance = ({ stage, waiting }: (typeof queues)[number]) => Math.abs(waiting - stages[stage].waiting)
  return queues.length === 0 ? [] : [queues.reduce((best, each) => (distance(each) < distance(best) ? each : best))]
}

/** Returns the seats by stage that the policy gives if one stage alone differs from the decision. */
function seatsWith(
  scenario: Scenario,
  policy: Policy,
  decision: Decision,
  stage: number,
  change: Counterfactual['change'],
): number[] {
  const stageOf = tieOrder(scenario)
  const ballot = createBallot(stageOf.length)
  ballot.workers = decision.workers
  stageOf.forEach((s, k) => {
    const { waiting, mean, done } = { ...decision.stages[s], ...(s === stage ? change : {}) }
    castVotes(ballot, k, waiting, mean, done)
  })
  castForeseen(ballot, stageOf, foreseenIn(decision), 0)
  const seats: number[] = []
  const dealt = seatsBy(
    policy.kind === 'hamilton' ? policy.kind : (ruleOf(policy.kind) ?? 'leastScore'),
    powerOf(policy),
    ballot,
  )
  stageOf.forEach((s, k) => {
    seats[s] = dealt[k]
  })
  return seats
}

/**
 * Returns the mean from `limit` on, in whole microseconds, at which `seatsAt` is above `present`: with as few digits as give the seats that the least
 * such mean gives. Null if it would take more than six digits.
 */
function wholeMean(limit: number, seatsAt: (mean: Micros) => number, present: number): Micros | null {
  // The limit is rounded, and at a tie any more would do.
  const least = [0, 1, 2]
    .map((more) => Math.ceil(limit) + more)
    .find((mean) => mean >= 1 && mean <= MAX_MICROS && seatsAt(mean) > present)
  if (least === undefined) return null
  const wanted = seatsAt(least)
  let unit = 1
  while (least >= 1000 * unit) unit *= 10
  for (let digits = 3; digits <= 6 && unit >= 1; digits++, unit /= 10) {
    const mean = Math.ceil(least / unit) * unit
    if (mean <= MAX_MICROS && seatsAt(mean) === wanted) return mean
  }
  return null
}

/**
 * Returns what would have changed the decision, in plain words. For every stage whose target fell, what would have kept it:
 *
 *   "With 12 waiting instead of 7, or 15.3 ms a service instead of 9.1 ms, the target for Validate would be 3 instead of 2; at the cost of Write."
 *
 * The amounts are those of `counterfactualsOf`. For a policy that does not set targets by votes, the sentence explains that.
 *
 * @param duration writes a length of time so that it is read back as the same number of microseconds
 */
export function flipSentenceOf(
  scenario: Scenario,
  decision: Decision,
  duration: (us: Micros) => string,
  exact = duration,
): SentencePart[] {
  const elsewhere = hires(decision.policy)
    ? t('no votes were counted: every stage has a pool of its own, which its controller changes at its next tick')
    : without()[decision.policy]
  if (elsewhere !== undefined) return merged(sentence([plain(elsewhere)]))
  const speech = createSpeech(scenario)
  const { policy, switchCost } = scenarioAtPhase(scenario, decision.phase)
  if (policy.kind === 'switchAware')
    return merged(sentence(moveNotPaid(switchCost, policy.horizon, decision, speech, duration)))
  const all = counterfactualsOf(scenario, decision)
  const say = (some: readonly Counterfactual[], closest = false) =>
    amountPhrase(decision, some, closest, speech, { duration, exact })
  const stages = stagesToExplain(decision)
  if (stages.length === 0)
    return merged(
      sentence(all.length === 0 ? [plain(t('no queue at one stage alone would have changed it'))] : say(all, true)),
    )
  return merged(
    stages.flatMap((s) => {
      if (decision.stages[s].done)
        return sentence(tParts('<stage></stage> is done: its target is 0', { stage: [speech.stage(s)] }))
      const own = all.filter(({ stage }) => stage === s)
      const alike = own.filter(({ seats }) => seats.every((n, k) => n === own[0].seats[k]))
      if (own.length > 0)
        return [alike, own.slice(alike.length)].flatMap((some) => sentence(some.length === 0 ? [] : say(some)))
      if ((decision.flips[s]?.gain ?? null) === null) return []
      return sentence(
        tParts('no queue length at <stage></stage> would have given it a higher target', { stage: [speech.stage(s)] }),
      )
    }),
  )
}

/** Returns changes at one stage that give the same seats: "with 12 waiting instead of 7 the target for Validate would be 3 instead of 2; at the cost of Write". */
function amountPhrase(
  { stages }: Decision,
  some: readonly Counterfactual[],
  closest: boolean,
  speech: Speech,
  { duration, exact }: { duration(us: Micros): string; exact(us: Micros): string },
): SentencePart[] {
  const [{ stage, seats }] = some
  const ways = some.map(({ change }) => {
    if ('waiting' in change) return withWaiting(change.waiting, stages[stage].waiting)
    const [mean, present] = [exact(change.mean), duration(stages[stage].mean)]
    return t('with {mean} a service instead of {present}', {
      mean,
      present: mean === present ? exact(stages[stage].mean) : present,
    })
  })
  const now = stages[stage].seatsAfter
  const to = seats[stage]
  // The stages that lose workers, or gain workers.
  const others = numbersWhere(
    stages,
    ({ seatsAfter }, s) => s !== stage && (to > now ? seats[s] < seatsAfter : seats[s] > seatsAfter),
  )
  const tags = { stage: [speech.stage(stage)], others: stageNames(others, speech) }
  const values = { ways: ways.join(t(', or ')), to, now }
  return [
    ...(closest ? [plain(t('closest call: '))] : []),
    ...(to > now
      ? tParts(
          '{ways}, the target for <stage></stage> would be {to, number} instead of {now, number}; at the cost of <others></others>',
          tags,
          values,
        )
      : tParts(
          '{ways}, the target for <stage></stage> would be {to, number} instead of {now, number}; in favour of <others></others>',
          tags,
          values,
        )),
  ]
}

/** The best move of a seat that was not made, and the cost at which it would have paid. */
function moveNotPaid(
  switchCost: Micros,
  horizon: Micros,
  { alternative, scoreAfter }: Decision,
  speech: Speech,
  duration: (us: Micros) => string,
): SentencePart[] {
  const saved =
    alternative === null ? 0 : savedWithin(horizon, alternative.scoreBefore - alternative.scoreAfter, scoreAfter)
  if (alternative === null || saved <= 0) return [plain(t('no other move of a worker would have saved time'))]
  const tags = { from: [speech.stage(alternative.from)], to: [speech.stage(alternative.to)] }
  return tParts(
    'one worker fewer for <from></from> and one more for <to></to> would have saved {saved} within the horizon of {horizon}; a change of stage costs {cost}',
    tags,
    { saved: duration(saved), horizon: duration(horizon), cost: duration(switchCost) },
  )
}

/** Returns `with 12 waiting instead of 7`, `with 3 waiting instead of none`. */
function withWaiting(n: number, now: number): string {
  return t('with {n, plural, =0 {none} other {#}} waiting instead of {now, plural, =0 {none} other {#}}', { n, now })
}
