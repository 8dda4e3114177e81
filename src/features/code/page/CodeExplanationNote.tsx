import { transfer } from 'comlink'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { PanelProps } from '../../../app/session/features/feature.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { allowedCodeStore } from '../../../app/session/scenario/allowedCode.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { buffersOf } from '../../../pipeline/journal.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import type { CodePolicy } from '../../../scenario/model/scenario.ts'
import { type CodeExplanation, translatedReason } from '../../../scheduler/codePolicy.ts'
import { beginning, journalBetween } from '../../../trace/journalBetween.ts'
import type { Trace } from '../../../trace/trace.ts'
import { count } from '../../../views/drawing/format.ts'

/** The playhead rests this long before the code is asked. */
const SETTLE_MS = 150

/** The explanation that the policy's code gives for a decision. The code is asked when the decision is shown, never during the run. */
export function CodeExplanationNote({ policy, ...of }: PanelProps['decisionNote']) {
  return policy.kind === 'code' ? <ExplanationOf policy={policy} {...of} /> : null
}

function ExplanationOf({ run, policy, index }: PanelProps['decisionNote'] & { readonly policy: CodePolicy }) {
  const session = useSession()
  const allowed = useStore(allowedCodeStore(session), ({ sources }) => sources.has(policy.source))
  const still = useStore(runStore(session), ({ playing, phase }) => !playing && phase === 'ended')
  const [known, setKnown] = useState<{
    readonly run: Run
    readonly index: number
    readonly words: CodeExplanation | null
  } | null>(null)
  const asks = /\bdescribe\b/.test(policy.source)
  useEffect(() => {
    if (!asks || !allowed || !still || index >= MAX_REPLAYED_DECISIONS) return
    const ask = (signal: AbortSignal) => askForExplanation(run.trace, index, signal)
    return askSoon(SETTLE_MS, ask, (words) => setKnown({ run, index, words }))
  }, [asks, allowed, still, run, index])
  if (!asks) return null
  if (index >= MAX_REPLAYED_DECISIONS)
    return (
      <p className="soft">
        {t('The code is asked about the first {n} decisions only.', { n: count(MAX_REPLAYED_DECISIONS) })}
      </p>
    )
  if (!allowed || known === null || known.words === null || known.run !== run || known.index !== index) return null
  return 'text' in known.words ? (
    <p className="code-says">{known.words.text}</p>
  ) : (
    <p className="warning">{translatedReason(known.words.problem)}</p>
  )
}

/** At most this many decisions are replayed for an explanation of the code, which takes about a second. */
export const MAX_REPLAYED_DECISIONS = 20_000

/** Returns the explanation that the code gives for a decision of a run, from a thread of its own; null if it gives none. */
export function askForExplanation(
  trace: Trace,
  decision: number,
  signal: AbortSignal,
): Promise<CodeExplanation | null> {
  const journal = journalBetween(trace, beginning, { rows: trace.decisions.row[decision], decisions: decision + 1 })
  return runJob('codeExplanation', transfer({ scenario: trace.scenario, journal, decision }, buffersOf(journal)), {
    signal,
  })
}

/** Asks after a pause, in milliseconds, and ignores failures. Returns a function that cancels, for an effect of React. */
export function askSoon<Answer>(
  pause: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
  answered: (answer: Answer) => void,
): () => void {
  const abort = new AbortController()
  const timer = setTimeout(() => ask(abort.signal).then(answered, () => {}), pause)
  return () => {
    clearTimeout(timer)
    abort.abort()
  }
}
