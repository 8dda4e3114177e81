import { t } from '../../../language/translate.ts'
import type { Commands } from '../commands.ts'
import { movePlayback, runStore } from '../run/runStore.ts'
import type { Session } from '../session.ts'

export const branchCommands: Commands = (session) => [
  {
    name: 'fork',
    title: t('Fork here'),
    key: { key: 'k' },
    help: { group: 'playback', keys: 'K', what: t('fork the run at the playhead: change what happens from there on') },
    control: 'editing',
    act: () => forkAtPlayhead(session),
  },
]

/** Begins a branch of the run on the screen where the playhead stands. */
export function forkAtPlayhead(session: Session): void {
  if (runStore(session).getState().run === null) return
  // The playhead stops now, though the code of branches may have to be fetched first.
  movePlayback(session, { playing: false, following: false })
  void import('./branchRuns.ts').then((runs) => runs.forkHere(session))
}
