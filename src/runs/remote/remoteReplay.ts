import { transfer } from 'comlink'
import { t } from '../../language/translate.ts'
import { buffersOf } from '../../pipeline/journal.ts'
import type { Trace } from '../../trace/trace.ts'
import { journalPieces, outcomeOf, type Replay, type Replaying } from '../study/replay.ts'
import { openThread } from './thread.ts'

/** A replay under way. */
export interface ReplayHandle {
  /** What came of it, or null if `stop` was called. Rejects with an Error in words. */
  readonly finished: Promise<Replay | null>
  stop(): void
}

/**
 * Plays the record of a run that has ended through the scheduler's core again, in a thread of its own. The record is sent
 * piece by piece, so that it is never there twice; `progress` is told the share that is done, 0 to 1.
 */
export function startReplay(trace: Trace, progress: (share: number) => void = () => {}): ReplayHandle {
  const thread = openThread<Replaying>(new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'replay' }))
  let stopped = false

  async function run(): Promise<Replay | null> {
    let state: ReturnType<Replaying['replayPiece']> = { decisions: 0, answers: 0, difference: null }
    let rows = 0
    for (const piece of journalPieces(trace)) {
      const { length } = piece.rows
      const answer = await thread.line.ask(Infinity, () => thread.remote.replayPiece(rows === 0 ? trace.scenario : null, transfer(piece, buffersOf(piece))))
      if (stopped) return null
      if (answer.kind !== 'answered') throw new Error(answer.kind === 'silent' ? t('no answer') : answer.reason)
      state = answer.value
      rows += length
      progress(rows / trace.length)
      if (state.difference !== null) break
    }
    thread.end(t('the replay is over'))
    return outcomeOf(state, trace.decisions.length)
  }

  return {
    finished: run(),
    stop() {
      stopped = true
      thread.end('stopped')
    },
  }
}
