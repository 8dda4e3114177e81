import { type ReactNode, useRef } from 'react'
import { useScrolls } from './useScrolls.ts'

/** A frame around a table that may be too wide. If it is, the frame scrolls, has a name and takes the focus. */
export function WideTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const scrolls = useScrolls(host)
  return (
    <div ref={host} className="wide-table" {...(scrolls && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  )
}
