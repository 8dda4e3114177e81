import { transfer, wrap } from 'comlink'
import type { ThreadsListener } from '../../engine/conductor/conductedRun.ts'
import type { Engine } from '../../engine/engine.ts'
import { buffersOf, sliceJournal } from '../../pipeline/journal.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'

/** Where a room is, and the role in which to enter it. */
export interface RoomAddress {
  /** The address of the broker's WebSocket: ws: or wss:. */
  readonly broker: string
  /** `[A-Za-z0-9]{1,40}` */
  readonly room: string
  readonly role: 'host' | 'join'
  readonly token: string
  /** Only for a host that may pass it on: the token of devices. */
  readonly joinToken?: string
}

export interface RunInput {
  /** The file that a source of kind `lines` reads. */
  readonly file?: Blob | undefined
  /** Where the workers of a run on the engine `room` are. */
  readonly room?: RoomAddress | undefined
  /** Leads to threads that run the code of stages. */
  readonly threads?: MessagePort | undefined
}

/** What a thread that runs an engine offers to the page, by comlink. */
export interface RemoteEngine {
  /** Plays the scenario once, and calls a `ThreadsListener` behind the port. Rejects with a message for users if the scenario cannot be played. */
  start(scenario: Scenario, input: RunInput, listener: MessagePort): Promise<void>
  stop(): void
}

/** `make` gets what tells the page that code is about to decide: see `sayingSo`. */
export function createRemoteEngine(
  make: (input: RunInput, deciding: (deciding: boolean) => void) => Engine,
): RemoteEngine {
  let engine: Engine | null = null
  let stopped = false
  return {
    async start(scenario, input, port) {
      const listener = listenerBehind(port)
      engine = make(input, (deciding) => listener.deciding?.(deciding))
      if (stopped) engine.stop()
      await engine.start(scenario, listener)
    },
    stop() {
      stopped = true
      engine?.stop()
    },
  }
}

/** Each call is a message, in order with those before it. Journals and pixels are transferred, not copied. */
function listenerBehind(port: MessagePort): ThreadsListener {
  const page = wrap<Required<ThreadsListener>>(port)
  return {
    ready: (worker) => page.ready(worker),
    journal(journal) {
      const slice = sliceJournal(journal)
      page.journal(transfer(slice, buffersOf(slice)))
    },
    failure: (failure) => page.failure(failure),
    deciding: (deciding) => page.deciding(deciding),
    ended: (ending) => page.ended(ending),
    output: (output) => page.output(output),
    tiles(tiles) {
      const buffers = tiles.map(({ pixels }) => pixels.buffer)
      page.tiles(transfer(tiles, buffers))
    },
  }
}
