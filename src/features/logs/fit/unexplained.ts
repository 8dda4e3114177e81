import type { Micros } from '../../../scenario/model/scenario.ts'
import type { StageComparison } from './comparison.ts'

/** A stretch in which the run clearly has another queue than the log, with the mean queues of both. */
export interface Gap {
  readonly name: string
  readonly from: Micros
  readonly to: Micros
  readonly logged: number
  readonly run: number
}

/** A part of the log is not explained where the run is off by half of the mean queue, and by so many jobs. */
const [HALF, JOBS] = [0.5, 2]

/** Returns the stretches of a stage that the run does not explain; `time` has the times of the log. */
export function unexplainedIn({ name, logged, parts }: StageComparison, time: Float64Array): Gap[] {
  const off = parts.map((part) => Math.abs(part.run - part.logged) > Math.max(JOBS, HALF * logged))
  const gaps: Gap[] = []
  for (let k = 0; k < parts.length; k++) {
    if (!off[k]) continue
    let end = k
    while (off[end + 1]) end++
    const within = parts.slice(k, end + 1)
    const mean = (of: 'logged' | 'run') => within.reduce((sum, part) => sum + part[of], 0) / within.length
    gaps.push({ name, from: time[parts[k].from], to: time[parts[end].to], logged: mean('logged'), run: mean('run') })
    k = end
  }
  return gaps
}
