import { branchDefaults, partDefaults, scenarioDefaults, stageDefaults } from './defaults.ts'
import { linearLinks } from './linearStages.ts'
import { defaultsIn } from './params.ts'
import { policies } from './policies.ts'
import type { Branch, Phase, Policy, Scenario, Source, Stage } from './scenario.ts'
import { sources } from './sources.ts'

/** A scenario as a person would write it: plain JSON without defaults. */
export type Compact = Readonly<Record<string, unknown>>

/** Returns the scenario without its defaults: `parse(compact(scenario))` gives it again. */
export function compact(scenario: Scenario): Compact {
  const { version, title, seed, source, stages, links, workers, cores, workerEvents, network } = scenario
  const { switchCost, groupSwitchCost, order, branches, later } = scenario
  const entries = {
    ...{ version, title, seed, source: compactSource(source), stages: stages.map(compactStage), links },
    ...{ workers, cores, workerEvents, ...compactValues(scenario), switchCost, groupSwitchCost },
    network: network && without(network, { loss: partDefaults.loss }),
    ...{ order, branches: branches.map(compactBranch), later: later.map(compactPhase) },
  }
  return without(entries, {
    ...{ ...scenarioDefaults, ...compactValues(scenarioDefaults) },
    ...{ links: linearLinks(stages.map(({ id }) => id)), cores: workers },
  })
}

function compactSource(source: Source): Compact {
  const rest = without(source, defaultsIn(sources[source.kind]))
  return source.retry === undefined ? rest : { ...rest, retry: without(source.retry, partDefaults.retry) }
}

function compactStage(stage: Stage): Compact {
  const { id, name, fails } = stage
  const settings = Object.entries(stageDefaults).map(([key]) => [key, stage[key as keyof typeof stageDefaults]])
  const rest = without(Object.fromEntries(settings), stageDefaults)
  if (fails !== null) rest.fails = without(fails, { tries: partDefaults.tries })
  return { id, ...without({ name }, { name: id }), ...rest }
}

function compactBranch({ at, title, stages, workers, workerEvents, later, ...phase }: Branch): Compact {
  return {
    at,
    ...without({ title, stages, workers, workerEvents, later: later?.map(compactPhase) }, branchDefaults),
    ...compactPhase({ at, ...phase }),
  }
}

function compactPolicy(policy: Policy): Compact {
  const lean = without(policy, { lend: policies[policy.kind].lends, ...defaultsIn(policies[policy.kind]) })
  if (policy.kind !== 'fixed') return lean
  return { ...lean, allocation: Object.fromEntries(Object.entries(policy.allocation).filter(([, seats]) => seats > 0)) }
}

/** A phase keeps default values, because they may replace other values. */
function compactPhase(phase: Phase): Compact {
  const { policy, estimator, batch, ...rest } = phase
  return { ...rest, ...compactValues(phase) }
}

function compactValues({
  policy,
  estimator,
  batch,
}: Partial<Pick<Scenario, 'policy' | 'estimator' | 'batch'>>): Compact {
  return {
    ...(policy && { policy: compactPolicy(policy) }),
    ...(estimator && { estimator: without(estimator, { prior: partDefaults.prior }) }),
    ...(batch && { batch: without(batch, scenarioDefaults.batch) }),
  }
}

/** The entries that differ from the defaults. */
function without(entries: object, defaults: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).filter(
      ([key, value]) => value !== undefined && !(Object.hasOwn(defaults, key) && same(value, defaults[key])),
    ),
  )
}

/** Whether two values of plain JSON are equal. The order of keys does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
}

function isObject(x: unknown): x is Readonly<Record<string, unknown>> {
  return typeof x === 'object' && x !== null
}

/** Returns the scenario with only what a run depends on: not the title, the name of a policy, nor the positions of the cards. */
export function playedParts(scenario: Scenario): Scenario {
  const policy = scenario.policy.kind === 'code' ? { ...scenario.policy, name: '' } : scenario.policy
  return {
    ...scenario,
    policy,
    title: '',
    stages: scenario.stages.map((stage) => ({ ...stage, position: null })),
  }
}

/** Returns a key of all that a run depends on. */
export function comparisonKey(scenario: Scenario): string {
  return JSON.stringify(compact(playedParts(scenario)))
}
