import { t } from '../../../language/translate.ts'
import { isThere } from '../../../measures/frame/frame.ts'
import { crewOf, isElastic } from '../../../scenario/model/defaults.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock } from '../../../views/drawing/format.ts'
import { mountParliament } from '../../../views/parliament/parliament.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onCanvas } from '../../session/run/canvasScene.ts'
import { onScene, repaint, type Scene, WORDS_MS } from '../../session/run/painter.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'

/** The half circle of seats above the pipeline. */
export function Parliament() {
  const session = useSession()
  const host = useDrawing(
    mountParliament,
    (drawing) => {
      let time = ''
      const tell = (scene: Scene | null) => {
        const frame = onCanvas(session, scene)?.frame
        time = frame === undefined ? '' : ` · ${clock(frame.time)}`
      }
      const draw = (scene: Scene | null) => drawing.update(dataOf(onCanvas(session, scene), scenarioStore(session).getState().draft, time))
      const ends = [
        onScene(session, tell, { every: WORDS_MS }),
        onScene(session, draw),
        scenarioStore(session).subscribe((state, before) => state.draft !== before.draft && repaint(session)),
      ]
      draw(null)
      return () => {
        for (const end of ends) end()
      }
    },
    [session],
  )
  return <div className="parliament" data-control="parliament" ref={host} />
}

function dataOf(scene: Scene | null, present: Scenario, time: string) {
  const scenario = scene?.run.scenario ?? present
  const order = stageNumbers(scenario)
  const frame = scene?.frame
  const workers = frame === undefined ? (isElastic(scenario.policy) ? 0 : crewOf(scenario)) : frame.workers.filter(isThere).length
  return {
    palette: currentPalette(),
    workers,
    seats: order.map((s) => frame?.stages[s].seats ?? 0),
    posted: order.map((s) => frame?.stages[s].posted ?? 0),
    colourIndex: order,
    caption: t('{n, plural, one {worker} other {workers}}', { n: workers }) + time,
  }
}
