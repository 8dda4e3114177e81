import { same } from '../model/compact.ts'
import { crewOf } from '../model/defaults.ts'
import { type Branch, type Phase, phaseKeys, type Scenario, type Stage, type WorkerEvent } from '../model/scenario.ts'
import { setWorkers } from './edits.ts'

/**
 * Branches of a scenario, its trunk. A branch is kept in the words of the scenario: `workers: 6` says that there are six from `at`
 * on. Two scenarios are made of it, neither of which has branches itself:
 *
 *   drawnBranch    the trunk with the words of the branch in place of its own: what one edits
 *   branchOf       the scenario that plays as the trunk until `at` and as the branch from then on: what is run
 */

/** The scenario without its branches. */
export function trunkOf(scenario: Scenario): Scenario {
  return scenario.branches.length === 0 ? scenario : { ...scenario, branches: [] }
}

/** Branch `k` as one edits it. */
export function drawnBranch(scenario: Scenario, k: number): Scenario {
  const trunk = trunkOf(scenario)
  const { at, title: _, stages = [], workers = trunk.workers, workerEvents, later, ...turned } = scenario.branches[k]
  const crew = setWorkers(trunk, workers)
  const own = new Map(stages.map((stage) => [stage.id, stage]))
  return {
    ...crew,
    ...turned,
    stages: trunk.stages.map((stage) => {
      const { from = 0, service = stage.service, changes } = own.get(stage.id) ?? {}
      return { ...stage, service, changes: changes === undefined ? stage.changes : [...below(stage.changes, from), ...changes] }
    }),
    workerEvents: workerEvents === undefined ? crew.workerEvents : [...crew.workerEvents.filter((event) => event.at < at), ...workerEvents],
    later: later === undefined ? crew.later : [...crew.later.filter((turn) => turn.at < at), ...later],
  }
}

/** Branch `k` as it is played: equal luck makes its run that of the trunk, row for row, until `at`. */
export function branchOf(scenario: Scenario, k: number): Scenario {
  const trunk = trunkOf(scenario)
  const branch = scenario.branches[k]
  const drawn = drawnBranch(scenario, k)
  const froms = begunIn(scenario, k)
  return {
    ...trunk,
    stages: drawn.stages.map((stage, s) => withTrunkService(stage, trunk.stages[s], froms[s])),
    workerEvents: [...trunk.workerEvents.filter((event) => event.at < branch.at), ...lateEvents(trunk, drawn, branch)],
    later: [...trunk.later.filter((turn) => turn.at < branch.at), ...lateTurns(trunk, drawn, branch)],
  }
}

/** By stage of the trunk: from which job on the branch says what it costs. */
export function begunIn({ stages, branches }: Scenario, k: number): readonly number[] {
  const froms = new Map(branches[k].stages?.map(({ id, from }) => [id, from]))
  return stages.map(({ id }) => froms.get(id) ?? 0)
}

/** What bears on no run is the same in the trunk and all its branches: that of `drawing`. */
export function withLooks(scenario: Scenario, { title, stages }: Scenario): Scenario {
  return { ...scenario, title, stages: scenario.stages.map((stage, s) => ({ ...stage, name: stages[s].name, position: stages[s].position })) }
}

/** Branches say nothing of stages that are not there any more. */
export function withFittingBranches(scenario: Scenario): Scenario {
  if (scenario.branches.length === 0) return scenario
  const ids = new Set(scenario.stages.map(({ id }) => id))
  if (scenario.branches.every(({ stages = [] }) => stages.every(({ id }) => ids.has(id)))) return scenario
  return { ...scenario, branches: scenario.branches.map(({ stages = [], ...rest }) => ({ ...rest, stages: stages.filter(({ id }) => ids.has(id)) })) }
}

/** Until job `from` the stage costs what it does in the trunk. */
function withTrunkService(stage: Stage, { service }: Stage, from: number): Stage {
  if (same(stage.service, service)) return stage
  const late = stage.changes.filter((change) => change.from >= from)
  const first = late[0]?.from === from ? [] : [{ from, service: stage.service }]
  return { ...stage, service, changes: [...below(stage.changes, from), ...first, ...late] }
}

function below(changes: Stage['changes'], from: number): Stage['changes'] {
  return changes.filter((change) => change.from < from)
}

/**
 * More workers join at `at`; of fewer, the last of those at the start leave, if they are still there. In the branch as it is drawn
 * they were never there, or always: those who join later are numbered anew.
 *
 *   drawn    0 .. w-1 | the more            | joined before | join later
 *   played   0 .. w-1 | joined before `at`  | the more      | join later
 */
function lateEvents(trunk: Scenario, drawn: Scenario, { at }: Branch): readonly WorkerEvent[] {
  const before = trunk.workerEvents.filter((event) => event.at < at)
  const late = drawn.workerEvents.filter((event) => event.at >= at)
  const joined = before.filter(({ kind }) => kind === 'join').length
  const crew = crewOf(trunk)
  const more = crewOf({ ...trunk, workers: drawn.workers }) - crew
  const played = (worker: number) => {
    if (more < 0) return worker < crew + more ? worker : worker - more
    if (worker < crew || worker >= crew + more + joined) return worker
    return worker < crew + more ? worker + joined : worker - more
  }
  const gone = new Set(before.filter(({ kind }) => kind === 'leave' || kind === 'crash').map(({ worker }) => worker))
  const turn: WorkerEvent[] = []
  for (let k = 0; k < more; k++) turn.push({ at, kind: 'join', worker: crew + joined + k })
  for (let worker = crew + more; worker < crew; worker++) if (!gone.has(worker)) turn.push({ at, kind: 'leave', worker })
  return [...turn, ...late.map((event) => ({ ...event, worker: played(event.worker) }))]
}

/** What the scheduler does otherwise than in the trunk is a turn at `at`, but for what a turn of that very time says. */
function lateTurns(trunk: Scenario, drawn: Scenario, { at }: Branch): readonly Phase[] {
  const late = drawn.later.filter((turn) => turn.at >= at)
  const other = phaseKeys.filter((key) => !same(trunk[key], drawn[key]))
  if (other.length === 0) return late
  const [first, rest] = late[0]?.at === at ? [late[0], late.slice(1)] : [{}, late]
  return [{ ...Object.fromEntries(other.map((key) => [key, drawn[key]])), ...first, at }, ...rest]
}
