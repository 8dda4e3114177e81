import { createStore } from 'zustand/vanilla'
import type { Commands } from '../../../app/session/commands.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import type { AskDraft } from './askTable.ts'

/** Fetches the code that reads and answers questions. */
export const askTable = () => import('./askTable.ts')

/** The question that is open, as it is typed; null if there is none. */
export const askStore = part(() => createStore<{ readonly draft: AskDraft | null }>(() => ({ draft: null })))

/** Opens a question. */
export function ask(session: Session, draft: AskDraft): void {
  askStore(session).setState({ draft })
}

export function changeDraft(session: Session, change: Partial<AskDraft>): void {
  const { draft } = askStore(session).getState()
  if (draft !== null) askStore(session).setState({ draft: { ...draft, ...change } })
}

export function closeQuestion(session: Session): void {
  askStore(session).setState({ draft: null })
}

export const askCommands: Commands = (session) => [
  {
    name: 'ask',
    menu: { section: 'more', label: t('Ask the allocator'), about: t('Who should work where?') },
    act: () => void askTable().then(({ exampleDraft }) => ask(session, exampleDraft())),
  },
]
