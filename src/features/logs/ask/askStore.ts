import { createStore } from 'zustand/vanilla'
import type { Commands } from '../../../app/session/commands.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'

/** A question as it is typed into the form. */
export interface AskDraft {
  readonly workers: string
  readonly policy: PolicyKind
  /** The p of the policy `power`. */
  readonly power: number
  readonly rows: readonly AskRow[]
}

export interface AskRow {
  readonly name: string
  readonly waiting: string
  readonly mean: string
  readonly done: boolean
}

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
    menu: { section: 'more', label: t('Ask the allocator'), about: t('Who should work where? Without a run.') },
    act: () => void import('./askDraft.ts').then(({ exampleDraft }) => ask(session, exampleDraft())),
  },
]
