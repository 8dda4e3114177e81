import { useStore } from 'zustand'
import { type Run, runStore } from '../../session/run/runStore.ts'

/** Whether the page shows the record of the game, and not another run. */
export function useShowsGame(run: Run): boolean {
  return useStore(runStore, (state) => state.run === run)
}
