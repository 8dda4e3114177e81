import { createStore } from 'zustand/vanilla'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../app/session/session.ts'
import { placeOf } from '../../scenario/model/hidden.ts'
import type { Hidden } from '../../scenario/model/scenario.ts'

/** How far somebody has come with one secret. */
export interface Guessing {
  /** As it is typed or chosen. */
  readonly guess: string
  /** The answer to the guess that was asked about last; null before the first. */
  readonly answer: string | null
  /** How many hints are shown. */
  readonly hints: number
}

const begun: Guessing = { guess: '', answer: null, hints: 0 }

/** Guesses by the opening of the scenario and what is guessed: they stay while another tab is open. */
export const guessStore = part(() => createStore<Readonly<Record<string, Guessing>>>(() => ({})))

function keyOf(session: Session, secret: Hidden): string {
  return `${scenarioStore(session).getState().opened} ${placeOf(secret)}`
}

export function guessingAt(session: Session, secret: Hidden, all: Readonly<Record<string, Guessing>>): Guessing {
  return all[keyOf(session, secret)] ?? begun
}

export function keepGuess(session: Session, secret: Hidden, change: Partial<Guessing>): void {
  const store = guessStore(session)
  store.setState({ [keyOf(session, secret)]: { ...guessingAt(session, secret, store.getState()), ...change } })
}
