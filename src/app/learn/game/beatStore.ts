import { createStore } from 'zustand/vanilla'
import type { ToBeat } from '../../../scenario/link/opening.ts'
import { isHidden } from '../../base/page/hiddenControls.ts'
import { part, type Session } from '../../session/session.ts'

/** Whether the game is open, and which score to beat. The rest of the game is fetched when it opens. */
export const beatStore = part(() => createStore<{ readonly open: boolean; readonly toBeat: ToBeat | null }>(() => ({ open: false, toBeat: null })))

/** Opens the game, unless the page hides it. */
export function openBeat(session: Session, toBeat: ToBeat | null = null): void {
  if (isHidden('game')) return
  beatStore(session).setState({ open: true, toBeat })
}
