import { notify } from '../../base/page/notices.ts'
import { runStore } from '../run/runStore.ts'
import type { Session } from '../session.ts'
import { OfflineNotice } from './OfflineNotice.tsx'
import { offlineStore } from './offlineStore.ts'

/** A page that stays open for days looks for a new version this often, when somebody comes back to it. */
const LOOK_MS = 60 * 60_000

/** Keeps the page for when there is no network, and says when a new version is ready. Called once, when the page has come to rest. */
export async function beginOffline(session: Session): Promise<void> {
  listenForMissing()
  notify(<OfflineNotice />)
  if (!('serviceWorker' in navigator)) return
  holdVersion()
  await nothingPlays(session)
  // Where it is forbidden nothing is registered, and all else goes on.
  const registration = await navigator.serviceWorker.register('./sw.js').catch(() => undefined)
  if (registration === undefined) return
  offer(registration)
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', () => offer(registration)))
  navigator.serviceWorker.controller?.postMessage('tidy')
  let looked = performance.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || performance.now() - looked < LOOK_MS) return
    looked = performance.now()
    void registration.update().catch(() => {})
  })
}

/** Keeping a version fetches all of its files: whoever plays a run at once would see frames go missing. */
function nothingPlays(session: Session): Promise<void> {
  const still = () => !runStore(session).getState().playing
  return new Promise((resolve) => {
    if (still()) return resolve()
    const end = runStore(session).subscribe(() => {
      if (!still()) return
      end()
      resolve()
    })
  })
}

/** The first version of all has nobody to wait for. */
function offer({ waiting }: ServiceWorkerRegistration): void {
  if (navigator.serviceWorker.controller !== null) offlineStore.setState({ waiting })
}

/** As long as the page is open its version is kept: by the name of this script, which changes with every file it leads to. */
function holdVersion(): void {
  void navigator.locks?.request(import.meta.url, { mode: 'shared' }, () => new Promise(() => {})).catch(() => {})
}

/** Part of the page is fetched when it is wanted, and may be gone by then: a newer version is in its place, or there is no network. */
function listenForMissing(): void {
  const missing = () => offlineStore.setState({ missing: true })
  addEventListener('vite:preloadError', missing)
  addEventListener('unhandledrejection', ({ reason }) => {
    if (/dynamically imported module|Importing a module script failed/.test(String(reason))) missing()
  })
}
