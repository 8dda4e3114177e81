import { t } from '../../language/translate.ts'
import { type Metrics, stageLoadOf } from '../../measures/figures/metrics.ts'
import { policies, policyGroups } from '../../scenario/model/policies.ts'
import type { Micros, PolicyKind } from '../../scenario/model/scenario.ts'
import { count, duration, fixed, rate } from '../../views/drawing/format.ts'

/** A guess is right within this share of the mean. */
const RIGHT = 0.02
/** A guess is close up to the first factor, and far from the second. The answer never tells by how much: that would reveal the value. */
const [CLOSE, FAR] = [1.25, 3]

/** Returns whether a guess is right, too high or too low, and how close. The declared mean and that of the run are both right. */
export function serviceAnswer(guess: Micros, declared: Micros, measured: Micros | null): string {
  const text = duration(guess)
  const isRight = (mean: Micros) => Math.abs(guess / mean - 1) <= RIGHT
  if (isRight(declared)) return t('Right: {guess} is within 2% of the mean service time.', { guess: text })
  if (measured !== null && isRight(measured)) return t('Right: {guess} is within 2% of the mean in this run.', { guess: text })
  const high = guess > declared
  const times = high ? guess / declared : declared / guess
  if (times <= CLOSE) return high ? t('{guess} is close, but too high.', { guess: text }) : t('{guess} is close, but too low.', { guess: text })
  if (times >= FAR) return high ? t('{guess} is far too high.', { guess: text }) : t('{guess} is far too low.', { guess: text })
  return high ? t('{guess} is too high.', { guess: text }) : t('{guess} is too low.', { guess: text })
}

export function policyAnswer(guess: PolicyKind, truth: PolicyKind): string {
  const name = policies[guess].name()
  if (guess === truth) return t('Right: it is {name}.', { name })
  const group = groupOf(guess)
  return groupOf(truth) === group
    ? t('It is not {name}, but a policy of the same group: {group}.', { name, group })
    : t('It is not {name}, and not a policy of its group: {group}.', { name, group })
}

/** Returns the hints about a service time, the vaguest first. Without figures of a run the last ones ask for a run. */
export function serviceHints(name: string, s: number, figures: Metrics | null): readonly string[] {
  const law = t('Utilisation law: busy workers = jobs per second × service time. It is Little’s law for the jobs in service.')
  const none = t('Run it to the end, and this hint shows figures.')
  if (figures === null || figures.makespan === 0) return [law, none]
  const { busy, finished } = stageLoadOf(figures, s)
  const [workers, pace] = [fixed(busy, 2), rate((finished * 1e6) / figures.makespan)]
  return [
    law,
    t('{name} finished {finished} jobs in {makespan}, and {workers} workers were busy there on average.', {
      name,
      finished: count(finished),
      makespan: duration(figures.makespan),
      workers,
    }),
    t('So the service time is {workers} workers divided by {pace}.', { workers, pace }),
  ]
}

/** Returns the hints about a policy, the vaguest first. */
export function policyHints(truth: PolicyKind, figures: Metrics | null): readonly string[] {
  return [
    t('Watch the half circle while one queue grows: seats may follow the longest queue, the most work, or nothing at all.'),
    t('It belongs to this group: {group}.', { group: groupOf(truth) }),
    figures === null
      ? t('Run it to the end, and this hint shows figures.')
      : t('Compare plays the same jobs under other policies. This run has a makespan of {makespan} and {switches} changes of stage.', {
          makespan: duration(figures.makespan),
          switches: count(figures.switches),
        }),
  ]
}

function groupOf(kind: PolicyKind): string {
  return policyGroups.find(({ kinds }) => kinds.includes(kind))?.title() ?? ''
}
