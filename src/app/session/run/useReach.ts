import { useEffect } from 'react'
import { endOf } from '../../../trace/trace.ts'
import { seek } from './keys.ts'
import { repaint } from './painter.ts'
import { playback } from './playback.ts'
import { runStore } from './runStore.ts'

/** Lets the playhead go as far as the longest of the runs while they are seen. */
export function useReach(ends: readonly number[]): void {
  const reach = Math.max(0, ...ends)
  useEffect(() => {
    playback.reach = reach
    repaint()
  }, [reach])
  useEffect(
    () => () => {
      playback.reach = 0
      // The run by itself may be shorter.
      const { run } = runStore.getState()
      if (run !== null && playback.time > endOf(run.trace)) seek(playback.time)
      repaint()
    },
    [],
  )
}
