import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { clock } from '../../../views/drawing/format.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { breakpointStore } from './breakpointStore.ts'

const Causes = lazyPart(async () => (await import('./Causes.tsx')).Causes)

/** Why the playback has stopped. Screen readers read it when it changes. */
export function StoppedLine() {
  const session = useSession()
  const stopped = useStore(breakpointStore(session), (state) => state.stopped)
  const { run, playing } = useStore(runStore(session))
  const shown = stopped !== null && stopped.run === run && !playing ? stopped : null
  return (
    <p className="stopped" aria-live="polite">
      {shown === null ? null : shown.hit === null ? (
        t('There is no later stop.')
      ) : (
        <Suspense>
          {t('Stopped at {time}:', { time: clock(shown.hit.time) })} <Causes scenario={shown.run.scenario} causes={shown.hit.causes} />
        </Suspense>
      )}
    </p>
  )
}
