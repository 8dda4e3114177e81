import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type Bound, inside, tryEdit } from '../../../app/base/forms/bound.ts'
import { Choice, TextField } from '../../../app/base/forms/fields.tsx'
import { useFormTarget } from '../../../app/base/forms/formTarget.ts'
import { Swatch } from '../../../app/base/ui/Table.tsx'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import type { PanelProps } from '../../../app/session/features/feature.ts'
import { type ShownDecision, useShownDecision } from '../../../app/session/page/shownDecision.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { allowCode, allowedCodeStore } from '../../../app/session/scenario/allowedCode.ts'
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
import { type CodeKind, CodeText, READ_MS } from './CodeText.tsx'
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
  const target = useFormTarget()
  const { path, change } = inside(of, 'source')
  const [refused, setRefused] = useState<string | null>(null)
  const preview = useCodePreview(scenario, source)
  const problem = useProblem(source, preview)
  const put = (text: string) => {
    allowCode(session, text)
    setRefused(tryEdit(target, (scenario) => change(scenario, text), path))
  }
  const points = new Map(startingPoints())
  const startingPoint = [...points.keys()].find((name) => points.get(name) === source)
  const message = refused ?? (problem === null ? null : translatedReason(problem))
  return (
    <>
      <TextField label={t('Name')} {...inside(of, 'name')} />
      <Choice
        label={t('Begin with')}
        value={startingPoint ?? ''}
        options={[
          ...(startingPoint === undefined ? [['', t('Custom code')] as const] : []),
          ...[...points.keys()].map((name) => [name, name] as const),
        ]}
        choose={(name) => {
          const code = points.get(name)
          if (code !== undefined) put(code)
        }}
      />
      <p className="form-hint">
        <Translated text="The function gets a <c>view</c> and returns how many workers each stage should have: a list in listing order, or an object by stage id. Their sum is at most <c>view.workers</c>." />{' '}
        <Translated text="The view has <c>workers</c>, <c>time</c>, <c>stages</c>, <c>memory</c> and <c>random()</c>; a stage has <c>id</c>, <c>name</c>, <c>waiting</c>, <c>mean</c> (in µs), <c>busy</c>, <c>seats</c>, <c>done</c>, <c>capacity</c> and <c>finished</c>. Control Space explains them where you type." />{' '}
        <Translated text="If the code also exports a function <c>describe(view, seats)</c>, its sentence appears in the panel Decision." />
      </p>
      <CodeText
        kind={policyCode}
        source={source}
        put={put}
        line={lineOfProblem(problem ?? '')}
        problem={translatedReason(problem ?? '')}
        message={message}
        hint={t('It runs in a sandbox.')}
      />
      <CodePreview scenario={scenario} source={source} preview={preview} />
    </>
  )
}

/** Returns the problem of the code in English: from reading it, from trying it, or from the last run. */
function useProblem(source: string, preview: Preview | null): string | null {
  const session = useSession()
  const run = useStore(runStore(session), ({ phase, run }) => (phase === 'ended' ? run : null))
  const [known, setKnown] = useState<{ readonly source: string; readonly problem: string | null } | null>(null)
  useEffect(() => {
    const ask = (signal: AbortSignal) => runJob('codeProblem', source, { signal })
    return askSoon(READ_MS, ask, (problem) => setKnown({ source, problem }))
  }, [source])
  if (known?.source === source && known.problem !== null) return known.problem
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
function useCodePreview(scenario: Scenario, source: string): Preview | null {
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
function CodePreview({
  scenario,
  source,
  preview,
}: {
  readonly scenario: Scenario
  readonly source: string
  readonly preview: Preview | null
}) {
  const session = useSession()
  const allowed = useStore(allowedCodeStore(session), ({ sources }) => sources.has(source))
  if (!allowed)
    return <p className="form-hint">{t('The targets appear here after Run, or when you change the code.')}</p>
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

const policyCode: CodeKind = { name: () => t('Code of the policy'), suggest: suggestCode }

const ofView = (): Completion[] => [
  { label: 'workers', info: t('How many workers there are.') },
  { label: 'time', info: t('The time in microseconds.') },
  { label: 'stages', info: t('A list of the stages, in listing order.') },
  { label: 'memory', info: t('An object that is kept for as long as the policy applies.') },
  { label: 'random', apply: 'random()', info: t('A random number from 0 to 1, derived from the seed.') },
]

const ofStage = (): Completion[] => [
  { label: 'id', info: t('The id of the stage.') },
  { label: 'name', info: t('The name of the stage.') },
  { label: 'waiting', info: t('How many jobs wait.') },
  { label: 'mean', info: t('The estimated service time in microseconds.') },
  { label: 'busy', info: t('How many workers are busy here.') },
  { label: 'seats', info: t('The target of the decision before.') },
  { label: 'done', info: t('Whether no more jobs will come.') },
  { label: 'capacity', info: t('How many jobs the queue holds; null: any number.') },
  { label: 'finished', info: t('How many services have ended.') },
]

/** Returns what may follow `view.`, or a dot after a stage. */
function suggestCode(context: CompletionContext): CompletionResult | null {
  const before = context.matchBefore(/([\w$]+|\])\.\w*/)
  if (before === null)
    return context.explicit ? { from: context.pos, options: [{ label: 'view', type: 'variable' }] } : null
  const owner = before.text.slice(0, before.text.indexOf('.'))
  const own = owner === 'view' ? ofView() : owner === ']' || owner === 'stage' || owner === 'best' ? ofStage() : []
  return own.length === 0
    ? null
    : {
        from: before.from + owner.length + 1,
        options: own.map((each) => ({ type: 'property', ...each })),
        validFor: /^\w*$/,
      }
}
