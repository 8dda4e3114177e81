import type { BrokerHere } from './brokers.ts'
import type { ProcessGroup } from './child.ts'

/** The input of a trial. */
export interface TrialTools {
  readonly family: ProcessGroup
  readonly broker: BrokerHere
  /** The root of the repository. */
  readonly root: string
  /** Whether to do the least possible work. */
  readonly quick: boolean
}

export type Trial = (tools: TrialTools) => Promise<TrialRow[]>

/** A row of the table. */
export interface TrialRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2
}
