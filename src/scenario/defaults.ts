import type { Batch, Estimator, Order, Policy, Scenario, Source, Stage } from './scenario.ts'

/**
 * What a scenario means where it says nothing. `parse` fills these in and `compact` leaves them out.
 * Beyond this table: a stage's name is its id, its links a line in listing order, cores as many as workers, a kind left
 * out is the first of its table. There is no default for version, stages, workers, or the numbers of a kind.
 */
const source: Source = { kind: 'batch', jobs: 100 }
const policy: Policy = { kind: 'leastScore', lend: true }
const estimator: Estimator = { kind: 'mean', prior: 'neighbours' }
const batch: Batch = { size: 1 }
const order: Order = { kind: 'none' }

export const scenarioDefaults = { title: '', seed: 1, source, workerEvents: [], policy, estimator, batch, switchCost: 0, order } satisfies Partial<Scenario>

export const stageDefaults = {
  service: { kind: 'constant', mean: 1000 },
  changes: [],
  work: 'burn',
  fails: null,
  capacity: null,
  discipline: 'fifo',
  position: null,
} as const satisfies Partial<Stage>

export const partDefaults = { tries: 3, groupOrder: 'asProduced', feeders: 4, window: 100, prior: 'neighbours', jobsOfSine: null, digest: '', power: 2 } as const

/** A pinned policy leaves each worker at its own stage and never lends; the rules that apportion lend unless told not to. */
export function isPinned(kind: Policy['kind']): boolean {
  return kind === 'fixed' || kind === 'onePerStage' || kind === 'single'
}
