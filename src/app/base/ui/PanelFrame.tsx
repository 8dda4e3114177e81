import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { Button } from '../controls/Button.tsx'
import './panelFrame.css'

interface Props {
  readonly className: string
  readonly control?: string
  readonly label: string
  readonly count: string
  readonly title: string
  readonly closeLabel: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The frame of a panel beside the pipeline: a heading, which has the focus at first, and a text that can be folded away. */
export function PanelFrame({ className, control, label, count, title, closeLabel, onClose, children }: Props) {
  const [folded, setFolded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // Screen readers continue at the heading; on closing, at the heading of the panel that was hidden.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    return () => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('.desk > .lesson h2')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <section className={folded ? `${className} folded` : className} data-control={control} aria-label={label}>
      <header>
        <div>
          <p className="lesson-count">{count}</p>
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
        </div>
        <Button className="icon fold" aria-expanded={!folded} aria-label={t('Text')} onClick={() => setFolded(!folded)}>
          <svg viewBox="0 0 10 6" width="11" height="7" aria-hidden="true">
            <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        </Button>
        <Button className="icon" aria-label={closeLabel} onClick={onClose} text="×" />
      </header>
      {children}
    </section>
  )
}
