import { crewOf, elasticStart, isPinned, partDefaults } from './defaults.ts'
import { MAX_STAGES, MAX_WORKERS } from './limits.ts'
import { lineLinks, lineOrder } from './line.ts'
import type { Policy, PolicyKind, Scenario, Service, Source, Stage, WorkerEvent } from './scenario.ts'

/**
 * What the canvas and the forms do to a scenario, as pure functions. An edit keeps together what hangs together: links stay
 * one line over all stages, an allocation names the stages there are and no more workers than there are, joiners continue
 * the numbering. Whether a value lies within its bounds, or a policy suits the new size, is for `parse` to say afterwards.
 * An id that names no stage leaves the scenario as it is.
 */

export { lineOrder }

/** Adds a stage behind `after` (a stage, or "source"); null: at the end of the line. At 256 stages nothing is added. */
export function addStage(scenario: Scenario, after: string | null): Scenario {
  if (scenario.stages.length >= MAX_STAGES) return scenario
  const line = lineOrder(scenario)
  const at = after === 'source' ? 0 : after === null ? line.length : line.indexOf(after) + 1
  if (at === 0 && after !== 'source') return scenario
  const neighbour = stageOf(scenario, line[Math.max(0, at - 1)])
  const id = freshId(scenario)
  const stage: Stage = {
    id,
    name: `Stage ${id}`,
    service: { kind: 'exponential', mean: 5000 },
    changes: [],
    work: neighbour?.work === 'wait' ? 'wait' : 'burn',
    fails: null,
    capacity: null,
    discipline: 'fifo',
    resource: null,
    whenTaken: 'wait',
    position: null,
  }
  // Listed last wherever it stands in the line, so that the others keep their numbers, and with them their colours.
  const stages = [...scenario.stages, stage]
  return renumbered(scenario, { ...scenario, stages, links: lineLinks(inserted(line, at, id)), policy: withStages(scenario, stages) })
}

/** Takes a stage out and closes the line over the gap. The last one stays. */
export function removeStage(scenario: Scenario, id: string): Scenario {
  const stages = scenario.stages.filter((stage) => stage.id !== id)
  if (stages.length === 0 || stages.length === scenario.stages.length) return scenario
  const line = lineOrder(scenario).filter((each) => each !== id)
  return renumbered(scenario, { ...scenario, stages, links: lineLinks(line), policy: withStages(scenario, stages) })
}

/** Gives a stage a name; a blank one gives it back its id. */
export function renameStage(scenario: Scenario, id: string, name: string): Scenario {
  return setStage(scenario, id, { name: name.trim() || id })
}

/** Moves a stage to a place in the line, 0 being the first. */
export function moveStage(scenario: Scenario, id: string, toIndex: number): Scenario {
  const line = lineOrder(scenario)
  if (!line.includes(id)) return scenario
  return {
    ...scenario,
    links: lineLinks(
      inserted(
        line.filter((each) => each !== id),
        toIndex,
        id,
      ),
    ),
  }
}

/** Puts the stages in this order, which must name each of them once; else nothing changes. */
export function reorder(scenario: Scenario, ids: readonly string[]): Scenario {
  const asked = new Set(ids)
  if (asked.size !== scenario.stages.length || ids.length !== asked.size || scenario.stages.some(({ id }) => !asked.has(id))) return scenario
  return { ...scenario, links: lineLinks(ids) }
}

/** Draws a link in the line: `to` moves right behind `from`; to the sink, `from` moves to the end. */
export function connect(scenario: Scenario, from: string, to: string): Scenario {
  const line = lineOrder(scenario)
  if (from === to || (from !== 'source' && !line.includes(from))) return scenario
  if (to === 'sink') return from === 'source' ? scenario : moveStage(scenario, from, line.length - 1)
  const others = line.filter((each) => each !== to)
  return moveStage(scenario, to, from === 'source' ? 0 : others.indexOf(from) + 1)
}

export function setService(scenario: Scenario, id: string, service: Service): Scenario {
  return setStage(scenario, id, { service })
}

export function setStage(scenario: Scenario, id: string, patch: Partial<Omit<Stage, 'id'>>): Scenario {
  if (stageOf(scenario, id) === undefined) return scenario
  return { ...scenario, stages: scenario.stages.map((stage) => (stage.id === id ? { ...stage, ...patch } : stage)) }
}

/** Takes the resources of the stages away with the groups that they belong to. */
export function setSource(scenario: Scenario, source: Source): Scenario {
  const stages = source.kind === 'groups' ? scenario.stages : scenario.stages.map((stage) => (stage.resource === null ? stage : { ...stage, resource: null }))
  return { ...scenario, source, stages }
}

/** Spreads the jobs of a source of groups by so many feeders: largest first where it was so, else the groups as produced. */
export function setFeeders(scenario: Scenario, feeders: number): Scenario {
  const { source } = scenario
  if (source.kind !== 'groups') return scenario
  return { ...scenario, source: { ...source, order: source.order === 'largestFirst' ? source.order : 'spread', feeders } }
}

export function setSeed(scenario: Scenario, seed: number): Scenario {
  return { ...scenario, seed }
}

/** What stands by itself: no other part has to follow. */
export type Option = 'title' | 'cores' | 'estimator' | 'batch' | 'switchCost' | 'groupSwitchCost' | 'order' | 'workerEvents'
export function setOptions(scenario: Scenario, patch: Partial<Pick<Scenario, Option>>): Scenario {
  return { ...scenario, ...patch }
}

/** Changes the number of workers; cores follow if they were as many, and a fixed allocation gives or takes seats evenly. */
export function setWorkers(scenario: Scenario, workers: number): Scenario {
  const cores = scenario.cores === scenario.workers ? workers : scenario.cores
  return renumbered(scenario, { ...scenario, workers, cores, policy: withWorkers(scenario, workers) })
}

/** Takes a policy as given, or by its name with sensible parameters: `fixed` begins with an even allocation. */
export function setPolicy(scenario: Scenario, policy: PolicyKind | Policy): Scenario {
  if (policy === scenario.policy.kind) return scenario
  return renumbered(scenario, { ...scenario, policy: typeof policy === 'string' ? begun(scenario, policy) : policy })
}

function begun(scenario: Scenario, kind: PolicyKind): Policy {
  if (kind === 'fixed') return { kind, lend: false, allocation: evenAllocation(scenario) }
  if (kind === 'power') return { kind, p: partDefaults.power, lend: true }
  if (kind === 'pid') return { kind, ...elasticStart.pid, lend: false }
  if (kind === 'threshold') return { kind, ...elasticStart.threshold, lend: false }
  // With so many stages that the usual number would be too many, as many as may be.
  if (kind === 'greenThreads') return { kind, perStage: Math.min(partDefaults.perStage, Math.floor(MAX_WORKERS / scenario.stages.length)), lend: false }
  return { kind, lend: !isPinned(kind) }
}

function stageOf(scenario: Scenario, id: string): Stage | undefined {
  return scenario.stages.find((stage) => stage.id === id)
}

function inserted(ids: readonly string[], at: number, id: string): string[] {
  return [...ids.slice(0, at), id, ...ids.slice(at)]
}

/** The first of A, B, ..., Z, s1, s2, ... that no stage has. */
function freshId(scenario: Scenario): string {
  const taken = new Set(scenario.stages.map(({ id }) => id))
  for (let i = 0; ; i++) {
    const id = i < 26 ? String.fromCharCode(65 + i) : `s${i - 25}`
    if (!taken.has(id)) return id
  }
}

/** A joiner continues the numbering, so that its number moves with the workers at the start; who is no longer there does nothing. */
function renumbered(from: Scenario, to: Scenario): Scenario {
  const [before, crew] = [crewOf(from), crewOf(to)]
  if (before === crew) return to
  const workerEvents = from.workerEvents
    .filter(({ worker }) => worker < crew || worker >= before)
    .map((event): WorkerEvent => (event.worker < before ? event : { ...event, worker: event.worker - before + crew }))
  return { ...to, workerEvents }
}

/** As many workers for each stage as for any other; those left over from the head of the line on. */
function evenAllocation(scenario: Scenario): Readonly<Record<string, number>> {
  const line = lineOrder(scenario)
  const { workers } = scenario
  const seats = new Map(line.map((id, i) => [id, Math.floor(workers / line.length) + (i < workers % line.length ? 1 : 0)]))
  return allocationOf(scenario.stages, seats)
}

function allocationOf(stages: readonly Stage[], seats: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries(stages.map(({ id }) => [id, seats.get(id) ?? 0]))
}

/** A fixed allocation over other stages: a new one takes a worker where there are most, those of a removed one go where there are fewest. */
function withStages(scenario: Scenario, stages: readonly Stage[]): Policy {
  if (scenario.policy.kind !== 'fixed') return scenario.policy
  const old = new Map(Object.entries(scenario.policy.allocation))
  const seats = new Map(stages.map(({ id }) => [id, old.get(id) ?? 0]))
  let left = sum(old.values()) - sum(seats.values())
  for (; left > 0; left--) change(seats, fewest(seats), 1)
  for (const { id } of stages) {
    const rich = most(seats)
    if (old.has(id) || (seats.get(rich) ?? 0) < 2) continue
    change(seats, rich, -1)
    change(seats, id, 1)
  }
  return { ...scenario.policy, allocation: allocationOf(stages, seats) }
}

/** A fixed allocation of other workers: seats are taken where there are most; where all were given out, new ones go where there are fewest. */
function withWorkers(scenario: Scenario, workers: number): Policy {
  // Numbers that `parse` will refuse are not dealt out first.
  if (scenario.policy.kind !== 'fixed' || !(workers >= 1 && workers <= MAX_WORKERS)) return scenario.policy
  const seats = new Map(Object.entries(scenario.policy.allocation))
  const allGiven = sum(seats.values()) === scenario.workers
  let given = sum(seats.values())
  for (; given > workers; given--) change(seats, most(seats), -1)
  for (; allGiven && given < workers; given++) change(seats, fewest(seats), 1)
  return { ...scenario.policy, allocation: allocationOf(scenario.stages, seats) }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0)
const most = (seats: ReadonlyMap<string, number>): string => [...seats].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
const fewest = (seats: ReadonlyMap<string, number>): string => [...seats].reduce((a, b) => (b[1] < a[1] ? b : a))[0]
function change(seats: Map<string, number>, id: string, by: number): void {
  seats.set(id, (seats.get(id) ?? 0) + by)
}
