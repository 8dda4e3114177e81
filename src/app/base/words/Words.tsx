import { type ReactNode, useState } from 'react'
import './words.css'
import { t } from '../../../language/translate.ts'

/** A technical word: a tooltip says what it means, a click opens the docs. A finger shows the tooltip first. */
function Term({ word, text }: { readonly word: WordKey; readonly text: string }) {
  const [shown, setShown] = useState(false)
  return (
    <a
      className={shown ? 'term shown' : 'term'}
      data-word={word}
      href={addressOf(word)}
      target="_blank"
      rel="noopener"
      title={words[word].about()}
      onClick={(event) => {
        if (shown || (event.nativeEvent as PointerEvent).pointerType !== 'touch') return
        event.preventDefault()
        event.currentTarget.focus()
        setShown(true)
      }}
      onBlur={() => setShown(false)}
    >
      {text}
    </a>
  )
}

/** A heading in which technical words have their tooltips. */
export const Words = ({ text }: { readonly text: string }) => withTerms(text, new Set(), true)

/** Returns the texts of one sentence or paragraph, with what stands between them. Each technical word has its tooltip once. */
export function marked(parts: readonly ReactNode[]): ReactNode[] {
  const seen = new Set<WordKey>()
  return parts.map((part) => (typeof part === 'string' ? withTerms(part, seen) : part))
}

function withTerms(text: string, seen: Set<WordKey>, heads = false): ReactNode[] {
  let end = 0
  const pieces = wordsIn(text, heads).flatMap(({ word, from, to }) => {
    if (seen.has(word)) return []
    seen.add(word)
    const preceding = text.slice(end, from)
    end = to
    return [preceding, <Term key={word} word={word} text={text.slice(from, to)} />]
  })
  return [...pieces, text.slice(end)]
}

/** A technical word of the page. */
interface Word {
  /** The headings that mean it, as they stand on the page. */
  readonly labels?: () => readonly string[]
  /** Its forms inside a sentence, with commas between them. */
  readonly forms: () => string
  /** What it means, in one sentence: the same as in docs/words.md. */
  readonly about: () => string
}

/** Every technical word that the page shows. A key is the word in docs/words.md, which the tooltip of the word leads to. */
export const words = {
  makespan: {
    labels: () => [t('Makespan')],
    forms: () => t('makespan, makespans'),
    about: () => t('Time from 0 to the end of the last work.'),
  },
  'lower bound': {
    labels: () => [t('At least'), t('over bound')],
    forms: () => t('lower bound, lower bounds'),
    about: () => t('No run of these jobs can be shorter.'),
  },
  'flow time': {
    labels: () => [t('Flow time, mean'), t('flow')],
    forms: () => t('flow time, flow times'),
    about: () => t('Time from a job’s arrival to its end.'),
  },
  utilisation: {
    labels: () => [t('busy')],
    forms: () => t('utilisation'),
    about: () => t('Share of the workers’ time spent on jobs; at a stage, of those who serve it.'),
  },
  votes: {
    labels: () => [t('work')],
    forms: () => t('vote, votes'),
    about: () => t('Waiting jobs × estimated service time.'),
  },
  estimate: {
    labels: () => [t('mean {unit}', { unit: '' }).replace(/[\s,]+$/, '')],
    forms: () => t('estimate, estimates'),
    about: () => t('The service time that the scheduler expects.'),
  },
  target: {
    labels: () => [t('lower target'), t('higher target')],
    forms: () => t('target, targets'),
    about: () => t('How many workers a stage should have.'),
  },
  quotient: {
    forms: () => t('quotient, quotients'),
    about: () => t('Votes divided by a number that grows with the seats.'),
  },
  'Little’s law': {
    forms: () => t('Little’s law'),
    about: () => t('Jobs in the system = jobs per second × flow time.'),
  },
  Erlang: {
    forms: () => 'Erlang, M/M/1, M/M/c',
    about: () => t('How long jobs wait for random arrivals and services.'),
  },
} satisfies Readonly<Record<string, Word>>

export type WordKey = keyof typeof words

/** A technical word in a text, with its start and end. */
interface Found {
  readonly word: WordKey
  readonly from: number
  readonly to: number
}

/** Returns each technical word where a text first has it, in order. A heading (`heads`) may begin with a label, such as "work". */
export function wordsIn(text: string, heads = false): readonly Found[] {
  const found = (Object.keys(words) as WordKey[]).flatMap((word): Found[] => {
    const { labels, forms }: Word = words[word]
    const label = heads && labels !== undefined ? patternOf(labels(), '^').exec(text) : null
    const match = label ?? patternOf(forms().split(', ')).exec(text)
    return match === null ? [] : [{ word, from: match.index, to: match.index + match[0].length }]
  })
  return found
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from }, k, all) => all.slice(0, k).every(({ to }) => to <= from))
}

/** Returns a pattern that finds the longest of these as whole words. */
function patternOf(labels: readonly string[], start = ''): RegExp {
  const longest = [...labels]
    .sort((a, b) => b.length - a.length)
    .map((label) => label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`${start}(?<![\\p{L}\\d])(?:${longest.join('|')})(?![\\p{L}\\d])`, 'iu')
}

/** Returns the address of the meaning of a word in the docs that come with the page. */
const addressOf = (word: WordKey): string => `words.html#${encodeURIComponent(word)}`
