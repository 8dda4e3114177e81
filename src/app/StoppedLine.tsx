import { useStore } from 'zustand'
import { causesSentence } from '../measures/breakpointSentence.ts'
import { clock } from '../views/format.ts'
import { breakpointStore } from './breakpointStore.ts'
import { ruleName } from './ruleName.ts'
import { runStore } from './runStore.ts'
import { themeStore } from './theme.ts'
import { Words } from './Words.tsx'

/** Why the playback has stopped; heard when it changes. */
export function StoppedLine() {
  const stopped = useStore(breakpointStore, (state) => state.stopped)
  const { run, playing } = useStore(runStore)
  useStore(themeStore)
  const shown = stopped !== null && stopped.run === run && !playing ? stopped : null
  return (
    <p className="stopped" aria-live="polite">
      {shown === null ? null : shown.hit === null ? (
        'There is no later stop.'
      ) : (
        <>
          Stopped at {clock(shown.hit.time)}: <Words parts={causesSentence(shown.run.scenario, shown.hit.causes, ruleName)} />
        </>
      )}
    </p>
  )
}
