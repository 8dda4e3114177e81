import type { Journal } from '../../pipeline/journal.ts'
import type { JobContext, Studies } from '../../runs/remote/studies.ts'
import type { createReplaying, ReplayHead } from './study/replay.ts'

/** A replay needs several jobs on the same thread, which keeps what it has read between them. */
function jobs() {
  let kept: Promise<ReturnType<typeof createReplaying>> | null = null
  const replaying = () => {
    kept ??= import('./study/replay.ts').then(({ createReplaying }) => createReplaying())
    return kept
  }
  return {
    /** The pieces of a record in order; the first has the head. */
    replayPiece: async ({ head, piece }: { head: ReplayHead | null; piece: Journal }, { loadCode }: JobContext) =>
      (await replaying()).replayPiece(head, piece, loadCode),
    /** Of the pieces that this thread has replayed. */
    controllers: async (_: null) => (await replaying()).controllers(),
  }
}

type ReplayJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends ReplayJobs {}
}

export const replayStudies: Studies = { key: 'replay', jobs }
