import { branchDefaults, partDefaults, scenarioDefaults, stageDefaults } from './defaults.ts'
import { linearLinks } from './linearStages.ts'
import { paramsOf, policies } from './policies.ts'
import type { Batch, Branch, Estimator, Phase, Policy, Scenario, Source, Stage } from './scenario.ts'

/** A scenario as a person would write it: plain JSON without defaults. */
export type Compact = Readonly<Record<string, unknown>>

/** Returns the scenario without its defaults: `parse(compact(scenario))` gives it again. */
export function compact(scenario: Scenario): Compact {
  const { version, title, seed, source, stages, links, workers, cores, workerEvents, policy, estimator, batch } = scenario
  const { switchCost, groupSwitchCost, order, branches, later } = scenario
  const linear = linearLinks(stages.map(({ id }) => id))
  return {
    version,
    ...without({ title, seed }, scenarioDefaults),
    ...without({ source: compactSource(source) }, scenarioDefaults),
    stages: stages.map(compactStage),
    ...without({ links }, { links: linear }),
    workers,
    ...without({ cores }, { cores: workers }),
    ...without({ workerEvents }, scenarioDefaults),
    ...(same(policy, scenarioDefaults.policy) ? {} : { policy: compactPolicy(policy) }),
    ...(same(estimator, scenarioDefaults.estimator) ? {} : { estimator: compactEstimator(estimator) }),
    ...without({ batch: compactBatch(batch) }, { batch: {} }),
    ...without({ switchCost, groupSwitchCost, order }, scenarioDefaults),
    ...(branches.length > 0 && { branches: branches.map(compactBranch) }),
    ...without({ later: later.map(compactPhase) }, scenarioDefaults),
  }
}

function compactStage(stage: Stage): Compact {
  const { id, name, service, changes, work, fails, capacity, discipline, resource, whenTaken, fanOut, join, position } = stage
  const rest: Record<string, unknown> = without(
    { service, changes, work, fails, capacity, discipline, resource, whenTaken, fanOut, join, position },
    stageDefaults,
  )
  if (fails !== null) rest.fails = without({ ...fails }, { tries: partDefaults.tries })
  return { id, ...without({ name }, { name: id }), ...rest }
}

function compactBranch({ at, title, stages, workers, workerEvents, later, ...phase }: Branch): Compact {
  return {
    at,
    ...without({ title, stages, workers, workerEvents, later: later?.map(compactPhase) }, branchDefaults),
    ...compactPhase({ at, ...phase }),
  }
}

function compactSource(source: Source): Source | Compact {
  switch (source.kind) {
    case 'sine':
      return without({ ...source }, { jobs: partDefaults.jobsOfSine })
    case 'groups':
      return without({ ...source }, { order: partDefaults.groupOrder, feeders: partDefaults.feeders, window: partDefaults.window })
    case 'lines':
      return without({ ...source }, { digest: partDefaults.digest })
    case 'image':
      return without({ ...source }, { x: partDefaults.x, y: partDefaults.y, span: partDefaults.span, iterations: partDefaults.iterations })
    default:
      return source
  }
}

function compactPolicy(policy: Policy): Compact {
  const lean = without(
    { ...policy },
    { lend: policies[policy.kind].lends, ...Object.fromEntries(paramsOf(policy.kind).map(([key, { byDefault }]) => [key, byDefault])) },
  )
  if (policy.kind !== 'fixed') return lean
  return { ...lean, allocation: Object.fromEntries(Object.entries(policy.allocation).filter(([, seats]) => seats > 0)) }
}

function compactEstimator(estimator: Estimator): Compact {
  return without({ ...estimator }, { prior: partDefaults.prior })
}

function compactBatch(batch: Batch): Compact {
  return without({ ...batch }, scenarioDefaults.batch)
}

/** A phase keeps values that are defaults: before it something else held. */
function compactPhase({ policy, estimator, batch, ...rest }: Phase): Compact {
  return {
    ...rest,
    ...(policy && { policy: compactPolicy(policy) }),
    ...(estimator && { estimator: compactEstimator(estimator) }),
    ...(batch && { batch: compactBatch(batch) }),
  }
}

/** The entries that differ from the defaults. */
function without(entries: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).filter(([key, value]) => value !== undefined && !(Object.hasOwn(defaults, key) && same(value, defaults[key]))),
  )
}

/** Whether two values of plain JSON are equal. The order of keys does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  )
}
