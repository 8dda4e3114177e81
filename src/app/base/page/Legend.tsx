import type { ReactNode } from 'react'
import { t } from '../../../language/translate.ts'
import './legend.css'

/** The parts of the pictures of a run. */
export function Legend() {
  return (
    <ul className="legend" aria-label={t('Legend')}>
      <Entry term={t('Dot')} label={t('a waiting job')}>
        <circle cx="5" cy="10" r="3" />
        <circle cx="13" cy="10" r="3" />
      </Entry>
      <Entry term={t('Ring')} label={t('progress of a worker')}>
        <circle cx="10" cy="10" r="5" />
        <path d="M10 2a8 8 0 1 1-8 8" className="legend-line" />
      </Entry>
      <Entry term={t('Seat')} label={t('where a worker should be')}>
        <circle cx="5" cy="12" r="3.6" />
        <circle cx="14" cy="8" r="3.2" className="legend-line" />
      </Entry>
      <Entry term={t('Colour')} label={t('a stage')}>
        <rect x="4" y="4" width="12" height="12" rx="3" />
      </Entry>
    </ul>
  )
}

function Entry({
  term,
  label,
  children,
}: {
  readonly term: string
  readonly label: string
  readonly children: ReactNode
}) {
  return (
    <li>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        {children}
      </svg>
      <b>{term}</b> {label}
    </li>
  )
}
