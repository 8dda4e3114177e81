import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { useEffect, useLayoutEffect } from 'react'
import { readStored, writeStored } from '../../../app/base/browser/browserStorage.ts'
import { chooseFile } from '../../../app/base/browser/files.ts'
import { stageBound } from '../../../app/base/forms/bound.ts'
import { Translated } from '../../../app/base/ui/Translated.tsx'
import type { PanelProps } from '../../../app/session/features/feature.ts'
import { allowCode, allowedCodeStore, unseenStages } from '../../../app/session/scenario/allowedCode.ts'
import { takeFile } from '../../../app/share/files/input.ts'
import { codeOf, type Link, type Source, type Stage } from '../../../scenario/model/scenario.ts'
import { lineOfProblem } from '../../../scheduler/codePolicy.ts'
import { CodeInput, offerFields, useReadProblem } from '../../code/page/CodeText.tsx'
import { disturbances } from './disturbances.ts'
import { TryCode } from './TryCode.tsx'
import { templates } from './templates.ts'
import './stageCode.css'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { runStore } from '../../../app/session/run/runStore.ts'
import { start } from '../../../app/session/run/startStop.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { isolated, t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import './stageCode.css'

type Props = PanelProps['stageForm']

/** The code of a stage, in its form; nothing for other stages. */
export function StageCodeForm({ stage, index }: Props) {
  const code = codeOf(stage)
  return code === null ? null : <CodeOf key={stage.id} stage={stage} index={index} code={code} />
}

function CodeOf({ stage, index, code }: Props & { readonly code: string }) {
  const session = useSession()
  const problem = useReadProblem(code)
  const wrong = problem === undefined ? null : wrongIn(code, problem)
  const { source, links, stages } = useStore(scenarioStore(session), ({ draft }) => draft)
  const firstInput = source.kind === 'values' ? (source.values[0] ?? 1) : 0
  const isFirst = links.some(([from, to]) => from === 'source' && to === stage.id)
  const { change, path } = stageBound(stage, index, 'work')
  return (
    <>
      <CodeInput
        path={`${path}.code`}
        change={(scenario, next) => change(scenario, { code: next })}
        templates={templates.map(({ name, code }) => [name(), code])}
        name={t('Code of the stage')}
        suggest={suggest}
        source={code}
        line={wrong?.line ?? 0}
        problem={wrong?.message ?? ''}
      >
        <Translated text="The function gets the output of the stage before, and returns its own: text, or anything that JSON can say. It may be <c>async</c>." />{' '}
        <Translated text="The context has <c>job</c>, <c>worker</c>, <c>tries</c>, <c>random()</c>, <c>sleep(ms)</c> and <c>state</c>, which an exported <c>setUp</c> makes." />
      </CodeInput>
      {isFirst && <Data source={source} />}
      <TryCode
        stage={stage}
        before={lineBefore(stages, links, stage)}
        first={firstInput}
        example={
          isFirst && source.kind === 'values' ? firstInput : (templates.find((one) => one.code === code)?.input ?? 1)
        }
      />
    </>
  )
}

/** Says what the inputs of a first stage are. A file can replace them, as if it were dropped on the page. */
function Data({ source }: { readonly source: Source }) {
  const session = useSession()
  return (
    <p className="form-hint">
      {source.kind === 'values' && `${t('{n, plural, one {# value} other {# values}}', { n: source.values.length })}. `}
      <Button
        className="link"
        onClick={() => chooseFile((file) => takeFile(session, file))}
        text={t('Use a file: lines, CSV or a JSON list')}
      />
    </p>
  )
}

/** Returns the stages that lead to a stage, in order; none where several ways lead to it, or the links go in a circle. */
export function lineBefore(stages: readonly Stage[], links: readonly Link[], stage: Stage): readonly Stage[] {
  const line: Stage[] = []
  for (let id = stage.id; ; ) {
    const ways = links.filter(([, to]) => to === id)
    if (ways.length !== 1) return []
    const [[from]] = ways
    const found = stages.find((each) => each.id === from)
    if (found === undefined) return line
    if (found === stage || line.includes(found)) return []
    line.unshift(found)
    id = from
  }
}

interface Wrong {
  /** One-based; 0: none is known. */
  readonly line: number
  readonly message: string
}

/** Returns what is wrong with code. `problem`: why the parser could not read it, with the line; null if it could. */
export function wrongIn(code: string, problem: string | null): Wrong | null {
  const imports =
    code.split('\n').findIndex((line) => /^\s*(import\s*[\w{*'"]|export\s[^='"`]*\bfrom\b)/.test(line)) + 1
  if (imports > 0)
    return {
      line: imports,
      message: t('Line {line}: a stage imports nothing. Write the function into the code.', { line: imports }),
    }
  if (problem !== null) {
    const line = lineOfProblem(problem)
    const what = /SyntaxError: (.*)$/s.exec(problem)?.[1] ?? problem
    return { line, message: line === 0 ? what : t('Line {line} cannot be read: {what}', { line, what }) }
  }
  if (/\bexport\s+default\b|\bas\s+default\b/.test(code)) return null
  return {
    line: 0,
    message: t('Export a function: {example}', { example: 'export default (input, context) => input' }),
  }
}

const contextFields = () => [
  { label: 'job' },
  { label: 'worker' },
  { label: 'tries' },
  { label: 'random', apply: 'random()', info: t('A random number from 0 to 1, derived from the seed.') },
  { label: 'sleep', apply: 'sleep(10)' },
  { label: 'state', info: t('An object that lasts while the worker stays at the stage.') },
]

/** Returns what may follow `context.`, stand in the braces of a parameter, and begin the code. */
function suggest(context: CompletionContext): CompletionResult | null {
  const member = context.matchBefore(/\bcontext\.\w*/)
  if (member !== null) return offerFields(member.from + 'context.'.length, contextFields())
  const word = context.matchBefore(/\w*/)?.from ?? context.pos
  if (context.matchBefore(/=?\(\s*\w+\s*,\s*\{[\w\s,]*/) !== null)
    return offerFields(
      word,
      contextFields().map(({ label, info }) => ({ label, ...(info !== undefined && { info }) })),
    )
  if (!context.explicit) return null
  const starts = ['input', 'context', 'export default (input, context) => input', 'export function setUp(context) {}']
  return { from: word, options: starts.map((label) => ({ label, type: 'variable' })) }
}

/** How many stages the notice names. */
const MAX_NAMED = 6

/** Where the browser keeps the code that a person has written or run here, so that a reload asks no second time. */
const KEPT = 'apportion.stageCode'
/** Each has at most 20,000 characters. */
const MAX_KEPT = 40
/** While a person types, only the text at a pause is kept. */
const KEEP_MS = 500

function keptCode(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(readStored(KEPT) ?? '[]')
    return Array.isArray(kept) ? kept.filter((code): code is string => typeof code === 'string') : []
  } catch {
    return []
  }
}

/** Keeps code, newest first. */
function keepCode(codes: readonly string[]): void {
  writeStored(KEPT, JSON.stringify([...new Set([...codes, ...keptCode()])].slice(0, MAX_KEPT)))
}

/** Says which stages of a link or a file have code that has not run here, until it is run or written. It is no dialog: Run does the same as its button. */
export function CodeNotice() {
  const session = useSession()
  const allowed = useStore(allowedCodeStore(session))
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  // Before it is painted. The code that a stage begins with only passes its input on, so it needs no question.
  useLayoutEffect(() => allowCode(session, templates[0].code, ...keptCode()), [session])
  useEffect(() => {
    const codes = scenario.stages.flatMap((stage) => codeOf(stage) ?? []).filter((code) => allowed.sources.has(code))
    if (codes.length === 0) return
    const keep = () => keepCode(codes)
    const timer = setTimeout(keep, KEEP_MS)
    // A reload does not wait.
    addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', keep)
    }
  }, [allowed, scenario])
  const running = useStore(runStore(session), ({ phase }) => phase === 'running')
  const { waits } = useStore(disturbances(session).store)
  const unseen = unseenStages(session, scenario)
  if (waits)
    return (
      <p className="code-notice">
        {t('A thread of the run before still holds a core. This run starts when the thread has let go.')}
      </p>
    )
  if (running || unseen.length === 0) return null
  const names = unseen.slice(0, MAX_NAMED).map(({ name }) => isolated(name))
  const stages = listed(unseen.length > names.length ? [...names, '…'] : names)
  const run = () => {
    runStore(session).setState({ engine: 'threads' })
    void start(session)
  }
  return (
    <section className="code-notice" aria-label={t('Code in this scenario')}>
      <p>
        {t(
          '{stages} {n, plural, one {has} other {have}} code written by the author of this scenario. It runs when you say so, in threads without network, storage or page.',
          {
            stages,
            n: unseen.length,
          },
        )}
      </p>
      <Button className="button" onClick={run} text={t('Run this code')} />
    </section>
  )
}
