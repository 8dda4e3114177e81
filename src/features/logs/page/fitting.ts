import type { Session } from '../../../app/session/session.ts'
import { study } from '../../../app/session/study/study.ts'
import { runJob, runJobs } from '../../../runs/remote/jobThreads.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type Change, sharingPolicies } from '../fit/changes.ts'
import type { Fit, FitAnswer } from '../fit/fitLog.ts'
import { DAYS, type PlayedDays, type WhatIfAnswer } from '../fit/whatIf.ts'
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

/** Returns the changes to play: those of the user together and one by one, then each policy, and each stage with a long queue. */
function changesOf({ scenario, stages }: Fit, { more, quicker, own }: Asked): Change[][] {
  const longest = Array.from(scenario.stages.keys())
    .sort((a, b) => stages[b].logged - stages[a].logged)
    .slice(0, MAX_STAGES)
  const single = [
    ...own,
    ...sharingPolicies().map((policy): Change => ({ kind: 'policy', policy })),
    ...longest.map((stage): Change => ({ kind: 'workers', stage, more })),
    ...longest.map((stage): Change => ({ kind: 'quicker', stage, share: 1 - quicker / 100 })),
  ]
  const keys = single.map((change) => JSON.stringify(change))
  const each = single.filter((_, k) => keys.indexOf(keys[k]) === k).map((change) => [change])
  return own.length > 1 ? [[...own], ...each] : each
}
