import { createStore } from 'zustand/vanilla'
import type { Run } from './runStore.ts'

interface Showing {
  /** The run that a film is to be made of. */
  readonly film: Run | null
  /** The page is shown to a room. */
  readonly presenting: boolean
  /** The run is put on paper. */
  readonly printing: boolean
}

/** Ways to show a run to others than who sits before it. */
export const showingStore = createStore<Showing>(() => ({ film: null, presenting: false, printing: false }))

export function film(run: Run | null): void {
  showingStore.setState({ film: run })
}

export function print(printing: boolean): void {
  showingStore.setState({ printing })
}

export function setPresenting(presenting: boolean): void {
  showingStore.setState({ presenting })
}
