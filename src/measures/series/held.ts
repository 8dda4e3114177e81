import type { Micros } from '../../scenario/model/scenario.ts'
import { firstMark, markAt } from './marks.ts'
import { type Steps, stepsWithin, valueAt } from './steps.ts'

/** If there are more changes, this many instants represent all. */
const INSTANTS = 200

/** Returns the combination of values that several series had longest within [t0, t1), the earliest of equals, and the number of changes. */
export function longestHeld(series: readonly Steps[], t0: Micros, t1: Micros): { readonly values: readonly number[]; readonly changes: number } {
  const times = new Set([t0])
  const many = series.reduce((sum, steps) => sum + stepsWithin(steps, t0, t1), 0) > INSTANTS
  if (many) for (let k = 1; k < INSTANTS; k++) times.add(t0 + ((t1 - t0) * k) / INSTANTS)
  else for (const steps of series) for (const time of stepTimes(steps, t0, t1)) times.add(time)
  const instants = [...times].sort((a, b) => a - b)
  const held = new Map<string, { values: number[]; time: number }>()
  instants.forEach((time, k) => {
    const values = series.map((steps) => valueAt(steps, time))
    const key = values.join()
    const known = held.get(key) ?? { values, time: 0 }
    known.time += (instants[k + 1] ?? t1) - time
    held.set(key, known)
  })
  const [longest] = [...held.values()].sort((a, b) => b.time - a.time)
  return { values: longest.values, changes: instants.length - 1 }
}

function stepTimes({ times }: Steps, t0: Micros, t1: Micros): Micros[] {
  const first = firstMark(times, t0)
  return Array.from({ length: firstMark(times, t1, first) - first }, (_, k) => markAt(times, first + k))
}
