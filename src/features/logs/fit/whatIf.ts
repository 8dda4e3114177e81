import { type Metrics, metricsOf } from '../../../measures/figures/metrics.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { Micros, Parsed, Phase, Policy, PolicyKind, Scenario, Service, Stage, WorkerEvent } from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { playQueues } from './comparison.ts'

/** A run of a fitted scenario, with a change at `from` unless it is null. The log ends at `until`. */
export type WhatIf = { readonly scenario: Scenario; readonly change: Change | null } & Readonly<Record<'from' | 'until', Micros>>

/** The results of a changed day, or why the change cannot be played. */
export type WhatIfAnswer =
  /** `peaks`: by stage, the longest queue from the time of the change to the end of the log. */
  ({ readonly scenario: Scenario; readonly peaks: readonly number[] } & Pick<Metrics, 'meanFlowTime' | 'completed'>) | { readonly problem: string }

/** Plays the day of a log with a change. The random numbers stay the same, so only the change makes a difference. */
export async function playWhatIf({ scenario, change, from, until }: WhatIf): Promise<WhatIfAnswer> {
  const isQuicker = change?.kind === 'quicker' && from > 0
  const startedJobs = isQuicker ? (await playQueues(scenario, new Float64Array(0), { since: from, until: from })).startedJobs : scenario.stages.map(() => 0)
  const changed = change === null ? { scenario } : withChange(scenario, change, from, startedJobs)
  if ('problems' in changed) return { problem: changed.problems[0].message }
  const { peaks, trace } = await playQueues(changed.scenario, new Float64Array(0), { since: from, until })
  const { meanFlowTime, completed } = metricsOf(trace)
  return { scenario: changed.scenario, peaks, meanFlowTime, completed }
}

/** A change to the day of a log. `share`: the new service time, over the old one. */
export type Change =
  | { readonly kind: 'policy'; readonly policy: PolicyKind }
  | { readonly kind: 'workers'; readonly stage: number; readonly more: number }
  | { readonly kind: 'quicker'; readonly stage: number; readonly share: number }

/** Returns a fitted scenario with a change from a time on, or why it is impossible. `startedJobs`: by stage, the jobs that start before that time. */
export function withChange(scenario: Scenario, change: Change, from: Micros, startedJobs: readonly number[]): Parsed {
  if (change.kind === 'policy') return withPolicyFrom(scenario, change.policy, from)
  if (change.kind === 'workers') return withMoreWorkers(scenario, change.stage, change.more, from)
  const stages = scenario.stages.map((stage, s) => (s === change.stage ? quickerFrom(stage, change.share, startedJobs[s]) : stage))
  return parse({ ...scenario, stages })
}

/** Gives the policy, at every time, as many workers as the system had. */
function withPolicyFrom(scenario: Scenario, kind: PolicyKind, from: Micros): Parsed {
  const { policy } = setPolicy({ ...scenario, later: [] }, kind)
  const crews = totalsOf(scenario)
  const present = crews.filter(({ at }) => at <= from).at(-1)?.workers ?? scenario.workers
  const workers = from === 0 ? present : scenario.workers
  const later = crews.filter(({ at }) => at > from)
  const workerEvents = crewEvents(workers, [{ at: from, workers: present }, ...later])
  const staffed = { ...scenario, workers, cores: Math.max(workers, ...later.map((crew) => crew.workers)), workerEvents }
  if (from === 0) return parse({ ...staffed, policy, later: withoutKey(scenario.later, 'policy') })
  return parse({ ...staffed, later: [...scenario.later.filter(({ at }) => at < from), { at: from, policy }] })
}

/** Returns the number of workers of the fixed policies of a scenario, from each time on. */
function totalsOf({ policy, later }: Scenario): readonly { readonly at: Micros; readonly workers: number }[] {
  return [{ at: 0, policy }, ...later].flatMap(({ at, policy: of }) =>
    of?.kind === 'fixed' ? [{ at, workers: Object.values(of.allocation).reduce((sum, each) => sum + each, 0) }] : [],
  )
}

/** Returns the worker events that lead to these numbers of workers. The last to join leave first. */
function crewEvents(workers: number, crews: readonly { readonly at: Micros; readonly workers: number }[]): WorkerEvent[] {
  const present = Array.from({ length: workers }, (_, worker) => worker)
  const events: WorkerEvent[] = []
  let ever = workers
  for (const { at, workers: wanted } of crews) {
    while (present.length > wanted) events.push({ at, kind: 'leave', worker: present.pop() ?? 0 })
    for (; present.length < wanted; present.push(ever++)) events.push({ at, kind: 'join', worker: ever })
  }
  return events
}

function withMoreWorkers(scenario: Scenario, stage: number, more: number, from: Micros): Parsed {
  const { id } = scenario.stages[stage]
  const staffed = (policy: Policy): Policy =>
    policy.kind === 'fixed' ? { ...policy, allocation: { ...policy.allocation, [id]: (policy.allocation[id] ?? 0) + more } } : policy
  const before = scenario.later.filter(({ at }) => at < from)
  const present = before.filter((phase) => phase.policy !== undefined).at(-1)?.policy ?? scenario.policy
  const after = scenario.later.filter(({ at }) => at >= from).map((phase): Phase => (phase.policy ? { ...phase, policy: staffed(phase.policy) } : phase))
  const turn: Phase[] = from === 0 || after[0]?.at === from ? [] : [{ at: from, policy: staffed(present) }]
  const policy = from === 0 ? staffed(scenario.policy) : scenario.policy
  return parse({ ...scenario, workers: scenario.workers + more, cores: scenario.cores + more, policy, later: [...before, ...turn, ...after] })
}

function quickerFrom(stage: Stage, share: number, startedJobs: number): Stage {
  const quick = (service: Service): Service => ('mean' in service ? { ...service, mean: Math.max(1, Math.round(service.mean * share)) } : service)
  const changes = stage.changes.map(({ from, service }) => ({ from, service: quick(service) }))
  if (startedJobs === 0) return { ...stage, service: quick(stage.service), changes }
  const before = stage.changes.filter(({ from }) => from < startedJobs)
  const after = changes.filter(({ from }) => from >= startedJobs)
  const turn = after[0]?.from === startedJobs ? [] : [{ from: startedJobs, service: quick(before.at(-1)?.service ?? stage.service) }]
  return { ...stage, changes: [...before, ...turn, ...after] }
}
