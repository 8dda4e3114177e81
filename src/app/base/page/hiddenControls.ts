import { createStore } from 'zustand/vanilla'

/** The controls that are taken away, by the names that stand at them as `data-control`. What these are, and how they go: hide.ts. */
export const controlStore = createStore<{ readonly hidden: ReadonlySet<string> }>(() => ({ hidden: new Set() }))

/** Whether something is taken away that its keys are to go with. */
export function isHidden(control: string): boolean {
  return controlStore.getState().hidden.has(control)
}
