import type { Timeline } from '../../../views/timeline/timeline.ts'
import { WORDS } from '../../base/browser/frames.ts'
import { hintOver } from '../../base/ui/hint.ts'
import { onScene } from '../../session/run/painter.ts'
import { runStore } from '../../session/run/runStore.ts'
import { secretsOf } from '../../session/secrets/secrets.ts'
import type { Session } from '../../session/session.ts'
import { workerHint } from '../../session/worker/workerHint.ts'
import { teamHint } from './teamHint.ts'

/** Shows what the worker does in whose lane the pointer is, at that instant. Returns what ends it. */
export function hintAtLanes(session: Session, host: HTMLElement, timeline: Timeline): () => void {
  const hint = hintOver(host, ({ clientX, clientY }) => {
    const { run } = runStore(session).getState()
    const at = timeline.laneUnder(clientX, clientY)
    if (run === null || at === null) return null
    return at.team > 1 ? teamHint(run, at) : workerHint(run, at.worker, at.time, secretsOf(session))
  })
  const stop = onScene(session, () => hint.renew(), WORDS)
  return () => {
    stop()
    hint.end()
  }
}
