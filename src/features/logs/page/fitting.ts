import type { Session } from '../../../app/session/session.ts'
import { study } from '../../../app/session/study/study.ts'
import { runJob, runJobs } from '../../../runs/remote/jobThreads.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type { Micros, PolicyKind } from '../../../scenario/model/scenario.ts'
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

/** How large the changes are, and from when on. */
export interface Asked {
  readonly from: Micros
  readonly more: number
  /** In percent. */
  readonly quicker: number
}

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
