import { createStore } from 'zustand/vanilla'

interface OfflineState {
  /** A new version that waits to take over. */
  readonly waiting: ServiceWorker | null
  /** A part of the page could not be fetched. */
  readonly missing: boolean
}

export const offlineStore = createStore<OfflineState>(() => ({ waiting: null, missing: false }))
