import { t } from '../../language/translate.ts'
import {
  rewired,
  type Wiring,
  withLink,
  withoutLink,
  withoutStage,
  withSoundJoins,
  withStageBehind,
  withStageBeside,
  withStageOn,
} from '../graph/graph.ts'
import { compact } from '../model/compact.ts'
import { stageDefaults } from '../model/defaults.ts'
import { MAX_STAGES, MAX_WORKERS } from '../model/limits.ts'
import { isLinear, linearLinks, linearOrder } from '../model/linearStages.ts'
import { policies, startingParams } from '../model/policies.ts'
import type {
  FanOut,
  Link,
  Phase,
  Policy,
  PolicyKind,
  Scenario,
  Source,
  Stage,
  WorkerEvent,
} from '../model/scenario.ts'
import { canFollow, withoutKey } from '../model/schedule.ts'

/** Edits keep a scenario consistent: a line stays a line until a link is drawn; weights, seats and joiners follow. `parse` checks limits. */

/** Adds a stage after `after` (a stage or "source"), as its only successor; null: after the last stage. At 256 stages nothing is added. */
export function addStage(scenario: Scenario, after: string | null): Scenario {
  const order = linearOrder(scenario)
  const behind = after ?? order[order.length - 1] ?? 'source'
  if (behind !== 'source' && stageOf(scenario, behind) === undefined) return scenario
  return adding(scenario, behind === 'source' ? order[0] : behind, (added) => withStageBehind(scenario, behind, added))
}

export function insertStage(scenario: Scenario, [from, to]: Link): Scenario {
  if (!hasLink(scenario, from, to)) return scenario
  return adding(scenario, from === 'source' ? to : from, (added) => withStageOn(scenario, [from, to], added))
}

/** Adds a stage parallel to another: same feeders, same successors. If jobs are copied, the successors wait for both parts. */
export function addStageBeside(scenario: Scenario, id: string): Scenario {
  return stageOf(scenario, id) === undefined
    ? scenario
    : adding(scenario, id, (added) => withStageBeside(scenario, id, added))
}

/** Adds a successor of a stage, parallel to its last successor. A stage that leads only to the sink gets it as its only successor. */
export function addFollower(scenario: Scenario, feeder: string): Scenario {
  const [, beside] = scenario.links.filter(([from, to]) => from === feeder && to !== 'sink').at(-1) ?? []
  return beside === undefined
    ? addStage(scenario, feeder)
    : adding(scenario, beside, (added) => withStageBeside(scenario, beside, added, feeder))
}

export function addLooseStage(scenario: Scenario, at: NonNullable<Stage['position']>): Scenario {
  const { stages, links } = scenario
  return adding(scenario, linearOrder(scenario)[0], (added) => ({
    stages: [...stages, { ...added, position: at }],
    links,
  }))
}

/** A new stage copies the settings of its neighbour. It is listed last, so that the others keep their numbers and colours. */
function adding(scenario: Scenario, neighbour: string, draw: (added: Stage) => Wiring): Scenario {
  if (scenario.stages.length >= MAX_STAGES) return scenario
  const id = freshId(scenario.stages)
  const wiring = draw({
    ...stageDefaults,
    id,
    name: newStageName(id),
    service: { kind: 'exponential', mean: 5000 },
    work: stageOf(scenario, neighbour)?.work === 'wait' ? 'wait' : 'burn',
  })
  return withWiring(scenario, wiring)
}

/** Removes a stage and closes the gap if that makes a valid pipeline; else its neighbours stay unlinked. The last stage cannot be removed. */
export function removeStage(scenario: Scenario, id: string): Scenario {
  if (scenario.stages.length === 1 || stageOf(scenario, id) === undefined) return scenario
  return withWiring(scenario, withoutStage(scenario, id))
}

/** Returns the scenario with other stages and links, and adapts policies and workers to them. */
export function withWiring(scenario: Scenario, wiring: Wiring): Scenario {
  return renumbered(scenario, {
    ...withEachPolicy(scenario, (policy) => withStages(policy, wiring.stages)),
    ...wiring,
  })
}

/** Names a stage. A blank name becomes its id. */
export function renameStage(scenario: Scenario, id: string, name: string): Scenario {
  return setStage(scenario, id, { name: name.trim() || id })
}

/** Moves a stage of a linear pipeline to a place, 0 being the first. A graph does not change. */
export function moveStage(scenario: Scenario, id: string, toIndex: number): Scenario {
  const order = linearOrder(scenario)
  if (!order.includes(id) || !isLinear(scenario)) return scenario
  const others = order.filter((each) => each !== id)
  return { ...scenario, links: linearLinks([...others.slice(0, toIndex), id, ...others.slice(toIndex)]) }
}

/** Adds a link, and adapts the joins. A stage that led only to the sink leads to the new end instead. `parse` reports what is still wrong. */
export function addLink(scenario: Scenario, from: string, to: string): Scenario {
  const known = (id: string, end: string) => id === end || stageOf(scenario, id) !== undefined
  if (!known(from, 'source') || !known(to, 'sink') || hasLink(scenario, from, to)) return scenario
  return { ...scenario, ...withLink(scenario, [from, to]) }
}

/** Removes a link. A stage that led nowhere else then leads to the sink. */
export function removeLink(scenario: Scenario, [from, to]: Link): Scenario {
  return hasLink(scenario, from, to) ? { ...scenario, ...withoutLink(scenario, [from, to]) } : scenario
}

/** Copies to all successors, or routes among them. Links without a weight get the average. Joins are adapted. */
export function setFanOut(scenario: Scenario, id: string, fanOut: FanOut): Scenario {
  if (stageOf(scenario, id) === undefined) return scenario
  return { ...scenario, ...withSoundJoins(rewired(setStage(scenario, id, { fanOut }).stages, scenario.links)) }
}

function hasLink({ links }: Scenario, from: string, to: string): boolean {
  return links.some((link) => link[0] === from && link[1] === to)
}

export function setStage(scenario: Scenario, id: string, patch: Partial<Omit<Stage, 'id'>>): Scenario {
  if (stageOf(scenario, id) === undefined) return scenario
  return { ...scenario, stages: scenario.stages.map((stage) => (stage.id === id ? { ...stage, ...patch } : stage)) }
}

/** Sets the source. Without groups the stages lose their resources. */
export function setSource(scenario: Scenario, source: Source): Scenario {
  const stages =
    source.kind === 'groups'
      ? scenario.stages
      : scenario.stages.map((stage) => (stage.resource === null ? stage : { ...stage, resource: null }))
  return { ...scenario, source, stages }
}

/** Sets how many feeders spread the groups. The order stays largest first if it was; else it becomes plain `spread`. */
export function setFeeders(scenario: Scenario, feeders: number): Scenario {
  const { source } = scenario
  if (source.kind !== 'groups') return scenario
  return {
    ...scenario,
    source: { ...source, order: source.order === 'largestFirst' ? source.order : 'spread', feeders },
  }
}

/** Keys that no other value depends on. */
export type PlainKey =
  | 'title'
  | 'seed'
  | 'network'
  | 'order'
  | 'workerEvents'
  | 'later'
  | Exclude<keyof Phase, 'at' | 'policy'>
export function setOptions(scenario: Scenario, patch: Partial<Pick<Scenario, PlainKey>>): Scenario {
  return { ...scenario, ...patch }
}

/** Changes the number of workers. Cores follow if they were equal, and a fixed allocation gains or loses seats evenly. */
export function setWorkers(scenario: Scenario, workers: number): Scenario {
  const cores = scenario.cores === scenario.workers ? workers : scenario.cores
  return renumbered(scenario, {
    ...withEachPolicy(scenario, (policy) => withWorkers(policy, scenario.workers, workers)),
    workers,
    cores,
  })
}

/** Sets a policy, or begins one by its name with sensible parameters: `fixed` with an even allocation. Later policies that cannot follow it are removed. */
export function setPolicy(scenario: Scenario, policy: PolicyKind | Policy): Scenario {
  if (policy === scenario.policy.kind) return scenario
  const begins = typeof policy === 'string' ? startingPolicy(scenario, policy) : policy
  const later = withoutKey(scenario.later, 'policy', ({ policy: next = begins }) => !canFollow(begins.kind, next.kind))
  return renumbered(scenario, { ...scenario, policy: begins, later })
}

function startingPolicy(scenario: Scenario, kind: PolicyKind): Policy {
  if (kind === 'fixed') return { kind, lend: false, allocation: evenAllocation(scenario) }
  return { kind, ...startingParams(kind), lend: policies[kind].lends } as Policy
}

function stageOf(scenario: Scenario, id: string): Stage | undefined {
  return scenario.stages.find((stage) => stage.id === id)
}

export function newStageName(id: string): string {
  return t('Stage {id}', { id })
}

/** Returns the first of A, B, ..., Z, s1, s2, ... that is free. */
export function freshId(stages: readonly { readonly id: string }[]): string {
  const taken = new Set(stages.map(({ id }) => id))
  for (let i = 0; ; i++) {
    const id = i < 26 ? String.fromCharCode(65 + i) : `s${i - 25}`
    if (!taken.has(id)) return id
  }
}

/** A worker that joins gets the next number, so its number changes with the number of workers at the start. Events of removed workers are dropped. */
function renumbered(from: Scenario, to: Scenario): Scenario {
  const [before, after] = [from.workers, to.workers]
  if (before === after) return to
  const workerEvents = from.workerEvents
    .filter(({ worker }) => worker < after || worker >= before)
    .map((event): WorkerEvent => (event.worker < before ? event : { ...event, worker: event.worker - before + after }))
  return { ...to, workerEvents }
}

/** Returns an even allocation. The first stages get the workers left over. */
function evenAllocation(scenario: Scenario): Readonly<Record<string, number>> {
  const order = linearOrder(scenario)
  const { workers } = scenario
  const seats = new Map(
    order.map((id, i) => [id, Math.floor(workers / order.length) + (i < workers % order.length ? 1 : 0)]),
  )
  return allocationOf(scenario.stages, seats)
}

function allocationOf(stages: readonly Stage[], seats: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries(stages.map(({ id }) => [id, seats.get(id) ?? 0]))
}

function withEachPolicy(scenario: Scenario, instead: (policy: Policy) => Policy): Scenario {
  const later = scenario.later.map(
    (phase): Phase => (phase.policy === undefined ? phase : { ...phase, policy: instead(phase.policy) }),
  )
  return { ...scenario, policy: instead(scenario.policy), later }
}

/** Adapts a fixed allocation to other stages. A new stage takes a seat from the stage with most; the seats of a removed stage go to the stage with fewest. */
function withStages(policy: Policy, stages: readonly Stage[]): Policy {
  if (policy.kind === 'byHand') return withoutMoves(policy)
  if (policy.kind !== 'fixed') return policy
  const old = new Map(Object.entries(policy.allocation))
  const seats = new Map(stages.map(({ id }) => [id, old.get(id) ?? 0]))
  for (let left = sum(old.values()) - sum(seats.values()); left > 0; left--) change(seats, poorest(seats), 1)
  for (const { id } of stages) {
    const rich = richest(seats)
    if (old.has(id) || (seats.get(rich) ?? 0) < 2) continue
    change(seats, rich, -1)
    change(seats, id, 1)
  }
  return { ...policy, allocation: allocationOf(stages, seats) }
}

/** Seats given by hand are meaningless for other stages or workers. */
function withoutMoves(policy: Policy & { readonly kind: 'byHand' }): Policy {
  return { ...policy, allocations: [] }
}

/** Adapts a fixed allocation to another number of workers. Seats are taken from the stage with most. If all were given out, new seats go to the stage with fewest. */
function withWorkers(policy: Policy, before: number, workers: number): Policy {
  if (policy.kind === 'byHand') return withoutMoves(policy)
  // Numbers that `parse` will refuse change nothing here.
  if (policy.kind !== 'fixed' || !(workers >= 1 && workers <= MAX_WORKERS)) return policy
  const seats = new Map(Object.entries(policy.allocation))
  let given = sum(seats.values())
  const allGiven = given === before
  for (; given > workers; given--) change(seats, richest(seats), -1)
  for (; allGiven && given < workers; given++) change(seats, poorest(seats), 1)
  return { ...policy, allocation: Object.fromEntries(seats) }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0)
const richest = (seats: ReadonlyMap<string, number>): string => [...seats].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
const poorest = (seats: ReadonlyMap<string, number>): string => [...seats].reduce((a, b) => (b[1] < a[1] ? b : a))[0]
function change(seats: Map<string, number>, id: string, by: number): void {
  seats.set(id, (seats.get(id) ?? 0) + by)
}

/** Returns some stages and the links among them as text, for copy and paste: `readPart` reads it. */
export function writePart(scenario: Scenario, ids: readonly string[]): string {
  const chosen = new Set(ids)
  const stages = scenario.stages.filter(({ id }) => chosen.has(id))
  const links = scenario.links.filter((link) => link.every((id) => chosen.has(id)))
  const written = compact({ ...scenario, ...rewired(stages, links) })
  return JSON.stringify({ stages: written.stages, links }, null, 2)
}
