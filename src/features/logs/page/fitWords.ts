import { t } from '../../../language/translate.ts'
import { isMethod } from '../../../scenario/model/methods.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { listed } from '../../../scenario/model/words.ts'
import { count, fixed, MULTIPLE, percent, timesAsLong } from '../../../views/drawing/format.ts'
import { logTime } from '../draw/logDrawing.ts'
import type { Change } from '../fit/changes.ts'
import type { Gap } from '../fit/comparison.ts'
import { betterDays, nearSaturation, type PlayedDays, peaksAt, type Spread, worstStage } from '../fit/whatIf.ts'

/** Returns a stretch that a run does not explain, in a sentence. `origin`: when the log begins. */
export function unexplainedSentence({ name, from, to, logged, run }: Gap, origin: Micros): string {
  const values = {
    name,
    from: logTime(origin, from),
    to: logTime(origin, to),
    logged: fixed(logged, 1),
    run: fixed(run, 1),
  }
  return t('{name}, {from} to {to}: {logged} waited in the log, {run} in the run.', values)
}

/** Returns the name of changes that are tried together, for a list. */
export function changesName(changes: readonly Change[], scenario: Scenario): string {
  return listed(changes.map((change) => changeName(change, scenario)))
}

function changeName(change: Change, { stages }: Scenario): string {
  if (change.kind === 'policy') return policies[change.policy].name()
  const { name } = stages[change.stage]
  if (change.kind === 'capacity')
    return change.capacity === null
      ? t('no limit to the queue at {name}', { name })
      : t('at most {capacity} waiting at {name}', { name, capacity: count(change.capacity) })
  if (change.kind === 'workers')
    return change.more < 0
      ? t('{fewer, plural, one {# worker} other {# workers}} fewer at {name}', { fewer: -change.more, name })
      : t('{more, plural, one {# worker} other {# workers}} more at {name}', { more: change.more, name })
  if (change.share >= MULTIPLE) return `${name} ${timesAsLong(change.share)}`
  return change.share > 1
    ? t('{name} {share} slower', { name, share: percent(change.share - 1, 0) })
    : t('{name} {share} quicker', { name, share: percent(1 - change.share, 0) })
}

/** Returns the results of some days: `62 (39 to 176)`. */
export function spreadText({ median, low, high }: Spread, text: (value: number) => string): string {
  return t('{median} ({low} to {high})', { median: text(median), low: text(low), high: text(high) })
}

/** Returns the result of changes as sentences to paste. `from`: their time on the clock; null: from the start. */
export function whatIfSentence(
  changes: readonly Change[],
  base: PlayedDays,
  changed: PlayedDays,
  from: string | null,
): string {
  const { stages } = base.scenario
  const runs = base.days.length
  const [worst, other, near] = [worstStage(base), worstStage(changed), nearSaturation(changed)]
  const peaks = (played: PlayedDays, s: number) => {
    const spread = peaksAt(played, s)
    return runs === 1 ? count(spread.median) : spreadText(spread, count)
  }
  const values = {
    from: from === null ? '' : t(' from {at}', { at: from }),
    stage: stages[worst].name,
    after: peaks(changed, worst),
    before: peaks(base, worst),
  }
  const [longest, most] = [stages[other].name, peaks(changed, other)]
  const better = betterDays(base, changed)
  return [
    sentenceOf(changes, base.scenario, values),
    other === worst ? '' : t('The longest queue would have been {most}, at {name}.', { most, name: longest }),
    runs === 1 ? '' : t('Better in {better} of {runs}.', { better, runs }),
    near === null ? '' : saturationText(changed.scenario, near),
  ]
    .filter((text) => text !== '')
    .join(' ')
}

/** Says how near a stage is to saturation. */
export function saturationText(
  { stages }: Scenario,
  { stage, load }: { readonly stage: number; readonly load: number },
): string {
  const values = { name: stages[stage].name, load: percent(load, 0) }
  return t('{name} gets {load} of the work that its workers can do.', values)
}

function sentenceOf(
  changes: readonly Change[],
  scenario: Scenario,
  values: Readonly<Record<'from' | 'stage' | 'after' | 'before', string>>,
): string {
  const [change] = changes
  const name = changesName(changes, scenario)
  // The methods are named after people.
  const lowered = changes.length === 1 && change.kind === 'policy' && !isMethod(change.policy)
  return t('With {changes}{from} the queue at {stage} would have peaked at {after} instead of {before}.', {
    ...values,
    changes: lowered ? name.slice(0, 1).toLowerCase() + name.slice(1) : name,
  })
}
