import { createContext } from 'react'

/** Called with what closes a dialog that opens; returns what is called when it has closed. The page keeps a step of Back for each. */
export const DialogOpened = createContext<(close: () => void) => () => void>(() => () => {})
