import { transfer } from 'comlink'
import { buffersOf } from '../../../pipeline/journal.ts'
import { type JobOptions, openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { Trace } from '../../../trace/trace.ts'
import { type ControllerLog, journalPieces } from './replay.ts'

/**
 * Returns the outputs of the controllers of a run that has ended, calculated again from its record on a thread. The record is sent in
 * pieces, so that memory never holds all of it twice.
 */
export async function controllersOf(
  trace: Trace,
  { progress = () => {}, signal }: JobOptions = {},
): Promise<ControllerLog> {
  const threads = openJobThreads(1, signal)
  let rows = 0
  const { scenario, engine } = trace
  try {
    for (const piece of journalPieces(trace)) {
      const { length } = piece.rows
      const same = await threads.run(
        'replayPiece',
        transfer({ head: rows === 0 ? { scenario, engine } : null, piece }, buffersOf(piece)),
      )
      rows += length
      progress(rows / trace.length)
      if (!same) break
    }
    return await threads.run('controllers', null)
  } finally {
    threads.end()
  }
}
