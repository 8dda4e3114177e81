import { createStore } from 'zustand/vanilla'
import { type AskDraft, exampleDraft } from './askDraft.ts'

/** The question that is open, as it is typed; null: none. */
export const askStore = createStore<{ readonly draft: AskDraft | null }>(() => ({ draft: null }))

/** Opens a question; without one the worked example. */
export function ask(draft: AskDraft = exampleDraft()): void {
  askStore.setState({ draft })
}

export function changeDraft(change: Partial<AskDraft>): void {
  const { draft } = askStore.getState()
  if (draft !== null) askStore.setState({ draft: { ...draft, ...change } })
}

export function closeQuestion(): void {
  askStore.setState({ draft: null })
}
