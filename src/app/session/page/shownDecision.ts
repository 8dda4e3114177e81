import { useEffect, useState } from 'react'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionTime } from '../../../trace/findRows.ts'
import { endAll, type Pace } from '../../base/browser/frames.ts'
import { playback } from '../run/playback.ts'
import { type Run, runStore } from '../run/runStore.ts'
import type { Session } from '../session.ts'
import { useSession } from '../useSession.ts'
import { onScene, type Scene } from './painter.ts'

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
    let latest: Scene | null = null
    const show = (scene: Scene | null) => {
      latest = scene
      const next = shownIn(session, scene)
      setShown((now) => (now?.run === next?.run && now?.index === next?.index && now?.ago === next?.ago ? now : next))
    }
    return endAll([
      onScene(session, show, PACE),
      // A pause shows the exact decision at once. The picture itself is not painted again for it.
      runStore(session).subscribe((state, before) => state.playing !== before.playing && show(latest)),
    ])
  }, [session])
  return shown
}

function shownIn(session: Session, scene: Scene | null): ShownDecision | null {
  if (scene === null || scene.frame.decision < 0) return null
  const { run, frame } = scene
  return { run, index: frame.decision, ago: playback(session).playing ? 0 : Math.max(0, frame.time - decisionTime(run.trace, frame.decision)) }
}
