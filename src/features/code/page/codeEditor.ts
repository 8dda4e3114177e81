import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { linter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState, Transaction } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { editorTheme } from '../../../app/draw/editor/editorTheme.ts'
import { phrases } from '../../../app/draw/editor/phrases.ts'
import { t } from '../../../language/translate.ts'
import { codeLanguage, suggestCode } from './codeLanguage.ts'

export interface CodeEditor {
  /** Shows another text, which nobody has typed here. */
  show(text: string): void
  /** Underlines a line (from 1; 0: none). */
  mark(line: number, message: string): void
  close(): void
}

/** Opens the editor in a shadow root, as that of the scenario's text. `typed` is called after each change by the person. */
export function openCodeEditor(root: ShadowRoot, text: string, typed: (text: string) => void): CodeEditor {
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
    show(next) {
      if (next === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: Transaction.remote.of(true) })
    },
    mark(line, message) {
      const known = line > 0 && line <= view.state.doc.lines
      const { from, to } = view.state.doc.line(known ? line : 1)
      view.dispatch(setDiagnostics(view.state, known ? [{ from, to, severity: 'error', message }] : []))
    },
    close: () => view.destroy(),
  }
}
