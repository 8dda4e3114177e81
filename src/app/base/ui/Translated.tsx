import { Fragment, type ReactNode } from 'react'
import { fill, piecesIn, type Values } from '../../../language/translate.ts'

interface Props {
  readonly text: string
  readonly values?: Values
  /** What each tag in the message renders, by its name, beside `b`, `c` and `sub`. */
  readonly tags?: Readonly<Record<string, (inside: ReactNode) => ReactNode>>
}

/** A message with elements in it: `<Translated text="Press <key>K</key>." tags={{ key: (inside) => <kbd>{inside}</kbd> }} />`. */
export function Translated({ text, values = {}, tags }: Props) {
  const all: Props['tags'] = { ...usual, ...tags }
  const parts = fill<ReactNode>(
    piecesIn(text),
    values,
    (inside, tag) => all[tag]?.(inside.map(keyed)) ?? inside.map(keyed),
  )
  return <>{parts.map(keyed)}</>
}

const usual: Props['tags'] = {
  b: (inside) => <strong>{inside}</strong>,
  c: (inside) => <code>{inside}</code>,
  sub: (inside) => <sub>{inside}</sub>,
}

// Parts of a message never change places.
const keyed = (part: ReactNode, index: number) => <Fragment key={String(index)}>{part}</Fragment>
