import type { Micros, Scenario } from '../scenario/model/scenario.ts'
import { phasesOf } from '../scenario/model/schedule.ts'
import { NONE } from './rows.ts'

/** The time that workers lose between jobs. Remembers the last stage and group of each worker, and where it has started up. */
export interface SwitchCosts {
  /** The worker gets a batch of this stage, or is hired for it: if it has not started up there, it starts now. */
  startUp(worker: number, stage: number, now: Micros): void
  /**
   * Returns the time that the worker loses before a batch that it begins now: what is left of its start-up, and what a change of stage and group costs
   * in the `phase`. Remembers the batch.
   */
  before(worker: number, stage: number, jobs: readonly number[], phase: number, now: Micros): Micros
  /** Returns the time that it loses between two jobs of the batch that was asked for last. */
  between(worker: number, job: number, next: number): Micros
  /** The worker's batch ended with this job, which threw. */
  stoppedAt(worker: number, job: number): void
  /** A new worker under an old number, which has had no job. */
  forget(worker: number): void
}

/** Where a change of stage costs what it really takes. */
export const withoutSwitchCosts: SwitchCosts = {
  startUp() {},
  before: () => 0,
  between: () => 0,
  stoppedAt() {},
  forget() {},
}

/** How long the nth start-up of a worker, from 0, lasts at a stage: see `startUpsOf` in workload. */
export type StartUpDraw = (stage: number, worker: number, nth: number) => Micros

export function createSwitchCosts(
  scenario: Scenario,
  workers: number,
  groupOf: (job: number) => number,
  draw: StartUpDraw,
): SwitchCosts {
  const stageBefore = new Int16Array(workers).fill(NONE)
  // Group costs are rare: without them groups are not tracked.
  const costs = phasesOf(scenario).map(({ switchCost, groupSwitchCost }) => ({ switchCost, groupSwitchCost }))
  const costsOf = Array.from(stageBefore, () => costs[0])
  const groupBefore = costs.some(({ groupSwitchCost }) => groupSwitchCost > 0)
    ? new Int32Array(workers).fill(NONE)
    : null
  const startUps = createStartUps(scenario, workers, draw)
  return {
    startUp(worker, stage, now) {
      startUps?.begin(worker, stage, now)
    },
    before(worker, stage, jobs, phase, now) {
      const { switchCost, groupSwitchCost } = costs[phase]
      costsOf[worker] = costs[phase]
      const from = stageBefore[worker]
      stageBefore[worker] = stage
      const starting = startUps === null ? 0 : Math.max(0, startUps.begin(worker, stage, now) - now)
      const moved = starting + (from === NONE || from === stage ? 0 : switchCost)
      if (groupBefore === null) return moved
      const group = groupBefore[worker]
      groupBefore[worker] = groupOf(jobs[jobs.length - 1])
      return group === NONE || group === groupOf(jobs[0]) ? moved : moved + groupSwitchCost
    },
    between: (worker, job, next) =>
      groupBefore === null || groupOf(job) === groupOf(next) ? 0 : costsOf[worker].groupSwitchCost,
    stoppedAt(worker, job) {
      if (groupBefore !== null) groupBefore[worker] = groupOf(job)
    },
    forget(worker) {
      stageBefore[worker] = NONE
      if (groupBefore !== null) groupBefore[worker] = NONE
      startUps?.forget(worker)
    },
  }
}

/** Where each worker has started up, and until when it does. A worker pays once for each stage. */
export class StartUps {
  /** By worker: when its latest start-up ends. */
  readonly until: Float64Array
  /** By worker and stage: 1 if it has started up there. */
  private readonly ready: Uint8Array
  /** By worker: how many start-ups it has begun. */
  private readonly begun: Uint32Array
  private readonly stages: number
  private readonly draw: StartUpDraw

  constructor(stages: number, workers: number, draw: StartUpDraw) {
    this.until = new Float64Array(workers)
    this.ready = new Uint8Array(stages * workers)
    this.begun = new Uint32Array(workers)
    this.stages = stages
    this.draw = draw
  }

  /** Returns when the start-up of the worker at the stage ends. It begins now if it has not begun yet. */
  begin(worker: number, stage: number, now: Micros): Micros {
    const at = worker * this.stages + stage
    if (this.ready[at] === 0) {
      this.ready[at] = 1
      const lasts = this.draw(stage, worker, this.begun[worker])
      if (lasts > 0) this.begun[worker]++
      this.until[worker] = now + lasts
    }
    return this.until[worker]
  }

  forget(worker: number): void {
    this.ready.fill(0, worker * this.stages, (worker + 1) * this.stages)
    this.until[worker] = 0
  }
}

/** Returns null if no stage needs a start-up. */
export function createStartUps(
  { stages }: Pick<Scenario, 'stages'>,
  workers: number,
  draw: StartUpDraw,
): StartUps | null {
  return stages.every(({ startUp }) => startUp === null) ? null : new StartUps(stages.length, workers, draw)
}
