import { type ReactNode, useState } from 'react'
import { addressOf, type WordKey, words, wordsIn } from './words.ts'
import './words.css'

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
    const before = text.slice(end, from)
    end = to
    return [before, <Term key={word} word={word} text={text.slice(from, to)} />]
  })
  return [...pieces, text.slice(end)]
}
