import { t } from '../../language/translate.ts'
import { same } from '../model/compact.ts'
import { isElastic } from '../model/defaults.ts'
import {
  type Branch,
  type Micros,
  type Phase,
  type Problem,
  phaseKeys,
  type Scenario,
  type Stage,
  type WorkerEvent,
} from '../model/scenario.ts'
import { countText, foundText, problemAt, quoted } from '../model/words.ts'
import { setWorkers } from './edits.ts'

/** `branchDraft`: the original with the branch's values, for editing; `branchOf`: the original until `at`, then the branch, for running. */

export function originalOf(scenario: Scenario): Scenario {
  return scenario.branches.length === 0 ? scenario : { ...scenario, branches: [] }
}

export function branchDraft(scenario: Scenario, k: number): Scenario {
  const original = originalOf(scenario)
  const {
    at,
    title: _,
    stages = [],
    workers = original.workers,
    workerEvents,
    later,
    ...phaseValues
  } = scenario.branches[k]
  const staffed = setWorkers(original, workers)
  const own = new Map(stages.map((stage) => [stage.id, stage]))
  return {
    ...staffed,
    ...phaseValues,
    stages: original.stages.map((stage) => {
      const { from = 0, service = stage.service, changes } = own.get(stage.id) ?? {}
      return {
        ...stage,
        service,
        changes: changes === undefined ? stage.changes : [...below(stage.changes, from), ...changes],
      }
    }),
    workerEvents:
      workerEvents === undefined
        ? staffed.workerEvents
        : [...staffed.workerEvents.filter((event) => event.at < at), ...workerEvents],
    later: later === undefined ? staffed.later : [...staffed.later.filter((phase) => phase.at < at), ...later],
  }
}

/** Returns branch `k` for running. With the same seed its run equals the original's, row for row, until `at`. */
export function branchOf(scenario: Scenario, k: number): Scenario {
  const original = originalOf(scenario)
  const branch = scenario.branches[k]
  const drawn = branchDraft(scenario, k)
  const startedJobs = startedJobsIn(scenario, k)
  return {
    ...original,
    stages: drawn.stages.map((stage, s) => withOriginalService(stage, original.stages[s], startedJobs[s])),
    workerEvents: [
      ...original.workerEvents.filter((event) => event.at < branch.at),
      ...lateEvents(original, drawn, branch),
    ],
    later: [...original.later.filter((phase) => phase.at < branch.at), ...latePhases(original, drawn, branch)],
  }
}

/** Returns, by stage of the original, the first job whose service time the branch sets. */
export function startedJobsIn({ stages, branches }: Scenario, k: number): readonly number[] {
  const startedJobs = new Map(branches[k].stages?.map(({ id, from }) => [id, from]))
  return stages.map(({ id }) => startedJobs.get(id) ?? 0)
}

/** Copies the title, names and places of `drawing` to the scenario: they affect no run, so the original and its branches share them. */
export function withAppearance(scenario: Scenario, { title, stages }: Scenario): Scenario {
  return {
    ...scenario,
    title,
    stages: scenario.stages.map((stage, s) => ({ ...stage, name: stages[s].name, position: stages[s].position })),
  }
}

export function withFittingBranches(scenario: Scenario): Scenario {
  if (scenario.branches.length === 0) return scenario
  const ids = new Set(scenario.stages.map(({ id }) => id))
  if (scenario.branches.every(({ stages = [] }) => stages.every(({ id }) => ids.has(id)))) return scenario
  return {
    ...scenario,
    branches: scenario.branches.map(({ stages = [], ...rest }) => ({
      ...rest,
      stages: stages.filter(({ id }) => ids.has(id)),
    })),
  }
}

/** Until job `from` the stage has the service times of the original. */
function withOriginalService(stage: Stage, { service }: Stage, from: number): Stage {
  if (same(stage.service, service)) return stage
  const late = stage.changes.filter((change) => change.from >= from)
  const first = late[0]?.from === from ? [] : [{ from, service: stage.service }]
  return { ...stage, service, changes: [...below(stage.changes, from), ...first, ...late] }
}

function below(changes: Stage['changes'], from: number): Stage['changes'] {
  return changes.filter((change) => change.from < from)
}

/** More workers join at `at`, numbered after earlier joiners; if fewer, the last initial workers leave. Later joiners get other numbers than in the draft. */
function lateEvents(original: Scenario, drawn: Scenario, { at }: Branch): readonly WorkerEvent[] {
  const before = original.workerEvents.filter((event) => event.at < at)
  const late = drawn.workerEvents.filter((event) => event.at >= at)
  const joined = before.filter(({ kind }) => kind === 'join').length
  const initialWorkers = original.workers
  const more = drawn.workers - initialWorkers
  const played = (worker: number) => {
    if (more < 0) return worker < initialWorkers + more ? worker : worker - more
    if (worker < initialWorkers || worker >= initialWorkers + more + joined) return worker
    return worker < initialWorkers + more ? worker + joined : worker - more
  }
  const gone = new Set(before.filter(({ kind }) => kind === 'leave' || kind === 'crash').map(({ worker }) => worker))
  const joinedOrLeft: WorkerEvent[] = []
  for (let k = 0; k < more; k++) joinedOrLeft.push({ at, kind: 'join', worker: initialWorkers + joined + k })
  for (let worker = initialWorkers + more; worker < initialWorkers; worker++)
    if (!gone.has(worker)) joinedOrLeft.push({ at, kind: 'leave', worker })
  return [...joinedOrLeft, ...late.map((event) => ({ ...event, worker: played(event.worker) }))]
}

/** Values that differ from the original begin with a phase at `at`, unless a phase at the same time sets them. */
function latePhases(original: Scenario, drawn: Scenario, { at }: Branch): readonly Phase[] {
  const late = drawn.later.filter((phase) => phase.at >= at)
  const other = phaseKeys.filter((key) => !same(original[key], drawn[key]))
  if (other.length === 0) return late
  const [first, rest] = late[0]?.at === at ? [late[0], late.slice(1)] : [{}, late]
  return [{ ...Object.fromEntries(other.map((key) => [key, drawn[key]])), ...first, at }, ...rest]
}

/** The problem of a time or a job before the branch begins. */
export function beforeBranch(path: string, found: number, begin: number): Problem {
  return { path, message: foundText(found, t('at least {at}, where the branch begins', { at: countText(begin) })) }
}

export type Forked = { readonly branch: Branch } | { readonly problems: readonly Problem[] }

const fixed = ['seed', 'source', 'links', 'order'] as const satisfies readonly (keyof Scenario)[]
const fixedInStage = [
  'work',
  'fails',
  'capacity',
  'discipline',
  'ageing',
  'resource',
  'whenTaken',
  'fanOut',
  'join',
] as const satisfies readonly (keyof Stage)[]

export const cannotChange = () => t('cannot change during the run: put it back, or delete the branch')

/** Returns the branch that equals `edited` from `at` on, or problems. `startedJobs`: by stage, the highest started job plus one. Titles are not compared. */
export function forkAt(scenario: Scenario, at: Micros, edited: Scenario, startedJobs: readonly number[]): Forked {
  const original = originalOf(scenario)
  const changed = fixed.filter((key) => !same(original[key], edited[key]))
  const problems = changed.flatMap((key) => problemAt(key, cannotChange()))
  problems.push(...stageProblems(original, edited, startedJobs), ...earlyProblems(original, at, edited))
  if (edited.workers !== original.workers && isElastic(original.policy))
    problems.push({ path: 'workers', message: cannotChange() })
  if (edited.branches.length > 0) problems.push({ path: 'branches', message: t('a branch has no branches') })
  return problems.length > 0 ? { problems } : { branch: differences(original, at, edited, startedJobs) }
}

function stageProblems(original: Scenario, edited: Scenario, startedJobs: readonly number[]): Problem[] {
  const own = new Map(original.stages.map((stage, s) => [stage.id, { stage, startedJobs: startedJobs[s] }]))
  const there = new Set(edited.stages.map(({ id }) => id))
  const missing = original.stages.filter(({ id }) => !there.has(id))
  const problems: Problem[] = missing.map(({ name }) => ({
    path: 'stages',
    message: `${quoted(name)}: ${cannotChange()}`,
  }))
  for (const [i, stage] of edited.stages.entries()) {
    const before = own.get(stage.id)
    if (before === undefined) {
      problems.push({ path: `stages[${i}]`, message: `${quoted(stage.name)}: ${cannotChange()}` })
      continue
    }
    for (const key of fixedInStage)
      if (!same(stage[key], before.stage[key])) problems.push({ path: `stages[${i}].${key}`, message: cannotChange() })
    const k = earlyChange(before.stage.changes, stage.changes, before.startedJobs)
    if (k !== null) {
      const path = stage.changes[k] === undefined ? `stages[${i}].changes` : `stages[${i}].changes[${k}].from`
      problems.push({
        path,
        message: t('jobs below {job} have started here; allowed: from job {job} on', {
          job: countText(before.startedJobs),
        }),
      })
    }
  }
  if (missing.length === 0 && problems.length === 0 && original.stages.some(({ id }, s) => id !== edited.stages[s].id))
    problems.push({ path: 'stages', message: cannotChange() })
  return problems
}

/** Returns the index of the first change that alters or drops a started job; null if there is none. */
function earlyChange(before: Stage['changes'], now: Stage['changes'], startedJobs: number): number | null {
  const [old, present] = [before, now].map((changes) => changes.filter(({ from }) => from < startedJobs))
  if (same(old, present)) return null
  const k = present.findIndex((change, n) => !same(change, old[n]))
  return k < 0 ? now.length : k
}

/** Returns `edited` with events and phases before `at` as in the original with this many workers. After two changes they may differ from the original. */
export function withEarlierChanges(scenario: Scenario, at: Micros, edited: Scenario): Scenario {
  const before = setWorkers(originalOf(scenario), edited.workers)
  const joined = <T extends { readonly at: Micros }>(was: readonly T[], is: readonly T[]) => [
    ...was.filter((each) => each.at < at),
    ...is.filter((each) => each.at >= at),
  ]
  return {
    ...edited,
    workerEvents: joined(before.workerEvents, edited.workerEvents),
    later: joined(before.later, edited.later),
  }
}

/** Returns a problem for each event or phase before `at` that differs from the original. */
function earlyProblems(original: Scenario, at: Micros, edited: Scenario): Problem[] {
  const before = setWorkers(original, edited.workers)
  return (['workerEvents', 'later'] as const).flatMap((key) => {
    const [was, is] = [before[key], edited[key]].map((list: readonly { readonly at: Micros }[]) =>
      list.filter((each) => each.at < at),
    )
    if (same(was, is)) return []
    const k = is.findIndex((each, n) => !same(each, was[n]))
    return k < 0
      ? problemAt(key, t('an event before {at} is missing: {problem}', { at: countText(at), problem: cannotChange() }))
      : beforeBranch(`${key}[${k}].at`, is[k].at, at)
  })
}

/** Returns only the differences, so that edits of the original reach its branches; and how many jobs each stage had started. */
function differences(original: Scenario, at: Micros, edited: Scenario, startedJobs: readonly number[]): Branch {
  const staffed = setWorkers(original, edited.workers)
  const late = <T extends { readonly at: Micros }>(list: readonly T[]) => list.filter((each) => each.at >= at)
  const phaseValues = phaseKeys.filter((key) => !same(edited[key], staffed[key]))
  const stages = edited.stages.flatMap((stage, s) => stageDifferences(original.stages[s], stage, startedJobs[s]))
  return {
    at,
    title: '',
    ...(stages.length > 0 && { stages }),
    ...(edited.workers !== original.workers && { workers: edited.workers }),
    ...(!same(late(edited.workerEvents), late(staffed.workerEvents)) && { workerEvents: late(edited.workerEvents) }),
    ...(!same(late(edited.later), late(staffed.later)) && { later: late(edited.later) }),
    ...Object.fromEntries(phaseValues.map((key) => [key, edited[key]])),
  }
}

function stageDifferences(
  original: Stage,
  { id, service, changes }: Stage,
  from: number,
): NonNullable<Branch['stages']> {
  const other = {
    ...(!same(service, original.service) && { service }),
    ...(!same(changes, original.changes) && { changes: changes.filter((change) => change.from >= from) }),
  }
  return from === 0 && Object.keys(other).length === 0 ? [] : [{ id, from, ...other }]
}
