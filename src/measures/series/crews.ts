import { type Counts, countStaffed } from '../../pipeline/counts.ts'
import { type Rows, STARTED } from '../../pipeline/rows.ts'
import type { Topology } from '../../pipeline/topology.ts'
import { hires, keepsWorkers } from '../../scenario/model/defaults.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import type { Trace } from '../../trace/trace.ts'
import { appendStep, createSteps, type Steps } from './steps.ts'

/** How many workers serve each stage over time: its own where workers stay, else all, since any of them may come. */
export interface Crews {
  readonly steps: readonly Steps[]
  /** By worker: its stage. */
  readonly at: Int16Array
  live: number
  phase: number
  /** How many workers the policy keeps at each stage; null where any may come. */
  kept: Int32Array | null
}

/** Returns the crews at the start of a run. `counts`: those before its first row. */
export function createCrews(trace: Trace, counts: Counts): Crews {
  const steps = Array.from({ length: trace.topology.stages }, createSteps)
  const crews: Crews = { steps, at: new Int16Array(counts.stage.length), live: 0, phase: 0, kept: null }
  countCrews(crews, trace, counts)
  return crews
}

/** Notes row `i`, after it is counted. */
export function extendCrews(crews: Crews, trace: Trace, counts: Counts, rows: Rows, i: number): void {
  const moved = crews.kept !== null && rows.kind[i] === STARTED && crews.at[rows.worker[i]] !== rows.stage[i]
  if (moved || counts.live !== crews.live || counts.phase !== crews.phase) countCrews(crews, trace, counts)
}

/** Those that are at a stage belong to its crew, and so do those that are kept for it and have not had a job. */
function countCrews(crews: Crews, { scenario, topology }: Trace, counts: Counts): void {
  crews.at.set(counts.stage)
  crews.live = counts.live
  crews.phase = counts.phase
  crews.kept = keptWorkers(scenarioAtPhase(scenario, counts.phase), topology, counts.live)
  const staffed = new Int32Array(topology.stages)
  countStaffed(counts, staffed)
  crews.steps.forEach((steps, s) => {
    appendStep(steps, counts.time, crews.kept === null ? counts.live : Math.max(staffed[s], crews.kept[s]))
  })
}

/** Returns how many of `live` workers the policy keeps at each stage, none for a pool that is hired; null where workers move. */
export function keptWorkers({ policy, stages }: Scenario, { order }: Topology, live: number): Int32Array | null {
  if (!keepsWorkers(policy.kind)) return null
  const kept = new Int32Array(stages.length)
  if (hires(policy.kind)) return kept
  let left = live
  for (const stage of order) {
    kept[stage] = Math.min(left, policy.kind === 'fixed' ? (policy.allocation[stages[stage].id] ?? 0) : 1)
    left -= kept[stage]
  }
  return kept
}
