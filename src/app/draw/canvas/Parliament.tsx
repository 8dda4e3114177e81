import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { initialWorkerCount, isElastic } from '../../../scenario/model/defaults.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { type HalfCircle, mountParliament } from '../../../views/parliament/parliament.ts'
import { endAll, WORDS } from '../../base/browser/frames.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { hintOver, type Pointed } from '../../base/ui/hint.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { isStale } from '../../session/page/canvasScene.ts'
import { onScene, repaint, type Scene } from '../../session/page/painter.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { secretsOf } from '../../session/secrets/secrets.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasStore } from '../editing/canvasStore.ts'
import type { halfCircleOf } from './halfCircle.ts'
import type { seatHint as hintOfSeat } from './seatHint.ts'

/** The half circle of seats above the pipeline; small, without the time, where the canvas has room for it only at its side. */
export function Parliament() {
  const session = useSession()
  const docked = useStore(canvasStore(session), (state) => state.docked)
  const host = useDrawing(
    mountParliament,
    (drawing, host) => {
      let ofRun: typeof halfCircleOf | null = null
      const draw = (scene: Scene | null) => {
        host.toggleAttribute('data-stale', isStale(session, scene))
        const now =
          scene === null || ofRun === null
            ? before(scenarioStore(session).getState().draft)
            : ofRun(session, scene, !docked)
        drawing.update({ palette: currentPalette(), ...now })
        if (scene === null || ofRun !== null) return
        void import('./halfCircle.ts').then((module) => {
          ofRun = module.halfCircleOf
          repaint(session)
        })
      }
      draw(null)
      return endAll([
        onScene(session, draw, WORDS),
        scenarioStore(session).subscribe((state, before) => state.draft !== before.draft && repaint(session)),
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
  let seatHint: typeof hintOfSeat | null = null
  const around = host.parentElement ?? host
  const tell = ({ clientX, clientY }: Pointed) => {
    const seat = drawing.seatUnder(clientX, clientY)
    // The words about votes are fetched with the first seat that is pointed at.
    if (seat !== null && seatHint === null)
      void import('./seatHint.ts').then((module) => {
        seatHint = module.seatHint
        hint.renew()
      })
    return seat === null || seatHint === null ? null : seatHint(scene, seat, secretsOf(session).all.length > 0)
  }
  const hint = hintOver(around, tell, '.react-flow__node')
  const renew = (next: Scene | null) => {
    scene = next
    hint.renew()
  }
  return endAll([onScene(session, renew, WORDS), hint.end])
}

/** Returns what the half circle shows before a run. */
function before(scenario: Scenario) {
  const order = stageNumbers(scenario)
  const workers = isElastic(scenario.policy) ? 0 : initialWorkerCount(scenario)
  const none = order.map(() => 0)
  return {
    workers,
    seats: none,
    staffed: none,
    colourIndex: order,
    caption: t('{n, plural, one {worker} other {workers}}', { n: workers }),
  }
}
