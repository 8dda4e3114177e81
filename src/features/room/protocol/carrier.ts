import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'

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
