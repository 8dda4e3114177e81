import { offlineStore } from './offlineStore.ts'

/** The version before may have something left to answer for this page: then that ends with it. */
const PATIENCE_MS = 4000

/** The page anew, with the version that waits if there is one. Everything on the canvas is kept by who leaves it. */
export function reload(): void {
  const { waiting } = offlineStore.getState()
  const anew = () => location.reload()
  setTimeout(anew, waiting === null ? 0 : PATIENCE_MS)
  if (waiting === null) return
  navigator.serviceWorker.addEventListener('controllerchange', anew, { once: true })
  waiting.postMessage('take over')
}
