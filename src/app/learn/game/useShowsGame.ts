import { useStore } from 'zustand'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

/** Returns whether the page shows the run of the game, and not another. */
export function useShowsGame(run: Run): boolean {
  const session = useSession()
  return useStore(runStore(session), (state) => state.run === run)
}
