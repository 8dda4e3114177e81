import type { Session } from '../../../app/session/session.ts'
import { study } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import { runJob, runJobs } from '../../../runs/remote/jobThreads.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { Micros, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { count, fixed, percent } from '../../../views/drawing/format.ts'
import { logTime } from '../draw/logDrawing.ts'
import type { Gap } from '../fit/comparison.ts'
import type { Fit, FitAnswer } from '../fit/fitLog.ts'
import type { Change, WhatIfAnswer } from '../fit/whatIf.ts'
import type { SystemLog } from '../read/log.ts'

/** A run of the day of a log that could be played. */
export type PlayedDay = Exclude<WhatIfAnswer, { readonly problem: string }>

/** Results of the changes, from a time on. The run without a change comes first. */
export interface WhatIfs {
  readonly from: Micros
  readonly base: PlayedDay
  readonly answers: readonly { readonly change: Change; readonly answer: WhatIfAnswer }[]
}

/** How large the changes are, and from when on; `quicker` in percent. */
export type Asked = Readonly<Record<'from' | 'more' | 'quicker', number>>

/** Stages that are changed one by one: those with the longest queues. */
const MAX_STAGES = 5
/** These share out workers, too, but take long, or need a person. */
const unasked: readonly PolicyKind[] = ['exhaustive', 'code', 'byHand']

/** Makes a scenario of a log, on a thread of its own. `order`: the names of the stages along the pipeline; null: as they appear. */
export const fitStudy = study<{ readonly log: SystemLog; readonly order: readonly string[] | null }, FitAnswer>({
  key: ({ log }) => log,
  work: (question, control) => runJob('fitLog', question, control),
})

/** Plays the day of a log with every change, on all cores. */
export const whatIfStudy = study<{ readonly fit: Fit; readonly asked: Asked }, WhatIfs>({
  key: ({ fit }) => fit,
  async work({ fit, asked }, control) {
    const { scenario, time } = fit
    const changes = changesOf(fit, asked)
    const inputs = [null, ...changes].map((change) => ({ scenario, change, from: asked.from, until: time[time.length - 1] }))
    const answers: WhatIfAnswer[] = []
    await runJobs('whatIf', inputs, { ...control, answer: (k, answer) => (answers[k] = answer) })
    const [base, ...others] = answers
    if ('problem' in base) throw new Error(base.problem)
    return { from: asked.from, base, answers: changes.map((change, k) => ({ change, answer: others[k] })) }
  },
})

/** Forgets the scenario of a log, and stops its studies. */
export function forgetFit(session: Session): void {
  whatIfStudy(session).forget()
  fitStudy(session).forget()
}

function changesOf({ scenario, stages }: Fit, { more, quicker }: Asked): Change[] {
  const kinds = policyGroups.flatMap((group) => group.kinds).filter((kind) => policies[kind].lends && !unasked.includes(kind))
  const longest = Array.from(scenario.stages.keys())
    .sort((a, b) => stages[b].logged - stages[a].logged)
    .slice(0, MAX_STAGES)
  return [
    ...kinds.map((policy): Change => ({ kind: 'policy', policy })),
    ...longest.map((stage): Change => ({ kind: 'workers', stage, more })),
    ...longest.map((stage): Change => ({ kind: 'quicker', stage, share: 1 - quicker / 100 })),
  ]
}

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
