import { createStore } from 'zustand/vanilla'
import type { RecordViewName, SidePanelName } from '../../../scenario/link/opening.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { runStore } from './runStore.ts'

/** A tab of the side panel. A link opens any but the room, which only its host has. */
export type PanelName = SidePanelName | 'room'

/** The open tab of the side panel, and of the views below the pipeline. */
interface Panels {
  readonly panel: PanelName
  readonly record: RecordViewName
}

export const panelStore = part((session) => {
  const store = createStore<Panels>(() => ({ panel: 'decision', record: 'timeline' }))
  const { getState } = store
  // A selection shows its form.
  session.onEnd(
    scenarioStore(session).subscribe(({ selected }, before) => {
      if (selected !== null && selected !== before.selected && getState().panel !== 'text') openPanel(session, 'scenario')
    }),
  )
  // A new run shows its decisions.
  session.onEnd(
    runStore(session).subscribe(({ run }, before) => {
      if (run !== null && run !== before.run && getState().panel === 'scenario') openPanel(session, 'decision')
    }),
  )
  return store
})

export function openPanel(session: Session, panel: PanelName): void {
  panelStore(session).setState({ panel })
}

export function openRecord(session: Session, record: RecordViewName): void {
  panelStore(session).setState({ record })
}
