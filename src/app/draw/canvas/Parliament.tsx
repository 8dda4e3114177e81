import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { mountParliament } from '../../../views/parliament/parliament.ts'
import { endAll, TEXT_PACE } from '../../base/browser/frames.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { isStale } from '../../session/page/canvasScene.ts'
import { onScene, repaint, type Scene } from '../../session/page/painter.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasStore } from '../editing/canvasStore.ts'
import { halfCircleOf } from './halfCircle.ts'
import { hintAtScene } from './hintAtScene.ts'
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
        // The half circle lets pointers through, so the element around it listens.
        hintAtScene(session, host.parentElement ?? host, ({ clientX, clientY }, scene) => {
          const seat = drawing.seatUnder(clientX, clientY)
          return seat && seatHint(scene, seat)
        }),
      ])
    },
    [session, docked],
  )
  return <div className="parliament" data-control="parliament" ref={host} />
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
