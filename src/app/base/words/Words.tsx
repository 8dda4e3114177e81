import type { ReactNode } from 'react'
import { addressOf, type WordKey, wordIn, words } from './words.ts'
import './words.css'

/** A technical word: a tooltip says what it means, a click opens the docs. */
export function Term({ word, children }: { readonly word: WordKey; readonly children: ReactNode }) {
  return (
    <a className="term" data-word={word} href={addressOf(word)} target="_blank" rel="noopener" title={words[word].about()}>
      {children}
    </a>
  )
}

/** A text in which the technical word has its tooltip. */
export function Words({ text }: { readonly text: string }) {
  const found = wordIn(text)
  if (found === null) return text
  const { word, from, to } = found
  return (
    <>
      {text.slice(0, from)}
      <Term word={word}>{text.slice(from, to)}</Term>
      {text.slice(to)}
    </>
  )
}
