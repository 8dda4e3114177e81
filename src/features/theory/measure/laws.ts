import { t } from '../../../language/translate.ts'
import type { Law } from './forecast.ts'

/** Returns the name of each law, and who found it. */
export const laws = (): Readonly<Record<Law, { readonly name: string; readonly by: string }>> => ({
  'M/M/1': { name: 'M/M/1', by: 'Erlang 1917' },
  'M/M/c': { name: t('M/M/c, Erlang C'), by: 'Erlang 1917' },
  'M/D/1': { name: 'M/D/1', by: t('Pollaczek 1930, Khinchine 1932') },
  'M/G/1': { name: t('M/G/1, Pollaczek-Khinchine'), by: t('Pollaczek 1930, Khinchine 1932') },
  'M/D/c': { name: 'M/D/c', by: 'Crommelin 1932' },
  'M/G/1-SJF': { name: t('M/G/1, the shortest job first'), by: 'Phipps 1956' },
  'D/M/1': { name: 'D/M/1', by: 'Kendall 1953' },
  'D/D/1': { name: 'D/D/1', by: t('the bottleneck sets the pace') },
  'G/G/c': { name: t('G/G/c, approximated'), by: t('Allen and Cunneen; Kraemer and Langenbach-Belz 1976') },
  'M/M/1-PS': { name: t('M/M/1, processor sharing'), by: 'Kleinrock 1967' },
  'M/M/c-PS': { name: t('M/M/c, processor sharing'), by: 'Kleinrock 1967' },
  'M/G/1-PS': { name: t('M/G/1, processor sharing'), by: t('Kleinrock 1967, Sakata, Noguchi and Oizumi 1969') },
  tandem: { name: t('Tandem of M/M/c queues'), by: t('Burke 1956, Jackson 1957') },
  network: { name: t('Jackson network'), by: 'Jackson 1957' },
  blocking: { name: t('Two stages with a bounded queue between them'), by: t('Konheim and Reiser 1976, Neuts 1968') },
  fork: { name: t('Fork and join'), by: t('Flatto and Hahn 1984, Nelson and Tantawi 1988') },
  line: { name: t('Deterministic line'), by: t('the bottleneck sets the pace') },
})
