import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { policies, policyGroups } from '../../../scenario/model/policies.ts'
import type {
  Micros,
  Parsed,
  Phase,
  Policy,
  PolicyKind,
  Scenario,
  Service,
  Stage,
  WorkerEvent,
} from '../../../scenario/model/scenario.ts'
import { withoutKey } from '../../../scenario/model/schedule.ts'
import { foundText, listed, quoted } from '../../../scenario/model/words.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { tooMany } from '../read/log.ts'

/** A change to the day of a log. `share`: the new service time, over the old one. `capacity`: of the queue; null: without bound. */
export type Change =
  | { readonly kind: 'policy'; readonly policy: PolicyKind }
  | { readonly kind: 'workers'; readonly stage: number; readonly more: number }
  | { readonly kind: 'quicker'; readonly stage: number; readonly share: number }
  | { readonly kind: 'capacity'; readonly stage: number; readonly capacity: number | null }

/** The maximum number of changes that are tried together. */
export const MAX_TOGETHER = 6
/** These share out workers, too, but need a person. */
const unasked: readonly PolicyKind[] = ['code', 'byHand']

/** Returns the policies that can share out the workers of a log. */
export function sharingPolicies(): PolicyKind[] {
  return policyGroups.flatMap(({ kinds }) => kinds).filter((kind) => policies[kind].lends && !unasked.includes(kind))
}

/** Returns a fitted scenario with changes that are tried together. A policy comes last: it shares out the workers that the others leave. */
export function withChanges(
  scenario: Scenario,
  changes: readonly Change[],
  from: Micros,
  startedJobs: readonly number[],
): Parsed {
  const inTurn = [...changes].sort((a, b) => Number(a.kind === 'policy') - Number(b.kind === 'policy'))
  return inTurn.reduce<Parsed>(
    (changed, change) => ('problems' in changed ? changed : withChange(changed.scenario, change, from, startedJobs)),
    { scenario },
  )
}

/** Returns a fitted scenario with a change from a time on, or why it is impossible. `startedJobs`: by stage, the jobs that start before that time. */
export function withChange(scenario: Scenario, change: Change, from: Micros, startedJobs: readonly number[]): Parsed {
  if (change.kind === 'policy') return withPolicyFrom(scenario, change.policy, from)
  if (change.kind === 'workers') return withMoreWorkers(scenario, change.stage, change.more, from)
  if (change.kind === 'capacity') return withCapacity(scenario, change.stage, change.capacity, from)
  const stages = scenario.stages.map((stage, s) =>
    s === change.stage ? quickerFrom(stage, change.share, startedJobs[s]) : stage,
  )
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
function crewEvents(
  workers: number,
  crews: readonly { readonly at: Micros; readonly workers: number }[],
): WorkerEvent[] {
  const present = Array.from({ length: workers }, (_, worker) => worker)
  const events: WorkerEvent[] = []
  let ever = workers
  for (const { at, workers: wanted } of crews) {
    while (present.length > wanted) events.push({ at, kind: 'leave', worker: present.pop() ?? 0 })
    for (; present.length < wanted; present.push(ever++)) events.push({ at, kind: 'join', worker: ever })
  }
  return events
}

function withCapacity(scenario: Scenario, stage: number, capacity: number | null, from: Micros): Parsed {
  if (from > 0)
    return {
      problems: [{ path: 'capacity', message: t('a capacity cannot change during the run; choose it from the start') }],
    }
  return parse({ ...scenario, stages: scenario.stages.map((each, s) => (s === stage ? { ...each, capacity } : each)) })
}

/** Returns the fewest workers that a fitted stage has at any time. */
export function fewestWorkers({ stages, policy, later }: Scenario, stage: number): number {
  const { id } = stages[stage]
  return Math.min(
    ...[{ policy }, ...later].flatMap(({ policy: of }) => (of?.kind === 'fixed' ? [of.allocation[id] ?? 0] : [])),
  )
}

/** With fewer workers some have no seat under `fixed`. Each stage keeps one. */
function withMoreWorkers(scenario: Scenario, stage: number, more: number, from: Micros): Parsed {
  const { id, name } = scenario.stages[stage]
  const fewest = fewestWorkers(scenario, stage)
  if (fewest + more < 1)
    return {
      problems: [
        {
          path: 'workers',
          message: t(
            '{name} has {fewest, plural, one {# worker} other {# workers}} at times; at least one must stay there',
            { name, fewest },
          ),
        },
      ],
    }
  const added = Math.max(0, more)
  const staffed = (policy: Policy): Policy =>
    policy.kind === 'fixed'
      ? { ...policy, allocation: { ...policy.allocation, [id]: (policy.allocation[id] ?? 0) + more } }
      : policy
  const before = scenario.later.filter(({ at }) => at < from)
  const present = before.filter((phase) => phase.policy !== undefined).at(-1)?.policy ?? scenario.policy
  const after = scenario.later
    .filter(({ at }) => at >= from)
    .map((phase): Phase => (phase.policy ? { ...phase, policy: staffed(phase.policy) } : phase))
  const turn: Phase[] = from === 0 || after[0]?.at === from ? [] : [{ at: from, policy: staffed(present) }]
  const policy = from === 0 ? staffed(scenario.policy) : scenario.policy
  return parse({
    ...scenario,
    workers: scenario.workers + added,
    cores: scenario.cores + added,
    policy,
    later: [...before, ...turn, ...after],
  })
}

function quickerFrom(stage: Stage, share: number, startedJobs: number): Stage {
  const quick = (service: Service): Service =>
    'mean' in service ? { ...service, mean: Math.max(1, Math.round(service.mean * share)) } : service
  const changes = stage.changes.map(({ from, service }) => ({ from, service: quick(service) }))
  if (startedJobs === 0) return { ...stage, service: quick(stage.service), changes }
  const before = stage.changes.filter(({ from }) => from < startedJobs)
  const after = changes.filter(({ from }) => from >= startedJobs)
  const turn =
    after[0]?.from === startedJobs
      ? []
      : [{ from: startedJobs, service: quick(before.at(-1)?.service ?? stage.service) }]
  return { ...stage, changes: [...before, ...turn, ...after] }
}

const policyWord = /^policy\s+(\w+)$/i
const workersWords = /^([+-]\d+)\s+(.+)$/
const shareWords = /^(.+?)\s+(\d+(?:\.\d+)?)\s*%\s*(quicker|slower)$/i
const capacityWords = /^capacity\s+(\d+|none)\s+(.+)$/i

/** Returns the changes that a text names, with commas between those that are tried together. Throws a Refusal for other words. */
export function changesIn(text: string, stages: readonly Stage[]): Change[] {
  const changes = text.split(',').map((part) => changeIn(part.trim(), stages))
  if (changes.length > MAX_TOGETHER) throw new Refusal('--change', tooMany(MAX_TOGETHER))
  return changes
}

function changeIn(text: string, stages: readonly Stage[]): Change {
  const stageOf = (name: string) => {
    const found = [(each: string) => each === name, (each: string) => each.toLowerCase() === name.toLowerCase()]
      .map((is) => stages.findIndex((stage) => is(stage.name) || is(stage.id)))
      .find((s) => s >= 0)
    if (found === undefined)
      throw new Refusal(
        '--change',
        foundText(
          name,
          listed(
            stages.map((stage) => quoted(stage.name)),
            'or',
          ),
        ),
      )
    return found
  }
  const policy = policyWord.exec(text)?.[1]
  if (policy !== undefined) {
    const known = sharingPolicies()
    const kind = known.find((each) => each.toLowerCase() === policy.toLowerCase())
    if (kind === undefined) throw new Refusal('--change', foundText(policy, listed(known, 'or')))
    return { kind: 'policy', policy: kind }
  }
  const capacity = capacityWords.exec(text)
  if (capacity !== null)
    return {
      kind: 'capacity',
      stage: stageOf(capacity[2]),
      capacity: /none/i.test(capacity[1]) ? null : Number(capacity[1]),
    }
  const workers = workersWords.exec(text)
  if (workers !== null && Number(workers[1]) !== 0)
    return { kind: 'workers', stage: stageOf(workers[2]), more: Number(workers[1]) }
  const [, place, percent, which] = shareWords.exec(text) ?? []
  const share = 1 + (Number(percent) / 100) * (which?.toLowerCase() === 'slower' ? 1 : -1)
  if (share > 0) return { kind: 'quicker', stage: stageOf(place), share }
  throw new Refusal(
    '--change',
    foundText(
      text,
      listed(['"+1 STAGE"', '"-1 STAGE"', '"STAGE 20% quicker"', '"capacity 100 STAGE"', '"policy leastScore"'], 'or'),
    ),
  )
}
