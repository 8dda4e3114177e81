import type { Micros } from '../scenario/scenario.ts'
import type { PartName, Residual } from './residual.ts'

/** What each part is called in a sentence, behind its length. */
export const partWords: Readonly<Record<PartName, string>> = {
  message: 'messages',
  contention: 'services held up by other threads on the same cores',
  belief: 'real work beyond what was declared of it (belief against truth)',
  batch: 'waits for the rest of a batch',
  other: 'other decisions',
}

/** How numbers are said. */
export interface Said {
  instant(time: Micros): string
  duration(time: Micros): string
  percent(share: number): string
}

/**
 * The residual in one sentence, its greatest parts first: "On threads it took 1.283 s, 14 ms (1.1%) longer than foretold: 9 ms messages, 5 ms
 * services held up by other threads on the same cores." What made it shorter is taken off: "less 2 ms other decisions".
 */
export function residualSentence({ real, simulated, parts }: Residual, say: Said): string {
  const gap = real - simulated
  const took = `On threads it took ${say.instant(real)}`
  const share = simulated > 0 ? ` (${say.percent(Math.abs(gap) / simulated)})` : ''
  const sign = gap < 0 ? -1 : 1
  const some = parts
    .filter(({ difference }) => difference !== 0)
    .sort((a, b) => sign * (b.difference - a.difference))
    .map(({ name, difference }) => `${sign * difference < 0 ? 'less ' : ''}${say.duration(Math.abs(difference))} ${partWords[name]}`)
  const than = gap === 0 ? 'as long as foretold' : `${say.duration(Math.abs(gap))}${share} ${gap < 0 ? 'shorter' : 'longer'} than foretold`
  return some.length === 0 ? `${took}, ${than}.` : `${took}, ${than}: ${some.join(', ')}.`
}
