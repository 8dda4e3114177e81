import { endAll, TEXT_PACE } from '../../base/browser/frames.ts'
import { hintOver, type Pointed } from '../../base/ui/hint.ts'
import { onScene, type Scene } from '../../session/page/painter.ts'
import type { Session } from '../../session/session.ts'

/** Shows tooltips that do not cover the cards: `linesAt` returns their lines for a pointer and the present scene. Returns an unsubscribe function. */
export function hintAtScene(
  session: Session,
  host: HTMLElement,
  linesAt: (at: Pointed, scene: Scene | null) => readonly string[] | null,
): () => void {
  let scene: Scene | null = null
  const hint = hintOver(host, (at) => linesAt(at, scene), '.react-flow__node')
  const renew = (next: Scene | null) => {
    scene = next
    hint.renew()
  }
  return endAll([onScene(session, renew, TEXT_PACE), hint.end])
}
