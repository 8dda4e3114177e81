import { createStore } from 'zustand/vanilla'
import { isHidden } from '../../app/base/page/hiddenControls.ts'
import type { Commands } from '../../app/session/commands.ts'
import { showBeside } from '../../app/session/page/showing.ts'
import { part, type Session } from '../../app/session/session.ts'
import { t } from '../../language/translate.ts'
import type { ToBeat } from '../../scenario/link/opening.ts'

/** Whether the game is open, and which score to beat. The rest of the game is fetched when it opens. */
export const beatStore = part(() =>
  createStore<{ readonly open: boolean; readonly toBeat: ToBeat | null }>(() => ({ open: false, toBeat: null })),
)

/** Opens the game, unless the page hides it. */
export function openBeat(session: Session, toBeat: ToBeat | null = null): void {
  if (isHidden('game')) return
  beatStore(session).setState({ open: true, toBeat })
  showBeside(session, 'game')
}

export const gameCommands: Commands = (session) => [
  {
    name: 'game',
    menu: {
      section: 'learn',
      label: t('Beat the scheduler'),
      about: t('Assign the seats yourself, decision by decision.'),
    },
    control: 'game',
    act: () => openBeat(session),
  },
]
