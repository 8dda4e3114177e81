/** A connection to a message broker. Messages arrive at most once each, in order per topic; while the connection is down they are dropped. */
export interface Carrier {
  /** `retain`: the broker keeps the message for those who subscribe later. An empty one clears what was kept. */
  publish(topic: string, bytes: Uint8Array, retain?: boolean): void
  /** Calls for each message whose topic fits the filter, in which "+" stands for any one level. Holds across reconnections. */
  subscribe(filter: string, heard: (topic: string, bytes: Uint8Array) => void): void
  /** Calls with the present state, and with each change of it. */
  onState(call: (up: boolean) => void): void
  /** Ends the connection in order: no will is sent. */
  end(): void
}

/** How a carrier begins. */
export interface CarrierOptions {
  /** Unique in the broker. A device uses its name in the topics. */
  readonly clientId: string
  /** What the broker publishes, retained, when this connection dies: an empty message on this topic. */
  readonly willTopic?: string
}

/** Opens a connection, and again whenever it is lost. Resolves when it is up for the first time; rejects in words if it is refused. */
export type OpenCarrier = (address: RoomAddress, options: CarrierOptions) => Promise<Carrier>

/** Where a room is, and as whom one comes. */
export interface RoomAddress {
  /** The address of the broker's WebSocket: ws: or wss:. */
  readonly broker: string
  /** `[A-Za-z0-9]{1,40}` */
  readonly room: string
  readonly role: 'host' | 'join'
  readonly token: string
  /** Of a host that may hand it on: the token of devices. */
  readonly joinToken?: string
}

/**
 * The topics of a room. `DEVICE` is `[A-Za-z0-9]{1,40}`.
 *
 *   apportion/1/ROOM/d/DEVICE/is     retained, from the device: who it is; empty: it is gone (also its will)
 *   apportion/1/ROOM/d/DEVICE/down   from a conductor
 *   apportion/1/ROOM/d/DEVICE/up     to the conductors
 *   apportion/1/ROOM/d/DEVICE/says   to the host's page: answers to a question, scores of a game
 *   apportion/1/ROOM/all             retained, from the host's page to every device: a question, its answer, a game
 */
export type DeviceTopic = 'is' | 'down' | 'up' | 'says'

export function deviceTopic(room: string, device: string, kind: DeviceTopic): string {
  return `apportion/1/${room}/d/${device}/${kind}`
}

export function allTopic(room: string): string {
  return `apportion/1/${room}/all`
}

/** Returns the device of such a topic; null if it is another. */
export function deviceOf(room: string, topic: string, kind: DeviceTopic): string | null {
  const [, , , , device = ''] = topic.split('/')
  return topic === deviceTopic(room, device, kind) && /^[A-Za-z0-9]{1,40}$/.test(device) ? device : null
}
