import { elasticPolicies, knownPools } from './elasticPolicies.ts'
import type { PolicyDescription } from './params.ts'
import { type ElasticKind, type KnownKind, policies } from './policies.ts'
import type { Batch, Branch, Estimator, Order, Policy, PolicyKind, Scenario, Source, Stage } from './scenario.ts'

/** `parse` fills these in, `compact` leaves them out. Not here: a name is its id, links are a line, cores equal workers, a missing kind is the first. */
const source: Source = { kind: 'batch', jobs: 100 }
const policy: Policy = { kind: 'leastScore', lend: true }
const estimator: Estimator = { kind: 'mean', prior: 'neighbours' }
const batch = { size: 1, inHand: 1 } satisfies Batch
const order: Order = { kind: 'none' }

export const scenarioDefaults = {
  title: '',
  seed: 1,
  source,
  workerEvents: [],
  policy,
  estimator,
  batch,
  switchCost: 0,
  groupSwitchCost: 0,
  network: null,
  order,
  branches: [],
  later: [],
} satisfies Partial<Scenario>

export const stageDefaults = {
  service: { kind: 'constant', mean: 1000 },
  changes: [],
  startUp: null,
  work: 'burn',
  fails: null,
  capacity: null,
  discipline: 'fifo',
  ageing: null,
  resource: null,
  whenTaken: 'wait',
  fanOut: 'copy',
  join: 'merge',
  position: null,
} as const satisfies Partial<Stage>

export const branchDefaults = { title: '' } as const satisfies Partial<Branch>

export const partDefaults = {
  tries: 3,
  prior: 'neighbours',
  /** Slots of an order buffer when a form or the terminal asks for one. */
  slots: 256,
  /** Of a network. */
  loss: 0,
  /** Of clients that give up: for good, and at once where they try again. */
  retry: { limit: 0, backoff: 0 },
} as const

/** Whether the policy hires and dismisses workers itself. A run then starts without workers, and `workers` is the maximum. */
export function isElastic<P extends { readonly kind: PolicyKind }>(
  policy: P,
): policy is Extract<P, { readonly kind: ElasticKind }> {
  return hires(policy.kind)
}

/** Whether the policy is that of a known system with pools, which looks at all stages at once. */
export function isKnown<P extends { readonly kind: PolicyKind }>(
  policy: P,
): policy is Extract<P, { readonly kind: KnownKind }> {
  return policy.kind in knownPools
}

export function hasGains<P extends { readonly kind: PolicyKind }>(
  policy: P,
): policy is Extract<P, { readonly kind: 'pid' | 'adaptive' }> {
  return policy.kind === 'pid' || policy.kind === 'adaptive'
}

export function hires(kind: PolicyKind): kind is ElasticKind {
  return kind in elasticPolicies || kind in knownPools
}

/** A pinned policy never lends. Mostly it leaves each worker at its own stage: see `keepsWorkers`. */
export function isPinned(kind: PolicyKind): boolean {
  return !policies[kind].lends
}

/** Whether each worker stays at its stage. The other pinned policies take workers along with jobs. */
export function keepsWorkers(kind: PolicyKind): boolean {
  return isPinned(kind) && kind !== 'single' && !carries(kind)
}

/** Whether workers go on with the jobs that they have served: see scheduler/carrying.ts. */
export function carries(kind: PolicyKind): boolean {
  const { carries = false }: PolicyDescription = policies[kind]
  return carries
}
