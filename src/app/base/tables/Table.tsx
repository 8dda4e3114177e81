import type { ReactNode } from 'react'
import { WideTable } from './WideTable.tsx'

/** The heading of a column: its text, with what it means in a tooltip; or a text for screen readers alone. */
type Head = string | { readonly text: string; readonly about?: string } | { readonly unseen: string }

interface Props {
  readonly className?: string
  readonly heads: readonly Head[]
  /** What the table shows, if it may be too wide for its place. */
  readonly wide?: string
  readonly caption?: string
  readonly foot?: ReactNode
  readonly 'data-testid'?: string | undefined
  /** The rows. */
  readonly children: ReactNode
}

/** A table with a line of headings. */
export function Table({ heads, wide, caption, foot, children, ...others }: Props) {
  const table = (
    <table {...others}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>{heads.map(headCell)}</tr>
      </thead>
      <tbody>{children}</tbody>
      {foot !== undefined && <tfoot>{foot}</tfoot>}
    </table>
  )
  return wide === undefined ? table : <WideTable label={wide}>{table}</WideTable>
}

function headCell(head: Head) {
  if (typeof head === 'object' && 'unseen' in head)
    return (
      <th scope="col" key={head.unseen}>
        <span className="unseen">{head.unseen}</span>
      </th>
    )
  const { text, about } = typeof head === 'string' ? { text: head } : head
  return (
    <th scope="col" key={text} title={about}>
      {text}
    </th>
  )
}
