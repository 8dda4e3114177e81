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
import { editorTheme, phrases } from '../../../app/draw/text/editorTheme.ts'
import { t } from '../../../language/translate.ts'

export type CodeEditor = ReturnType<typeof openCodeEditor>

/** Opens the editor in a shadow root, like the editor of the JSON. `typed` is called after each change by the person. */
export function openCodeEditor(root: ShadowRoot, text: string, typed: (text: string) => void) {
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
      autocompletion({ override: [suggestCode], icons: false }),
      linter(null),
      EditorState.phrases.of(phrases()),
      editorTheme,
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({
        tabindex: '0',
        'aria-label': t('Code of the policy'),
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
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: Transaction.remote.of(true) })
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
  if (before === null) return context.explicit ? { from: context.pos, options: [{ label: 'view', type: 'variable' }] } : null
  const owner = before.text.slice(0, before.text.indexOf('.'))
  const own = owner === 'view' ? ofView() : owner === ']' || owner === 'stage' || owner === 'best' ? ofStage() : []
  return own.length === 0 ? null : { from: before.from + owner.length + 1, options: own.map((each) => ({ type: 'property', ...each })), validFor: /^\w*$/ }
}
