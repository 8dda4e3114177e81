import { wrap } from 'comlink'
import { trustOwnScripts } from '../../../src/engine/threads/liveness.ts'
import { openStageFrame } from '../../../src/features/stageCode/threads/stageFrame.ts'
import { FINISHED, rowTime, STARTED } from '../../../src/pipeline/rows.ts'
import { type RunListener, startRun } from '../../../src/runs/remote/remoteRun.ts'
import { hasCode, type Scenario } from '../../../src/scenario/model/scenario.ts'
import type { Rivals, Way } from './rivals.worker.ts'

export interface RunFigures {
  readonly ending: string
  readonly failures: number
  /** Microseconds on the clock of the run. */
  readonly makespan: number
  readonly finished: number
  /** Microseconds per job after a fifth of them: by then the code of the threads is compiled. */
  readonly perJob: number
  /** Milliseconds from the call of startRun until the page had a `started` row. */
  readonly firstStarted: number
}

/** The functions that the benchmark calls in the page. */
export interface ThreadsPage {
  /** Milliseconds for this many jobs without work through two threads, each with one batch. */
  rival(way: Way, jobs: number, size: number): Promise<number>
  /** Plays a scenario on real threads, as the product does. */
  run(scenario: Scenario): Promise<RunFigures>
}

const page: ThreadsPage = {
  async rival(way, jobs, size) {
    const worker = new Worker(new URL('./rivals.worker.ts', import.meta.url), { type: 'module' })
    const milliseconds = await wrap<Rivals>(worker).measure(way, jobs, size)
    worker.terminate()
    return milliseconds
  },

  async run(scenario) {
    const figures = { ending: '', failures: 0, makespan: 0, finished: 0, perJob: 0, firstStarted: -1 }
    const ends: number[] = []
    const began = performance.now()
    const listener: RunListener = {
      journal({ rows }) {
        for (let i = 0; i < rows.length; i++) {
          if (rows.kind[i] === STARTED && figures.firstStarted < 0) figures.firstStarted = performance.now() - began
          if (rows.kind[i] !== FINISHED) continue
          figures.finished++
          figures.makespan = rowTime(rows, i)
          ends.push(rowTime(rows, i))
        }
      },
      failure: () => figures.failures++,
      ended: (ending) => {
        figures.ending = ending
      },
    }
    // The page of the benchmark lies elsewhere than the app.
    await startRun('threads', scenario, null, listener, {
      stageThreads: hasCode(scenario) ? openStageFrame('/stage.html') : null,
    }).finished
    const fifth = Math.floor(ends.length / 5)
    figures.perJob = (figures.makespan - ends[fifth]) / (ends.length - fifth)
    return figures
  },
}

trustOwnScripts()
Object.assign(window, { threads: page })
