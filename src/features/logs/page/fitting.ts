import type { Session } from '../../../app/session/session.ts'
import { study } from '../../../app/session/study/study.ts'
import { runJob, runJobs } from '../../../runs/remote/jobThreads.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type Change, fewestWorkers, sharingPolicies } from '../fit/changes.ts'
import type { Fit, FitAnswer } from '../fit/fitLog.ts'
import { DAYS, flowTimes, type PlayedDays, type WhatIfAnswer } from '../fit/whatIf.ts'
import type { SystemLog } from '../read/log.ts'

/** Results of the changes, from a time on. The days without a change come first. */
export interface WhatIfs {
  readonly from: Micros
  readonly base: PlayedDays
  readonly answers: readonly { readonly changes: readonly Change[]; readonly answer: WhatIfAnswer }[]
}

/** The changes that the user chose, which are tried together, and how large the others are; `quicker` in percent. */
export type Asked = Readonly<Record<'from' | 'more' | 'quicker', number>> & { readonly own: readonly Change[] }

/** Stages that are changed one by one: those with the longest queues. */
const MAX_STAGES = 5

/** Makes a scenario of a log, on a thread of its own. `order`: the names of the stages along the pipeline; null: as they appear. */
export const fitStudy = study<{ readonly log: SystemLog; readonly order: readonly string[] | null }, FitAnswer>({
  key: ({ log }) => log,
  work: (question, control) => runJob('fitLog', question, control),
})

/** Plays the day of a log with every change, on all cores. */
export const whatIfStudy = study<{ readonly fit: Fit; readonly asked: Asked }, WhatIfs>({
  key: ({ fit }) => fit,
  async work({ fit, asked }, control) {
    const { scenario, time, arrivals } = fit
    const all = changesOf(fit, asked)
    const rest = { scenario, arrivals, days: DAYS, from: asked.from, until: time[time.length - 1] }
    const answers: WhatIfAnswer[] = []
    const inputs = [[], ...all].map((changes) => ({ ...rest, changes }))
    await runJobs('whatIf', inputs, { ...control, answer: (k, answer) => (answers[k] = answer) })
    const [base, ...others] = answers
    if ('problem' in base) throw new Error(base.problem)
    return { from: asked.from, base, answers: all.map((changes, k) => ({ changes, answer: others[k] })) }
  },
})

/** Forgets the scenario of a log, and stops its studies. */
export function forgetFit(session: Session): void {
  whatIfStudy(session).forget()
  fitStudy(session).forget()
}

/**
 * Returns the changes to play: those of the user together and one by one, then what costs nothing (each policy, and the place of a
 * worker), then more workers and quicker services at each stage with a long queue.
 */
export function changesOf(
  { scenario, stages }: Pick<Fit, 'scenario' | 'stages'>,
  { more, quicker, own }: Asked,
): readonly (readonly Change[])[] {
  const byQueue = Array.from(scenario.stages.keys()).sort((a, b) => stages[b].logged - stages[a].logged)
  const longest = byQueue.slice(0, MAX_STAGES)
  const spare = byQueue.filter((stage, k) => k > 0 && fewestWorkers(scenario, stage) > 1).pop()
  const free = sharingPolicies().map((policy): Change => ({ kind: 'policy', policy }))
  const move: Change[] =
    spare === undefined
      ? []
      : [
          { kind: 'workers', stage: spare, more: -1 },
          { kind: 'workers', stage: longest[0], more: 1 },
        ]
  const bought = [
    ...longest.map((stage): Change => ({ kind: 'workers', stage, more })),
    ...longest.map((stage): Change => ({ kind: 'quicker', stage, share: 1 - quicker / 100 })),
  ]
  const candidates: readonly (readonly Change[])[] = [
    own,
    ...own.map((change) => [change]),
    ...free.map((change) => [change]),
    move,
    ...bought.map((change) => [change]),
  ]
  const keys = candidates.map((changes) => JSON.stringify(changes))
  return candidates.filter((changes, k) => changes.length > 0 && keys.indexOf(keys[k]) === k)
}

/** Returns which answer is shown first: that of the user's changes, else the best that costs nothing, else the best; the first if none helps. */
export function firstToShow({ base, answers }: WhatIfs, own: readonly Change[]): number {
  if (own.length > 0) return 0
  const savedBy = ({ answer }: WhatIfs['answers'][number]) =>
    'problem' in answer ? 0 : 1 - flowTimes(answer).median / flowTimes(base).median
  const bestOf = (isAllowed: (changes: readonly Change[]) => boolean) =>
    answers.reduce((best, each, k) => (isAllowed(each.changes) && savedBy(each) > savedBy(answers[best]) ? k : best), 0)
  const best = bestOf(isFree)
  return isFree(answers[best].changes) && savedBy(answers[best]) >= MIN_SAVED ? best : bestOf(() => true)
}

/** What saves less is not worth a change. */
const MIN_SAVED = 0.05

/** Returns whether changes need neither more workers nor quicker services. */
function isFree(changes: readonly Change[]): boolean {
  const more = changes.reduce((sum, change) => (change.kind === 'workers' ? sum + change.more : sum), 0)
  return more <= 0 && changes.every((change) => change.kind !== 'quicker' || change.share >= 1)
}
