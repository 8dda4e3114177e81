import { transfer } from 'comlink'
import type { ThreadsListener } from '../../engine/conductor/run.ts'
import type { Engine } from '../../engine/engine.ts'
import { buffersOf, sliceJournal } from '../../pipeline/journal.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'

/** What a thread that runs an engine offers to the page, by comlink. */
export interface RemoteEngine {
  /** Plays the scenario once; journals are handed over, not copied. Rejects in words if it cannot be played. */
  start(scenario: Scenario, file: Blob | null, listener: Required<ThreadsListener>): Promise<void>
  stop(): void
}

/** What only the engine on threads tells. */
function threadsOnly(listener: Required<ThreadsListener>): Pick<Required<ThreadsListener>, 'output' | 'tiles'> {
  return {
    output: (output) => listener.output(output),
    tiles: (tiles) =>
      listener.tiles(
        transfer(
          tiles,
          tiles.map(({ pixels }) => pixels.buffer),
        ),
      ),
  }
}

/** The thread's end. `make` is given what a source of kind `lines` reads. */
export function createRemoteEngine(make: (file: Blob | null) => Engine): RemoteEngine {
  let engine: Engine | null = null
  let stopped = false
  return {
    async start(scenario, file, listener) {
      engine = make(file)
      if (stopped) engine.stop()
      // The listener is a proxy of comlink: a call is a message, in order with those before it; nobody waits for its answer.
      await engine.start(scenario, {
        journal(journal) {
          const slice = sliceJournal(journal)
          listener.journal(transfer(slice, buffersOf(slice)))
        },
        failure: (failure) => listener.failure(failure),
        ended: (ending) => listener.ended(ending),
        ...threadsOnly(listener),
      })
    },
    stop() {
      stopped = true
      engine?.stop()
    },
  }
}
