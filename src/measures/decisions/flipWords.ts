import { castForeseen, castVotes, createBallot } from '../../allocation/ballot.ts'
import { savedWithin } from '../../allocation/switchAware.ts'
import { t } from '../../language/translate.ts'
import { MAX_MICROS } from '../../scenario/model/limits.ts'
import { tieOrder } from '../../scenario/model/linearStages.ts'
import type { Micros, Policy, Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { type Decision, foreseenIn, policyOf } from './decision.ts'
import { numbersWhere } from './placements.ts'
import { powerOf, ruleOf, seatsBy } from './ruleComparison.ts'
import { createSpeech, merged, plain, type SentencePart, type Speech, sentence, stageNames, tParts } from './speech.ts'
import { weighsWork } from './targetWords.ts'

/** How many stages the sentence names at most. A table has the rest. */
const MAX_STAGES_NAMED = 3

/** Another queue length or mean service time at one stage, and the seats that would follow. */
export interface Counterfactual {
  readonly stage: number
  readonly change: { readonly waiting: number } | { readonly mean: Micros }
  /** By stage. */
  readonly seats: readonly number[]
}

/**
 * Returns the changes of which `flipSentenceOf` names the first of each stage: the nearest that would give a higher target to each stage whose target fell. Where no target
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

/** The stage whose target the fewest jobs more or less would change; none where no queue alone would. */
function nearestQueue({ stages, flips }: Decision): { readonly stage: number; readonly waiting: number }[] {
  const queues = flips.flatMap((both, stage) =>
    [both?.gain, both?.loss].flatMap((flip) => (flip?.waiting == null ? [] : [{ stage, waiting: flip.waiting }])),
  )
  const distance = ({ stage, waiting }: (typeof queues)[number]) => Math.abs(waiting - stages[stage].waiting)
  return queues.length === 0 ? [] : [queues.reduce((best, queue) => (distance(queue) < distance(best) ? queue : best))]
}

/** Returns the seats by stage if one stage alone differs. */
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
  const smallest = [0, 1, 2]
    .map((more) => Math.ceil(limit) + more)
    .find((mean) => mean >= 1 && mean <= MAX_MICROS && seatsAt(mean) > present)
  if (smallest === undefined) return null
  const wanted = seatsAt(smallest)
  let unit = 1
  while (smallest >= 1000 * unit) unit *= 10
  for (let digits = 3; digits <= 6 && unit >= 1; digits++, unit /= 10) {
    const mean = Math.ceil(smallest / unit) * unit
    if (mean <= MAX_MICROS && seatsAt(mean) === wanted) return mean
  }
  return null
}

/**
 * Returns what would have changed the decision, in plain words. For every stage whose target fell, what would have kept it:
 *
 *   "With 12 waiting (not 7), the target for Validate would be 3 (not 2), from Write."
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
  if (!weighsWork(decision.policy)) return merged(sentence([plain(t('this policy sets targets without votes'))]))
  const speech = createSpeech(scenario)
  const { policy, switchCost } = scenarioAtPhase(scenario, decision.phase)
  if (policy.kind === 'switchAware')
    return merged(sentence(moveNotPaid(switchCost, policy.horizon, decision, speech, duration)))
  const all = counterfactualsOf(scenario, decision)
  const say = (change: Counterfactual) => amountPhrase(decision, change, speech, { duration, exact })
  const stages = stagesToExplain(decision)
  if (stages.length === 0)
    return merged(
      sentence(
        all.length === 0
          ? [plain(t('no single queue would have changed it'))]
          : [plain(t('closest call: ')), ...say(all[0])],
      ),
    )
  return merged(
    stages.flatMap((s) => {
      if (decision.stages[s].done)
        return sentence(tParts('<stage></stage> is done: its target is 0', { stage: [speech.stage(s)] }))
      const flip = all.find(({ stage }) => stage === s)
      if (flip !== undefined) return sentence(say(flip))
      if ((decision.flips[s]?.gain ?? null) === null) return []
      return sentence(
        tParts('no queue at <stage></stage> would have given it a higher target', { stage: [speech.stage(s)] }),
      )
    }),
  )
}

/** Returns a change and its effect: "with 12 waiting (not 7), the target for Validate would be 3 (not 2)". */
function amountPhrase(
  { stages }: Decision,
  { stage, change, seats }: Counterfactual,
  speech: Speech,
  { duration, exact }: { duration(us: Micros): string; exact(us: Micros): string },
): SentencePart[] {
  const now = stages[stage].seatsAfter
  const to = seats[stage]
  // The stages that lose workers, or gain workers.
  const others = numbersWhere(
    stages,
    ({ seatsAfter }, s) => s !== stage && (to > now ? seats[s] < seatsAfter : seats[s] > seatsAfter),
  )
  const tags = { stage: [speech.stage(stage)], others: stageNames(others, speech) }
  const values = { way: wayText(change, stages[stage], duration, exact), to, now }
  return to > now
    ? tParts(
        '{way}, the target for <stage></stage> would be {to, number} (not {now, number}), from <others></others>',
        tags,
        values,
      )
    : tParts(
        '{way}, the target for <stage></stage> would be {to, number} (not {now, number}), for <others></others>',
        tags,
        values,
      )
}

function wayText(
  change: Counterfactual['change'],
  { waiting, mean }: Pick<Decision['stages'][number], 'waiting' | 'mean'>,
  duration: (us: Micros) => string,
  exact: (us: Micros) => string,
): string {
  if ('waiting' in change) return t('with {n, number} waiting (not {now, number})', { n: change.waiting, now: waiting })
  const [wanted, present] = [exact(change.mean), duration(mean)]
  return t('with {mean} a service (not {present})', {
    mean: wanted,
    present: wanted === present ? exact(mean) : present,
  })
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
  if (alternative === null || saved <= 0) return [plain(t('no other move would have saved time'))]
  const tags = { from: [speech.stage(alternative.from)], to: [speech.stage(alternative.to)] }
  return tParts('a move from <from></from> to <to></to> would have saved {saved} within {horizon}, for {cost}', tags, {
    saved: duration(saved),
    horizon: duration(horizon),
    cost: duration(switchCost),
  })
}
