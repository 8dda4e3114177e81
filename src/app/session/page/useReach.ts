import { useEffect } from 'react'
import { endOf } from '../../../trace/trace.ts'
import { playback } from '../run/playback.ts'
import { runStore } from '../run/runStore.ts'
import { useSession } from '../useSession.ts'
import { repaint } from './painter.ts'
import { seek } from './playhead.ts'

/** Lets the playhead go to the longest of these ends while the component is mounted. */
export function useReach(ends: readonly number[]): void {
  const session = useSession()
  const reach = Math.max(0, ...ends)
  useEffect(() => {
    playback(session).reach = reach
    repaint(session)
  }, [reach, session])
  useEffect(
    () => () => {
      const head = playback(session)
      head.reach = 0
      // The run by itself may be shorter.
      const { run } = runStore(session).getState()
      if (run !== null && head.time > endOf(run.trace)) seek(session, head.time)
      repaint(session)
    },
    [session],
  )
}
