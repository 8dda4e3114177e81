import { t } from '../../../language/translate.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { count, fixed, percent } from '../../../views/drawing/format.ts'
import { logTime } from '../draw/logClock.ts'
import type { Gap } from '../fit/comparison.ts'
import type { Change } from '../fit/whatIf.ts'
import type { PlayedDay } from './fitting.ts'

/** Policies that are named after people. */
const people: readonly PolicyKind[] = ['jefferson', 'webster', 'huntingtonHill', 'adams', 'dean', 'hamilton']

/** Returns a stretch that a run does not explain, in a sentence. `origin`: when the log begins. */
export function unexplainedSentence({ name, from, to, logged, run }: Gap, origin: Micros): string {
  const values = { name, from: logTime(origin, from), to: logTime(origin, to), logged: fixed(logged, 1), run: fixed(run, 1) }
  return t('{name}, {from} to {to}: {logged} waited in the log, {run} in the run.', values)
}

/** Returns the name of a change, for a list. */
export function changeName(change: Change, { stages }: Scenario): string {
  if (change.kind === 'policy') return policies[change.policy].name()
  const { name } = stages[change.stage]
  if (change.kind === 'workers') return t('{more, plural, one {# worker} other {# workers}} more at {name}', { more: change.more, name })
  return t('{name} {share} quicker', { name, share: percent(1 - change.share, 0) })
}

/** Returns the stage whose queue was the longest without a change. */
export function worstStage({ peaks }: Pick<PlayedDay, 'peaks'>): number {
  return peaks.reduce((worst, peak, s) => (peak > peaks[worst] ? s : worst), 0)
}

/** Returns the result of a change as a sentence to paste. `from`: its time on the clock; null: from the start. */
export function whatIfSentence(change: Change, base: PlayedDay, changed: PlayedDay, from: string | null): string {
  const { stages } = base.scenario
  const worst = worstStage(base)
  const values = { from: from ?? '', stage: stages[worst].name, after: count(changed.peaks[worst]), before: count(base.peaks[worst]) }
  const other = worstStage(changed)
  const sentence = sentenceOf(change, base.scenario, values, from === null)
  if (changed.peaks[other] <= changed.peaks[worst]) return sentence
  return `${sentence} ${t('The longest queue would have been {most}, at {name}.', { most: count(changed.peaks[other]), name: stages[other].name })}`
}

function sentenceOf(change: Change, { stages }: Scenario, values: Readonly<Record<string, string>>, always: boolean): string {
  if (change.kind === 'policy') {
    const name = policies[change.policy].name()
    const policy = people.includes(change.policy) ? name : name.slice(0, 1).toLowerCase() + name.slice(1)
    return always
      ? t('With {policy} the queue at {stage} would have peaked at {after} instead of {before}.', { ...values, policy })
      : t('With {policy} from {from} the queue at {stage} would have peaked at {after} instead of {before}.', { ...values, policy })
  }
  const at = { ...values, place: stages[change.stage].name }
  if (change.kind === 'workers') {
    const more = { ...at, more: change.more }
    return always
      ? t('With {more, plural, one {# worker} other {# workers}} more at {place} the queue at {stage} would have peaked at {after} instead of {before}.', more)
      : t(
          'With {more, plural, one {# worker} other {# workers}} more at {place} from {from} the queue at {stage} would have peaked at {after} instead of {before}.',
          more,
        )
  }
  const quicker = { ...at, share: percent(1 - change.share, 0) }
  return always
    ? t('With {place} {share} quicker the queue at {stage} would have peaked at {after} instead of {before}.', quicker)
    : t('With {place} {share} quicker from {from} the queue at {stage} would have peaked at {after} instead of {before}.', quicker)
}
