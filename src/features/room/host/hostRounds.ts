import { createStore } from 'zustand/vanilla'
import { runStore } from '../../../app/session/run/runStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { allTopic, type Carrier, deviceOf, deviceTopic } from '../protocol/carrier.ts'
import { packFrame } from '../protocol/frame.ts'
import { maxAnswer, type RoomRound, type RoundAnswer, readAnswer } from '../protocol/rounds.ts'

interface RoundState {
  /** The present round, or the last one; null: none yet. */
  readonly round: RoomRound | null
  /** The latest answer of each device, in the order of their first answers. */
  readonly answers: ReadonlyMap<string, RoundAnswer>
  /** How many messages in this round were not valid answers. */
  readonly refused: number
}

const MAX_PLAYERS = 2000
const nothing: RoundState = { round: null, answers: new Map(), refused: 0 }

export const roundStore = part((session) => {
  const store = createStore<RoundState>(() => nothing)
  // A lesson waits for the first answer.
  store.subscribe(({ answers }) => {
    const { room } = runStore(session).getState()
    if (room !== null && room.answers !== answers.size)
      runStore(session).setState({ room: { ...room, answers: answers.size } })
  })
  return store
})

/** Sends rounds to the room over this connection and collects the answers. First it withdraws the round of an earlier page. */
export function carryRounds(session: Session, carrier: Carrier, room: string): void {
  const store = roundStore(session)
  const tell = ({ round }: RoundState) =>
    carrier.publish(allTopic(room), round === null ? new Uint8Array(0) : packFrame(round), true)
  // A restarted broker has no retained round.
  carrier.onState((up) => up && tell(store.getState()))
  session.onEnd(store.subscribe((state, before) => state.round !== before.round && tell(state)))
  carrier.subscribe(deviceTopic(room, '+', 'says'), (topic, bytes) => {
    const device = deviceOf(room, topic, 'says')
    if (device !== null) store.setState(stateAfter(store.getState(), device, bytes))
  })
}

/** Starts a round without answers. */
export function beginRound(session: Session, round: RoomRound): void {
  roundStore(session).setState({ ...nothing, round })
}

/** Sends the present round again with its new state: closed, or with the right answers. */
export function tellRound(session: Session, round: RoomRound): void {
  roundStore(session).setState({ round })
}

export function withdrawRound(session: Session): void {
  roundStore(session).setState(nothing)
}

/** Returns a unique name for a round. */
export function newRound(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36)).join('')
}

/** Returns the state after a message of a device. Answers to another round are late; invalid messages are counted. */
function stateAfter(state: RoundState, device: string, bytes: Uint8Array): RoundState {
  const { round, answers } = state
  const answer = readAnswer(bytes)
  const refused = { ...state, refused: state.refused + 1 }
  if (answer === null) return refused
  if (round === null || !round.open || answer.round !== round.round) return state
  if (answer.guess > maxAnswer(round.question)) return refused
  const last = answers.get(device)
  // A repeated answer changes nothing.
  if (last?.guess === answer.guess) return state
  if (last === undefined && answers.size >= MAX_PLAYERS) return state
  // A player who returns as another device still has one answer.
  const others = [...answers].filter(([id, { player }]) => id === device || player !== answer.player)
  return { ...state, answers: new Map([...others, [device, answer]]) }
}
