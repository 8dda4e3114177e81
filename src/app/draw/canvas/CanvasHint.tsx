import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { canvasStore } from '../editing/canvasStore.ts'

/** What can be done with the selected stage, at the foot of the canvas. */
export function CanvasHint() {
  const session = useSession()
  const name = useStore(scenarioStore(session), ({ draft, selected }) => draft.stages.find(({ id }) => id === selected)?.name ?? null)
  const single = useStore(canvasStore(session), ({ chosen, choosing }) => chosen.length === 0 && !choosing)
  if (name === null || !single) return null
  return (
    <p className="canvas-hint" data-control="editing">
      {t('Press + to add a stage after {name}, and again for a parallel one. Or drag its dot to another stage.', { name })}
    </p>
  )
}
