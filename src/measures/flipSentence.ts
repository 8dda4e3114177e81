import type { Flip } from '../allocation/flip.ts'
import type { Micros, PolicyKind, Scenario } from '../scenario/scenario.ts'
import type { Decision } from './decision.ts'
import { createSpeech, enumerated, grouped, merged, type Part, say, sentence } from './sentence.ts'

type Speech = ReturnType<typeof createSpeech>

/** What a policy looks at that has no quotients, and so no queue or service time at which one seat alone would change hands. */
const without: Readonly<Partial<Record<PolicyKind, string>>> = {
  backpressure:
    'no seat hangs on one queue alone here: the stage with the greatest pressure gets all the seats it can keep busy, then the next. Another order of the pressures would have changed it',
  sinkFirst: 'no votes were counted: the stage nearest the sink gets all the seats that it can keep busy, then the one before it',
  pid: 'no seat was given by a vote: every stage has a pool of its own, which its controller changes at its next tick',
  threshold: 'no seat was given by a vote: every stage has a pool of its own, which its controller changes at its next tick',
  onePerStage: 'nothing would have changed it: queues and service times are not looked at',
  fixed: 'nothing would have changed it: queues and service times are not looked at',
  greenThreads: 'nothing would have changed it: queues and service times are not looked at',
  single: 'no length of a queue and no service time would have changed it: one worker takes each job to its end',
}

/** So many stages are told apart; a table has the rest. */
const MOST = 3

/**
 * What would have changed the decision, in plain words: for every stage that lost a seat what would have kept it,
 *
 *   "Validate would have kept its seat with 12 waiting instead of 7, or above 15.2 ms a service instead of 9.1 ms; at the cost of Write."
 *
 * where none did but workers left one, what would have brought it another; else which stage was nearest to a seat more or
 * less. Where the policy gives no seat by votes, it says what it looks at instead.
 *
 * @param duration writes a length of time
 */
export function flipSentenceOf(scenario: Scenario, decision: Decision, duration: (us: Micros) => string): Part[] {
  const { stages, orders } = decision
  const elsewhere = without[decision.policy]
  if (elsewhere !== undefined) return merged(sentence([say(elsewhere)]))
  const speech = createSpeech(scenario)
  const losers = numbers(stages, ({ seatsBefore, seatsAfter }) => seatsAfter < seatsBefore)
  const left = losers.length > 0 ? losers : numbers(stages, (_, s) => orders.some(({ from, stage }) => from === s && stage !== s))
  const told = left.slice(0, MOST).flatMap((s) => sentence(keptBy(decision, s, speech, duration)))
  return merged(left.length > 0 ? told : sentence(nearest(decision, speech)))
}

/** What would have kept a seat at stage s, or brought one where it lost none. */
function keptBy({ stages, flips }: Decision, s: number, speech: Speech, duration: (us: Micros) => string): Part[] {
  const { done, seatsBefore, seatsAfter } = stages[s]
  if (done) return [speech.stage(s), say(' is done: nothing would have kept a seat there')]
  const gain = flips[s]?.gain ?? null
  const lost = seatsBefore - seatsAfter
  const kept = lost <= 0 ? ' would have had another seat' : lost === 1 ? ' would have kept its seat' : ` would have kept one of its ${lost} seats`
  if (gain === null) return []
  const ways = waysTo(gain, stages[s], duration)
  if (ways.length === 0) return [say('no queue at '), speech.stage(s), say(` would have ${lost <= 0 ? 'brought it another seat' : 'kept its seat'}`)]
  return [speech.stage(s), say(`${kept} ${ways.join(', or ')}; at the cost of `), speech.stage(gain.with)]
}

/** `with 12 waiting instead of 7`, `above 15.2 ms a service instead of 9.1 ms`. */
function waysTo({ waiting, mean }: Flip, stage: Decision['stages'][number], duration: (us: Micros) => string): string[] {
  const ways: string[] = []
  if (waiting !== null) ways.push(`with ${grouped(waiting)} waiting instead of ${jobsSaid(stage.waiting)}`)
  if (mean === null) return ways
  const [limit, present] = [duration(mean), duration(stage.mean)]
  // At a tie anything more would do, and the two would read the same.
  ways.push(limit === present ? `at anything above ${limit} a service` : `above ${limit} a service instead of ${present}`)
  return ways
}

/** Of all stages the one for which the fewest jobs more or less would have moved a seat. */
function nearest({ stages, flips }: Decision, speech: Speech): Part[] {
  let best: { readonly s: number; readonly flip: Flip; readonly waiting: number } | null = null
  const distance = ({ s, waiting }: { readonly s: number; readonly waiting: number }) => Math.abs(waiting - stages[s].waiting)
  for (const [s, both] of flips.entries()) {
    for (const flip of both === null ? [] : [both.gain, both.loss]) {
      if (flip === null || flip.waiting === null) continue
      const here = { s, flip, waiting: flip.waiting }
      if (best === null || distance(here) < distance(best)) best = here
    }
  }
  if (best === null) return [say('nothing at one stage alone would have changed it')]
  const { s, flip, waiting } = best
  const more = waiting > stages[s].waiting
  const ifs = say(
    ` with ${jobsSaid(waiting)} waiting instead of ${jobsSaid(stages[s].waiting)} it would have ${more ? 'taken a seat from' : 'lost a seat to'} `,
  )
  return enumerated([[say('nearest to another answer was '), speech.stage(s), say(':'), ifs, speech.stage(flip.with)]])
}

function jobsSaid(jobs: number): string {
  return jobs === 0 ? 'none' : grouped(jobs)
}

function numbers<T>(values: readonly T[], holds: (value: T, i: number) => boolean): number[] {
  return values.flatMap((value, i) => (holds(value, i) ? [i] : []))
}
