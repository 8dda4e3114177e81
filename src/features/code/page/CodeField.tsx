import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type Bound, inside } from '../../../app/base/forms/bound.ts'
import { TextField } from '../../../app/base/forms/fields.tsx'
import { Swatch } from '../../../app/base/ui/Table.tsx'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import type { PanelProps } from '../../../app/session/features/feature.ts'
import { type ShownDecision, useShownDecision } from '../../../app/session/page/shownDecision.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { allowedCodeStore } from '../../../app/session/scenario/allowedCode.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated, t } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { CodePolicy, Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { lineOfProblem, translatedReason } from '../../../scheduler/codePolicy.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { CodeAnswer } from '../sandbox/askCode.ts'
import { askSoon } from './CodeExplanationNote.tsx'
import { CodeInput, offerFields, useReadProblem } from './CodeText.tsx'
import { startingPoints } from './startingPoints.ts'

/** The form of a policy in code; nothing for other policies. */
export function CodeForm({ policy, scenario }: PanelProps['policyForm']) {
  return policy.kind === 'code' ? (
    <CodeField of={{ path: 'policy', value: policy, change: setPolicy }} scenario={scenario} />
  ) : null
}

/** The name and the code of a user's own policy. Threads of the page check it while it is typed, and try it on one decision. */
export function CodeField({ of, scenario }: { readonly of: Bound<CodePolicy>; readonly scenario: Scenario }) {
  const session = useSession()
  const { source } = of.value
  const allowed = useStore(allowedCodeStore(session), ({ sources }) => sources.has(source))
  const preview = useCodePreview(scenario, source, allowed)
  const problem = useProblem(source, preview) ?? ''
  return (
    <>
      <TextField label={t('Name')} {...inside(of, 'name')} />
      <CodeInput
        {...inside(of, 'source')}
        templates={startingPoints()}
        name={t('Code of the policy')}
        suggest={suggestCode}
        source={source}
        line={lineOfProblem(problem)}
        problem={translatedReason(problem)}
      >
        <Translated text="The function gets a <c>view</c> and returns how many workers each stage should have: a list in listing order, or an object by stage id. Their sum is at most <c>view.workers</c>. Control Space lists the fields." />{' '}
        <Translated text="If the code also exports a function <c>describe(view, seats)</c>, its sentence appears in the panel Decision." />
      </CodeInput>
      {allowed && <CodePreview scenario={scenario} preview={preview} />}
    </>
  )
}

/** Returns the problem of the code in English: from reading it, from trying it, or from the last run. */
function useProblem(source: string, preview: Preview | null): string | null {
  const session = useSession()
  const run = useStore(runStore(session), ({ phase, run }) => (phase === 'ended' ? run : null))
  const unread = useReadProblem(source) ?? null
  if (unread !== null) return unread
  const words = preview?.answer?.words ?? null
  const tried = preview?.answer?.problem ?? (words !== null && 'problem' in words ? words.problem : null)
  if (tried !== null) return tried
  const played =
    run !== null && phasesOf(run.scenario).some(({ policy }) => policy.kind === 'code' && policy.source === source)
  return (played && run.trace.failures.find(({ kind }) => kind === 'run')?.reason) || null
}

/** The pause in typing, or of the playhead, after which the code is run on a decision. */
const ASK_MS = 250

/** The answer of the code to the decision under the playhead, or to the first one of the scenario. */
interface Preview {
  readonly source: string
  /** Null where the scenario has nothing to decide. */
  readonly answer: CodeAnswer | null
  /** The decision of the run; null: the first one of the scenario. */
  readonly shown: ShownDecision | null
}

/** Runs the code on one decision while it is typed, on a thread of its own. Code that the user has not typed or run is not run. Null until there is an answer. */
function useCodePreview(scenario: Scenario, source: string, allowed: boolean): Preview | null {
  const session = useSession()
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
    const ask = (signal: AbortSignal) => {
      const decision =
        shown === null ? null : decisionAt(shown.run.trace, estimateHistoryOf(shown.run.trace), shown.index)
      const view = decision && { workers: decision.workers, time: decision.time, stages: decision.stages }
      return runJob('codeAnswer', { scenario, decision: view }, { signal })
    }
    return askSoon(ASK_MS, ask, (answer) => setKnown({ source, answer, shown }))
  }, [source, allowed, playing, run, index, asked])
  return known?.source === source ? known : null
}

function sameStages(one: Scenario, other: Scenario): boolean {
  return one.stages.length === other.stages.length && one.stages.every(({ id }, s) => id === other.stages[s].id)
}

/** The seats that the code would give now, beside those of the run. */
function CodePreview({ scenario, preview }: { readonly scenario: Scenario; readonly preview: Preview | null }) {
  const seats = preview?.answer?.seats ?? null
  // The scenario may have changed since.
  if (!preview?.answer || seats?.length !== scenario.stages.length) return null
  const { answer, shown } = preview
  const { words, view } = answer
  const inRun =
    shown === null ? null : decisionAt(shown.run.trace, estimateHistoryOf(shown.run.trace), shown.index).stages
  return (
    <div className="code-preview" aria-live="polite">
      <p>
        {shown === null
          ? t('At the first decision it gives:')
          : t('At decision {index} ({time}), with an empty memory, it gives:', {
              index: count(shown.index + 1),
              time: clock(view.time),
            })}
      </p>
      <ul>
        {stageNumbers(scenario).map((s) => (
          <li key={scenario.stages[s].id}>
            <Swatch stage={s} />
            {isolated(scenario.stages[s].name)} <strong>{seats[s]}</strong>
            {inRun !== null && inRun[s].seatsAfter !== seats[s] && (
              <span className="soft"> {t('(in the run {n})', { n: inRun[s].seatsAfter })}</span>
            )}
          </li>
        ))}
      </ul>
      {words !== null && 'text' in words && <p className="soft">{words.text}</p>}
    </div>
  )
}

const viewFields = (): Completion[] => [
  { label: 'workers' },
  { label: 'time' },
  { label: 'stages' },
  { label: 'memory', info: t('An object that is kept for as long as the policy applies.') },
  { label: 'random', apply: 'random()', info: t('A random number from 0 to 1, derived from the seed.') },
]

const stageFields = (): Completion[] => [
  { label: 'id' },
  { label: 'name' },
  { label: 'waiting' },
  { label: 'mean', info: t('The estimated service time in microseconds.') },
  { label: 'busy' },
  { label: 'seats' },
  { label: 'done' },
  { label: 'capacity', info: t('How many jobs the queue holds; null: any number.') },
  { label: 'finished' },
]

/** Returns what may follow `view.`, or a dot after a stage. */
function suggestCode(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/([\w$]+|\])\.\w*/)
  if (typed === null)
    return context.explicit ? { from: context.pos, options: [{ label: 'view', type: 'variable' }] } : null
  const owner = typed.text.slice(0, typed.text.indexOf('.'))
  const from = typed.from + owner.length + 1
  if (owner === 'view') return offerFields(from, viewFields())
  return owner === ']' || owner === 'stage' || owner === 'best' ? offerFields(from, stageFields()) : null
}
