import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { Swatch } from '../../../app/base/ui/Swatch.tsx'
import { runStore } from '../../../app/session/run/runStore.ts'
import { type ShownDecision, useShownDecision } from '../../../app/session/run/shownDecision.ts'
import { allowedCodeStore } from '../../../app/session/scenario/allowedCode.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { CodeAnswer } from '../askCode.ts'

/** The pause in typing, or of the playhead, after which the code is asked. */
const SETTLE_MS = 250

/** What code answers to the decision under the playhead, or to the first one of the scenario. */
export interface Preview {
  readonly source: string
  /** Null where the scenario has nothing to decide. */
  readonly answer: CodeAnswer | null
  /** The decision of the run; null: the first one of the scenario. */
  readonly shown: ShownDecision | null
}

/** Asks the code while it is typed, on a thread of its own. Code that nobody here has typed or run is not asked. Null until there is an answer. */
export function useCodePreview(scenario: Scenario, source: string): Preview | null {
  const session = useSession()
  const allowed = useStore(allowedCodeStore(session), ({ sources }) => sources.has(source))
  const playing = useStore(runStore(session), (state) => state.playing)
  const at = useShownDecision()
  const shown = at !== null && sameStages(at.run.scenario, scenario) ? at : null
  const [known, setKnown] = useState<Preview | null>(null)
  const { run, index } = shown ?? { run: null, index: -1 }
  // Without a run the first decision depends on the whole scenario.
  const asked = shown === null ? scenario : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks about a decision once, however long ago it was
  useEffect(() => {
    if (!allowed || playing) return
    const over = new AbortController()
    const timer = setTimeout(() => {
      const decision = shown === null ? null : decisionAt(shown.run.trace, shown.run.estimateHistory, shown.index)
      const view = decision && { workers: decision.workers, time: decision.time, stages: decision.stages }
      runJob('codeAnswer', { scenario, decision: view }, { signal: over.signal }).then(
        (answer) => setKnown({ source, answer, shown }),
        () => {},
      )
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [source, allowed, playing, run, index, asked])
  return known?.source === source ? known : null
}

function sameStages(one: Scenario, other: Scenario): boolean {
  return one.stages.length === other.stages.length && one.stages.every(({ id }, s) => id === other.stages[s].id)
}

/** The seats that the code would give now, beside those of the run. */
export function CodePreview({ scenario, source, preview }: { readonly scenario: Scenario; readonly source: string; readonly preview: Preview | null }) {
  const session = useSession()
  const allowed = useStore(allowedCodeStore(session), ({ sources }) => sources.has(source))
  if (!allowed) return <p className="form-hint">{t('The targets appear here after Run, or when you change the code.')}</p>
  const seats = preview?.answer?.seats ?? null
  // Of a scenario that has changed since, nothing is said.
  if (!preview?.answer || seats?.length !== scenario.stages.length) return null
  const { answer, shown } = preview
  const { words, view } = answer
  const given = shown === null ? null : decisionAt(shown.run.trace, shown.run.estimateHistory, shown.index).stages
  return (
    <div className="code-preview" aria-live="polite">
      <p>
        {shown === null
          ? t('At the first decision it gives:')
          : t('At decision {index} ({time}), with an empty memory, it gives:', { index: count(shown.index + 1), time: clock(view.time) })}
      </p>
      <ul>
        {stageNumbers(scenario).map((s) => (
          <li key={scenario.stages[s].id}>
            <Swatch stage={s} />
            {isolated(scenario.stages[s].name)} <strong>{seats[s]}</strong>
            {given !== null && given[s].seatsAfter !== seats[s] && <span className="soft"> {t('(in the run {n})', { n: given[s].seatsAfter })}</span>}
          </li>
        ))}
      </ul>
      {words !== null && 'said' in words && <p className="soft">{words.said}</p>}
    </div>
  )
}
