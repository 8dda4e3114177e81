import { type ReactNode, useRef } from 'react'
import { useScrolls } from './useScrolls.ts'

/** Around a table that may be wider than its place. */
export function WideTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const host = useRef<HTMLElement>(null)
  const scrolls = useScrolls(host)
  return (
    <section ref={host} className="wide-table" aria-label={label} {...(scrolls && { tabIndex: 0 })}>
      {children}
    </section>
  )
}
