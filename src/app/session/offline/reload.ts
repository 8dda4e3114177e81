import { createStore } from 'zustand/vanilla'

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

interface OfflineState {
  /** A new version that waits to take over. */
  readonly waiting: ServiceWorker | null
  /** A part of the page could not be fetched. */
  readonly missing: boolean
}

export const offlineStore = createStore<OfflineState>(() => ({ waiting: null, missing: false }))
