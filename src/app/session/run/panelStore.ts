import { createStore } from 'zustand/vanilla'
import type { RecordViewName, SidePanelName } from '../../../scenario/link/opening.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { runStore } from './runStore.ts'

/** What is open beside the pipeline, and what below the scrubber. */
interface Panels {
  readonly panel: SidePanelName
  readonly record: RecordViewName
}

export const panelStore = part((session) => {
  const store = createStore<Panels>(() => ({ panel: 'decision', record: 'timeline' }))
  const { getState } = store
  // Who selects something wants to see it.
  session.onEnd(
    scenarioStore(session).subscribe(({ selected }, before) => {
      if (selected !== null && selected !== before.selected && getState().panel !== 'text') openPanel(session, 'scenario')
    }),
  )
  // Who runs a scenario wants to see the decisions.
  session.onEnd(
    runStore(session).subscribe(({ run }, before) => {
      if (run !== null && run !== before.run && getState().panel === 'scenario') openPanel(session, 'decision')
    }),
  )
  return store
})

export function openPanel(session: Session, panel: SidePanelName): void {
  panelStore(session).setState({ panel })
}

export function openRecord(session: Session, record: RecordViewName): void {
  panelStore(session).setState({ record })
}
