import type { Micros } from '../../../scenario/model/scenario.ts'
import { endOf } from '../../../trace/trace.ts'
import { seek } from '../../session/run/playhead.ts'
import { type Run, runStore, showRun } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'

/** Shows a run on the page, at an instant. */
export async function showComparedRun(session: Session, run: Run, time: Micros): Promise<void> {
  if (runStore(session).getState().run !== run) await showRun(session, run, Math.min(time, endOf(run.trace)))
  seek(session, time)
}
