import { t } from '../../language/translate.ts'
import { hasGains, hires, isElastic, isPinned } from '../model/defaults.ts'
import { serviceMean } from '../model/distributions.ts'
import * as limit from '../model/limits.ts'
import { paramsOf, policyKinds } from '../model/policies.ts'
import { type Problem, phaseKeys } from '../model/scenario.ts'
import { canFollow } from '../model/schedule.ts'
import { ascend } from '../model/sourceFigures.ts'
import { countJobs, lastArrival, lastRetry } from '../model/sources.ts'
import { countText, foundBeside, foundText, listed, pathOf, problemAt, unknownStage } from '../model/words.ts'
import type { SchemaDraft } from './schema.ts'
import { wholeText } from './shape.ts'

export function policyFits({ policy, stages, workers, workerEvents }: SchemaDraft): Problem[] {
  if (policy.kind === 'onePerStage' && workers < stages.length)
    return problemAt(
      'workers',
      foundText(workers, t('at least {length}, one for each stage', { length: stages.length })),
    )
  // A seat may be for a worker that joins later. It stays empty until then.
  const allWorkers = workers + workerEvents.filter(({ kind }) => kind === 'join').length
  if (policy.kind === 'byHand')
    return policy.allocations.flatMap((seats, n) =>
      byHandFits(seats, `policy.allocations[${n}]`, stages.length, allWorkers),
    )
  if (policy.kind !== 'fixed') return []
  const problems = seatsHaveStages({ policy, stages })
  const sum = [...policy.allocation.values()].reduce((all, seats) => all + seats, 0)
  if (sum < 1 || sum > workers) problems.push(...wrongSum('policy.allocation', sum, 1, workers))
  return problems
}

function seatsHaveStages({ policy, stages }: Pick<SchemaDraft, 'policy' | 'stages'>): Problem[] {
  if (policy.kind !== 'fixed') return []
  const unknown = [...policy.allocation.keys()].filter((id) => stages.every((stage) => stage.id !== id))
  return unknown.flatMap((id) => problemAt(pathOf(['policy', 'allocation', id]), unknownStage(id)))
}

/** Checks one allocation by hand: a number for every stage, and no more workers than there are. */
function byHandFits(seats: readonly number[], path: string, stages: number, workers: number): Problem[] {
  if (seats.length !== stages) return problemAt(path, foundText(seats.length, countText(stages)))
  const sum = seats.reduce((all, n) => all + n, 0)
  return sum <= workers ? [] : wrongSum(path, sum, 0, workers)
}

function wrongSum(path: string, sum: number, least: number, workers: number): Problem[] {
  return problemAt(
    path,
    t('{sum} workers are given out; allowed: {least} to {workers}', { sum: countText(sum), least, workers }),
  )
}

export function batchIsOne({ batch }: SchemaDraft): Problem[] {
  if (batch.adaptive !== true || batch.size === undefined) return []
  return problemAt('batch.size', foundBeside(batch.size, t('nothing'), 'adaptive'))
}

/** Defaults drop one of size and adaptive, and seats of unknown stages. Branches are parsed after that, so their drafts are checked here. */
export function branchesAreWhole(draft: SchemaDraft): Problem[] {
  return draft.branches.flatMap((branch, k) =>
    [
      { path: `branches[${k}]`, phase: branch },
      ...(branch.later ?? []).map((phase, i) => ({ path: `branches[${k}].later[${i}]`, phase })),
    ].flatMap(({ path, phase: { batch, policy } }) =>
      within(path, [
        ...(batch === undefined ? [] : batchIsOne({ ...draft, batch })),
        ...(policy === undefined ? [] : seatsHaveStages({ ...draft, policy })),
      ]),
    ),
  )
}

/** With shards, all jobs at the target of a worker may wait for an earlier ticket. The worker must then be allowed to help elsewhere. */
export function shardsLend({ order, policy }: SchemaDraft): Problem[] {
  if (order.kind !== 'shard' || policy.lend || isPinned(policy.kind)) return []
  return problemAt('policy.lend', foundBeside(false, 'true', 'shard'))
}

export function shardsGiveOne({ order, batch }: SchemaDraft): Problem[] {
  if (order.kind !== 'shard' || batch.inHand === 1) return []
  return problemAt('batch.inHand', foundBeside(batch.inHand, '1', 'shard'))
}

export function shardsGoInTurn({ order, stages }: SchemaDraft): Problem[] {
  if (order.kind !== 'shard') return []
  return stages.flatMap(({ discipline, resource, whenTaken }, i) => [
    ...(discipline === 'fifo' ? [] : problemAt(`stages[${i}].discipline`, foundBeside(discipline, '"fifo"', 'shard'))),
    ...(resource !== null && whenTaken === 'skip'
      ? problemAt(`stages[${i}].whenTaken`, foundBeside(whenTaken, '"wait"', 'shard'))
      : []),
  ])
}

export function poolsAreSound({ policy, workerEvents }: SchemaDraft): Problem[] {
  if (!isElastic(policy)) return []
  const problems: Problem[] = []
  if (hasGains(policy) && policy.up >= policy.down)
    problems.push({
      path: 'policy.up',
      message: foundText(policy.up, t('less than down, {down}', { down: countText(policy.down) })),
    })
  const { max } = policy
  const values: Readonly<Record<string, unknown>> = policy
  for (const [key, param] of paramsOf(policy.kind)) {
    const least = values[key]
    if (max !== null && 'notAbove' in param && typeof least === 'number' && least > max)
      problems.push({ path: `policy.${key}`, message: foundText(least, wholeText(1, max)) })
  }
  if (policy.kind === 'predictive')
    problems.push(
      ...ascend(
        'policy.profile',
        policy.profile.map(([time]) => time),
        '[0]',
      ),
    )
  const i = workerEvents.findIndex(({ kind }) => kind === 'join')
  if (i >= 0)
    problems.push({
      path: `workerEvents[${i}].kind`,
      message: foundBeside('join', listed(['leave', 'crash', 'hang'], 'or'), policy.kind),
    })
  return problems
}

/** Bounds the ticks of controllers, each of which is a row, by the mean services. In a run that lasts longer the controllers stop. */
export function ticksAreBounded({ policy, source, stages, workers, workerEvents, later }: SchemaDraft): Problem[] {
  if (!isElastic(policy)) return []
  const perJob = stages.reduce(
    (sum, { service, changes }) =>
      changes.reduce((most, change) => Math.max(most, serviceMean(change.service)), serviceMean(service)) + sum,
    0,
  )
  const startUps = stages.reduce((sum, { startUp }) => sum + (startUp === null ? 0 : serviceMean(startUp) * workers), 0)
  const end =
    lastArrival(source) +
    lastRetry(source) +
    countJobs(source) * perJob +
    startUps +
    (workerEvents.at(-1)?.at ?? 0) +
    (later.at(-1)?.at ?? 0)
  const ticks = end / policy.every
  if (!(ticks > limit.MAX_TICKS) || !Number.isFinite(end)) return []
  const message = t('{ticks} ticks; allowed: {MAX_TICKS}, so at least {end} microseconds', {
    ticks: countText(Math.ceil(ticks)),
    MAX_TICKS: countText(limit.MAX_TICKS),
    end: countText(Math.ceil(end / limit.MAX_TICKS)),
  })
  return problemAt('policy.every', message)
}

/** Checks that phases are in order, that each changes something, and that it fits the values that hold then. */
export function phasesAreSound(draft: SchemaDraft): Problem[] {
  const { later } = draft
  const problems: Problem[] = []
  for (const [i, phase] of later.entries()) {
    const path = `later[${i}]`
    if (i > 0 && phase.at <= later[i - 1].at)
      problems.push({
        path: `${path}.at`,
        message: foundText(phase.at, t('more than {n}, the one before', { n: countText(later[i - 1].at) })),
      })
    if (phaseKeys.every((key) => phase[key] === undefined))
      problems.push({ path, message: foundText(undefined, listed(phaseKeys, 'or')) })
    const { batch } = phase
    if (batch !== undefined)
      problems.push(...[batchIsOne, shardsGiveOne].flatMap((check) => within(path, check({ ...draft, batch }))))
    const { policy } = phase
    if (policy === undefined) continue
    const wrong = handOver(draft.policy, policy)
    if (wrong !== null) problems.push({ path: `${path}.policy.kind`, message: wrong })
    else {
      problems.push(...within(path, policyFits({ ...draft, policy, workers: workersBy(phase.at, draft) })))
      problems.push(
        ...[shardsLend, poolsAreSound, ticksAreBounded].flatMap((check) => within(path, check({ ...draft, policy }))),
      )
    }
  }
  return problems
}

/** Returns the workers at `at`: the initial ones, and those that have joined by then. */
function workersBy(at: number, { workers, workerEvents }: SchemaDraft): number {
  return workers + workerEvents.filter((event) => event.kind === 'join' && event.at <= at).length
}

/** Moves problems of a policy or batch to the phase. Problems at other keys stay there. */
function within(path: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) =>
    /^(policy|batch)\b/.test(problem.path) ? { ...problem, path: `${path}.${problem.path}` } : problem,
  )
}

/** Returns why one policy cannot take over from another, or null if it can. */
function handOver({ kind: from }: SchemaDraft['policy'], { kind: to }: SchemaDraft['policy']): string | null {
  if (canFollow(from, to)) return null
  return foundBeside(to, hires(from) ? listed(policyKinds.filter(hires), 'or') : t('a policy that does not hire'), from)
}
