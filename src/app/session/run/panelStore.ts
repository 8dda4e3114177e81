import { createStore } from 'zustand/vanilla'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { runStore } from './runStore.ts'

/** The keys of the open tab of the side panel, and of the open view below the pipeline. Features add some. */
interface Panels {
  readonly panel: string
  readonly record: string
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

export function openPanel(session: Session, panel: string): void {
  panelStore(session).setState({ panel })
}

export function openRecord(session: Session, record: string): void {
  panelStore(session).setState({ record })
}
