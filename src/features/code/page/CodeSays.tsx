import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { PanelProps } from '../../../app/session/features/feature.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { allowedCodeStore } from '../../../app/session/scenario/allowedCode.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { askForWords, MAX_REPLAYED_DECISIONS } from '../../../features/code/page/codeWords.ts'
import { t } from '../../../language/translate.ts'
import type { CodePolicy } from '../../../scenario/model/scenario.ts'
import { type CodeWords, translatedReason } from '../../../scheduler/codePolicy.ts'
import { count } from '../../../views/drawing/format.ts'

/** The playhead rests this long before the code is asked. */
const SETTLE_MS = 150

/** What the code of the policy says of a decision. The code is asked when the decision is shown, and never during the run. */
export function CodeSays({ policy, ...of }: PanelProps['decisionNote']) {
  return policy.kind === 'code' ? <SaysOf policy={policy} {...of} /> : null
}

function SaysOf({ run, policy, index }: PanelProps['decisionNote'] & { readonly policy: CodePolicy }) {
  const session = useSession()
  const allowed = useStore(allowedCodeStore(session), ({ sources }) => sources.has(policy.source))
  const still = useStore(runStore(session), ({ playing, phase }) => !playing && phase === 'ended')
  const [known, setKnown] = useState<{ readonly run: Run; readonly index: number; readonly words: CodeWords | null } | null>(null)
  const asks = /\bdescribe\b/.test(policy.source)
  useEffect(() => {
    if (!asks || !allowed || !still || index >= MAX_REPLAYED_DECISIONS) return
    const over = new AbortController()
    const timer = setTimeout(() => {
      askForWords(run.trace, index, over.signal).then(
        (words) => setKnown({ run, index, words }),
        () => {},
      )
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [asks, allowed, still, run, index])
  if (!asks) return null
  if (index >= MAX_REPLAYED_DECISIONS)
    return <p className="soft">{t('The code is asked about the first {n} decisions only.', { n: count(MAX_REPLAYED_DECISIONS) })}</p>
  if (!allowed) return <p className="soft">{t('What the code says of its decisions appears after Run is pressed.')}</p>
  if (known === null || known.words === null || known.run !== run || known.index !== index) return null
  return 'said' in known.words ? <p className="code-says">{known.words.said}</p> : <p className="warning">{translatedReason(known.words.problem)}</p>
}
