import { type ReactNode, useEffect, useRef, useState } from 'react'
import './panelFrame.css'

interface Props {
  readonly className: string
  /** The name of the control for `hide`, if it has one. */
  readonly control?: string
  readonly label: string
  /** How far one is, above the title. */
  readonly count: string
  readonly title: string
  /** What can be folded away, and what the way out is called and does. */
  readonly text: string
  readonly leave: string
  readonly leaves: string
  readonly onLeave: () => void
  readonly children: ReactNode
}

/** What stands beside the picture and is read while it runs: a heading, which has the focus at first, and under it what can be folded away. */
export function PanelFrame({ className, control, label, count, title, text, leave, leaves, onLeave, children }: Props) {
  const [folded, setFolded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever has opened it reads on there.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section className={folded ? `${className} folded` : className} data-control={control} aria-label={label}>
      <header>
        <div>
          <p className="lesson-count">{count}</p>
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
        </div>
        <button type="button" className="icon fold" aria-expanded={!folded} aria-label={text} onClick={() => setFolded(!folded)}>
          <svg viewBox="0 0 10 6" width="11" height="7" aria-hidden="true">
            <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        </button>
        <button type="button" className="icon" aria-label={leave} title={leaves} onClick={onLeave}>
          ×
        </button>
      </header>
      {children}
    </section>
  )
}
