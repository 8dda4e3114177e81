import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { type HalfCircle, mountParliament } from '../../../views/parliament/parliament.ts'
import { endAll, TEXT_PACE } from '../../base/browser/frames.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { hintOver, type Pointed } from '../../base/ui/hint.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { isStale } from '../../session/page/canvasScene.ts'
import { onScene, repaint, type Scene } from '../../session/page/painter.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasStore } from '../editing/canvasStore.ts'
import { halfCircleOf } from './halfCircle.ts'
import { seatHint } from './seatHint.ts'

/** The half circle of seats above the pipeline; small, without the time, where only its side of the canvas is free. */
export function Parliament() {
  const session = useSession()
  const docked = useStore(canvasStore(session), (state) => state.docked)
  const host = useDrawing(
    mountParliament,
    (drawing, host) => {
      const draw = (scene: Scene | null) => {
        host.toggleAttribute('data-stale', isStale(session, scene))
        const now =
          scene === null ? beforeRun(scenarioStore(session).getState().draft) : halfCircleOf(session, scene, !docked)
        drawing.update({ palette: currentPalette(), ...now })
      }
      draw(null)
      return endAll([
        onScene(session, draw, TEXT_PACE),
        scenarioStore(session).subscribe((state, previous) => state.draft !== previous.draft && repaint(session)),
        hintAtSeats(session, host, drawing),
      ])
    },
    [session, docked],
  )
  return <div className="parliament" data-control="parliament" ref={host} />
}

/** Shows the stage of the seat under the pointer, and what won the seat. The half circle lets pointers through, so the element around it listens. Returns an unsubscribe function. */
function hintAtSeats(session: Session, host: HTMLElement, drawing: HalfCircle): () => void {
  let scene: Scene | null = null
  const around = host.parentElement ?? host
  const tell = ({ clientX, clientY }: Pointed) => {
    const seat = drawing.seatUnder(clientX, clientY)
    return seat === null ? null : seatHint(scene, seat)
  }
  const hint = hintOver(around, tell, '.react-flow__node')
  const renew = (next: Scene | null) => {
    scene = next
    hint.renew()
  }
  return endAll([onScene(session, renew, TEXT_PACE), hint.end])
}

/** Returns what the half circle shows before a run. */
function beforeRun(scenario: Scenario) {
  const order = stageNumbers(scenario)
  const workers = isElastic(scenario.policy) ? 0 : scenario.workers
  const none = order.map(() => 0)
  return {
    workers,
    seats: none,
    staffed: none,
    colourIndex: order,
    caption: t('{n, plural, one {worker} other {workers}}', { n: workers }),
  }
}
