import { type ConductorOptions, createConductor } from '../../../engine/conductor/conductor.ts'
import type { ThreadsListener } from '../../../engine/conductor/conductedRun.ts'
import type { Environment, NewWorkers } from '../../../engine/conductor/environment.ts'
import type { Engine } from '../../../engine/engine.ts'
import { loadPayloads } from '../../../engine/work/loadPayloads.ts'
import { MAX_REAL_WORKERS } from '../../../scenario/model/limits.ts'
import { codeOf, type Scenario } from '../../../scenario/model/scenario.ts'
import { type FrameRun, startFrameThread } from './frameThread.ts'
import { createStagePayloads } from './stagePayloads.ts'

/** This many threads in a row may break before one has answered; then no more are started. */
const BAD_STARTS = 16

/** Returns the engine whose workers run code of stages: in threads of a frame without an origin, to which `frame` leads. A thread that is lost is replaced. */
export function createStageEngine(frame: MessagePort, environment: Environment, options: ConductorOptions): Engine {
  const heard = new Map<number, (words: string) => void>()
  let badStarts = 0
  frame.onmessage = ({ data }: MessageEvent<{ readonly thread: number; readonly words: string }>) => heard.get(data.thread)?.(data.words)
  const newWorkers: NewWorkers = {
    free: () => (badStarts < BAD_STARTS ? MAX_REAL_WORKERS : 0),
    onNewWorker() {},
    waited: () => (badStarts < BAD_STARTS ? 0 : Number.MAX_SAFE_INTEGER),
    patience: 1,
  }
  let run: FrameRun
  const conductor = createConductor(
    {
      ...environment,
      newWorkers,
      start(worker, events) {
        let answered = false
        const bad = () => {
          if (!answered) badStarts++
        }
        const thread = startFrameThread(run, worker, {
          ...events,
          lost(reason) {
            bad()
            events.lost(reason)
          },
        })
        return {
          ...thread,
          hello: () =>
            Promise.resolve(thread.hello()).then(
              (hello) => {
                answered = true
                badStarts = 0
                return hello
              },
              (error: unknown) => {
                bad()
                throw error
              },
            ),
        }
      },
    },
    { ...options, loadPayloads: async (scenario, file) => createStagePayloads(scenario, await firstPayloads(scenario, file)) },
  )
  return {
    start(scenario: Scenario, listener: ThreadsListener) {
      const codes = scenario.stages.flatMap((stage, k) => {
        const code = codeOf(stage)
        return code === null ? [] : [[k, code] as const]
      })
      run = {
        ...{ frame, codes, seed: scenario.seed, now: environment.now, tries: new Map(), stages: scenario.stages.length, number: 0 },
        startOwn: codes.length < scenario.stages.length ? environment.start : null,
        hear(thread, call) {
          heard.set(thread, call)
          return () => heard.delete(thread)
        },
      }
      return conductor.start(scenario, listener)
    },
    stop: () => conductor.stop(),
  }
}

/** Returns what jobs arrive with. A stage with code makes every scenario one with payloads. */
async function firstPayloads(scenario: Scenario, file: Blob | null) {
  const payloads = await loadPayloads(scenario, file)
  if (payloads === null) throw new RangeError('a stage with code has payloads')
  return payloads
}
