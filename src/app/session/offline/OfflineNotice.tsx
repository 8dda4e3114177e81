import { useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { offlineStore } from './offlineStore.ts'
import { reload } from './reload.ts'

/** The notice that a new version is ready, or that a part of this one cannot be fetched. */
export function OfflineNotice() {
  const { waiting, missing } = useStore(offlineStore)
  const [dismissed, dismiss] = useState<unknown>(null)
  if (!missing && (waiting === null || waiting === dismissed)) return null
  return (
    <section className="notice" aria-live="polite" aria-label={missing ? t('A part of the page is missing') : t('New version')}>
      <p>
        {missing
          ? t('A part of the page could not be fetched: there is no network, or a newer version has taken its place. What is on the canvas is kept.')
          : t('A new version is ready. What is on the canvas is kept.')}
      </p>
      <button type="button" className="button" onClick={reload}>
        {t('Reload')}
      </button>
      <button type="button" className="button" onClick={() => (missing ? offlineStore.setState({ missing: false }) : dismiss(waiting))}>
        {t('Later')}
      </button>
    </section>
  )
}
