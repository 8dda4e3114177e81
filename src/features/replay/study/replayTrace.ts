import { transfer } from 'comlink'
import { buffersOf } from '../../../pipeline/journal.ts'
import { type JobOptions, type JobThreads, openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Trace } from '../../../trace/trace.ts'
import { type ControllerLog, journalPieces, outcomeOf, type Replay, type Replayed } from './replay.ts'

/**
 * Plays the record of a run that has ended through the scheduler again, on a thread of its own. The record is sent
 * in pieces, so that memory never holds all of it twice.
 */
export function replayTrace(trace: Trace, options?: JobOptions): Promise<Replay> {
  return replayed(trace, options, async (_, state) => outcomeOf(state, trace.decisions.length))
}

/** Returns the outputs of the controllers of a run that has ended, calculated again from its record. */
export function controllersOf(trace: Trace, options?: JobOptions): Promise<ControllerLog> {
  return replayed(trace, options, (threads) => threads.run('controllers', null))
}

type Answer<T> = (threads: JobThreads, state: Replayed) => Promise<T>

async function replayed<T>(
  trace: Trace,
  { progress = () => {}, signal }: JobOptions = {},
  answer: Answer<T>,
): Promise<T> {
  const threads = openJobThreads(1, signal)
  let state: Replayed = { decisions: 0, answers: 0, difference: null }
  let rows = 0
  const { scenario, engine } = trace
  try {
    for (const piece of journalPieces(trace)) {
      const { length } = piece.rows
      state = await threads.run(
        'replayPiece',
        transfer({ head: rows === 0 ? { scenario, engine } : null, piece }, buffersOf(piece)),
      )
      rows += length
      progress(rows / trace.length)
      if (state.difference !== null) break
    }
    return await answer(threads, state)
  } finally {
    threads.end()
  }
}
