import { expose } from 'comlink'
import type { Engine } from '../../../src/engine/engine.ts'
import { liveness } from '../../../src/engine/threads/liveness.ts'
import { createJournal } from '../../../src/pipeline/journal.ts'
import { createRemoteEngine } from '../../../src/runs/remote/remoteEngine.ts'

/** What a conductor does instead of its work; the name of the thread says which. */
const faults: Readonly<Record<string, Engine['start']>> = {
  /** It says that it is there, and loses a worker, but begins no run. */
  async waits(_, listener) {
    listener.failure({ time: 0, kind: 'worker', worker: 0, reason: 'lost before the run' })
    await new Promise(() => {})
  },
  /** It falls silent in the middle of its run. */
  async loops(_, listener) {
    listener.journal(createJournal())
    for (;;);
  },
}

expose({ ...createRemoteEngine(() => ({ start: faults[self.name], stop: () => {} })), ...liveness })
