import { t } from '../../../language/translate.ts'
import { type EngineName, engines } from '../../../scenario/model/engines.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import type { Residual, ResidualPartName } from './residual.ts'

/** What each part is called in a sentence, after its length. */
export const partWords = (engine: EngineName): Readonly<Record<ResidualPartName, string>> => ({
  network: t('messages over the network'),
  message: engine === 'room' ? t('arrivals heard late') : t('messages'),
  contention: engine === 'room' ? t('services that took longer on their device') : t('services held up by other threads on the same cores'),
  belief: t('real work that took longer than declared'),
  batch: t('waits for the rest of a batch'),
  other: t('other decisions'),
})

/** How numbers are written. */
export interface SpelledNumbers {
  instant(time: Micros): string
  duration(time: Micros): string
  percent(share: number): string
}

/**
 * Returns the residual as a sentence, its greatest parts first: "It took 1.283 s on Web Workers, 14 ms (1.1%) longer than predicted:
 * 9 ms messages, 5 ms services held up by other threads on the same cores." Parts that made it shorter follow: "less 2 ms other
 * decisions".
 */
export function residualSentence({ engine, real, simulated, parts }: Residual, write: SpelledNumbers): string {
  const gap = real - simulated
  const words = partWords(engine)
  const took = t('It took {real} {where}', { real: write.instant(real), where: engines[engine].where() })
  const share = simulated > 0 ? ` (${write.percent(Math.abs(gap) / simulated)})` : ''
  const sign = gap < 0 ? -1 : 1
  const some = parts
    .filter(({ difference }) => difference !== 0)
    .sort((a, b) => sign * (b.difference - a.difference))
    .map(({ name, difference }) =>
      sign * difference < 0
        ? t('less {time} {part}', { time: write.duration(Math.abs(difference)), part: words[name] })
        : `${write.duration(Math.abs(difference))} ${words[name]}`,
    )
  const than =
    gap === 0
      ? t('as long as predicted')
      : gap < 0
        ? t('{gap} shorter than predicted', { gap: write.duration(Math.abs(gap)) + share })
        : t('{gap} longer than predicted', { gap: write.duration(Math.abs(gap)) + share })
  return some.length === 0 ? `${took}, ${than}.` : `${took}, ${than}: ${some.join(', ')}.`
}
