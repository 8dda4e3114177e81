import { useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { type Bound, inside } from '../../../app/base/forms/bound.ts'
import { Choice, Field, TextField } from '../../../app/base/forms/fields.tsx'
import { useFormTarget } from '../../../app/base/forms/formTarget.ts'
import { tryEdit } from '../../../app/base/forms/useDraft.ts'
import { useLanguage } from '../../../app/base/page/language.ts'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import type { PanelProps } from '../../../app/session/features/feature.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { allowCode } from '../../../app/session/scenario/allowedCode.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import type { CodePolicy, Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf } from '../../../scenario/model/schedule.ts'
import { lineOfProblem, translatedReason } from '../../../scheduler/codePolicy.ts'
import { CodePreview, type Preview, useCodePreview } from './CodePreview.tsx'
import { type CodeEditor, openCodeEditor } from './codeEditor.ts'
import { startingPoints } from './startingPoints.ts'
import './code.css'

/** The pause in typing after which the code is read. */
const SETTLE_MS = 400

/** The form of a policy in code; nothing for other policies. */
export function CodeForm({ policy, scenario }: PanelProps['policyForm']) {
  return policy.kind === 'code' ? <CodeField of={{ path: 'policy', value: policy, change: setPolicy }} scenario={scenario} /> : null
}

/** The name and the code of a user's own policy. Threads of the page read it while it is typed, say what is wrong, and try it on one decision. */
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
      timer = setTimeout(read, SETTLE_MS)
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

  const points = startingPoints()
  const message = refused ?? (problem === null ? null : translatedReason(problem))
  return (
    <>
      <TextField label={t('Name')} {...inside(of, 'name')} />
      <Choice
        label={t('Begin with')}
        value={points.find(([, code]) => code === source)?.[0] ?? ''}
        options={[...(points.some(([, code]) => code === source) ? [] : [['', t('Own code')] as const]), ...points.map(([name]) => [name, name] as const)]}
        choose={(name) => {
          const code = points.find(([each]) => each === name)?.[1]
          if (code !== undefined) put(code)
        }}
      />
      <p className="form-hint">
        <Translated text="The function gets a <c>view</c> and returns how many workers each stage should have: a list in listing order, or an object by stage id. Their sum is at most <c>view.workers</c>." />{' '}
        <Translated text="The view has <c>workers</c>, <c>time</c>, <c>stages</c>, <c>memory</c> and <c>random()</c>; a stage has <c>id</c>, <c>name</c>, <c>waiting</c>, <c>mean</c> (in µs), <c>busy</c>, <c>seats</c>, <c>done</c>, <c>capacity</c> and <c>finished</c>. Control Space explains them where you type." />{' '}
        <Translated text="A function <c>describe(view, seats)</c>, exported too, says in a sentence why; the panel Decision shows it." />
      </p>
      <Field id={id} label={t('Code')} message={message} hint={t('It runs in a sandbox.')} wide>
        <div className="code-editor" ref={host} data-part="code" />
      </Field>
      <CodePreview scenario={scenario} source={source} preview={preview} />
    </>
  )
}

/** Returns what is wrong with the code, in English: as it was read, tried, or as the last run found it. */
function useProblem(source: string, preview: Preview | null): string | null {
  const session = useSession()
  const run = useStore(runStore(session), ({ phase, run }) => (phase === 'ended' ? run : null))
  const [known, setKnown] = useState<{ readonly source: string; readonly problem: string | null } | null>(null)
  useEffect(() => {
    const over = new AbortController()
    const timer = setTimeout(() => {
      runJob('codeProblem', source, { signal: over.signal }).then(
        (problem) => setKnown({ source, problem }),
        () => {},
      )
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [source])
  if (known?.source === source && known.problem !== null) return known.problem
  const words = preview?.answer?.words ?? null
  const tried = preview?.answer?.problem ?? (words !== null && 'problem' in words ? words.problem : null)
  if (tried !== null) return tried
  const played = run !== null && phasesOf(run.scenario).some(({ policy }) => policy.kind === 'code' && policy.source === source)
  return (played && run.trace.failures.find(({ kind }) => kind === 'run')?.reason) || null
}
