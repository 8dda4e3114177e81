import { createStore } from 'zustand/vanilla'
import type { Commands } from '../../app/session/commands.ts'
import { type Run, runStore } from '../../app/session/run/runStore.ts'
import { part, type Session } from '../../app/session/session.ts'
import { t } from '../../language/translate.ts'

interface Publishing {
  /** The run in the film dialog. */
  readonly film: Run | null
  readonly presenting: boolean
  readonly printing: boolean
}

/** Which film, handout or presentation is open. */
export const publishingStore = part(() =>
  createStore<Publishing>(() => ({ film: null, presenting: false, printing: false })),
)

export function setPublishing(session: Session, change: Partial<Publishing>): void {
  publishingStore(session).setState(change)
}

/** Film, handout and presenter mode. */
export const publishingCommands: Commands = (session) => {
  const { run, phase } = runStore(session).getState()
  const print = () => setPublishing(session, { printing: true })
  return [
    {
      name: 'film',
      menu: { section: 'export', label: t('Save as video') },
      enabled: run !== null,
      act: () => setPublishing(session, { film: run }),
    },
    {
      name: 'handout',
      menu: { section: 'export', label: t('Print handout') },
      enabled: run !== null,
      act: print,
    },
    { name: 'handoutKey', key: { key: 'p', ctrl: true }, control: 'more', enabled: phase === 'ended', act: print },
    {
      name: 'present',
      key: { key: 'p', shift: false },
      leaves: 'editors',
      help: {
        group: 'playback',
        keys: 'P',
        what: t('Present'),
      },
      menu: { section: 'more', label: t('Present') },
      control: 'more',
      act: () => setPublishing(session, { presenting: true }),
    },
  ]
}
