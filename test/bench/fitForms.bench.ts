import { mean, sum } from 'd3-array'
import { fitLog } from '../../src/features/logs/fit/fitLog.ts'
import { readLog } from '../features/logs/read/logFiles.ts'
import { hiddenSystems } from './hiddenSystems.ts'
import { plainLog, plainPrometheus } from './plainQueue.ts'

/**
 * Fits scenarios to the log of a system of its own and to what Prometheus scraped of the same run, at other instants. A row has the error of both at
 * each stage: the mean distance of the queue of the run to that of the log, in jobs.
 */
export default async function fitForms(tools?: { readonly quick: boolean }) {
  const rows = []
  const all: (readonly [csv: number, prometheus: number])[][] = []
  for (const [name, system] of Object.entries(hiddenSystems)) {
    for (let seed = 1; seed <= (tools?.quick ? 1 : 6); seed++) {
      const texts = [
        plainLog(system(seed), seed, { measured: true, completed: true }),
        plainPrometheus(system(seed), seed, ((seed * 3) % 7) / 7),
      ]
      const [csv, prometheus] = [await errorsIn(texts[0]), await errorsIn(texts[1])]
      const both = csv.map((error, s) => [error, prometheus[s]] as const)
      all.push(both)
      rows.push({ name: `${name}, seed ${seed}`, figures: figuresOf(both) })
    }
  }
  const stages = all[0].map(
    (_, s) => [mean(all, (each) => each[s][0]) ?? 0, mean(all, (each) => each[s][1]) ?? 0] as const,
  )
  const flat = all.flat()
  const near = `${flat.filter(([csv, prometheus]) => prometheus <= csv).length} of ${flat.length}`
  return [...rows, { name: 'means', figures: { ...figuresOf(stages), 'at most the CSV': near } }]
}

function figuresOf(stages: readonly (readonly [csv: number, prometheus: number])[]) {
  const each = stages.map(([csv, prometheus], s) => [`stage ${s + 1}`, `${csv.toFixed(2)} / ${prometheus.toFixed(2)}`])
  return {
    ...Object.fromEntries(each),
    'Prometheus / CSV': (sum(stages, ([, error]) => error) / sum(stages, ([error]) => error)).toFixed(2),
  }
}

/** Returns by stage how far the run is off, in jobs. */
async function errorsIn(text: string): Promise<number[]> {
  const read = readLog(text)
  if (!('log' in read)) throw new Error(JSON.stringify(read.problems))
  const { stages } = await fitLog(read.log, { order: read.log.stages })
  return stages.map(({ error, logged }) => error * logged)
}
