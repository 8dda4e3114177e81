import { expose, transfer } from 'comlink'
import { createSimulation } from './engine/simulation/simulation.ts'
import { liveness } from './engine/threads/liveness.ts'
import { speak } from './language/translate.ts'
import { buffersOf } from './pipeline/journal.ts'
import { createLogReading } from './runs/files/logFile.ts'
import { readTraceFile } from './runs/files/traceFile.ts'
import { playFigures, playGlimpse, playSwing, playTrajectory } from './runs/play/trial.ts'
import { createRemoteEngine } from './runs/remote/remoteEngine.ts'
import type { TrialThread } from './runs/remote/remoteTrials.ts'
import { playCompared } from './runs/study/compare.ts'
import { playFeeders } from './runs/study/feederSweep.ts'
import { createReplaying } from './runs/study/replay.ts'

const { port1, port2 } = new MessageChannel()

/** Lets in the messages that wait, Stop among them: one to ourselves stands behind them, and comes sooner than any timer. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = () => resolve()
    port2.postMessage(null)
  })
}

const trials: TrialThread = {
  figures: (scenario, progress) => playFigures(scenario, { breathe, progress }),
  swing: (scenario, from, to) => playSwing(scenario, from, to, { breathe }),
  feeders: (scenario, task, progress) => playFeeders(scenario, task, { breathe, progress }),
  async compare(scenario, record, progress) {
    const compared = await playCompared(scenario, record, { breathe, progress })
    return transfer(compared, (compared.journals ?? []).flatMap(buffersOf))
  },
  trajectory: (scenario, samples) => playTrajectory(scenario, samples, { breathe }),
  glimpse: (scenario, samples) => playGlimpse(scenario, samples, { breathe }),
}

// The thread that plays simulations, reads what was recorded and plays it again, so that the page stays free.
expose({ ...createRemoteEngine(() => createSimulation(breathe)), ...createReplaying(), ...createLogReading(), readTraceFile, ...trials, speak, ...liveness })
