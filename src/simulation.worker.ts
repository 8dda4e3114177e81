import { expose } from 'comlink'
import { createSimulation } from './engine/simulation/simulation.ts'
import { compareOrder } from './runs/orderCost.ts'
import { createRemoteEngine } from './runs/remoteEngine.ts'
import { createReplaying } from './runs/replay.ts'
import { readTraceFile } from './runs/traceFile.ts'
import type { Scenario } from './scenario/scenario.ts'

const { port1, port2 } = new MessageChannel()

/** Lets in the messages that wait, Stop among them: one to ourselves stands behind them, and comes sooner than any timer. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = () => resolve()
    port2.postMessage(null)
  })
}

// The thread that plays simulations, reads what was recorded and plays it again, so that the page stays free.
expose({
  ...createRemoteEngine(() => createSimulation(breathe)),
  ...createReplaying(),
  readTraceFile,
  compareOrder: (scenario: Scenario, progress: (share: number) => void) => compareOrder(scenario, { breathe, progress }),
})
