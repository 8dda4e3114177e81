import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'
import { runStore } from '../run/runStore.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { useSession } from '../useSession.ts'

interface Showing {
  /** The name of the open dialog. */
  readonly dialog: string | null
  /** Whether the front page stands above the page. */
  readonly front: boolean
  /** The key of the feature whose panel was opened last beside the pipeline. It hides the others until it is closed. */
  readonly beside: string | null
}
export const showingStore = part(() => createStore<Showing>(() => ({ dialog: null, front: false, beside: null })))

export const openDialog = (session: Session, dialog: string | null): void => showingStore(session).setState({ dialog })
export const showBeside = (session: Session, beside: string): void => showingStore(session).setState({ beside })
export const setFront = (session: Session, front: boolean): void => showingStore(session).setState({ front })

/** Closes a dialog, unless another has taken its place meanwhile. */
export function closeDialog(session: Session, dialog: string | null): void {
  if (showingStore(session).getState().dialog === dialog) openDialog(session, null)
}

/** The file of a trace that is being opened. */
export const traceFileStore = part(() => createStore<{ readonly file: File | null }>(() => ({ file: null })))

/** The keys of the open tab of the side panel, and of the open view below the pipeline. `raised`: on a phone the panel is a sheet. */
export const panelStore = part((session) => {
  const store = createStore(() => ({ panel: 'decision', record: 'timeline', raised: false }))
  const { getState } = store
  // A selection shows its form.
  session.onEnd(
    scenarioStore(session).subscribe(({ selected }, before) => {
      if (selected !== null && selected !== before.selected && getState().panel !== 'text')
        openPanel(session, 'scenario')
    }),
  )
  // A new run shows its decisions, unless it follows an edit by itself, or the panel was opened after the press of Run.
  let panelAtPress: string | null = null
  session.onEnd(
    runStore(session).subscribe(({ run, phase, presses }, before) => {
      const { panel } = getState()
      if (presses !== before.presses) panelAtPress = panel
      if (run === null || run === before.run) return
      const isOpenedSince = panelAtPress !== null && panelAtPress !== panel
      panelAtPress = null
      if (!isOpenedSince && (phase === 'running' || run.took === undefined) && panel === 'scenario')
        openPanel(session, 'decision')
    }),
  )
  return store
})

export const raisePanel = (session: Session, raised: boolean): void =>
  panelStore(session).setState({ raised, ...(raised && { panel: 'decision' }) })
export const openPanel = (session: Session, panel: string): void => panelStore(session).setState({ panel })
export const openRecord = (session: Session, record: string): void => panelStore(session).setState({ record })

/** The key of the open lesson, null without one, and the policies that it needs. */
export const lessonStore = part(() =>
  createStore(() => ({ key: null as string | null, policies: [] as readonly PolicyKind[] })),
)

export function openLesson(session: Session, key: string): void {
  lessonStore(session).setState({ key })
  showBeside(session, 'lessons')
}

/** Returns whether a lesson is open. Then the parts of the side panel that it may be about are open too. */
export const useInLesson = (): boolean => useStore(lessonStore(useSession()), ({ key }) => key !== null)

/** The worker that the panel of decisions is about, by its number in the scenario; null: the latest decision. */
export const askedWorkerStore = part((session) => {
  const store = createStore<{ readonly worker: number | null }>(() => ({ worker: null }))
  session.onEnd(
    runStore(session).subscribe(({ run }, before) => run !== before.run && store.setState({ worker: null })),
  )
  return store
})

/** Asks a worker why it is where it is: the side panel answers. Null returns to the latest decision. */
export function askWorker(session: Session, worker: number | null): void {
  askedWorkerStore(session).setState({ worker })
  if (worker !== null) raisePanel(session, true)
}
