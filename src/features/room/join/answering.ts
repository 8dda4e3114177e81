import { createStore } from 'zustand/vanilla'
import { allTopic, type Carrier, deviceTopic } from '../protocol/carrier.ts'
import { packAnswer, type RoomRound, type RoundAnswer, readRound } from '../protocol/rounds.ts'

/** Answers the rounds of the host. It outlives a stay: a player who returns as another device is the same player. */
export type Answering = ReturnType<typeof createAnswering>

/** Returns an object that answers under this player name. It does nothing before `attend`. */
export function createAnswering(player: string) {
  /** `mine` is the answer of this device. */
  const store = createStore<{ readonly round: RoomRound | null; readonly mine: RoundAnswer | null }>(() => ({ round: null, mine: null }))
  let send = (_: RoundAnswer) => {}

  /** Sends the answer again, since it may have been lost: the round comes again after each reconnection. The host ignores repetitions. */
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
    /** Takes part as this device, until the connection ends. */
    attend(carrier: Carrier, room: string, device: string): void {
      store.setState({ round: null })
      send = (answer) => carrier.publish(deviceTopic(room, device, 'says'), packAnswer(answer))
      carrier.subscribe(allTopic(room), (_, bytes) => {
        const round = bytes.length === 0 ? null : readRound(bytes)
        const { mine } = store.getState()
        store.setState({ round, mine: mine !== null && mine.round === round?.round ? mine : null })
        repeat()
      })
    },
    guess(guess: number): void {
      const { round } = store.getState()
      if (round?.kind === 'question' && round.open) take({ kind: 'guess', round: round.round, player, guess })
    },
    /** Sends the seats of all decisions of a game. */
    play(seats: Uint8Array): void {
      const { round } = store.getState()
      if (round?.kind === 'game' && round.open) take({ kind: 'moves', round: round.round, player, seats })
    },
  }
}
