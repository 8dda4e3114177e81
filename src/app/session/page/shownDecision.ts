import { useEffect, useState } from 'react'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/follow.ts'
import { endAll, type Pace } from '../../base/browser/frames.ts'
import { playback } from '../run/playback.ts'
import { type Run, runStore } from '../run/runStore.ts'
import type { Session } from '../session.ts'
import { useSession } from '../useSession.ts'
import { onScene } from './painter.ts'

/** How often the panel is renewed while a run plays: faster is not readable. */
const PACE: Pace = { every: 500 }

export interface ShownDecision {
  readonly run: Run
  readonly index: number
  /** The time since the decision while the playhead stands still; 0 while it moves. */
  readonly ago: Micros
}

/** Returns the latest decision at the playhead. While the playhead moves it may be a moment late. */
export function useShownDecision(): ShownDecision | null {
  const session = useSession()
  const [shown, setShown] = useState<ShownDecision | null>(null)
  useEffect(() => {
    const show = () => {
      const next = shownNow(session)
      setShown((now) => (now?.run === next?.run && now?.index === next?.index && now?.ago === next?.ago ? now : next))
    }
    return endAll([
      onScene(session, show, PACE),
      // A pause shows the exact decision at once.
      runStore(session).subscribe((state, before) => state.playing !== before.playing && show()),
    ])
  }, [session])
  return shown
}

/** Returns the decision at the playhead itself: the latest picture may be older. */
function shownNow(session: Session): ShownDecision | null {
  const { run } = runStore(session).getState()
  const { time, playing } = playback(session)
  const index = run === null ? -1 : decisionIndexAt(run.trace, time)
  return run === null || index < 0 ? null : { run, index, ago: playing ? 0 : time - decisionTime(run.trace, index) }
}
