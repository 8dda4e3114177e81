import type { Batch, Branch, Estimator, Order, PidPolicy, Policy, Scenario, Source, Stage, ThresholdPolicy } from './scenario.ts'

/**
 * What a scenario means where it says nothing. `parse` fills these in and `compact` leaves them out.
 * Beyond this table: a stage's name is its id, its links a line in listing order, cores as many as workers, a kind left
 * out is the first of its table. There is no default for version, stages, workers, or the numbers of a kind.
 */
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
  order,
  branches: [],
  later: [],
} satisfies Partial<Scenario>

export const stageDefaults = {
  service: { kind: 'constant', mean: 1000 },
  changes: [],
  work: 'burn',
  fails: null,
  capacity: null,
  discipline: 'fifo',
  resource: null,
  whenTaken: 'wait',
  fanOut: 'copy',
  join: 'merge',
  position: null,
} as const satisfies Partial<Stage>

export const branchDefaults = { title: '' } as const satisfies Partial<Branch>

export const partDefaults = {
  tries: 3,
  groupOrder: 'asProduced',
  feeders: 4,
  window: 100,
  prior: 'neighbours',
  jobsOfSine: null,
  digest: '',
  power: 2,
  /** Of a picture: the whole set. */
  x: -0.6,
  y: 0,
  span: 3.2,
  iterations: 1000,
  perStage: 8,
  allocations: [] as readonly (readonly number[])[],
  /** Of an order buffer, where a person only asks for one. */
  slots: 256,
} as const

/** What a controller of elastic pools does without, where the scenario does not say. */
export const elasticDefaults = { max: null, clamp: null } as const

/**
 * What a controller begins with where a person only names it: it brings every run to its end, since one job that waits is
 * enough to be hired for, and an empty queue to be dismissed for. Worked out for the PID controller: an empty queue leaves the
 * clamped integral part alone, -1, which is `down`; a job that waits on winds the output to -1 - 1, which is `up`.
 */
export const elasticStart = {
  pid: { kp: 1, ki: 0.5, kd: 0.005, every: 10_000, setpoint: 0, up: -2, down: -1, max: null, clamp: 1 },
  threshold: { high: 0, idle: 200_000, every: 10_000, max: null },
} as const satisfies { pid: Omit<PidPolicy, 'kind'>; threshold: Omit<ThresholdPolicy, 'kind'> }

/** Whether the policy hires and dismisses workers itself: then there is none at the start, and `workers` is the ceiling. */
export function isElastic(policy: Policy): policy is Policy & (PidPolicy | ThresholdPolicy) {
  return policy.kind === 'pid' || policy.kind === 'threshold'
}

/** What is asked of a scenario, or of a draft of one, to count its workers. */
interface Crew {
  readonly policy: { readonly kind: string; readonly perStage?: number }
  readonly stages: readonly unknown[]
  readonly workers: number
}

/** How many workers there are without those who join: from the start on, or, of an elastic policy, at most. */
export function crewOf({ policy, stages, workers }: Crew): number {
  return policy.perStage === undefined ? workers : policy.perStage * stages.length
}

/** A pinned policy leaves each worker at its own stage and never lends; the rules that apportion lend unless told not to. */
export function isPinned(kind: Policy['kind']): boolean {
  return kind === 'fixed' || kind === 'onePerStage' || kind === 'single' || kind === 'greenThreads' || kind === 'pid' || kind === 'threshold'
}
