import { offlineStore } from './offlineStore.ts'

/** How long the old version may take to answer what it still has to, before the page reloads anyway. */
const PATIENCE_MS = 4000

/** Reloads the page, with the new version if one waits. */
export function reload(): void {
  const { waiting } = offlineStore.getState()
  const reload = () => location.reload()
  setTimeout(reload, waiting === null ? 0 : PATIENCE_MS)
  if (waiting === null) return
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  waiting.postMessage('take over')
}
