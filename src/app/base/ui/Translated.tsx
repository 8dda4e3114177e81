import { Fragment, type ReactNode } from 'react'
import { fill, piecesIn, type Values } from '../../../language/translate.ts'

interface Props {
  readonly text: string
  readonly values?: Values
  /** What each tag in the message renders, by its name. */
  readonly tags?: Readonly<Record<string, (inside: ReactNode) => ReactNode>>
}

/** A message with elements in it: `<Translated text="Press <key>K</key>." tags={{ key: (inside) => <kbd>{inside}</kbd> }} />`. */
export function Translated({ text, values = {}, tags = {} }: Props) {
  const parts = fill<ReactNode>(piecesIn(text), values, (inside, tag) => tags[tag]?.(inside.map(keyed)) ?? inside.map(keyed))
  return <>{parts.map(keyed)}</>
}

// Parts of a message never change places.
const keyed = (part: ReactNode, index: number) => <Fragment key={String(index)}>{part}</Fragment>
