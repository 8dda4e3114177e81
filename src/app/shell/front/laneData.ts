import { frameAt, isPresent } from '../../../measures/frame/frame.ts'
import { progressAt } from '../../../measures/series/lanes.ts'
import { greatest } from '../../../measures/series/steps.ts'
import { NONE } from '../../../pipeline/rows.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import type { Palette } from '../../../views/drawing/palette.ts'
import type { LaneData } from '../../../views/pipeline/lane.ts'
import type { WorkerDisc } from '../../../views/pipeline/workerDiscs.ts'
import type { Run } from '../../session/run/runStore.ts'
import type { TwoRuns } from './twoRuns.ts'

/** Returns the longest queue of both runs: dots have one size in both lanes. */
export function longestQueue({ fixed, moved }: TwoRuns): number {
  return Math.max(...[fixed, moved].flatMap(({ chart }) => chart.queues.map(greatest)))
}

/** Returns what a lane shows before its run. The workers stand as the upper lane keeps them. */
export function restingLane(palette: Palette, { stages, workers }: Scenario): LaneData {
  const all = Array.from({ length: workers }, (_, w) => discOf(w, null))
  return {
    palette,
    stages: stages.map(({ name }, s) => ({
      name,
      colourIndex: s,
      waiting: 0,
      workers: all.filter((_, w) => homeOf(w, workers, stages.length) === s),
    })),
    most: 0,
    workers,
  }
}

/** Returns where each worker of a run stands before it begins: at its stage if it keeps one, else where it stood before the run. */
export function homesOf({ scenario, trace }: Run): readonly number[] {
  const { stages, workers, policy } = scenario
  const last = policy.kind === 'fixed' ? frameAt(trace, endOf(trace)).workers.map(({ stage }) => stage) : []
  return Array.from({ length: workers }, (_, w) => ((last[w] ?? NONE) === NONE ? homeOf(w, workers, stages.length) : last[w]))
}

/** Returns what a lane shows at a time of its run. */
export function laneDataAt(palette: Palette, { scenario, trace, chart }: Run, homes: readonly number[], time: Micros, most: number): LaneData {
  const { stages, workers } = scenario
  const frame = frameAt(trace, time)
  const placed = workersByHome(homes).flatMap((w, n) => {
    const worker = frame.workers[w]
    if (worker.stage !== NONE && !isPresent(worker)) return []
    const stage = worker.stage === NONE ? homes[w] : worker.stage
    return [{ stage, disc: discOf(n, worker.status === 'busy' ? progressAt(chart.lanes, w, time) : null) }]
  })
  return {
    palette,
    stages: stages.map(({ name }, s) => ({
      name,
      colourIndex: s,
      waiting: frame.stages[s].waiting,
      workers: placed.filter(({ stage }) => stage === s).map(({ disc }) => disc),
    })),
    most,
    workers,
  }
}

/** Returns the workers from the first stage to the last. Discs are numbered in this order, so that each stands where it stood before the run. */
function workersByHome(homes: readonly number[]): number[] {
  return Array.from(homes.keys()).sort((a, b) => homes[a] - homes[b] || a - b)
}

function discOf(w: number, progress: number | null): WorkerDisc {
  return { worker: w + 1, progress, waits: false, followed: false }
}

function homeOf(w: number, workers: number, stages: number): number {
  return Math.floor((w * stages) / workers)
}
