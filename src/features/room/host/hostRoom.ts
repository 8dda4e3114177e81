import { createStore } from 'zustand/vanilla'
import { readStored, storageKeys, writeStored } from '../../../app/base/browser/browserStorage.ts'
import { linkTo } from '../../../app/session/address.ts'
import { openPanel } from '../../../app/session/page/showing.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { openCarrier } from '../brokerClient/openCarrier.ts'
import { deviceOf, deviceTopic, fullTopic, type OpenCarrier } from '../protocol/carrier.ts'
import { addressToJoin, readRoomLink, roomLink } from '../protocol/links.ts'
import type { Presence } from '../protocol/messages.ts'
import { readPresence } from '../protocol/readMessages.ts'
import { carryRounds, newRound, roundStore } from './hostQuestion.ts'
import { distinctName, emptyRoomWords } from './roomWords.ts'

/**
 * Opens the room of the page's address as its host, or the room that this tab had before a reload. Removes the host's token from the address
 * bar, so that a shared address does not reveal it. Returns the problem of the link.
 */
export function openHostRoom(session: Session, open?: OpenCarrier): readonly Problem[] {
  const url = session.address.read()
  const page = linkTo(session.address, '')
  const asked = readRoomLink(url.href, 'host')
  if (asked.found === 'room') {
    writeStored(storageKeys.room, roomLink(page, asked.address), 'sessionStorage')
    openPanel(session, 'room')
  }
  if (asked.found !== 'nothing') {
    url.hash = asked.found === 'room' ? asked.rest : ''
    session.address.write(url.href, 'replace')
  }
  const kept = readRoomLink(readStored(storageKeys.room, 'sessionStorage') ?? page, 'host')
  if (kept.found === 'room') openRoom(session, kept.address, open)
  return asked.found === 'problem' ? [{ path: 'link', message: asked.problem }] : []
}

/** Returns the link for devices; null if the host's link lacks their token. */
export function linkForDevices(session: Session): string | null {
  const { room } = runStore(session).getState()
  const address = room === null ? null : addressToJoin(room.address)
  return address === null ? null : roomLink(linkTo(session.address, ''), address)
}

/** Returns why devices cannot reach the page by its link; null if they can. */
export function unreachable(session: Session): string | null {
  const { hostname } = session.address.read()
  const here = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return here
    ? t(
        'Only this machine can open this link. For other devices open the host link with this machine’s address in the network.',
      )
    : null
}

/** A device in the room, in the order of coming. */
export interface RoomDevice extends Presence {
  /** The name that the device chose. Its `name` is unique in the room: see `distinctName`. */
  readonly ownName: string
  readonly id: string
  /** The one-based number of the device among all that this page has met. */
  readonly number: number
}

interface RoomState {
  /** The connection of the page to the broker. */
  readonly link: 'opening' | 'up' | 'down'
  /** Why the last attempt to connect failed. */
  readonly problem: string | null
  readonly devices: readonly RoomDevice[]
  /** How many devices were refused because the room is full. */
  readonly refused: number
}

const MAX_DEVICES = 2000
const RETRY_MILLISECONDS = 3000

/** The devices in the room of which this page is the host. */
export const roomStore = part(() =>
  createStore<RoomState>(() => ({ link: 'opening', problem: null, devices: [], refused: 0 })),
)

/** Makes this page the host of a room, and follows its devices until the session ends. */
export function openRoom(session: Session, address: RoomAddress, open: OpenCarrier = openCarrier): void {
  const store = roomStore(session)
  const met = new Map<string, number>()
  let over = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let end = () => {}
  const list = (devices: readonly RoomDevice[]) => {
    store.setState({ devices })
    const seats = devices.reduce((sum, { threads }) => sum + threads, 0)
    const { size: answers } = roundStore(session).getState().answers
    runStore(session).setState({
      room: { address, seats, answers, refusal: () => (seats > 0 ? null : emptyRoomWords()) },
    })
  }

  function receive(topic: string, bytes: Uint8Array): void {
    const id = deviceOf(address.room, topic, 'is')
    if (id === null) return
    const { devices } = store.getState()
    const others = devices.filter((device) => device.id !== id)
    // An empty message cannot be read either.
    const presence = readPresence(bytes)
    if (presence === null) list(others)
    else {
      const before = devices.find((each) => each.id === id)
      const number = met.get(id) ?? met.size + 1
      met.set(id, number)
      const name = before?.ownName === presence.name ? before.name : distinctName(presence.name, others)
      const device = { ...presence, name, ownName: presence.name, id, number }
      if (before !== undefined) list(devices.map((each) => (each.id === id ? device : each)))
      else if (devices.length < MAX_DEVICES) list([...devices, device])
    }
  }

  async function connect(): Promise<void> {
    try {
      // Two pages may be hosts of the same room.
      const carrier = await open(address, `host${newRound()}`)
      if (over) return carrier.end()
      end = () => carrier.end()
      carrier.onState((up) => {
        // The broker sends its retained messages again, but not those of devices that left meanwhile.
        if (up && store.getState().link === 'down') list([])
        store.setState({ link: up ? 'up' : 'down', problem: null })
      })
      carrier.subscribe(deviceTopic(address.room, '+', 'is'), receive)
      carrier.subscribe(fullTopic(address.room), (_, bytes) => {
        const text = new TextDecoder().decode(bytes.subarray(0, 9))
        store.setState({ refused: /^\d{1,6}$/.test(text) ? Number(text) : 0 })
      })
      carryRounds(session, carrier, address.room)
    } catch (error) {
      if (over) return
      store.setState({ link: 'down', problem: error instanceof Error ? error.message : String(error) })
      timer = setTimeout(() => void connect(), RETRY_MILLISECONDS)
    }
  }

  session.onEnd(() => {
    over = true
    clearTimeout(timer)
    end()
  })
  list([])
  void connect()
}
