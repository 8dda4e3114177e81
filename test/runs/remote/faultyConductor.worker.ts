import { expose } from 'comlink'
import type { Engine } from '../../../src/engine/engine.ts'
import { liveness } from '../../../src/engine/threads/liveness.ts'
import { createJournal } from '../../../src/pipeline/journal.ts'
import { createRemoteEngine } from '../../../src/runs/remote/remoteEngine.ts'

/** Faults of a conductor; the name of the thread chooses one. */
const faults: Readonly<Record<string, Engine['start']>> = {
  /** Reports that it is there, and loses a worker, but begins no run. */
  async waits(_, listener) {
    listener.failure({ time: 0, kind: 'worker', worker: 0, reason: 'lost before the run' })
    await new Promise(() => {})
  },
  /** Falls silent in the middle of its run. */
  async loops(_, listener) {
    listener.journal(createJournal())
    for (;;);
  },
}

expose({ ...createRemoteEngine(() => ({ start: faults[self.name], stop: () => {} })), ...liveness })
