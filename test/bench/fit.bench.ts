import type { StageComparison } from '../../src/features/logs/fit/comparison.ts'
import { fitLog } from '../../src/features/logs/fit/fitLog.ts'
import { createLogReader } from '../../src/features/logs/read/readLog.ts'
import { hiddenSystems } from './hiddenSystems.ts'
import { plainLog } from './plainQueue.ts'

/** The allowed error of the mean queue of a run: this share of that of the log, or this many jobs. */
const SHARE = 0.35
const JOBS = 1.5

/**
 * Fits scenarios to logs of an independent simulator, and compares the mean queues: over the log, and over the whole
 * run, as the headless command prints them.
 */
export default async function fit(tools?: { readonly quick: boolean }) {
  const rows = []
  for (const [name, system] of Object.entries(hiddenSystems)) {
    for (const completed of [false, true]) {
      for (let seed = 1; seed <= (tools?.quick ? 1 : 3); seed++) {
        const reader = createLogReader()
        reader.push(new TextEncoder().encode(plainLog(system(seed), seed, { measured: seed % 2 === 0, completed })))
        const read = reader.end()
        if (!('log' in read)) throw new Error('the log cannot be read')
        const from = Date.now()
        const { stages, runs } = await fitLog(read.log)
        const figures = stages.map(
          ({ logged, run, whole }) => `${logged.toFixed(1)} / ${run.toFixed(1)} / ${whole.toFixed(1)}`,
        )
        rows.push({
          name: `${name}, seed ${seed}${completed ? ', counted' : ''}`,
          figures: {
            'stage 1': figures[0],
            'stage 2': figures[1],
            'stage 3': figures[2],
            within: stages.every(isWithin) ? 'yes' : 'no',
            runs,
            s: ((Date.now() - from) / 1000).toFixed(1),
          },
        })
      }
    }
  }
  return rows
}

/** Whether the mean queues of the run are near those of the log. */
export function isWithin({ logged, run, whole }: StageComparison): boolean {
  return [run, whole].every((mean) => Math.abs(mean - logged) <= Math.max(SHARE * logged, JOBS))
}
