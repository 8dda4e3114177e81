import { useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
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
      <Button onClick={reload} text={t('Reload')} />
      <Button onClick={() => (missing ? offlineStore.setState({ missing: false }) : dismiss(waiting))} text={t('Later')} />
    </section>
  )
}
