import { useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { notify } from '../../base/page/notices.ts'
import { runWhen } from '../run/runStore.ts'
import type { Session } from '../session.ts'
import { offlineStore, reload } from './reload.ts'

/** The shortest time between two checks for a new version. A page may stay open for days. */
const CHECK_MS = 60 * 60_000

/** Says when a part of the page is missing, and from then on when a new version is ready. Called once. `loaded`: when the page has loaded. */
export async function beginOffline(session: Session, loaded: Promise<void>): Promise<void> {
  listenForMissing()
  notify(<OfflineNotice />)
  if (!('serviceWorker' in navigator)) return
  holdVersion()
  await loaded
  // The service worker fetches all files at once, which would slow down a run that is playing.
  await runWhen(session, ({ playing }) => !playing)
  // The browser may forbid it.
  const registration = await navigator.serviceWorker.register('./sw.js').catch(() => undefined)
  if (registration === undefined) return
  offer(registration)
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', () => offer(registration)),
  )
  navigator.serviceWorker.controller?.postMessage('tidy')
  let checkedAt = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - checkedAt < CHECK_MS) return
    checkedAt = performance.now()
    void registration.update().catch(() => {})
  })
}

/** Offers a waiting version. The very first version replaces none and is not offered. */
function offer({ waiting }: ServiceWorkerRegistration): void {
  if (navigator.serviceWorker.controller !== null) offlineStore.setState({ waiting })
}

/** Holds a lock while the page is open, so that the files of its version are kept. The name of this script names the version. */
function holdVersion(): void {
  void navigator.locks?.request(import.meta.url, { mode: 'shared' }, () => new Promise(() => {})).catch(() => {})
}

/** Shows a notice when a part of the page cannot be fetched: a newer version has replaced it, or there is no network. */
function listenForMissing(): void {
  const missing = () => offlineStore.setState({ missing: true })
  addEventListener('vite:preloadError', missing)
  addEventListener('unhandledrejection', ({ reason }) => {
    if (/dynamically imported module|Importing a module script failed/.test(String(reason))) missing()
  })
}

/** The notice that a new version is ready, or that a part of this one cannot be fetched. */
export function OfflineNotice() {
  const { waiting, missing } = useStore(offlineStore)
  const [dismissed, dismiss] = useState<unknown>(null)
  if (!missing && (waiting === null || waiting === dismissed)) return null
  return (
    <section
      className="notice"
      aria-live="polite"
      aria-label={missing ? t('A part of the page is missing') : t('New version')}
    >
      <p>
        {missing
          ? t('There is no network, or there is a newer version. Your canvas is kept.')
          : t('A new version is ready. Your canvas is kept.')}
      </p>
      <Button onClick={reload} text={t('Reload')} />
      <Button
        onClick={() => (missing ? offlineStore.setState({ missing: false }) : dismiss(waiting))}
        text={t('Later')}
      />
    </section>
  )
}
