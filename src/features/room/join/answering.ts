import { createStore, type StoreApi } from 'zustand/vanilla'
import { allTopic, type Carrier, deviceTopic } from '../protocol/carrier.ts'
import { packAnswer, type RoomRound, type RoundAnswer, readRound } from '../protocol/rounds.ts'

/** What the room is asked, and what this device has answered. */
export interface AnsweringState {
  readonly round: RoomRound | null
  readonly mine: RoundAnswer | null
}

/** Answers what the host asks the room. It outlives a stay: who comes back as another device is still the same player. */
export interface Answering {
  readonly store: StoreApi<AnsweringState>
  /** Takes part as this device, until the connection ends. */
  attend(carrier: Carrier, room: string, device: string): void
  guess(guess: number): void
  /** Sends the seats of all decisions of a game. */
  play(seats: Uint8Array): void
}

/** Returns what answers under this name of a player. It does nothing until `attend`. */
export function createAnswering(player: string): Answering {
  const store = createStore<AnsweringState>(() => ({ round: null, mine: null }))
  let send = (_: RoundAnswer) => {}

  /** Says again what may have been lost: the round is heard anew whenever a connection is back. The host knows what it has heard already. */
  function repeat(): void {
    const { round, mine } = store.getState()
    if (round?.open && mine !== null) send(mine)
  }

  function take(mine: RoundAnswer): void {
    store.setState({ mine })
    repeat()
  }

  return {
    store,
    attend(carrier, room, device) {
      store.setState({ round: null })
      send = (answer) => carrier.publish(deviceTopic(room, device, 'says'), packAnswer(answer))
      carrier.subscribe(allTopic(room), (_, bytes) => {
        const round = bytes.length === 0 ? null : readRound(bytes)
        const { mine } = store.getState()
        store.setState({ round, mine: mine !== null && mine.round === round?.round ? mine : null })
        repeat()
      })
    },
    guess(guess) {
      const { round } = store.getState()
      if (round?.kind === 'question' && round.open) take({ kind: 'guess', round: round.round, player, guess })
    },
    play(seats) {
      const { round } = store.getState()
      if (round?.kind === 'game' && round.open) take({ kind: 'moves', round: round.round, player, seats })
    },
  }
}
