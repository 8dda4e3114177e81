import { castVotes, createBallot } from '../../../allocation/ballot.ts'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { type Decision, weighSeats } from '../../../measures/decisions/decision.ts'
import { powerOf, ruleOf, seatsBy } from '../../../measures/decisions/ruleComparison.ts'
import { createSpeech, enumerated, plain, type SentencePart, tParts } from '../../../measures/decisions/speech.ts'
import type { DecisionQuestion } from '../../../scenario/parse/question.ts'

/**
 * Returns what the rule of a question decides, as a decision without a run. `had`: the seats before, by stage, where they are known. Throws RangeError
 * for a policy that needs more than votes.
 */
export function answerTo({ scenario, asked }: DecisionQuestion, had: readonly number[] | null = null): Decision {
  const { policy, workers } = scenario
  // A question lists its stages in the order of ties.
  const stageOf = asked.map((_, s) => s)
  const ballot = createBallot(asked.length)
  ballot.workers = workers
  asked.forEach(({ waiting, mean, done }, s) => {
    castVotes(ballot, s, waiting, mean, done)
  })
  const rule = policy.kind === 'hamilton' ? policy.kind : ruleOf(policy.kind)
  if (rule === null) throw new RangeError(`${policy.kind} looks at more than votes`)
  const seats = seatsBy(rule, powerOf(policy), ballot)
  const before = had ?? seats
  return {
    ...{ index: 0, time: 0, row: 0, phase: 0 },
    policy: policy.kind,
    workers,
    stages: asked.map(({ waiting, mean, done }, s) => ({
      waiting,
      mean,
      ...{ measured: 1, coming: 0, age: 0, urgency: 1, busy: 0 },
      work: waiting * mean,
      votes: waiting * mean,
      done,
      seatsBefore: before[s],
      seatsAfter: seats[s],
    })),
    verified: true,
    ...weighSeats(policy, ballot, before, seats, stageOf),
    ...{ pressures: null, facts: [], orders: [], free: [] },
  }
}

/** Returns the answer as a sentence: "A gets 5 of 8 seats, B, C and D 1 each." */
export function answerSentence({ scenario }: DecisionQuestion, { stages, workers }: Decision): SentencePart[] {
  const speech = createSpeech(scenario)
  const given = stages.flatMap(({ seatsAfter }, s) => (seatsAfter > 0 ? [{ s, seatsAfter }] : []))
  if (given.length === 0) return [plain(stages.every(({ done }) => done) ? t('Every stage is done: no worker is needed.') : t('No stage gets a seat.'))]
  const amounts = [...new Set(given.map(({ seatsAfter }) => seatsAfter))].sort((a, b) => b - a)
  const clauses = amounts.map((amount, i) => {
    const alike = given.filter(({ seatsAfter }) => seatsAfter === amount)
    const names = alike.map(({ s }) => [speech.stage(s)])
    const who = enumerated(names, Infinity)
    const values = { amount, n: alike.length, workers }
    return i === 0
      ? tParts(
          '{n, plural, one {<who></who> gets {amount} of {workers, plural, one {# seat} other {# seats}}} other {<who></who> get {amount} of {workers, plural, one {# seat} other {# seats}} each}}',
          { who },
          values,
        )
      : tParts('{n, plural, one {<who></who> {amount}} other {<who></who> {amount} each}}', { who }, values)
  })
  return [...enumerated(clauses, Infinity), plain('.')]
}

/** Returns the seats by stage: "Parse 4, Write 2." */
export function seatsSentence({ stages }: Pick<DecisionQuestion['scenario'], 'stages'>, seats: readonly number[]): SentencePart[] {
  return seats.flatMap((n, s): SentencePart[] => [{ text: isolated(stages[s].name), stage: s }, { text: ` ${n}${s === seats.length - 1 ? '.' : ', '}` }])
}
