import { createStore } from 'zustand/vanilla'
import type { ToBeat } from '../../../scenario/link/opening.ts'
import { isHidden } from '../../base/page/hiddenControls.ts'
import { part, type Session } from '../../session/session.ts'

/** Whether somebody plays against the scheduler, and what is to be beaten. All else of the game is fetched when there is one. */
export const beatStore = part(() => createStore<{ readonly open: boolean; readonly toBeat: ToBeat | null }>(() => ({ open: false, toBeat: null })))

/** Opens the game, unless it is taken away. */
export function openBeat(session: Session, toBeat: ToBeat | null = null): void {
  if (isHidden('game')) return
  beatStore(session).setState({ open: true, toBeat })
}
