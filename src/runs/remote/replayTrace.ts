import { transfer } from 'comlink'
import { buffersOf } from '../../pipeline/journal.ts'
import type { Trace } from '../../trace/trace.ts'
import { journalPieces, outcomeOf, type Replay } from '../study/replay.ts'
import { type JobOptions, openJobThreads } from './jobThreads.ts'

/**
 * Plays the record of a run that has ended through the scheduler again, on a thread of its own. The record is sent
 * in pieces, so that memory never holds all of it twice.
 */
export async function replayTrace(trace: Trace, { progress = () => {}, signal }: JobOptions = {}): Promise<Replay> {
  const threads = openJobThreads(1, signal)
  let state: Parameters<typeof outcomeOf>[0] = { decisions: 0, answers: 0, difference: null }
  let rows = 0
  try {
    for (const piece of journalPieces(trace)) {
      const { length } = piece.rows
      state = await threads.run('replayPiece', transfer({ scenario: rows === 0 ? trace.scenario : null, piece }, buffersOf(piece)))
      rows += length
      progress(rows / trace.length)
      if (state.difference !== null) break
    }
  } finally {
    threads.end()
  }
  return outcomeOf(state, trace.decisions.length)
}
