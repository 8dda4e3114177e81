import type { ColumnKey } from '../../../measures/figures/comparison.ts'
import { count, fixed, percent, signedPercent } from '../../../views/drawing/format.ts'
import { numberScale, scaleFor } from '../../../views/drawing/scale.ts'

/** How a column is written: its unit, and its values in it. */
interface Writer {
  readonly unit: string
  text(value: number | null): string
}

/** Returns how a column writes its values. `values` share its unit; the least of `own` is written exactly enough to tell it from the others. */
export function columnWriter(key: ColumnKey, values: readonly number[], own: readonly number[]): Writer {
  const least = own.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), Infinity)
  const known = (unit: string, write: (value: number) => string): Writer => ({ unit, text: (value) => (value === null ? '–' : write(value)) })
  switch (key) {
    case 'makespan':
    case 'meanFlowTime':
    case 'p50FlowTime':
    case 'p99FlowTime': {
      const { unit, text } = scaleFor(values, least)
      return known(unit, text)
    }
    case 'distance':
      return known('', (value) => signedPercent(value))
    case 'utilisation':
    case 'efficiency':
      return known('', (value) => percent(value))
    case 'speedUp':
      return known('', (value) => `${fixed(value, 2)}×`)
    case 'switches':
    case 'reordered':
    case 'mostQueued':
      return known('', count)
    default: {
      const { text } = numberScale(values, least)
      return known('', text)
    }
  }
}
