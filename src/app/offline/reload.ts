import { offlineStore } from './offlineStore.ts'

/** The page anew, with the version that waits if there is one. Everything on the canvas is kept by who leaves it. */
export function reload(): void {
  const { waiting } = offlineStore.getState()
  if (waiting === null) location.reload()
  else {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    waiting.postMessage('take over')
  }
}
