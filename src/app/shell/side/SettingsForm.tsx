import { useEffect, useLayoutEffect, useRef } from 'react'
import { onPressElsewhere } from '../../base/ui/Menu.tsx'
import { stageName } from '../../draw/editing/actions.ts'
import { focusNode, nodeOf } from '../../draw/editing/canvasStore.ts'
import { Inspector } from '../../draw/inspector/Inspector.tsx'
import { ScenarioSettings } from '../../draw/inspector/ScenarioSettings.tsx'
import { select } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import './formSheet.css'

/** The form of the selected stage, or of the whole scenario. */
export function SettingsForm({ selected }: { readonly selected: string | null }) {
  return selected === null ? <ScenarioSettings /> : <Inspector />
}

/** The space between the selected card and the edges of the visible area, in pixels. */
const CLEAR = 12

/** The form of the selected stage as a sheet from below, for a page of one column. The canvas stays visible and usable above it. */
export function FormSheet({ selected }: { readonly selected: string }) {
  const session = useSession()
  const sheet = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = sheet.current
    if (element === null) return
    const { activeElement } = document
    // Keyboard users keep the focus on the card, or in the name they type.
    if (activeElement === document.body || activeElement?.matches('.react-flow__node:not(:focus-visible)'))
      element.focus({ preventScroll: true })
    showAbove(element, selected)
    return () => {
      if (element.contains(document.activeElement)) focusNode(session, selected)
    }
  }, [selected, session])
  // A press on the canvas selects something else, or nothing, by itself.
  useEffect(() => onPressElsewhere(sheet, () => select(session, null), '.stage'), [session])
  return (
    <div
      ref={sheet}
      className="form-sheet"
      role="dialog"
      tabIndex={-1}
      aria-label={stageName(session, selected)}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && select(session, null)}
    >
      <Inspector />
    </div>
  )
}

/** Scrolls the page so that the selected card is visible above the sheet. */
function showAbove(sheet: HTMLElement, selected: string): void {
  const card = nodeOf(selected)?.getBoundingClientRect()
  if (card === undefined) return
  const freeHeight = innerHeight - sheet.offsetHeight
  const by = card.bottom > freeHeight - CLEAR ? card.bottom - freeHeight + CLEAR : Math.min(0, card.top - CLEAR)
  const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
  if (by !== 0) scrollBy({ top: by, behavior })
}
