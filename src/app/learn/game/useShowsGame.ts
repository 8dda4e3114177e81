import { useStore } from 'zustand'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

/** Whether the page shows the record of the game, and not another run. */
export function useShowsGame(run: Run): boolean {
  const session = useSession()
  return useStore(runStore(session), (state) => state.run === run)
}
