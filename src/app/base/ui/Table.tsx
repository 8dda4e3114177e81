import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { markBackground } from '../../../views/drawing/palette.ts'
import { currentPalette } from '../page/theme.ts'
import { onSize } from '../page/useSize.ts'
import { Words } from '../words/Words.tsx'

/** The heading of a column: its text, with what it means in a tooltip; or a text for screen readers alone. */
type Head = string | { readonly text: string; readonly about?: string } | { readonly unseen: string }

interface Props {
  readonly className?: string
  readonly heads: readonly Head[]
  /** What the table shows, if it may be too wide for its place. */
  readonly wide?: string
  readonly foot?: ReactNode
  readonly 'data-testid'?: string | undefined
  readonly children: ReactNode
}

export function Table({ heads, wide, foot, children, ...others }: Props) {
  const table = (
    <table {...others}>
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
      <Words text={text} />
    </th>
  )
}

/** A frame around a table that may be too wide. If it is, the frame scrolls, has a name and takes the focus. */
function WideTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const scrolls = useScrolls(host)
  return (
    <div ref={host} className="wide-table" {...(scrolls && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  )
}

/** Returns whether the content of a box is larger than the box. Then the box must take the focus, so that keys can scroll it. */
export function useScrolls(host: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false)
  useLayoutEffect(() => {
    const box = host.current
    if (box === null) return
    return onSize([box, ...box.children], () =>
      setScrolls(box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1),
    )
  })
  return scrolls
}

interface StageTableProps {
  /** What the table shows, for screen readers. */
  readonly label: string
  readonly scenario: Scenario
  readonly head: ReactNode
  readonly className: 'rounds' | 'others'
  readonly children: ReactNode
}

/** A table with a column for each stage, in the order of the pipeline and in its colour. */
export function StageTable({ label, scenario, head, className, children }: StageTableProps) {
  return (
    <WideTable label={label}>
      <table className={className}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {stageNumbers(scenario).map((s) => (
              <th scope="col" key={s} title={scenario.stages[s].name}>
                <Swatch stage={s} />
                <span className="unseen">{scenario.stages[s].name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </WideTable>
  )
}

/** The heading of the row of a stage: its colour and its name. */
export function StageHead({ stage, name }: { readonly stage: number; readonly name: string }) {
  return (
    <th scope="row" title={name}>
      <Swatch stage={stage} /> <span dir="auto">{name}</span>
    </th>
  )
}

/** A dot in the colour of a stage, beside its name. */
export function Swatch({ stage }: { readonly stage: number }) {
  return <i className="swatch" style={{ background: markBackground(currentPalette(), stage) }} />
}
