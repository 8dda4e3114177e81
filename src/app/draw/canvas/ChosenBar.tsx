import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { IconButton, RemoveButton } from '../../base/forms/IconButton.tsx'
import { scenarioStore, showError } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { placeStages, removeStages, stageCount } from '../editing/actions.ts'
import { announce, canvasStore, canvasView, chosenStages, chosenText, selectNode } from '../editing/canvasStore.ts'
import { duplicate, paste } from '../editing/clipboard.ts'
import { aligned } from '../layout/places.ts'

export function ChosenBar() {
  const session = useSession()
  const selected = useStore(scenarioStore(session), (state) => state.selected)
  const chosen = useStore(canvasStore(session), (state) => state.chosen)
  const { length } = chosen.length > 0 || selected !== null ? chosenStages(session) : []
  const tools: readonly (readonly [label: string, path: string, stages: number, act: () => void])[] = [
    [t('Align in a row'), 'M2 8h12M4 5.5v5M8 5.5v5M12 5.5v5', 2, () => align(session, 'row')],
    [t('Align in a column'), 'M8 2v12M5.5 4h5M5.5 8h5M5.5 12h5', 2, () => align(session, 'column')],
    [t('Duplicate'), 'M3 3h7v7H3zM6 10v3h7V6h-3', 1, () => duplicate(session)],
    [t('Copy'), 'M5 3h6v2H5zM4 4H3v9h10V4h-1M5.5 8h5M5.5 10.5h5', 1, () => void copy(session)],
    [t('Paste'), 'M5 3h6v2H5zM4 4H3v9h10V4h-1M8 7v4.5M5.8 9.3 8 11.5l2.2-2.2', 0, () => void pasteText(session)],
    [t('Remove'), 'M3.5 5h9M6.5 5V3.5h3V5M5 5l.5 8h5l.5-8', 1, () => removeStages(session, chosenStages(session))],
  ]
  return (
    <div className="chosen-bar" role="toolbar" aria-label={t('Chosen stages')}>
      <span>{length === 0 ? t('Tap or draw a box') : stageCount(length)}</span>
      {tools.map(([label, path, least, act]) => (
        <IconButton key={label} label={label} path={path} disabled={length < least} onClick={act} />
      ))}
      <RemoveButton
        label={t('Stop choosing')}
        onClick={() => {
          canvasStore(session).setState({ choosing: false })
          selectNode(session, null)
        }}
      />
    </div>
  )
}

function align(session: Session, as: 'row' | 'column'): void {
  const boxes = canvasView(session).arrangement?.boxes
  if (boxes === undefined) return
  placeStages(session, aligned(boxes, chosenStages(session), as), boxes)
  announce(session, t('Laid out.'))
}

async function copy(session: Session): Promise<void> {
  try {
    await navigator.clipboard.writeText(chosenText(session))
    announce(session, t('Copied'))
  } catch {
    showError(session, t('The clipboard is blocked. Press {keys}.', { keys: 'Ctrl+C / ⌘C' }))
  }
}

async function pasteText(session: Session): Promise<void> {
  try {
    paste(session, await navigator.clipboard.readText())
  } catch {
    showError(session, t('The clipboard is blocked. Press {keys}.', { keys: 'Ctrl+V / ⌘V' }))
  }
}
