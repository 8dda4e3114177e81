import { createStore } from 'zustand/vanilla'
import type { RecordViewName, SidePanelName } from '../../../scenario/link/opening.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { runStore } from './runStore.ts'

/** What is open beside the pipeline, and what below the scrubber. */
interface Panels {
  readonly panel: SidePanelName
  readonly record: RecordViewName
}

export const panelStore = createStore<Panels>(() => ({ panel: 'decision', record: 'timeline' }))

export function openPanel(panel: SidePanelName): void {
  panelStore.setState({ panel })
}

export function openRecord(record: RecordViewName): void {
  panelStore.setState({ record })
}

/** Whoever selects something wants to see it. */
scenarioStore.subscribe(({ selected }, before) => {
  if (selected !== null && selected !== before.selected && panelStore.getState().panel !== 'text') openPanel('scenario')
})

/** Whoever runs wants to see why, or is waiting for the figures. */
runStore.subscribe(({ run }, before) => {
  if (run !== null && run !== before.run && panelStore.getState().panel === 'scenario') openPanel('decision')
})
