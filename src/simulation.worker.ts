import { expose } from 'comlink'
import { createSimulation } from './engine/simulation/simulation.ts'
import { liveness } from './engine/threads/liveness.ts'
import { speak } from './language/translate.ts'
import { createJobRunner } from './runs/remote/jobs.ts'
import { createRemoteEngine } from './runs/remote/remoteEngine.ts'
import { codeLoaderOf, sayingSo } from './runs/remote/studies.ts'
import { studies } from './studies.ts'

const { port1, port2 } = new MessageChannel()

/** Lets waiting messages in, such as Stop. A message of this thread to itself arrives after them, and sooner than any timer. */
function letMessagesIn(): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = () => resolve()
    port2.postMessage(null)
  })
}

// The thread that plays simulations and works on jobs, so that the page stays free.
expose({
  ...createRemoteEngine((_, deciding) =>
    createSimulation(letMessagesIn, undefined, sayingSo(codeLoaderOf(studies), deciding)),
  ),
  ...createJobRunner(letMessagesIn, studies),
  speak,
  ...liveness,
})
