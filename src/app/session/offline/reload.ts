import { createStore } from 'zustand/vanilla'

/** How long the old version may finish its answers before the page reloads anyway. */
const PATIENCE_MS = 4000

export function reload(): void {
  const { waiting } = offlineStore.getState()
  const reload = () => location.reload()
  setTimeout(reload, waiting === null ? 0 : PATIENCE_MS)
  if (waiting === null) return
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  waiting.postMessage('take over')
}

/** A new version that waits to take over, and whether a part of the page could not be fetched. */
export const offlineStore = createStore<{ readonly waiting: ServiceWorker | null; readonly missing: boolean }>(() => ({
  waiting: null,
  missing: false,
}))
