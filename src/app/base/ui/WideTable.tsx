import { type ReactNode, useRef } from 'react'
import { useScrolls } from './useScrolls.ts'

/** Around a table that may be wider than its place: only then is it something by itself, which has a name and takes the focus. */
export function WideTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const scrolls = useScrolls(host)
  return (
    <div ref={host} className="wide-table" {...(scrolls && { role: 'group', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  )
}
