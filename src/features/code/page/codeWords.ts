import { transfer } from 'comlink'
import { buffersOf } from '../../../pipeline/journal.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import type { CodeWords } from '../../../scheduler/codePolicy.ts'
import { beginning, journalBetween } from '../../../trace/journalBetween.ts'
import type { Trace } from '../../../trace/trace.ts'

/** At most this many decisions are replayed for the words of the code, which takes about a second. */
export const MAX_REPLAYED_DECISIONS = 20_000

/** Returns what the code says about a decision of a run, from a thread of its own; null if it says nothing. */
export function askForWords(trace: Trace, decision: number, signal: AbortSignal): Promise<CodeWords | null> {
  const journal = journalBetween(trace, beginning, { rows: trace.decisions.row[decision], decisions: decision + 1 })
  return runJob('codeWords', transfer({ scenario: trace.scenario, journal, decision }, buffersOf(journal)), { signal })
}
