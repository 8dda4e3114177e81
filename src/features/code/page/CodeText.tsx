import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput, StreamLanguage } from '@codemirror/language'
import { linter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState, Transaction } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { tryEdit } from '../../../app/base/forms/bound.ts'
import { Choice, Field } from '../../../app/base/forms/fields.tsx'
import { useFormTarget } from '../../../app/base/forms/formTarget.ts'
import { useLanguage } from '../../../app/base/page/language.ts'
import { editorTheme, phrases } from '../../../app/draw/text/editorTheme.ts'
import { allowCode } from '../../../app/session/scenario/allowedCode.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { askSoon } from './CodeExplanationNote.tsx'
import './code.css'

interface CodeTextProps {
  /** What the code is, for screen readers. */
  readonly name: string
  /** Returns what may stand at the cursor. */
  readonly suggest: (context: CompletionContext) => CompletionResult | null
  readonly source: string
  /** Called when the person has typed for a while, or leaves the editor. */
  readonly put: (source: string) => void
  /** The line that is underlined (one-based; 0: none), and what is wrong there. */
  readonly line: number
  readonly problem: string
  /** What stands below the editor; null: nothing. */
  readonly message: string | null
}

interface CodeInputProps extends Omit<CodeTextProps, 'put' | 'message'> {
  /** Codes to begin with, by name. */
  readonly templates: readonly (readonly [name: string, code: string])[]
  readonly path: string
  readonly change: (scenario: Scenario, source: string) => Scenario
  /** What the code gets and returns. */
  readonly children: ReactNode
}

/** The code of a policy or a stage: a choice of code to begin with, what the code has to do, and the editor. */
export function CodeInput({ templates, path, change, children, ...editor }: CodeInputProps) {
  const session = useSession()
  const target = useFormTarget()
  const [refused, setRefused] = useState<string | null>(null)
  const put = (source: string) => {
    allowCode(session, source)
    setRefused(tryEdit(target, (scenario) => change(scenario, source), path))
  }
  const template = templates.find(([, code]) => code === editor.source)
  return (
    <>
      <Choice
        label={t('Begin with')}
        value={template?.[0] ?? ''}
        options={[
          ...(template === undefined ? [['', t('Custom code')] as const] : []),
          ...templates.map(([name]) => [name, name] as const),
        ]}
        choose={(chosen) => {
          const found = templates.find(([name]) => name === chosen)
          if (found !== undefined) put(found[1])
        }}
      />
      <p className="form-hint">{children}</p>
      <CodeText {...editor} put={put} message={refused ?? (editor.problem || null)} />
    </>
  )
}

/** Returns why code cannot be read, from the parser of the sandbox, which does not run it; null: it can, undefined: not known yet. */
export function useReadProblem(source: string): string | null | undefined {
  const [known, setKnown] = useState<{ readonly source: string; readonly problem: string | null } | null>(null)
  useEffect(() => {
    const ask = (signal: AbortSignal) => runJob('codeProblem', source, { signal })
    return askSoon(READ_MS, ask, (problem) => setKnown({ source, problem }))
  }, [source])
  return known?.source === source ? known.problem : undefined
}

/** Returns the fields of an object as completions of the word that begins at `from`. */
export function offerFields(from: number, fields: readonly Completion[]): CompletionResult {
  return { from, options: fields.map((field) => ({ type: 'property', ...field })), validFor: /^\w*$/ }
}

/** The pause in typing after which the code is read. */
const READ_MS = 400

/** A field for code, with the editor in a shadow root. */
function CodeText({ name, suggest, source, put, line, problem, message }: CodeTextProps) {
  const language = useLanguage()
  const id = useId()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor | null>(null)
  /** What was typed since the code was read; null: nothing. */
  const unread = useRef<string | null>(null)
  /** The text that was read last, until another one comes from outside. */
  const own = useRef<string | null>(null)
  const latest = useRef(put)
  latest.current = put

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor has texts in its language
  useEffect(() => {
    if (host.current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      clearTimeout(timer)
      const text = unread.current
      unread.current = null
      if (text === null) return
      own.current = text
      latest.current(text)
    }
    const opened = openCodeEditor(
      host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }),
      source,
      { name, suggest },
      (text) => {
        unread.current = text
        clearTimeout(timer)
        timer = setTimeout(read, READ_MS)
      },
    )
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
  useEffect(() => {
    if (source === own.current) return
    // Another text, of a template for instance, replaces what was typed and not read yet.
    unread.current = null
    own.current = null
    editor.current?.show(source)
  }, [source])
  useEffect(() => editor.current?.mark(line, problem), [line, problem])
  return (
    <Field id={id} label={t('Code')} message={message} wide>
      <div className="code-editor" ref={host} data-part="code" />
    </Field>
  )
}

type CodeEditor = ReturnType<typeof openCodeEditor>

/** Opens the editor in a shadow root, like the editor of the JSON. `typed` is called after each change by the person. */
function openCodeEditor(
  root: ShadowRoot,
  text: string,
  { name, suggest }: Pick<CodeTextProps, 'name' | 'suggest'>,
  typed: (text: string) => void,
) {
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      history(),
      codeLanguage,
      lineNumbers(),
      highlightSpecialChars(),
      highlightActiveLine(),
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      EditorView.lineWrapping,
      autocompletion({ override: [suggest], icons: false }),
      linter(null),
      EditorState.phrases.of(phrases()),
      editorTheme,
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({
        tabindex: '0',
        'aria-label': name,
        'aria-description': t('JavaScript. Tab leaves the text, Control Space completes, F8 goes to the next problem.'),
      }),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        if (docChanged && !transactions.some((each) => each.annotation(Transaction.remote))) typed(state.doc.toString())
      }),
    ],
  })
  return {
    /** Replaces the text without calling `typed`. */
    show(next: string): void {
      if (next === view.state.doc.toString()) return
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: Transaction.remote.of(true),
      })
    },
    /** Underlines a line (one-based; 0: none). */
    mark(line: number, message: string): void {
      const known = line > 0 && line <= view.state.doc.lines
      const { from, to } = view.state.doc.line(known ? line : 1)
      view.dispatch(setDiagnostics(view.state, known ? [{ from, to, severity: 'error', message }] : []))
    },
    close: () => view.destroy(),
  }
}

const words =
  /^(?:async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|finally|for|function|if|in|instanceof|let|new|of|return|static|switch|this|throw|try|typeof|var|void|while|yield)\b/

/** The colours of JavaScript: comments, texts, numbers and words of the language. */
const codeLanguage = StreamLanguage.define<{ comment: boolean; text: string }>({
  name: 'javascript',
  startState: () => ({ comment: false, text: '' }),
  token(stream, state) {
    if (state.comment) {
      state.comment = !stream.match(/^.*?\*\//)
      if (state.comment) stream.skipToEnd()
      return 'comment'
    }
    if (state.text !== '' || stream.match(/^['"`]/)) {
      const quote = state.text === '' ? stream.current() : state.text
      const closed = stream.match(new RegExp(`^(?:[^\\\\${quote}]|\\\\.)*${quote}`))
      if (!closed) stream.skipToEnd()
      state.text = closed || quote !== '`' ? '' : quote
      return 'string'
    }
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) {
      state.comment = true
      return 'comment'
    }
    if (stream.match(/^\d[\w.]*/)) return 'number'
    if (stream.match(words)) return 'keyword'
    if (stream.match(/^(?:true|false|null|undefined|NaN|Infinity)\b/)) return 'bool'
    if (!stream.match(/^[\w$]+/) && !stream.eatSpace()) stream.next()
    return null
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['(', '[', '{', "'", '"', '`'] } },
})
