import { useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type Bound, inside, tryEdit } from '../../../app/base/forms/bound.ts'
import { Choice, Field, TextField } from '../../../app/base/forms/fields.tsx'
import { useFormTarget } from '../../../app/base/forms/formTarget.ts'
import { useLanguage } from '../../../app/base/page/language.ts'
import { Swatch } from '../../../app/base/ui/Table.tsx'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import type { PanelProps } from '../../../app/session/features/feature.ts'
import { type ShownDecision, useShownDecision } from '../../../app/session/page/shownDecision.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { allowCode, allowedCodeStore } from '../../../app/session/scenario/allowedCode.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { CodePolicy, Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { lineOfProblem, translatedReason } from '../../../scheduler/codePolicy.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { CodeAnswer } from '../sandbox/askCode.ts'
import { askSoon } from './CodeExplanationNote.tsx'
import { type CodeEditor, openCodeEditor } from './codeEditor.ts'
import { startingPoints } from './startingPoints.ts'
import './code.css'

/** The pause in typing after which the code is read. */
const READ_MS = 400

/** The form of a policy in code; nothing for other policies. */
export function CodeForm({ policy, scenario }: PanelProps['policyForm']) {
  return policy.kind === 'code' ? <CodeField of={{ path: 'policy', value: policy, change: setPolicy }} scenario={scenario} /> : null
}

/** The name and the code of a user's own policy. Threads of the page check it while it is typed, and try it on one decision. */
export function CodeField({ of, scenario }: { readonly of: Bound<CodePolicy>; readonly scenario: Scenario }) {
  const session = useSession()
  const { source } = of.value
  const target = useFormTarget()
  const language = useLanguage()
  const id = useId()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor | null>(null)
  const { path, change } = inside(of, 'source')
  const [refused, setRefused] = useState<string | null>(null)
  const preview = useCodePreview(scenario, source)
  const problem = useProblem(source, preview)
  const put = (text: string) => {
    allowCode(session, text)
    setRefused(tryEdit(target, (scenario) => change(scenario, text), path))
  }
  const latest = useRef(put)
  latest.current = put

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor has texts in its language
  useEffect(() => {
    if (host.current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let unread: string | null = null
    const read = () => {
      clearTimeout(timer)
      if (unread !== null) latest.current(unread)
      unread = null
    }
    const opened = openCodeEditor(host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }), source, (text) => {
      unread = text
      clearTimeout(timer)
      timer = setTimeout(read, READ_MS)
    })
    const element = host.current
    element.addEventListener('focusout', read)
    editor.current = opened
    return () => {
      element.removeEventListener('focusout', read)
      read()
      opened.close()
      editor.current = null
    }
  }, [language])
  useEffect(() => editor.current?.show(source), [source])
  useEffect(() => editor.current?.mark(lineOfProblem(problem ?? ''), translatedReason(problem ?? '')), [problem])

  const points = new Map(startingPoints())
  const startingPoint = [...points.keys()].find((name) => points.get(name) === source)
  const message = refused ?? (problem === null ? null : translatedReason(problem))
  return (
    <>
      <TextField label={t('Name')} {...inside(of, 'name')} />
      <Choice
        label={t('Begin with')}
        value={startingPoint ?? ''}
        options={[...(startingPoint === undefined ? [['', t('Custom code')] as const] : []), ...[...points.keys()].map((name) => [name, name] as const)]}
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
      <Field id={id} label={t('Code')} message={message} hint={t('It runs in a sandbox.')} wide>
        <div className="code-editor" ref={host} data-part="code" />
      </Field>
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
  const played = run !== null && phasesOf(run.scenario).some(({ policy }) => policy.kind === 'code' && policy.source === source)
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
      const decision = shown === null ? null : decisionAt(shown.run.trace, shown.run.estimateHistory, shown.index)
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
function CodePreview({ scenario, source, preview }: { readonly scenario: Scenario; readonly source: string; readonly preview: Preview | null }) {
  const session = useSession()
  const allowed = useStore(allowedCodeStore(session), ({ sources }) => sources.has(source))
  if (!allowed) return <p className="form-hint">{t('The targets appear here after Run, or when you change the code.')}</p>
  const seats = preview?.answer?.seats ?? null
  // The scenario may have changed since.
  if (!preview?.answer || seats?.length !== scenario.stages.length) return null
  const { answer, shown } = preview
  const { words, view } = answer
  const inRun = shown === null ? null : decisionAt(shown.run.trace, shown.run.estimateHistory, shown.index).stages
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
            {inRun !== null && inRun[s].seatsAfter !== seats[s] && <span className="soft"> {t('(in the run {n})', { n: inRun[s].seatsAfter })}</span>}
          </li>
        ))}
      </ul>
      {words !== null && 'text' in words && <p className="soft">{words.text}</p>}
    </div>
  )
}
