import { createStore } from 'zustand/vanilla'

/** The names of the hidden controls. `hide.ts`, which sets them, is fetched when something is to be hidden. */
export const controlStore = createStore<{ readonly hidden: ReadonlySet<string> }>(() => ({ hidden: new Set() }))

/** Returns whether a control is hidden. Its keys do not work then. */
export const isHidden = (control: string): boolean => controlStore.getState().hidden.has(control)
