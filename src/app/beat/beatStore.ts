import { createStore } from 'zustand/vanilla'
import type { ToBeat } from '../../scenario/opening.ts'

/** Whether somebody plays against the scheduler, and what is to be beaten. All else of the game is fetched when there is one. */
export const beatStore = createStore<{ readonly open: boolean; readonly toBeat: ToBeat | null }>(() => ({ open: false, toBeat: null }))

export function openBeat(toBeat: ToBeat | null = null): void {
  beatStore.setState({ open: true, toBeat })
}
