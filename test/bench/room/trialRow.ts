/** A line of the table. */
export interface TrialRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2
}
