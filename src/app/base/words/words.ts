import { t } from '../../../language/translate.ts'

/** A technical word of the page. */
interface Word {
  /** The labels that mean it, as they stand on the page. */
  readonly labels: () => readonly string[]
  /** What it means, in one sentence: the same as in docs/words.md. */
  readonly about: () => string
}

/** Every technical word that the page shows. A key is the word in docs/words.md, which the tooltip of the word leads to. */
export const words = {
  makespan: { labels: () => [t('Makespan'), t('makespan')], about: () => t('The time from 0 to the end of the last work.') },
  'lower bound': { labels: () => [t('At least'), t('over bound')], about: () => t('A makespan that no run of these jobs can beat.') },
  throughput: { labels: () => [t('Throughput')], about: () => t('How many jobs leave in a second.') },
  'flow time': { labels: () => [t('Flow time, mean'), t('flow')], about: () => t('The time from the arrival of a job to its end.') },
  median: { labels: () => [t('median')], about: () => t('Half of the jobs take no longer.') },
  utilisation: { labels: () => [t('Utilisation'), t('busy')], about: () => t('The share of the workers’ time that went into serving jobs.') },
  'jobs in the system': {
    labels: () => [t('Jobs in the system'), t('in system')],
    about: () => t('Jobs that have arrived and not yet left, averaged over time.'),
  },
  'change of stage': { labels: () => [t('Changes of stage'), t('moves')], about: () => t('A worker starts at another stage than before.') },
  'out of order': { labels: () => [t('Out of order'), t('reordered')], about: () => t('A job leaves after one that arrived later.') },
  'speed-up': { labels: () => [t('speed-up')], about: () => t('The makespan of one worker alone, divided by this one.') },
  efficiency: { labels: () => [t('efficiency')], about: () => t('The speed-up divided by the number of workers.') },
  votes: {
    labels: () => [t('votes'), t('work')],
    about: () => t('What a policy weighs at a stage: waiting jobs × estimated service time, unless it says otherwise.'),
  },
  estimate: {
    labels: () => [t('mean {unit}', { unit: '' }), t('estimate')].map((label) => label.replace(/[\s,]+$/, '')),
    about: () => t('How long the scheduler expects a service to take, from past services.'),
  },
  target: { labels: () => [t('target'), t('lower target'), t('higher target')], about: () => t('How many workers a stage should have.') },
  quotient: {
    labels: () => [t('quotient')],
    about: () => t('The votes of a stage divided by a number that grows with its seats: the highest gets the next seat.'),
  },
  'Little’s law': { labels: () => [t('Little’s law')], about: () => t('Jobs in the system = jobs per second × flow time, in every run that ends.') },
  Erlang: { labels: () => ['Erlang', 'M/M/1', 'M/M/c'], about: () => t('Formulas of 1917 for how long jobs wait when arrivals and services are random.') },
  digest: { labels: () => [t('digest')], about: () => t('The checksum of a trace: equal digests mean equal runs.') },
} satisfies Readonly<Record<string, Word>>

export type WordKey = keyof typeof words

const MIN_INSIDE = 6

/**
 * Returns the technical word in a text, where it begins and ends; null if there is none. The longest label counts. A short one, as "work",
 * is a technical word at the beginning of a heading only.
 */
export function wordIn(text: string): { readonly word: WordKey; readonly from: number; readonly to: number } | null {
  let best: ReturnType<typeof wordIn> = null
  for (const word of Object.keys(words) as WordKey[])
    for (const label of words[word].labels()) {
      const from = text.search(new RegExp(`(?<![\\p{L}\\d])${label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\d])`, 'u'))
      if ((from === 0 || (from > 0 && label.length >= MIN_INSIDE)) && label.length > (best === null ? 0 : best.to - best.from))
        best = { word, from, to: from + label.length }
    }
  return best
}

/** Returns the address of the meaning of a word in the docs that come with the page. */
export const addressOf = (word: WordKey): string => `words.html#${encodeURIComponent(word)}`
