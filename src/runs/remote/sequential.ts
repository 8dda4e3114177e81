import type { Output } from '../../engine/work/payloads.ts'
import { t } from '../../language/translate.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { openThread } from './thread.ts'

interface Sequence {
  runInSequence(scenario: Scenario, file: Blob | null, progress: (done: number, jobs: number) => void): Output | null
}

/** The yardstick of a run over records, under way. */
export interface SequentialRun {
  /** The output, or null if the scenario carries no records or `stop` was called. Rejects with an Error in words. */
  readonly finished: Promise<Output | null>
  stop(): void
}

/** One worker does everything, one record after the other: its checksum is what a run that keeps order must arrive at. */
export function runSequential(scenario: Scenario, file: Blob | null, progress: (done: number, jobs: number) => void = () => {}): SequentialRun {
  const thread = openThread<Sequence>(new Worker(new URL('../../labour.worker.ts', import.meta.url), { type: 'module', name: 'sequence' }))
  let stopped = false
  async function run(): Promise<Output | null> {
    const answer = await thread.line.ask(Infinity, () => thread.remote.runInSequence(scenario, file, thread.lend(progress)))
    thread.end(t('the run is over'))
    if (stopped) return null
    if (answer.kind === 'answered') return answer.value
    throw new Error(answer.kind === 'silent' ? t('no answer') : answer.reason)
  }
  return {
    finished: run(),
    stop() {
      stopped = true
      thread.end('stopped')
    },
  }
}
