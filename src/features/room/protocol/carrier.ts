import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'

/** A connection to a message broker. Messages arrive at most once each, in order per topic; while the connection is down they are dropped. */
export interface Carrier {
  /** `retain`: the broker keeps the message for later subscribers. An empty message clears the kept one. */
  publish(topic: string, bytes: Uint8Array, retain?: boolean): void
  /** Calls `onMessage` for each message whose topic fits the filter, in which "+" stands for any one level. Survives reconnections. */
  subscribe(filter: string, onMessage: (topic: string, bytes: Uint8Array) => void): void
  /** Calls back with the present state and each later one. */
  onState(call: (up: boolean) => void): void
  /** Ends the connection properly: no will is sent. */
  end(): void
}

/**
 * Opens a connection that reconnects whenever it is lost. Resolves once it is up; rejects with an Error whose message can be shown if it is
 * refused. `id` is unique at the broker, and for a device its name in the topics: when that connection dies, the broker clears its presence.
 */
export type OpenCarrier = (address: RoomAddress, id: string) => Promise<Carrier>

/**
 * The topics of a room. `DEVICE` is `[A-Za-z0-9]{1,40}`.
 *
 *   apportion/1/ROOM/d/DEVICE/is     retained, from the device: its presence; empty: it is gone (also its will)
 *   apportion/1/ROOM/d/DEVICE/down   from a conductor
 *   apportion/1/ROOM/d/DEVICE/up     to the conductors
 *   apportion/1/ROOM/d/DEVICE/says   to the host's page: answers to a question
 *   apportion/1/ROOM/full            retained, from the room's own broker to the host: how many devices it refused because the room is full; empty: it is not
 *   apportion/1/ROOM/all             retained, from the host's page to every device: a question, its answer
 */
export type DeviceTopic = 'is' | 'down' | 'up' | 'says'

export const deviceTopic = (room: string, device: string, kind: DeviceTopic): string =>
  `apportion/1/${room}/d/${device}/${kind}`

export const allTopic = (room: string): string => `apportion/1/${room}/all`

export const fullTopic = (room: string): string => `apportion/1/${room}/full`

/** Returns the device of a topic of this kind; null for another topic. */
export function deviceOf(room: string, topic: string, kind: DeviceTopic): string | null {
  const [, , , , device = ''] = topic.split('/')
  return topic === deviceTopic(room, device, kind) && /^[A-Za-z0-9]{1,40}$/.test(device) ? device : null
}
