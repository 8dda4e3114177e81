import { useEffect, useState } from 'react'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionTime } from '../../../trace/decisionTime.ts'
import type { Session } from '../session.ts'
import { useSession } from '../useSession.ts'
import { onScene, type Scene } from './painter.ts'
import { playback } from './playback.ts'
import { type Run, runStore } from './runStore.ts'

/** While a run plays the panel is renewed so often: faster nobody can read all of it. */
const EVERY_MS = 400

export interface ShownDecision {
  readonly run: Run
  readonly index: number
  /** How far the picture stands behind the decision, once it stands still; 0 while it moves. */
  readonly ago: Micros
}

/** The latest decision at the playhead: of the very instant in the picture whenever that stands still, a moment later while it moves. */
export function useShownDecision(): ShownDecision | null {
  const session = useSession()
  const [shown, setShown] = useState<ShownDecision | null>(null)
  useEffect(() => {
    let latest: Scene | null = null
    const show = () => {
      const next = shownIn(session, latest)
      setShown((now) => (now?.run === next?.run && now?.index === next?.index && now?.ago === next?.ago ? now : next))
    }
    const draw = (scene: Scene | null) => {
      latest = scene
      show()
    }
    const ends = [
      onScene(session, draw, { every: EVERY_MS }),
      // Whoever pauses wants to read what stands there, and the picture is not painted again for that.
      runStore(session).subscribe((state, before) => state.playing !== before.playing && show()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [session])
  return shown
}

function shownIn(session: Session, scene: Scene | null): ShownDecision | null {
  if (scene === null || scene.frame.decision < 0) return null
  const { run, frame } = scene
  return { run, index: frame.decision, ago: playback(session).playing ? 0 : Math.max(0, frame.time - decisionTime(run.trace, frame.decision)) }
}
