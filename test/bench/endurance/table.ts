import type { BenchRow } from '../tools.ts'
import type { Reading } from './gauge.ts'

export const MB = 1_048_576

/** The figures after each step, and their growth once the page is warm: in the first fifth everything is fetched and compiled. */
export function series(name: string, readings: readonly Reading[], step: number): BenchRow[] {
  const warm = readings.slice(Math.floor(readings.length / 5))
  const spread = (of: (reading: Reading) => number) => Math.max(...warm.map(of)) - Math.min(...warm.map(of))
  const gained = (of: (reading: Reading) => number) => of(warm[warm.length - 1]) - of(warm[0])
  return [
    ...readings.map((reading, k) => ({ name: `${(k + 1) * step} ${name}`, figures: figuresOf(reading) })),
    {
      name: `${name}, once warm`,
      figures: {
        'heap MB': `${(spread(({ heap }) => heap) / MB).toFixed(2)} between most and least (5)`,
        'kB each': (gained(({ heap }) => heap) / 1024 / ((warm.length - 1) * step)).toFixed(2),
        nodes: gained(({ nodes }) => nodes),
        listeners: gained(({ listeners }) => listeners),
        documents: gained(({ documents }) => documents),
        workers: Math.max(...warm.map(({ workers }) => workers)),
      },
    },
  ]
}

export function gainedOf(before: Reading, after: Reading): BenchRow['figures'] {
  return {
    'heap MB': `${((after.heap - before.heap) / MB).toFixed(2)} more (5)`,
    nodes: after.nodes - before.nodes,
    listeners: after.listeners - before.listeners,
    documents: after.documents - before.documents,
    workers: after.workers,
  }
}

/** It takes long, so it prints its progress. */
export function tell(what: string, readings: readonly Reading[]): void {
  const last = readings[readings.length - 1]
  console.log(
    `  ${what}: ${(last.heap / MB).toFixed(2)} MB, ${last.nodes} nodes, ${last.listeners} listeners, ${last.workers} workers`,
  )
}

function figuresOf({ heap, nodes, listeners, documents, workers }: Reading): BenchRow['figures'] {
  return { 'heap MB': (heap / MB).toFixed(2), nodes, listeners, documents, workers }
}
