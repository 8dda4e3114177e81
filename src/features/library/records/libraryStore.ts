import { createStore } from 'zustand/vanilla'
import { areas, readStored } from '../../../app/base/browser/browserStorage.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'

/** Whether the scenario on the canvas is saved, if it is in the library. */
export type Keeping = { readonly state: 'saved' | 'saving' } | { readonly state: 'failed'; readonly message: string }

/** Returns why the canvas is not saved. */
export const notSaved = ({ message }: Extract<Keeping, { state: 'failed' }>): string =>
  t('What is on the canvas is not saved: {reason}.', { reason: message })

/** The key under which the scenario on the canvas is remembered for the next visit. */
export const REMEMBERED = 'apportion.entry'

export const libraryStore = part(() =>
  createStore(() => ({
    /** Whether the library has to be fetched. */
    wanted: areas.some((area) => readStored(REMEMBERED, area) !== null),
    open: false,
    /** Null if the scenario on the canvas is not in the library. */
    keeping: null as Keeping | null,
  })),
)

export const openLibrary = (session: Session): void => libraryStore(session).setState({ wanted: true, open: true })
