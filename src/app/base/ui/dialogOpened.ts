import { createContext } from 'react'

/** Registers an open dialog; `close` is called by Back. Call the returned function once the dialog has closed. */
export const DialogOpened = createContext<(close: () => void) => () => void>(() => () => {})
