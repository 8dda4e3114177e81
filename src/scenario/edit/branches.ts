import { same } from '../model/compact.ts'
import { initialWorkerCount } from '../model/defaults.ts'
import { type Branch, type Phase, phaseKeys, type Scenario, type Stage, type WorkerEvent } from '../model/scenario.ts'
import { setWorkers } from './edits.ts'

/**
 * A branch is kept with the keys of a scenario: `workers: 6` means six from `at` on. Two scenarios are made of it, neither with
 * branches of its own:
 *
 *   drawnBranch    the original with the branch's values in place of its own: for editing
 *   branchOf       equals the original until `at` and the branch from then on: for running
 */

/** The scenario without its branches. */
export function originalOf(scenario: Scenario): Scenario {
  return scenario.branches.length === 0 ? scenario : { ...scenario, branches: [] }
}

/** Returns branch `k` for editing. */
export function branchDraft(scenario: Scenario, k: number): Scenario {
  const original = originalOf(scenario)
  const { at, title: _, stages = [], workers = original.workers, workerEvents, later, ...phaseValues } = scenario.branches[k]
  const staffed = setWorkers(original, workers)
  const own = new Map(stages.map((stage) => [stage.id, stage]))
  return {
    ...staffed,
    ...phaseValues,
    stages: original.stages.map((stage) => {
      const { from = 0, service = stage.service, changes } = own.get(stage.id) ?? {}
      return { ...stage, service, changes: changes === undefined ? stage.changes : [...below(stage.changes, from), ...changes] }
    }),
    workerEvents: workerEvents === undefined ? staffed.workerEvents : [...staffed.workerEvents.filter((event) => event.at < at), ...workerEvents],
    later: later === undefined ? staffed.later : [...staffed.later.filter((phase) => phase.at < at), ...later],
  }
}

/** Returns branch `k` for running. With the same seed its run equals the original's, row for row, until `at`. */
export function branchOf(scenario: Scenario, k: number): Scenario {
  const original = originalOf(scenario)
  const branch = scenario.branches[k]
  const drawn = branchDraft(scenario, k)
  const froms = begunIn(scenario, k)
  return {
    ...original,
    stages: drawn.stages.map((stage, s) => withOriginalService(stage, original.stages[s], froms[s])),
    workerEvents: [...original.workerEvents.filter((event) => event.at < branch.at), ...lateEvents(original, drawn, branch)],
    later: [...original.later.filter((phase) => phase.at < branch.at), ...latePhases(original, drawn, branch)],
  }
}

/** Returns, by stage of the original, the first job whose cost the branch sets. */
export function begunIn({ stages, branches }: Scenario, k: number): readonly number[] {
  const froms = new Map(branches[k].stages?.map(({ id, from }) => [id, from]))
  return stages.map(({ id }) => froms.get(id) ?? 0)
}

/** Copies the title, the essay, names and places of `drawing` to the scenario: they affect no run, so the original and its branches share them. */
export function withLooks(scenario: Scenario, { title, essay, stages }: Scenario): Scenario {
  return { ...scenario, title, essay, stages: scenario.stages.map((stage, s) => ({ ...stage, name: stages[s].name, position: stages[s].position })) }
}

/** Removes from the branches stages that no longer exist. */
export function withFittingBranches(scenario: Scenario): Scenario {
  if (scenario.branches.length === 0) return scenario
  const ids = new Set(scenario.stages.map(({ id }) => id))
  if (scenario.branches.every(({ stages = [] }) => stages.every(({ id }) => ids.has(id)))) return scenario
  return { ...scenario, branches: scenario.branches.map(({ stages = [], ...rest }) => ({ ...rest, stages: stages.filter(({ id }) => ids.has(id)) })) }
}

/** Until job `from` the stage costs what it costs in the original. */
function withOriginalService(stage: Stage, { service }: Stage, from: number): Stage {
  if (same(stage.service, service)) return stage
  const late = stage.changes.filter((change) => change.from >= from)
  const first = late[0]?.from === from ? [] : [{ from, service: stage.service }]
  return { ...stage, service, changes: [...below(stage.changes, from), ...first, ...late] }
}

function below(changes: Stage['changes'], from: number): Stage['changes'] {
  return changes.filter((change) => change.from < from)
}

/**
 * With more workers, the additional ones join at `at`. With fewer, the last of those from the start leave, if they are still there.
 * The drawn branch has them from the start, or never, so later joiners get other numbers when it is run.
 *
 *   drawn    0 .. w-1 | additional          | joined before | join later
 *   played   0 .. w-1 | joined before `at`  | additional    | join later
 */
function lateEvents(original: Scenario, drawn: Scenario, { at }: Branch): readonly WorkerEvent[] {
  const before = original.workerEvents.filter((event) => event.at < at)
  const late = drawn.workerEvents.filter((event) => event.at >= at)
  const joined = before.filter(({ kind }) => kind === 'join').length
  const initialWorkers = initialWorkerCount(original)
  const more = initialWorkerCount({ ...original, workers: drawn.workers }) - initialWorkers
  const played = (worker: number) => {
    if (more < 0) return worker < initialWorkers + more ? worker : worker - more
    if (worker < initialWorkers || worker >= initialWorkers + more + joined) return worker
    return worker < initialWorkers + more ? worker + joined : worker - more
  }
  const gone = new Set(before.filter(({ kind }) => kind === 'leave' || kind === 'crash').map(({ worker }) => worker))
  const joinedOrLeft: WorkerEvent[] = []
  for (let k = 0; k < more; k++) joinedOrLeft.push({ at, kind: 'join', worker: initialWorkers + joined + k })
  for (let worker = initialWorkers + more; worker < initialWorkers; worker++) if (!gone.has(worker)) joinedOrLeft.push({ at, kind: 'leave', worker })
  return [...joinedOrLeft, ...late.map((event) => ({ ...event, worker: played(event.worker) }))]
}

/** Values that differ from the original begin with a phase at `at`, unless a phase at that very time sets them. */
function latePhases(original: Scenario, drawn: Scenario, { at }: Branch): readonly Phase[] {
  const late = drawn.later.filter((phase) => phase.at >= at)
  const other = phaseKeys.filter((key) => !same(original[key], drawn[key]))
  if (other.length === 0) return late
  const [first, rest] = late[0]?.at === at ? [late[0], late.slice(1)] : [{}, late]
  return [{ ...Object.fromEntries(other.map((key) => [key, drawn[key]])), ...first, at }, ...rest]
}
