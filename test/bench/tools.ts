import type { Browser } from 'playwright-core'

/** The results of a benchmark: figures by name, with the target value in brackets. */
export interface BenchRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

/** The tools that `scripts/bench.mjs` gives to each benchmark. */
export interface Tools {
  readonly root: string
  /** Whether to do the least work that shows that the benchmark runs. */
  readonly quick: boolean
  launch(options?: object): Promise<Browser>
  /** Returns the address of the built page, or of a page of the benches. */
  serve(html?: string): Promise<string>
}

/** Returns the least of each measure over some rounds in which all alternate, because other work can only add time. */
export async function least<K extends string>(
  rounds: number,
  measures: Readonly<Record<K, () => number | Promise<number>>>,
): Promise<Record<K, number>> {
  const names = Object.keys(measures) as K[]
  const best = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<K, number>
  for (let round = 0; round < rounds; round++)
    for (const name of names) best[name] = Math.min(best[name], await measures[name]())
  return best
}

/** Returns the value that this share of the values does not exceed. */
export function valueAt(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
