import { createStore } from 'zustand/vanilla'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import { allTopic, type Carrier, deviceTopic, type OpenCarrier } from '../protocol/carrier.ts'
import { packFrame } from '../protocol/frame.ts'
import type { Lender, LenderState, Offer } from '../protocol/lender.ts'
import { type RoomRound, type RoundAnswer, readRound } from '../protocol/rounds.ts'

/** Lends this number of threads over a connection, and calls `changed` with each new state. */
export type Lend = (
  carrier: Carrier,
  device: Pick<Offer, 'room' | 'device' | 'name' | 'threads'>,
  changed: (state: LenderState) => void,
) => Lender

export interface Joining {
  /** `damaged`: the link has no room. `waiting`: there has been no connection yet. */
  readonly phase: 'damaged' | 'waiting' | 'in' | 'left'
  /** Why the link is damaged, or why the last attempt to connect failed. */
  readonly problem: string | null
  readonly name: string
  readonly threads: number
  readonly loan: LenderState
}

export type JoinControl = ReturnType<typeof createJoin>

interface Means {
  readonly open: OpenCarrier
  readonly answering: Pick<Answering, 'attend'>
  readonly lend: Lend
  readonly newId: () => string
}

const nothingYet: LenderState = { up: false, workers: [], stage: null, done: 0 }
const RETRY_MILLISECONDS = 3000

/** Returns a control that joins the room of a link. `room` is an Error whose message can be shown if the link has none. It does nothing before `enter`. */
export function createJoin(
  room: RoomAddress | Error,
  { name, threads }: Pick<Joining, 'name' | 'threads'>,
  { open, answering, lend, newId }: Means,
) {
  const store = createStore<Joining>(() => ({
    phase: room instanceof Error ? 'damaged' : 'left',
    problem: room instanceof Error ? room.message : null,
    name,
    threads,
    loan: nothingYet,
  }))
  /** Leaves the room. */
  let quit = () => {}
  /** The jobs done before the room was last left. */
  let before = 0

  function enter(): void {
    quit()
    if (room instanceof Error) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let end = () => {}
    quit = () => {
      quit = () => {}
      over = true
      clearTimeout(timer)
      end()
      before = store.getState().loan.done
      store.setState({ loan: { ...nothingYet, done: before } })
    }
    // Each stay is a new device, so that late messages of the last one are ignored.
    const id = newId()
    const tell = (state: Partial<Joining>) => !over && store.setState(state)
    const connect = async (address: RoomAddress) => {
      try {
        const carrier = await open(address, id)
        if (over) return carrier.end()
        const { name, threads } = store.getState()
        tell({ phase: 'in', problem: null })
        const lender = lend(carrier, { room: address.room, device: id, name, threads }, (loan) =>
          tell({ loan: { ...loan, done: before + loan.done } }),
        )
        answering.attend(carrier, address.room, id)
        end = () => {
          lender.leave()
          carrier.end()
        }
      } catch (error) {
        tell({ problem: error instanceof Error ? error.message : String(error) })
        if (!over) timer = setTimeout(() => void connect(address), RETRY_MILLISECONDS)
      }
    }
    store.setState({ phase: 'waiting', problem: null })
    void connect(room)
  }

  return {
    store,
    enter,
    leave() {
      quit()
      if (!(room instanceof Error)) store.setState({ phase: 'left', problem: null })
    },
    /** Changes the name and the number of threads. In a room it leaves and returns as another device. */
    change(to: Partial<Pick<Joining, 'name' | 'threads'>>): void {
      store.setState(to)
      const { phase } = store.getState()
      if (phase === 'in' || phase === 'waiting') enter()
    },
    end: () => quit(),
  }
}

/** Answers the rounds of the host. It outlives a stay: a player who returns as another device is the same player. */
export type Answering = ReturnType<typeof createAnswering>

/** Returns an object that answers under this player name. It does nothing before `attend`. */
export function createAnswering(player: string) {
  /** `mine` is the answer of this device. */
  const store = createStore<{ readonly round: RoomRound | null; readonly mine: RoundAnswer | null }>(() => ({
    round: null,
    mine: null,
  }))
  let send = (_: RoundAnswer) => {}

  /** Sends the answer again, since it may have been lost: the round comes again after each reconnection. The host ignores repetitions. */
  function repeat(): void {
    const { round, mine } = store.getState()
    if (round?.open && mine !== null) send(mine)
  }

  return {
    store,
    /** Takes part as this device, until the connection ends. */
    attend(carrier: Carrier, room: string, device: string): void {
      store.setState({ round: null })
      send = (answer) => carrier.publish(deviceTopic(room, device, 'says'), packFrame(answer))
      carrier.subscribe(allTopic(room), (_, bytes) => {
        const round = bytes.length === 0 ? null : readRound(bytes)
        const { mine } = store.getState()
        store.setState({ round, mine: mine !== null && mine.round === round?.round ? mine : null })
        repeat()
      })
    },
    guess(guess: number): void {
      const { round } = store.getState()
      if (!round?.open) return
      store.setState({ mine: { round: round.round, player, guess } })
      repeat()
    },
  }
}
