import type { ReactNode } from 'react'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'

interface Props {
  readonly label: string
  readonly title: ReactNode
  readonly about?: string
  readonly action?: ReactNode
  readonly children?: ReactNode
  close(): void
}

export function TimelineCard({ label, title, about, action, children, close }: Props) {
  return (
    <section className="timeline-card" aria-label={label}>
      <header>
        <h3>{title}</h3>
        {about !== undefined && <p className="soft">{about}</p>}
        {action}
        <Button className="icon" aria-label={t('Close')} title={`${t('Close')} (Escape)`} onClick={close} text="×" />
      </header>
      {children}
    </section>
  )
}
